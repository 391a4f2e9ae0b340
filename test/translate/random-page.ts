/** Random English pages with the German pages that a person made of them: own marks, indents, titles and comments. And random edits of the English ones. */
import type { Seeded } from '../seeded.ts';

type Kind =
  | 'page'
  | 'section'
  | 'paragraph'
  | 'list'
  | 'item'
  | 'box'
  | 'table'
  | 'row'
  | 'cell'
  | 'code'
  | 'quote'
  | 'details'
  | 'element'
  | 'image';

/** A part of a page in both languages. */
export interface Part {
  /** The same before and after an edit. */
  readonly id: number;
  readonly kind: Kind;
  /** Kind of a box, language of code, level of a heading, "1" of a numbered list. */
  readonly variant: string;
  readonly en?: string;
  /** What the person wrote, or what is bought. */
  readonly de?: string;
  /** The person gave a title to a box that has none in the source. */
  readonly ownTitle?: string;
  readonly parts: readonly Part[];
  /** A comment or a paragraph of the person above it that the source does not have. */
  readonly note?: string;
  /** The source changed it: its German words are bought. */
  readonly isBought?: boolean;
  /** It was not in the page that the person translated. */
  readonly isNew?: boolean;
}

/**
 * How a page is written: the source has the first of each, the person some others. Not all marks of a list are `1.`: there, an item
 * that changes together with the quote below it lands in the quote.
 */
const STYLES = {
  bullet: ['-', '*', '+', '-  '],
  number: ['.', ')', '. '],
  heading: ['hashes', 'closed', 'underlined'],
  aboveSection: [1, 2],
  belowHeading: [1, 0, 2],
  insideBox: [0, 1],
  colons: [':::', '::::'],
  delimiters: ['---', ':--'],
  wrap: ['no', 'yes'],
  comments: ['kept', 'translated'],
} as const;
type Named<S> = { [Name in keyof S]: S[Name] extends readonly (infer Value)[] ? Value : never };
export type Style = Named<typeof STYLES>;

export const DIALECTS = ['vitepress', 'docusaurus', 'mkdocs', 'alerts', 'mdx'] as const;
export type Dialect = (typeof DIALECTS)[number];

const ENGLISH =
  'the server starts when your project opens a window and every worker keeps its own memory until someone closes it from outside so please read this part with care before you change any setting of them because names are shared between machines'.split(
    ' ',
  );
const GERMAN =
  'der Dienst startet wenn dein Projekt ein Fenster öffnet und jeder Arbeiter behält seinen eigenen Speicher bis jemand ihn von außen schließt also lies diesen Teil mit Sorgfalt bevor du eine Einstellung änderst weil Namen geteilt sind'.split(
    ' ',
  );

const MARKS: readonly (readonly [en: string, de: string])[] = [
  [' and `code_#` too', ' und auch `code_#`'],
  [' by [this link](./page-#.md)', ' mit [diesem Link](./page-#.md)'],
  [' in **bold words** here', ' in **fetten Worten** hier'],
];

/** What a service of the tests gives back: other words, the same code and links. */
const bought = (en: string) =>
  en.replace(/`[^`]*`|\]\([^)]*\)|\p{L}+/gu, (found) =>
    /^[`\]]/.test(found) ? found : `${found}ä`,
  );

export class RandomPages {
  readonly #random: Seeded;
  readonly #dialect: Dialect;
  /** Pages with notes have no `<details>`: its lines are lost or left over beside lines that only the person has. */
  readonly #hasNotes: boolean;
  #id = 0;

  constructor(random: Seeded, dialect: Dialect) {
    this.#random = random;
    this.#dialect = dialect;
    this.#hasNotes = random.isOneIn(2);
  }

  page(): Part {
    const sections = this.#some(3, 5, () => this.#section());
    return this.#part('page', { ...this.#words(3), parts: sections });
  }

