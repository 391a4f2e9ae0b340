/** What the Review page asks: texts a portion at a time, and one text saved. */
import type { Mutex } from '../../files/mutex.ts';
import { parseLanguage } from '../../language.ts';
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
  const languages = [...new Set(config.projects.flatMap(({ targets }) => targets))];
  const lock = config.lock ?? null;
  const projects = config.projects.map(({ name }) => name);
  const head = { lock, languages, projects };
  const language = parseLanguage(query.language ?? '') ?? languages[0];
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
  const rows = found
    .slice(query.from, query.from + Math.min(query.count, MOST_ROWS))
    .map(({ pair, text }) => rowOf(reviews, pair, text));
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

function rowOf({ options }: ReviewTexts, pair: ReviewPair, text: ReviewText): ReviewRow {
  const { project, source, language } = pair;
  const { terms } = options.inForce.planner.terms(project, language);
  return {
    ...{ project: project.name, file: source.path, language, text },
    terms: terms?.index.termsIn(text.source).map((term) => ({ ...term })) ?? [],
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
    return { kind: 'changed', row: rowOf(reviews, pair, text) };
  }
  if (request.text.trim() === '') return { kind: 'refused', reason: 'the text is empty' };
  const isSame = request.text === text.target;
  if (!isSame || request.reviewed) {
    const saving = { text, target: request.text, isReviewed: request.reviewed };
    const { refused } = await saveTexts(options, pair, { savings: [saving], act: 'write' });
    const [first] = refused;
    if (first !== undefined) return { kind: 'refused', reason: first.reason };
  }
  const now = await find(reviews, pair, id);
  return { kind: 'saved', row: rowOf(reviews, pair, now ?? text) };
}

async function find(
  reviews: ReviewTexts,
  pair: ReviewPair,
  id: string,
): Promise<ReviewText | undefined> {
  const read = await reviews.read(pair);
  return typeof read === 'string' ? undefined : read.texts.find((text) => text.id === id);
}
