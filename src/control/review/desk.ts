/** The answers to the Review page: texts, a portion at a time, and the result of one save. */
import { relative } from 'node:path';
import { isoTime } from '../../clock.ts';
import { type LanguageTag, parseLanguage } from '../../language.ts';
import { REVIEW_STATES, type ReviewState } from '../../segments/review.ts';
import { targetHash } from '../../segments/statements.ts';
import type { Editing } from '../../state/edit-log.ts';
import type { TextsBefore } from '../../state/undo.ts';
import type { TargetReplacement } from '../../state/undo-log.ts';
import type { ReviewDeskQuery, ReviewSaveRequest } from '../control.ts';
import type { LocalControlOptions } from '../options.ts';
import { MOST_TRIES, pairsIn, type ReviewPair } from './files.ts';
import type { ReviewText } from './readings.ts';
import type { ReviewDesk, ReviewRow, ReviewSaved } from './report.ts';
import { type SaveRequest, type Saving, saveTexts } from './save.ts';
import { countStates, type ReviewTexts } from './texts.ts';

/** The most rows of one answer. */
const MOST_ROWS = 200;
/** The most file names that a person can choose from. */
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
  const head = { lock, languages, projects, at: isoTime(options.clock) };
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
    const listed = asListed(reviews, pair, query.since);
    for (const text of read.texts) {
      all.push(text);
      if (isAsked(listed(text))) found.push({ pair, text });
    }
  }
  const shown = found.slice(query.from, query.from + Math.min(query.count, MOST_ROWS));
  const rows = await Promise.all(shown.map(({ pair, text }) => rowOf(reviews, pair, text)));
  return { ...head, language, files, counts: countStates(all), total: found.length, rows };
}

type Listed = Pick<ReviewText, 'state' | 'source' | 'target' | 'key'>;

/**
 * The texts of a file as they were when the person began with the list. A save changes the state of a text. With present states, the
 * texts of the next portion would move up by the number of saves, and would never be shown.
 */
function asListed(
  { options }: ReviewTexts,
  { project, source, language }: ReviewPair,
  since: string | undefined,
): (text: ReviewText) => Listed {
  const file = { project: project.name, language, path: source.path };
  const recent = since === undefined ? undefined : options.edits.recentIn(file);
  if (since === undefined || recent === undefined) return (text) => text;
  return (text) => {
    const first = recent.get(text.id)?.find(({ at }) => at >= since);
    if (first === undefined) return text;
    return { ...text, target: first.before, state: first.state ?? text.state };
  };
}

function asks({ states, text }: ReviewDeskQuery): (text: Listed) => boolean {
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
    ...{ project: project.name, file: source.path, language },
    text: withPrevious(text, edited),
    checks: pair.route.policies.checks,
    terms: terms?.index.termsIn(text.source).map((term) => ({ ...term })) ?? [],
    ...(edited === undefined ? {} : { edited: { by: edited.by, at: edited.at, how: edited.how } }),
  };
}

/** Adds the source that a person translated on this machine, when nothing else knows the earlier source. */
function withPrevious(text: ReviewText, edited: Editing | undefined): ReviewText {
  const isOutdated = text.state === 'stale' || text.state === 'held';
  const before = edited?.translated;
  if (!isOutdated || text.previousSource !== undefined || before === undefined) return text;
  return before === text.source ? text : { ...text, previousSource: before };
}

/** The saves that wait while a file is being written. All of them are written together next, because writing a large file takes seconds. */
export class WaitingSaves {
  readonly #waiting = new Map<string, Set<WaitingSave>>();

  add(file: string, save: WaitingSave): void {
    const waiting = this.#waiting.get(file) ?? new Set();
    this.#waiting.set(file, waiting.add(save));
  }

  /** Takes the saves that can be written together with the first one: those of the same person, one for each text. */
  take(file: string): WaitingSave[] {
    const waiting = this.#waiting.get(file) ?? new Set();
    const taken = new Map<string, WaitingSave>();
    for (const save of waiting) {
      const { id, by } = save.request;
      const [first = save] = taken.values();
      if (!taken.has(id) && by === first.request.by) taken.set(id, save);
    }
    for (const save of taken.values()) waiting.delete(save);
    if (waiting.size === 0) this.#waiting.delete(file);
    return [...taken.values()];
  }
}

interface WaitingSave {
  readonly request: SaveAsked['request'];
  readonly answer: PromiseWithResolvers<ReviewSaved>;
}

export interface SaveAsked {
  readonly request: ReviewSaveRequest & Pick<Saving, 'restored'>;
  readonly saves: WaitingSaves;
}

const GONE: ReviewSaved = { kind: 'refused', reason: 'this text no longer exists' };

