/** What the Review page asks: texts a portion at a time, and one text saved. */
import { relative } from 'node:path';
import type { Mutex } from '../../files/mutex.ts';
import { type LanguageTag, parseLanguage } from '../../language.ts';
import { REVIEW_STATES, type ReviewState } from '../../segments/review.ts';
import type { ReviewDeskQuery, ReviewSaveRequest } from '../control.ts';
import { pairsIn, type ReviewPair } from './files.ts';
import type { ReviewText } from './parsers.ts';
import type { ReviewDesk, ReviewRow, ReviewSaved } from './report.ts';
import { saveTexts } from './save.ts';
import { countStates, type ReviewTexts } from './texts.ts';

/** Rows of one answer. */
const MOST_ROWS = 200;
/** Names of files that can be chosen from. */
const MOST_FILES = 500;

export async function reviewDesk(
  reviews: ReviewTexts,
  query: ReviewDeskQuery,
): Promise<ReviewDesk> {
  const { options } = reviews;
  const { config } = options.inForce;
  const isAllowed = (tag: LanguageTag) => query.allowed?.includes(tag) ?? true;
  const seen = config.projects.filter(({ targets }) => targets.some(isAllowed));
  const languages = [...new Set(seen.flatMap(({ targets }) => targets))].filter(isAllowed);
  const lock = config.lock === undefined ? null : relative(config.base, config.lock);
  const projects = seen.map(({ name }) => name);
  const head = { lock, languages, projects };
  const asked = parseLanguage(query.language ?? '') ?? languages[0];
  const language = asked !== undefined && isAllowed(asked) ? asked : undefined;
  const none = { ...head, language: null, files: [], counts: countStates([]), total: 0, rows: [] };
  if (lock === null || language === undefined) return none;
  const scope = {
    projects: query.project === undefined ? [] : [query.project],
    languages: [language],
    paths: [],
  };
  const pairs = [...pairsIn(options, scope)];
  const files = [...new Set(pairs.map(({ source }) => source.path))].slice(0, MOST_FILES);
  const isAsked = asks(query);
  const found: { pair: ReviewPair; text: ReviewText }[] = [];
  const all: ReviewText[] = [];
  for (const pair of pairs) {
    if (query.file !== undefined && pair.source.path !== query.file) continue;
    const read = await reviews.read(pair);
    if (typeof read === 'string') continue;
    for (const text of read.texts) {
      all.push(text);
      if (isAsked(text)) found.push({ pair, text });
    }
  }
  const shown = found.slice(query.from, query.from + Math.min(query.count, MOST_ROWS));
  const rows = await Promise.all(shown.map(({ pair, text }) => rowOf(reviews, pair, text)));
  return { ...head, language, files, counts: countStates(all), total: found.length, rows };
}

function asks({ states, text }: ReviewDeskQuery): (text: ReviewText) => boolean {
  const wanted = new Set<ReviewState>(states.length === 0 ? REVIEW_STATES : states);
  const words = text?.toLowerCase() ?? '';
  return (each) =>
    wanted.has(each.state) &&
    (words === '' ||
      [each.source, each.target ?? '', each.key].some((part) =>
        part.toLowerCase().includes(words),
      ));
}

async function rowOf(
  { options }: ReviewTexts,
  pair: ReviewPair,
  text: ReviewText,
): Promise<ReviewRow> {
  const { project, source, language } = pair;
  const name = { project: project.name, language, path: source.path };
  const edited = await options.edits.of({ ...name, id: text.id, targetHash: text.targetHash });
  const { terms } = options.inForce.planner.terms(project, language);
  return {
    ...{ project: project.name, file: source.path, language, text },
    terms: terms?.index.termsIn(text.source).map((term) => ({ ...term })) ?? [],
    ...(edited === undefined ? {} : { edited: { by: edited.by, at: edited.at, how: edited.how } }),
  };
}

export interface Saving {
  readonly request: ReviewSaveRequest;
  /** One save of a file follows the other. */
  readonly mutex: Mutex;
}

export async function reviewSave(
  reviews: ReviewTexts,
  { request, mutex }: Saving,
): Promise<ReviewSaved> {
  const { options } = reviews;
  const { project, file, language, id } = request;
  const scope = { projects: [project], languages: [language], paths: [] };
  const pair = [...pairsIn(options, scope)].find(({ source }) => source.path === file);
  if (pair === undefined || options.inForce.config.lock === undefined) {
    return { kind: 'refused', reason: 'there is no such text any more' };
  }
  using _turn = await mutex.take(pair.id);
  const text = await find(reviews, pair, id);
  if (text === undefined) return { kind: 'refused', reason: 'there is no such text any more' };
  if (text.targetHash !== request.was || text.sourceHash !== request.source) {
    return { kind: 'changed', row: await rowOf(reviews, pair, text) };
  }
  if (request.text.trim() === '') return { kind: 'refused', reason: 'the text is empty' };
  const isSame = request.text === text.target;
  if (!isSame || request.reviewed) {
    const saving = { text, target: request.text, isReviewed: request.reviewed };
    const what = { savings: [saving], act: 'write', by: request.by, how: 'page' } as const;
    const [refused] = (await saveTexts(options, pair, what)).refused;
    // A reviewer elsewhere need not know where the project lies on this machine.
    const reason = refused?.reason.replaceAll(`${pair.project.root}/`, '');
    if (reason !== undefined) return { kind: 'refused', reason };
  }
  const now = await find(reviews, pair, id);
  return { kind: 'saved', row: await rowOf(reviews, pair, now ?? text) };
}

async function find(
  reviews: ReviewTexts,
  pair: ReviewPair,
  id: string,
): Promise<ReviewText | undefined> {
  const read = await reviews.read(pair);
  return typeof read === 'string' ? undefined : read.texts.find((text) => text.id === id);
}
