/** `glossary suggest`: terms that people corrected several times, as rows for the glossary. Writes nothing. */
import { readBytesIfPresent } from '../files/disk.ts';
import { partsText } from '../format.ts';
import { baseLanguage, type LanguageTag } from '../language.ts';
import { parse } from '../parsing/parse.ts';
import type { Project } from '../project.ts';
import type { KnownText } from '../segments/corrections.ts';
import type { LanguagePairOfTerms } from '../segments/dictionary.ts';
import { isLeftText } from '../state/left-texts.ts';
import type { AppendedRows, NewTerm } from '../terminology/append.ts';
import { type LoadedGlossary, MAX_FILE_BYTES } from '../terminology/load-glossaries.ts';
import type { Expected } from '../terminology/table.ts';
import { APPEND_TERMS } from '../terminology/thread-calls.ts';
import type { Scope } from './control.ts';
import { chosenFiles } from './glossaries.ts';
import type { LocalControlOptions } from './options.ts';
import type { TermSuggestion } from './report.ts';
import { pairsIn, type ReviewPair } from './review/files.ts';
import { reviewLineOf } from './review/mark.ts';
import type { ReviewTexts } from './review/texts.ts';
import { SUGGEST_TERMS } from './review/thread-calls.ts';
import type { Suggested } from './review/thread-work.ts';
import type { ReviewText } from './review-text.ts';

/** About so many bytes per text: it decides how long the search may take. */
const TEXT_BYTES = 300;

export async function suggestGlossary(
  reviews: ReviewTexts,
  scope: Scope,
): Promise<readonly TermSuggestion[]> {
  const { options } = reviews;
  if (options.condition.state === 'not running') await options.scan();
  const groups = Map.groupBy(pairsIn(options, scope), ({ project, language }) =>
    [glossaryOf(options, project)?.name ?? project.name, project.source, language].join('\n'),
  );
  const terms: FoundTerm[] = [];
  for (const pairs of groups.values()) {
    const [first] = pairs;
    // Words of the source cannot be separated without its language.
    if (first === undefined || first.project.source === 'auto') continue;
    const texts = await knownPairs(reviews, pairs);
    const languages = { source: first.project.source, target: first.language };
    const found = await parse(
      SUGGEST_TERMS,
      { texts: texts.map(({ known }) => known), languages },
      { file: 'the corrections', bytes: texts.length * TEXT_BYTES },
    );
    const about = { options, pair: first };
    terms.push(...found.flatMap((each) => termFound(about, each, texts) ?? []));
  }
  return await withRows(terms);
}

interface KnownPair {
  readonly pair: ReviewPair;
  readonly text: ReviewText;
  readonly known: KnownText;
}

/** Texts whose machine translation is known on this machine. */
async function knownPairs(
  reviews: ReviewTexts,
  pairs: readonly ReviewPair[],
): Promise<KnownPair[]> {
  const { options } = reviews;
  const edited = new Map<string, string>();
  for (const { project, language, path, id, source, made, before } of await options.edits.all()) {
    const name = [project, language, path, id, source].join('\n');
    if (made === 'machine' && before !== null && !edited.has(name)) edited.set(name, before);
  }
  const bought = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const texts: KnownPair[] = [];
  for (const pair of pairs) {
    const { project, language } = pair;
    const paid = bought.get(project.name) ?? boughtFor(options, project, language);
    bought.set(project.name, paid);
    const read = await reviews.read(pair);
    if (typeof read === 'string') continue;
    for (const text of read.texts) {
      const name = [project.name, language, pair.source.path, text.id, text.source].join('\n');
      const own = text.mark === 'machine' ? (text.target ?? undefined) : undefined;
      const machine = edited.get(name) ?? own ?? (await paid).get(text.source);
      if (machine === undefined || text.target === null || isOpenText(text)) continue;
      const isPersons = text.mark === 'human' || text.state === 'reviewed';
      const { source, target: current, codes } = text;
      texts.push({ pair, text, known: { source, machine, current, isPersons, codes } });
    }
  }
  return texts;
}

/** The target's text belongs to another source text, or to none. */
function isOpenText({ state }: ReviewText): boolean {
  return state === 'missing' || state === 'stale' || state === 'held';
}

/** By source text: its last machine translation. */
async function boughtFor(
  { memories, inForce }: LocalControlOptions,
  project: Project,
  language: LanguageTag,
): Promise<ReadonlyMap<string, string>> {
  const memory = await memories.of(inForce.planner.recipe(project, language));
  const bought = new Map<string, string>();
  for await (const entry of memory.entries()) {
    if (isLeftText(entry)) continue;
    const { source, translation } = entry;
    bought.set(partsText(source), partsText(translation));
  }
  return bought;
}

