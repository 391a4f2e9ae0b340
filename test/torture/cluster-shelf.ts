/** Catalogs with all languages, and files in several languages, in which people save texts on the page while the sources change. */
import { readFileSync, renameSync } from 'node:fs';
import type { ReviewPortion } from '../../src/control/review-report.ts';
import type { Seeded } from '../seeded.ts';
import type { Member } from '../shared-team.ts';
import { hasItsNumbers } from './numbers.ts';

const LANGUAGES = ['de', 'fr', 'it'] as const;
/** Texts of each file that only people translate again. Their source stays, so that no save meets another source. */
const SAVED = 2;
/** Milliseconds that a person waits for the page: a daemon may stand still, and a busy machine takes seconds for a save. */
const PATIENCE_MS = 20_000;
/** The daemon was killed, or stands still. */
const NO_ANSWER = { status: 0 };

export const SHELF = `  shelf:
    { source: en, targets: [${LANGUAGES.join(', ')}], routes: [{ from: "shelf/*.xcstrings" }, { from: "shelf/{locale}/*.json" }] }
`;

interface Catalog {
  readonly strings: Readonly<Record<string, Translated>>;
}

interface Translated {
  readonly localizations: Readonly<
    Record<string, { readonly stringUnit: { readonly value: string } }>
  >;
}

/** What a person said about a text. */
interface Said {
  /** The page confirmed it. */
  readonly last?: string;
  /** The page did not answer: it may be there, or not. */
  readonly others: readonly string[];
}

export class Shelf {
  readonly #tree: Member;
  readonly #random: Seeded;
  readonly #files: number;
  readonly #said = new Map<string, Said>();
  /** How many texts were written: each has a number of its own. */
  #texts = 0;
  #saves = 0;
  #confirmed = 0;
  /** By status. */
  readonly #answers = new Map<number, number>();

