/** Collects the entries of glossary files into dictionaries, and finds entries that the service would refuse. Pure. */
import type { Fault } from '../config/fault.ts';
import type { LanguageTag } from '../language.ts';
import { type LanguagePairOfTerms, pairName, type TermDictionary } from '../segments/dictionary.ts';

/** Bytes of UTF-8 in a phrase, and in a glossary (docs/design/api.md, "Limits"). */
const MAX_PHRASE_BYTES = 1024;
const MAX_GLOSSARY_BYTES = 10_485_760;
/** UTF-8 needs at most three bytes for a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;
// Control characters (C0, C1), and the two separators that break lines.
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** The place of an entry. */
export interface EntryPosition {
  readonly file: string;
  readonly line: number;
}

/** The number of rows of a file that were left out, and the place of the first one. */
export interface SkippedRows extends EntryPosition {
  readonly rows: number;
}

export class Collection {
  readonly faults: Fault[] = [];
  /** By file: lines of rows that at least one of its projects does not use. */
  readonly #skipped = new Map<string, Set<number>>();
  readonly #dictionaries = new Map<
    string,
    LanguagePairOfTerms & { readonly entries: Map<string, string> }
  >();
  /** Pair and source phrase -> the place of its first entry. */
  readonly #seen = new Map<string, EntryPosition>();
  #bytes = 0;

  add(pair: LanguagePairOfTerms, phrases: readonly [string, string], place: EntryPosition): void {
    const [source, target] = phrases;
    const problem = phraseProblem(source, 'source') ?? phraseProblem(target, 'target');
    if (problem !== undefined) {
      this.fault(place, problem);
      return;
    }
    const name = pairName(pair);
    const id = `${name}\t${source}`;
    const first = this.#seen.get(id);
    if (first !== undefined) {
      this.fault(place, `"${source}" is already in ${whereElse(first, place)}`);
      return;
    }
    this.#seen.set(id, place);
    this.#count(source, target, place);
    const known = this.#dictionaries.get(name);
    if (known === undefined) {
      this.#dictionaries.set(name, { ...pair, entries: new Map([[source, target]]) });
    } else known.entries.set(source, target);
  }

  /** Notes a row of a pair that the project does not use; another project may use it. */
  skip({ file, line }: EntryPosition): void {
    const lines = this.#skipped.get(file) ?? new Set();
    this.#skipped.set(file, lines.add(line));
  }

  /** Rows that no project uses. */
  skipped(): readonly SkippedRows[] {
    const left = new Map([...this.#skipped].map(([file, lines]) => [file, new Set(lines)]));
    for (const { file, line } of this.#seen.values()) left.get(file)?.delete(line);
    return [...left].flatMap(([file, lines]) => {
      const [line] = lines;
      return line === undefined ? [] : [{ file, line, rows: lines.size }];
    });
  }

  fault({ file, line }: EntryPosition, message: string): void {
    this.faults.push({ file, line, column: 1, path: '', message });
  }

  dictionaries(): TermDictionary[] {
    return [...this.#dictionaries.values()];
  }

  #count(source: string, target: string, place: EntryPosition): void {
    const before = this.#bytes;
    this.#bytes += Buffer.byteLength(source) + Buffer.byteLength(target) + 2;
    if (before <= MAX_GLOSSARY_BYTES && this.#bytes > MAX_GLOSSARY_BYTES) {
      this.fault(place, `the glossary has more than ${MAX_GLOSSARY_BYTES} bytes from here on`);
    }
  }
}

function phraseProblem(phrase: string, side: 'source' | 'target'): string | undefined {
  if (phrase === '') return `the ${side} phrase is empty`;
  const control = CONTROL.exec(phrase)?.[0].codePointAt(0);
  if (control !== undefined) {
    const code = control.toString(16).toUpperCase().padStart(4, '0');
    return `the ${side} phrase holds a control character or line break (U+${code})`;
  }
  if (phrase.length * MAX_BYTES_PER_UNIT <= MAX_PHRASE_BYTES) return undefined;
  const bytes = Buffer.byteLength(phrase);
  if (bytes <= MAX_PHRASE_BYTES) return undefined;
  return `the ${side} phrase has ${bytes} bytes, the limit is ${MAX_PHRASE_BYTES}`;
}

function whereElse(first: EntryPosition, here: EntryPosition): string {
  return first.file === here.file ? `line ${first.line}` : `${first.file}:${first.line}`;
}

/** The message about two variants of a language: a dictionary is for the base language, so variants have no dictionaries of their own. */
export function twoVariants(names: readonly (string | undefined)[], base: LanguageTag): string {
  return `${names.join(' and ')} are variants of ${base}, and a glossary holds one dictionary for all of them: keep one`;
}