function glossaryOf(
  { terminology }: LocalControlOptions,
  { rules: { glossary } }: Project,
): LoadedGlossary | undefined {
  if (glossary === undefined || 'id' in glossary) return undefined;
  return terminology.files.glossaries.get(glossary.name);
}

/** A term without its row. */
interface FoundTerm {
  readonly found: Omit<TermSuggestion, 'file' | 'row' | 'needs_line_break' | 'obstacle'>;
  readonly file: TermFile;
  readonly added: NewTerm;
}

/** The file for the term. */
interface TermFile {
  /** Absolute; null: there is no glossary file yet. */
  readonly path: string | null;
  /** Once for each source language that is read from it. */
  readonly readers: readonly Expected[];
}

interface SuggestionContext {
  readonly options: LocalControlOptions;
  readonly pair: ReviewPair;
}

/** Undefined when the glossary already has the term. */
function termFound(
  { options, pair }: SuggestionContext,
  { term, machine, person, texts: indexes }: Suggested,
  texts: readonly KnownPair[],
): FoundTerm | undefined {
  const { project, language } = pair;
  const loaded = glossaryOf(options, project);
  const { terms } = options.inForce.planner.terms(project, language);
  const known = [...(terms?.index.entries ?? [])].find(
    ([phrase]) => phrase.toLowerCase() === term.toLowerCase(),
  );
  if (known?.[1].toLowerCase() === person.toLowerCase()) return undefined;
  const places = indexes.flatMap((index) => texts[index] ?? []);
  const found = {
    language,
    ...{ term, machine, person },
    places: places.map((each) => {
      const { file, key, line } = reviewLineOf(each.pair, each.text);
      return { file, key, line };
    }),
    glossary: loaded?.name ?? null,
    // A person must decide which of two terms is right.
    standing: known?.[1] ?? null,
  };
  const languages = {
    source: baseLanguage(project.source as LanguageTag),
    target: baseLanguage(language),
  };
  const added = { ...languages, phrases: [term, person] } as const;
  return { found, file: fileFor(loaded, languages), added };
}

function fileFor(
  glossary: LoadedGlossary | undefined,
  { source, target }: LanguagePairOfTerms,
): TermFile {
  if (glossary === undefined) return { path: null, readers: [{ source, targets: [target] }] };
  const file = chosenFiles(glossary).find(
    ({ expected }) => expected.source === source && expected.targets.includes(target),
  );
  if (file === undefined) return { path: null, readers: [] };
  const { path } = file;
  const same = glossary.files.filter((each) => each.path === path);
  return { path, readers: same.map(({ expected }) => expected) };
}

/** Adds the rows. Those of one file are made together: all of them may be appended. */
async function withRows(terms: readonly FoundTerm[]): Promise<TermSuggestion[]> {
  const files = Map.groupBy(terms, ({ file, found }) => file.path ?? `\n${found.language}`);
  const made = new Map<FoundTerm, TermSuggestion>();
  for (const group of files.values()) {
    const open = group.filter(({ found }) => found.standing === null);
    const { rows, isOpen } = await rowsFor(open);
    for (const term of group) {
      const { found, file } = term;
      const row = rows[open.indexOf(term)];
      const standing = row && 'standing' in row ? row.standing : found.standing;
      // A daemon has not read yet what a person has just added.
      if (standing?.toLowerCase() === found.person.toLowerCase()) continue;
      made.set(term, {
        ...found,
        standing,
        file: file.path,
        row: row && 'row' in row ? row.row : null,
        needs_line_break: isOpen,
        obstacle: row && 'obstacle' in row ? row.obstacle : null,
      });
    }
  }
  return terms.flatMap((term) => made.get(term) ?? []);
}

async function rowsFor(terms: readonly FoundTerm[]): Promise<AppendedRows> {
  const [first] = terms;
  if (first === undefined) return { rows: [], isOpen: false };
  const { path, readers } = first.file;
  const read = path === null ? undefined : await readBytesIfPresent(path, MAX_FILE_BYTES);
  const bytes = read?.bytes ?? new Uint8Array();
  const file = path ?? 'terms.csv';
  const appending = {
    readers: readers.map((expected) => ({ file, bytes, expected })),
    terms: terms.map(({ added }) => added),
  };
  return await parse(APPEND_TERMS, appending, {
    file,
    bytes: bytes.byteLength * (terms.length + 1),
  });
}