  /** @param most of the ways in which the person writes otherwise than the source */
  style(most: number): Style {
    const names = Object.keys(STYLES) as (keyof Style)[];
    let style = plainStyle();
    for (let count = this.#random.below(most + 1); count > 0; count -= 1) {
      const name = this.#random.pick(names);
      const values: readonly Style[keyof Style][] = STYLES[name];
      style = { ...style, [name]: this.#random.pick(values) };
    }
    return this.#dialect === 'mdx' && style.heading === 'underlined' ? plainStyle() : style;
  }

  /** The page after one edit of the source; undefined: this one does not fit the page. */
  edited(page: Part): Part | undefined {
    const random = this.#random;
    const all = partsOf(page);
    const parent = random.pick(all);
    const parts = parent.parts;
    const change = (next: readonly Part[]) => withPart(page, { ...parent, parts: next });
    const at = parts.length === 0 ? 0 : random.below(parts.length);
    const isFixed = parts.length < 2 || parent.kind === 'row' || parts[at]?.kind === 'cell';
    const isHead = parent.kind === 'table' && at === 0;
    switch (random.below(8)) {
      case 0:
        return isFixed || isHead ? undefined : change(parts.toSpliced(at, 1));
      case 1: {
        const [moved] = parts.slice(at, at + 1);
        const to = random.below(parts.length + 1);
        if (moved === undefined || isFixed || isHead || to === 0) return undefined;
        return change(parts.toSpliced(at, 1).toSpliced(to - 1, 0, moved));
      }
      case 2: {
        const added = this.#newFor(parent);
        return added && change(parts.toSpliced(at + 1, 0, asNew(added)));
      }
      case 3:
        return this.#boxEdited(page, random.pick(all));
      case 4: {
        const [moved] = parts.slice(at, at + 1);
        const to = random.pick(all);
        if (parent.kind !== 'section' || to.kind !== 'section' || isFixed) return undefined;
        if (moved === undefined || to === parent) return undefined;
        const left = change(parts.toSpliced(at, 1));
        return withPart(left, { ...to, parts: [...to.parts, moved] });
      }
      default: {
        if (parent.kind === 'code') return withPart(page, { ...parent, variant: 'yaml' });
        if (parent.en === undefined) return undefined;
        const { en } = isProse(parent) ? this.#prose() : this.#words(3);
        return withPart(page, asBought({ ...parent, en }));
      }
    }
  }

  #boxEdited(page: Part, box: Part): Part | undefined {
    if (box.kind !== 'box' || box.isNew) return undefined;
    const { en: _en, de: _de, ownTitle, ...rest } = box;
    if (this.#random.isOneIn(3)) return withPart(page, { ...box, variant: 'danger' });
    if (box.en !== undefined) return withPart(page, rest);
    if (ownTitle !== undefined) return undefined;
    return withPart(page, asBought({ ...box, en: this.#words(2).en }));
  }

  #newFor(parent: Part): Part | undefined {
    switch (parent.kind) {
      case 'page':
        return this.#section();
      case 'section':
        return this.#block();
      case 'list':
        return this.#part('item', this.#prose());
      case 'table':
        return this.#row();
      case 'box':
      case 'details':
      case 'quote':
        return this.#paragraph();
      default:
        return undefined;
    }
  }

  #section(): Part {
    const level = this.#random.pick(['##', '##', '##', '###']);
    const parts = this.#some(2, 4, () => ({ ...this.#block(), ...this.#note() }));
    return this.#part('section', { ...this.#words(3), variant: level, parts });
  }

  #note(): Pick<Part, 'note'> {
    if (!this.#hasNotes || !this.#random.isOneIn(6)) return {};
    this.#id += 1;
    const words = `Eigenes der Person ${this.#id}`;
    const comment = this.#dialect === 'mdx' ? `{/* ${words} */}` : `<!-- ${words} -->`;
    return { note: this.#random.pick([comment, `${words}.`]) };
  }

  #block(): Part {
    const makers = [
      ...[this.#paragraph, this.#paragraph, this.#paragraph, this.#paragraph, this.#list],
      ...[this.#list, this.#box, this.#box, this.#table, this.#code, this.#quote],
      ...(this.#dialect === 'mdx' ? [this.#element] : [this.#image]),
      ...(this.#dialect === 'mdx' || this.#hasNotes ? [] : [this.#details]),
    ];
    return this.#random.pick(makers).call(this);
  }

  #paragraph(): Part {
    return this.#part('paragraph', this.#prose());
  }

  #list(depth = 0): Part {
    const item = () => {
      const inner = depth === 0 && this.#random.isOneIn(7) ? [this.#list(1)] : [];
      const makers = [this.#code, this.#table, this.#quote, this.#paragraph];
      const block = this.#random.isOneIn(8) ? [this.#random.pick(makers).call(this)] : inner;
      return this.#part('item', { ...this.#prose(), parts: block });
    };
    return this.#part('list', {
      variant: this.#random.pick(['', '', '1']),
      parts: this.#some(3, 5, item),
    });
  }

  #box(): Part {
    const title = this.#words(2);
    const own = this.#random.isOneIn(4) ? { ownTitle: title.de } : {};
    return this.#part('box', {
      ...(this.#random.isOneIn(2) ? title : own),
      variant: this.#random.pick(['tip', 'note', 'warning']),
      parts: this.#body(),
    });
  }

  #details(): Part {
    return this.#part('details', { ...this.#words(3), parts: this.#body() });
  }

