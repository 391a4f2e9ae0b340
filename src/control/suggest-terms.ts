/** `glossary suggest`: terms that people corrected several times, as rows for the glossary. Writes nothing. */
import { readBytesIfPresent } from '../files/disk.ts';
import { partsText } from '../format.ts';
import { baseLanguage, type LanguageTag } from '../language.ts';
import { parse } from '../parsing/parse.ts';
import type { Project } from '../project.ts';
import type { KnownText } from '../segments/corrections.ts';
import type { TermDictionary } from '../segments/dictionary.ts';
import { decodeGlossary } from '../terminology/decode.ts';
import { type LoadedGlossary, MAX_FILE_BYTES } from '../terminology/load-glossaries.ts';
import { rowText } from '../terminology/write.ts';
import type { Scope } from './control.ts';
import { chosenFiles, contentFor } from './glossaries.ts';
import type { LocalControlOptions } from './options.ts';
import type { TermSuggestion } from './report.ts';
import { pairsIn, type ReviewPair } from './review/files.ts';
import { reviewLineOf } from './review/mark.ts';
import { SUGGEST_TERMS } from './review/parsers.ts';
import type { Suggested } from './review/readings.ts';
import type { ReviewTexts } from './review/texts.ts';
import type { ReviewText } from './review-text.ts';

/** About so many bytes per text: it decides how long the search may take. */
const TEXT_BYTES = 300;

export async function suggestGlossary(
  reviews: ReviewTexts,
  scope: Scope,
): Promise<readonly TermSuggestion[]> {
  const { options } = reviews;
  if (options.condition.state === 'not running') await options.look();
  const groups = Map.groupBy(pairsIn(options, scope), ({ project, language }) =>
    [glossaryOf(options, project)?.name ?? project.name, project.source, language].join('\n'),
  );
  const suggestions: TermSuggestion[] = [];
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
    const about = { options, pair: first, languages };
    for (const each of found) suggestions.push(...(await suggestionOf(about, each, texts)));
  }
  return suggestions;
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
  for await (const { source, translation } of memory.entries()) {
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

interface SuggestionContext {
  readonly options: LocalControlOptions;
  readonly pair: ReviewPair;
  readonly languages: { readonly source: LanguageTag; readonly target: LanguageTag };
}

/** Undefined when the glossary already has the term. */
async function suggestionOf(
  { options, pair, languages }: SuggestionContext,
  { term, machine, person, texts: indexes }: Suggested,
  texts: readonly KnownPair[],
): Promise<TermSuggestion[]> {
  const { project, language } = pair;
  const loaded = glossaryOf(options, project);
  const { terms } = options.inForce.planner.terms(project, language);
  const known = [...(terms?.index.entries ?? [])].find(
    ([phrase]) => phrase.toLowerCase() === term.toLowerCase(),
  );
  if (known?.[1].toLowerCase() === person.toLowerCase()) return [];
  const places = indexes.flatMap((index) => texts[index] ?? []);
  const row =
    loaded === undefined
      ? { file: null, row: rowText([term, person], ',') }
      : await rowFor(loaded, { ...languages, entries: new Map([[term, person]]) });
  return [
    {
      language,
      ...{ term, machine, person },
      places: places.map((each) => {
        const { file, key, line } = reviewLineOf(each.pair, each.text);
        return { file, key, line };
      }),
      glossary: loaded?.name ?? null,
      file: row.file,
      // A person must decide which of two terms is right.
      row: known === undefined ? row.row : null,
      standing: known?.[1] ?? null,
    },
  ];
}

/** The row in the form of the file, with its columns and separators. */
async function rowFor(
  glossary: LoadedGlossary,
  { source, target, entries }: TermDictionary,
): Promise<{ file: string | null; row: string | null }> {
  const pair = { source: baseLanguage(source), target: baseLanguage(target) };
  const file = chosenFiles(glossary).find(
    ({ expected }) => expected.source === pair.source && expected.targets.includes(pair.target),
  );
  if (file === undefined) return { file: null, row: null };
  const others = glossary.dictionaries.filter((each) => each.target !== pair.target);
  const own = glossary.dictionaries.find(
    (each) => each.source === pair.source && each.target === pair.target,
  );
  const now = { ...pair, entries: new Map([...(own?.entries ?? []), ...entries]) };
  const before = await readBytesIfPresent(file.path, MAX_FILE_BYTES);
  const content = await contentFor(file, [...others, now]);
  const linesIn = (bytes: Uint8Array | string | undefined) =>
    textIn(file.path, bytes).split(/\r\n|\n|\r/);
  const had = new Set(linesIn(before?.bytes));
  const [row] = linesIn(content).filter((line) => line !== '' && !had.has(line));
  return { file: file.path, row: row ?? null };
}

function textIn(file: string, content: Uint8Array | string | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return decodeGlossary(file, content).text;
}