export async function reviewSave(
  reviews: ReviewTexts,
  { request, saves }: SaveAsked,
): Promise<ReviewSaved> {
  const { options } = reviews;
  const { project, file, language } = request;
  const scope = { projects: [project], languages: [language], paths: [] };
  const pair = pairsIn(options, scope).find(({ source }) => source.path === file);
  if (pair === undefined || options.inForce.config.lock === undefined) return GONE;
  const answer = Promise.withResolvers<ReviewSaved>();
  saves.add(pair.id, { request, answer });
  using _turn = await reviews.turn(pair);
  const taken = saves.take(pair.id);
  try {
    if (taken.length > 0) await saveAll(reviews, pair, taken);
  } catch (error) {
    for (const save of taken) save.answer.reject(error);
  }
  return await answer.promise;
}

async function saveAll(
  reviews: ReviewTexts,
  pair: ReviewPair,
  saves: readonly WaitingSave[],
): Promise<void> {
  let left = saves;
  for (let tries = 1; left.length > 0; tries++) {
    left = await saveOnce(reviews, pair, { saves: left, isLast: tries === MOST_TRIES });
  }
}

interface Try {
  readonly saves: readonly WaitingSave[];
  readonly isLast: boolean;
}

/** @returns the saves to try again, because somebody else wrote the file meanwhile */
async function saveOnce(
  reviews: ReviewTexts,
  pair: ReviewPair,
  { saves, isLast }: Try,
): Promise<readonly WaitingSave[]> {
  const { known, seen } = await reviews.finder(pair);
  const savings = new Map<Saving, WaitingSave>();
  for (const save of saves) {
    const { request, answer } = save;
    const text = known(request.id);
    if (text === undefined) answer.resolve(GONE);
    else if (!isSeen(request, text)) {
      answer.resolve({ kind: 'changed', row: await rowOf(reviews, pair, text) });
    } else if (request.text.trim() === '') {
      answer.resolve({ kind: 'refused', reason: 'the text is empty' });
    } else if (isAsItStands(request, text)) {
      answer.resolve({ kind: 'saved', row: await rowOf(reviews, pair, text) });
    } else {
      const { text: target, reviewed: isReviewed, restored } = request;
      savings.set({ text, target, isReviewed, ...(restored && { restored }) }, save);
    }
  }
  const outcome =
    savings.size === 0 ? 'answered' : await write(reviews, pair, { savings, seen, isLast });
  return outcome === 'overtaken' ? [...savings.values()] : [];
}

/**
 * Whether the target has the text that the person saw, or the text to be saved. In the second case the answer to an earlier save was
 * lost, and the same person saves again.
 */
function isSeen({ source, was, text, restored }: SaveAsked['request'], now: ReviewText): boolean {
  if (now.sourceHash !== source) return false;
  return now.targetHash === was || (restored === undefined && now.targetHash === targetHash(text));
}

function isAsItStands({ text, was, reviewed, restored }: SaveAsked['request'], now: ReviewText) {
  if (text !== now.target || restored !== undefined) return false;
  return !reviewed || (now.state === 'reviewed' && now.targetHash !== was);
}

interface Writing extends Pick<Try, 'isLast'>, Pick<SaveRequest, 'seen'> {
  readonly savings: ReadonlyMap<Saving, WaitingSave>;
}

async function write(
  reviews: ReviewTexts,
  pair: ReviewPair,
  { savings, seen, isLast }: Writing,
): Promise<'answered' | 'overtaken'> {
  const { options } = reviews;
  const [first] = savings.values();
  const by = first?.request.by ?? '';
  const undo = (step: TargetReplacement, before: TextsBefore['before']) =>
    noteSave(options, pair, { step, before, by });
  const all = [...savings.keys()];
  const what = { savings: all, seen, act: 'write', by, how: 'page', undo } as const;
  const { refused, left, isAlone, isOvertaken } = await saveTexts(options, pair, what);
  if (isOvertaken && !isLast) return 'overtaken';
  for (const { saving, reason } of refused) {
    // A reviewer elsewhere does not need to know the path of the project on this machine.
    const told = reason.replaceAll(`${pair.project.root}/`, '');
    savings.get(saving)?.answer.resolve({ kind: 'refused', reason: told });
  }
  if (isAlone) await reviews.put(pair, left);
  const { known } = await reviews.finder(pair);
  // The save counts even if the file cannot be read at this moment.
  const saved = new Map(left.map((each) => [each.text.id, each.text]));
  for (const [{ text }, { answer }] of savings) {
    const row = await rowOf(reviews, pair, known(text.id) ?? saved.get(text.id) ?? text);
    answer.resolve({ kind: 'saved', row });
  }
  return 'answered';
}

interface Noted {
  readonly step: TargetReplacement;
  readonly before: TextsBefore['before'];
  readonly by: string;
}

/** Records a save for `undo`, together with the other saves of the same person. A source that no job has inspected yet cannot be undone. */
async function noteSave(
  { ledger, undo }: LocalControlOptions,
  { id, project }: ReviewPair,
  { step, before, by }: Noted,
): Promise<void> {
  const job = ledger.get('jobs', id);
  if (job !== undefined) {
    await undo.noteSave({ job, root: project.root, step, by: 'review', before }, by);
  }
}