  #element(): Part {
    const variant = this.#random.pick(['Card', 'Aside']);
    return this.#part('element', { ...this.#words(3), variant, parts: this.#body() });
  }

  #body(): Part[] {
    return this.#some(1, 2, () => (this.#random.isOneIn(4) ? this.#list(1) : this.#paragraph()));
  }

  #table(): Part {
    return this.#part('table', { parts: this.#some(3, 5, () => this.#row()) });
  }

  #row(): Part {
    return this.#part('row', { parts: this.#some(2, 2, () => this.#part('cell', this.#words(2))) });
  }

  #code(): Part {
    return this.#part('code', { variant: this.#random.pick(['js', 'sh']) });
  }

  #quote(): Part {
    return this.#part('quote', { parts: this.#some(1, 2, () => this.#paragraph()) });
  }

  #image(): Part {
    return this.#part('image', {});
  }

  #part(kind: Kind, rest: Partial<Part>): Part {
    this.#id += 1;
    return { variant: '', parts: [], ...rest, id: this.#id, kind };
  }

  #some(from: number, to: number, make: () => Part): Part[] {
    return Array.from({ length: from + this.#random.below(to - from + 1) }, make);
  }

  #words(count: number): { en: string; de: string } {
    this.#id += 1;
    const words = (from: readonly string[]) =>
      Array.from({ length: count }, () => this.#random.pick(from))
        .join(' ')
        .replace(/^\p{L}/u, (letter) => letter.toUpperCase());
    return { en: `${words(ENGLISH)} ${this.#id}`, de: `${words(GERMAN)} ${this.#id}` };
  }

  #prose(): { en: string; de: string } {
    const { en, de } = this.#words(4 + this.#random.below(10));
    const [english, german] = this.#random.pick([...MARKS, ['', ''], ['', ''], ['', '']]);
    const mark = (words: string) => `${words}`.replace('#', `${this.#id}`);
    return { en: `${en}${mark(english)}`, de: `${de}${mark(german)}` };
  }
}

export const partsOf = (part: Part): Part[] => [part, ...part.parts.flatMap(partsOf)];

const withPart = (root: Part, part: Part): Part =>
  root.id === part.id ? part : { ...root, parts: root.parts.map((inner) => withPart(inner, part)) };

const isProse = ({ kind }: Part) => kind === 'paragraph' || kind === 'item';

const asBought = (part: Part): Part =>
  part.en === undefined ? part : { ...part, de: bought(part.en), isBought: true };

const asNew = ({ ownTitle: _own, note: _note, ...part }: Part): Part => ({
  ...asBought(part),
  isNew: true,
  parts: part.parts.map(asNew),
});

export const plainStyle = (): Style =>
  Object.fromEntries(Object.entries(STYLES).map(([name, [first]]) => [name, first])) as Style;