  constructor(tree: Member, { files, random }: { files: number; random: Seeded }) {
    this.#tree = tree;
    this.#random = random;
    this.#files = files;
    for (let n = 0; n < files; n++) {
      const saved = Array.from({ length: SAVED }, (_, key) => [`saved_${key}`, this.#text()]);
      const entries = [...saved, ['key_0', this.#text()]] as [string, string][];
      tree.write(this.#json(n, 'en'), jsonOf(Object.fromEntries(entries)));
      const strings = entries.map(([key, text]) => [key, entryOf(`${text} too`)]);
      tree.write(this.#catalog(n), jsonOf(catalogOf(Object.fromEntries(strings))));
    }
  }

  /** For the protocol: with the status of each answer; 0: none came. */
  get happened(): string {
    const answers = [...this.#answers].map(([status, times]) => `${times} with ${status}`);
    return `people saved ${this.#saves} texts, and ${this.#confirmed} saves were confirmed (${answers.join(', ')})`;
  }

  get confirmed(): number {
    return this.#confirmed;
  }

  /**
   * Each person has files of their own, edits nothing during a save, and only adds texts. Whoever edits a catalog beside another one who saves
   * into it may write back what it was.
   */
  edit(person: Person): void {
    const n = this.#fileOf(person);
    const entries = this.#entries(this.#json(n, 'en'));
    this.#replace(this.#json(n, 'en'), { ...entries, key_0: this.#text() });
    const catalog = this.#read(n);
    const key = `key_${Object.keys(catalog.strings).length}`;
    this.#replace(this.#catalog(n), {
      ...catalog,
      strings: { ...catalog.strings, [key]: entryOf(this.#text()) },
    });
  }

  async save({ page, token }: Opened, person: Person): Promise<void> {
    const n = this.#fileOf(person);
    const file = this.#random.isOneIn(2) ? this.#catalog(n) : this.#json(n, 'en');
    const key = `saved_${this.#random.below(SAVED)}`;
    const language = LANGUAGES[this.#random.below(LANGUAGES.length)] ?? 'de';
    try {
      const session = await post(page, '/api/session', { token });
      const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
      await this.#saveOn({ page, cookie }, { file, key, language });
    } catch {
      // The daemon was killed, or stands still.
    }
  }

  #fileOf({ nth, of }: Person): number {
    return nth + of * this.#random.below(Math.floor((this.#files - 1 - nth) / of) + 1);
  }

  async #saveOn({ page, cookie }: Session, { file, key, language }: Place): Promise<void> {
    const asked = { language, file, states: [], from: 0, count: 100 };
    const list = await post(page, '/api/review/list', asked, cookie);
    if (list.status !== 200) return;
    const { rows } = (await list.json()) as ReviewPortion;
    const row = rows.find(({ text }) => text.key === key);
    if (row === undefined) return;
    const { project, text } = row;
    const { id, source_hash: source, target_hash: was } = text;
    const said = `Von Menschen gesagt, ${++this.#saves}`;
    const name = `${language} ${file}#${key}`;
    const before = this.#said.get(name)?.others ?? [];
    const last = this.#said.get(name)?.last;
    this.#said.set(name, { ...(last && { last }), others: [...before, said] });
    const body = { project, file: row.file, language, id, source, was, text: said, reviewed: true };
    const { status } = await post(page, '/api/review/save', body, cookie).catch(() => NO_ANSWER);
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
    if (status === NO_ANSWER.status) return;
    if (status === 200) {
      this.#confirmed += 1;
      // It follows all earlier ones.
      this.#said.set(name, { last: said, others: [] });
    } else if (status < 500) this.#said.set(name, { ...(last && { last }), others: before });
  }

  /** Texts that lack their translation, or have another one than the person who saved it last. */
  get wrong(): readonly string[] {
    return Array.from({ length: this.#files }, (_, n) => n).flatMap((n) => [
      ...LANGUAGES.flatMap((language) => this.#wrongIn(n, language)),
      ...this.#wrongInCatalog(n),
    ]);
  }

  #wrongIn(n: number, language: string): string[] {
    const target = this.#json(n, language);
    const found = this.#tree.has(target) ? this.#entries(target) : {};
    return Object.entries(this.#entries(this.#json(n, 'en'))).flatMap(([key, source]) => {
      const name = `${language} ${this.#json(n, 'en')}#${key}`;
      return this.#isRight(name, { source, text: found[key] }) ? [] : [name];
    });
  }

  #wrongInCatalog(n: number): string[] {
    return Object.entries(this.#read(n).strings).flatMap(([key, { localizations }]) =>
      LANGUAGES.flatMap((language) => {
        const source = localizations['en']?.stringUnit.value ?? '';
        const text = localizations[language]?.stringUnit.value;
        const name = `${language} ${this.#catalog(n)}#${key}`;
        return this.#isRight(name, { source, text }) ? [] : [name];
      }),
    );
  }

  #isRight(name: string, { source, text = '' }: { source: string; text?: string | undefined }) {
    const { last, others = [] } = this.#said.get(name) ?? {};
    if (others.includes(text)) return true;
    return last === undefined ? hasItsNumbers(text, source) : text === last;
  }

  #text(): string {
    return `Text number ${++this.#texts} of the shelf`;
  }

  #json(n: number, language: string): string {
    return `shelf/${language}/s${n}.json`;
  }

  #catalog(n: number): string {
    return `shelf/c${n}.xcstrings`;
  }

  #read(n: number): Catalog {
    return JSON.parse(readFileSync(this.#tree.path(this.#catalog(n)), 'utf8')) as Catalog;
  }

  #entries(path: string): Record<string, string> {
    return JSON.parse(this.#tree.read(path)) as Record<string, string>;
  }

  #replace(path: string, content: object): void {
    const beside = `${path}.new`;
    this.#tree.write(beside, jsonOf(content));
    renameSync(this.#tree.path(beside), this.#tree.path(path));
  }
}

/** One of several persons. */
export interface Person {
  readonly nth: number;
  readonly of: number;
}

interface Opened {
  readonly page: string;
  /** The secret of the person's link. */
  readonly token: string;
}

interface Session {
  readonly page: string;
  readonly cookie: string;
}

interface Place {
  readonly file: string;
  readonly key: string;
  readonly language: string;
}

async function post(page: string, path: string, body: object, cookie = ''): Promise<Response> {
  return await fetch(new URL(path, page), {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}

function jsonOf(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function entryOf(value: string) {
  return {
    extractionState: 'manual',
    localizations: { en: { stringUnit: { state: 'translated', value } } },
  };
}

function catalogOf(strings: object) {
  return { sourceLanguage: 'en', strings, version: '1.0' };
}
