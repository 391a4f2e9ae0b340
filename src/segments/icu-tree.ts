/** An ICU message as whole sentences in a tree of branches. Pure. */
import {
  type MessageFormatElement,
  type PluralElement,
  TYPE,
} from '@formatjs/icu-messageformat-parser';
import type { Part } from '../format.ts';
import type { LanguageTag } from '../language.ts';
import { sentenceParts } from './icu-sentence.ts';
import { type Branching, escapeIcu, isBranching } from './icu-text.ts';
import { numbersIn, type PluralType, pluralCategories, sampleNumber } from './plurals.ts';

export type Tree = Sentence | Choice;

export interface Sentence {
  readonly kind: 'sentence';
  readonly parts: readonly Part[];
  readonly within: 'plural' | 'other';
}

interface Choice {
  readonly kind: 'choice';
  /** `{count, plural, ` */
  readonly head: string;
  readonly branches: readonly { readonly selector: string; readonly tree: Tree }[];
}

interface Place {
  readonly text: string;
  readonly language: LanguageTag;
  /** The plural whose number `#` is here. */
  readonly plural?: { readonly name: string; readonly sample?: string };
}

/** Text around a branching argument goes into each of its branches; what is around is sealed, since `#` means another number there. */
export function expand(elements: readonly (MessageFormatElement | Part)[], place: Place): Tree {
  const at = elements.findIndex((element) => isElement(element) && isBranching(element));
  const branching = elements[at] as Branching | undefined;
  if (branching === undefined) {
    const parts = elements.map((element) => seal(element, place, '#')) as Part[];
    const within = place.plural ? 'plural' : 'other';
    return { kind: 'sentence', parts: sentenceParts(parts, within), within };
  }
  const around = elements.map((element) => seal(element, place, 'argument'));
  const [before, after] = [around.slice(0, at), around.slice(at + 1)];
  const branches = branchesOf(branching, place).map(({ selector, value, inside }) => ({
    selector,
    tree: expand([...before, ...value, ...after], inside),
  }));
  return { kind: 'choice', head: headOf(branching), branches };
}

/** `#` of a plural with an offset cannot be written as an argument, so such a plural must not hold further branches. */
export function canExpand(elements: readonly MessageFormatElement[]): boolean {
  return elements.filter(isBranching).every((element) => {
    const values = Object.values(element.options).map(({ value }) => value);
    const hasOffset = element.type === TYPE.plural && element.offset !== 0;
    return values.every((value) => canExpand(value) && !(hasOffset && value.some(isBranching)));
  });
}

export function sentencesOf(tree: Tree): readonly Sentence[] {
  return tree.kind === 'sentence'
    ? [tree]
    : tree.branches.flatMap((branch) => sentencesOf(branch.tree));
}

/** Writes the message, with a translation in place of each sentence that has one. */
export function build(
  tree: Tree,
  translations: ReadonlyMap<Sentence, readonly Part[] | undefined>,
): string {
  if (tree.kind === 'sentence') {
    return (translations.get(tree) ?? tree.parts)
      .map((part) => (typeof part === 'string' ? escapeIcu(part, tree.within) : part.raw))
      .join('');
  }
  const branches = tree.branches.map(
    ({ selector, tree: branch }) => `${selector} {${build(branch, translations)}}`,
  );
  return `${tree.head}${branches.join(' ')}}`;
}

function isElement(element: MessageFormatElement | Part): element is MessageFormatElement {
  return typeof element !== 'string' && !('raw' in element);
}

/** Turns an element into a part; branching ones stay as they are. */
function seal(
  element: MessageFormatElement | Part,
  { text, plural }: Place,
  pound: '#' | 'argument',
): MessageFormatElement | Part {
  if (!isElement(element) || isBranching(element)) return element;
  if (element.type === TYPE.literal) return element.value;
  if (element.type === TYPE.pound) {
    const raw = pound === '#' ? '#' : `{${plural?.name}, number}`;
    return { raw, ...(plural?.sample === undefined ? {} : { sample: plural.sample }) };
  }
  return { raw: text.slice(element.location?.start.offset, element.location?.end.offset) };
}

interface Branch {
  readonly selector: string;
  readonly value: readonly MessageFormatElement[];
  readonly inside: Place;
}

function branchesOf(element: Branching, { text, language }: Place): Branch[] {
  return element.type === TYPE.plural
    ? pluralBranches(element, { text, language })
    : Object.entries(element.options).map(([selector, { value }]) => ({
        selector,
        value,
        inside: { text, language },
      }));
}

/** `=0` and its like stay; the categories become those of the target language. */
function pluralBranches(element: PluralElement, place: Place): Branch[] {
  const { options, offset, value: name } = element;
  const type: PluralType = element.pluralType === 'ordinal' ? 'ordinal' : 'cardinal';
  const branch = (selector: string, value: readonly MessageFormatElement[], n?: number): Branch => {
    const sample = n === undefined || offset !== 0 ? {} : { sample: `${n}` };
    return { selector, value, inside: { ...place, plural: { name, ...sample } } };
  };
  const exact = Object.keys(options).filter((selector) => selector.startsWith('='));
  const taken = new Set(exact.map((selector) => Number(selector.slice(1))));
  return [
    ...exact.map((key) => branch(key, options[key]?.value ?? [], Number(key.slice(1)))),
    ...pluralCategories(place.language, type).map((category) => {
      const numbers = numbersIn(category, place.language, type).filter((n) => !taken.has(n));
      const own = options[category]?.value;
      // "one file" speaks of one only; where a category holds 1, 21 and 31, the wording with a number is needed.
      const isOwnUsable = own?.some(({ type: kind }) => kind === TYPE.pound) || numbers.length < 2;
      const value = (isOwnUsable ? own : undefined) ?? options['other']?.value ?? [];
      return branch(category, value, sampleNumber(numbers));
    }),
  ];
}

function headOf(element: Branching): string {
  if (element.type === TYPE.select) return `{${element.value}, select, `;
  const keyword = element.pluralType === 'ordinal' ? 'selectordinal' : 'plural';
  const offset = element.offset === 0 ? '' : `offset:${element.offset} `;
  return `{${element.value}, ${keyword}, ${offset}`;
}
