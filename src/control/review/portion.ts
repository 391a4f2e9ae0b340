/** The list of the Review page, a portion of its texts at a time. */
import { relative } from 'node:path';
import { type Clock, isoTime, turnsOf } from '../../clock.ts';
import { type LanguageTag, parseLanguage } from '../../language.ts';
import { REVIEW_STATES, type ReviewState } from '../../segments/review.ts';
import type { Editing } from '../../state/edit-log.ts';
import type { ReviewPortionQuery } from '../control.ts';
import type { ReviewPortion, ReviewRow } from '../review-report.ts';
import type { ReviewText } from '../review-text.ts';
import { pairsIn, type ReviewPair } from './files.ts';
import { noTexts, type ReviewTexts } from './texts.ts';
import type { ReviewedFile } from './thread-work.ts';

/** The most rows of one answer. */
const MOST_ROWS = 200;
/** The most file names that a person can choose from. */
const MOST_FILE_NAMES = 500;

export async function reviewPortion(
  reviews: ReviewTexts,
  query: ReviewPortionQuery,
): Promise<ReviewPortion> {
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
  if (lock === null || language === undefined) {
    const { counts, total } = new TextListing(query);
    return { ...head, language: null, files: [], counts, counting: false, total, rows: [] };
  }
  const scope = {
    projects: query.project === undefined ? [] : [query.project],
    languages: [language],
    paths: [],
  };
  const pairs = [...pairsIn(options, scope)];
  const files = [...new Set(pairs.map(({ source }) => source.path))].slice(0, MOST_FILE_NAMES);
  const wanted = pairs.filter(({ source }) => (query.file ?? source.path) === source.path);
  const listing = await listTexts(reviews, { query, pairs: wanted });
  const { counts, isCounting: counting, total } = listing;
  const rows = await Promise.all(
    listing.shown.map(({ pair, text }) => reviewRowOf(reviews, pair, text)),
  );
  return { ...head, language, files, counts, counting, total, rows };
}

interface ListInput {
  readonly query: ReviewPortionQuery;
  readonly pairs: readonly ReviewPair[];
}

async function listTexts(reviews: ReviewTexts, { query, pairs }: ListInput): Promise<TextListing> {
  const listing = new TextListing(query);
  const { clock } = reviews.options;
  using patience = patienceOf(clock, query.partial === true ? ANSWER_PATIENCE_MS : undefined);
  for (const pair of pairs) {
    const read = await readInTime(reviews, pair, { listing, patience });
    if (read === undefined) {
      listing.isCounting = true;
      break;
    }
    if (typeof read !== 'string')
      await listing.add(pair, read.texts, asListed(reviews, pair, query.since));
  }
  return listing;
}

/** Milliseconds after which an answer that may be incomplete is sent with the texts that were read by then. */
const ANSWER_PATIENCE_MS = 1000;

interface Patience extends Disposable {
  /** Resolves when the person has waited long enough; undefined: the answer must be complete. */
  readonly over: Promise<undefined> | undefined;
}

function patienceOf(clock: Clock, ms: number | undefined): Patience {
  const answered = new AbortController();
  const over =
    ms === undefined ? undefined : clock.sleep(ms, answered.signal).then(() => undefined);
  // The answer ends this sleep with an error: without a handler, the error would end the process.
  over?.catch(() => {});
  return { over, [Symbol.dispose]: () => answered.abort() };
}

interface Waiting {
  readonly listing: TextListing;
  readonly patience: Patience;
}

/** @returns undefined when the answer is sent before the file is read */
async function readInTime(
  reviews: ReviewTexts,
  pair: ReviewPair,
  { listing, patience: { over } }: Waiting,
): Promise<ReviewedFile | string | undefined> {
  if (over === undefined) return await reviews.read(pair);
  const kept = await reviews.kept(pair);
  if (kept !== undefined) return kept;
  return listing.isFull ? undefined : await Promise.race([reviews.read(pair), over]);
}

/** Milliseconds for which counting may stop other work. */
const TURN_MS = 10;

/** Counts texts and picks those of one portion. */
class TextListing {
  readonly counts = noTexts();
  readonly shown: { readonly pair: ReviewPair; readonly text: ReviewText }[] = [];
  total = 0;
  isCounting = false;
  readonly #query: ReviewPortionQuery;
  readonly #end: number;
  readonly #turns = turnsOf(TURN_MS);

  constructor(query: ReviewPortionQuery) {
    this.#query = query;
    this.#end = query.from + Math.min(query.count, MOST_ROWS);
  }

  get isFull(): boolean {
    return this.total >= this.#end;
  }

  async add(
    pair: ReviewPair,
    texts: readonly ReviewText[],
    listed: (text: ReviewText) => ListedText,
  ): Promise<void> {
    const isAsked = asks(this.#query);
    for (const text of texts) {
      if (this.#turns.over()) await this.#turns.next();
      this.counts[text.state] += 1;
      if (!isAsked(listed(text))) continue;
      if (this.total >= this.#query.from && !this.isFull) this.shown.push({ pair, text });
      this.total += 1;
    }
  }
}

type ListedText = Pick<ReviewText, 'state' | 'source' | 'target' | 'key'>;

/**
 * The texts of a file as they were when the person began with the list. A save changes the state of a text. With present states, the
 * texts of the next portion would move up by the number of saves, and would never be shown.
 */
function asListed(
  { options }: ReviewTexts,
  { project, source, language }: ReviewPair,
  since: string | undefined,
): (text: ReviewText) => ListedText {
  const file = { project: project.name, language, path: source.path };
  const recent = since === undefined ? undefined : options.edits.recentIn(file);
  if (since === undefined || recent === undefined) return (text) => text;
  return (text) => {
    const first = recent.get(text.id)?.find(({ at }) => at >= since);
    if (first === undefined) return text;
    return { ...text, target: first.before, state: first.state ?? text.state };
  };
}

function asks({ states, text }: ReviewPortionQuery): (text: ListedText) => boolean {
  const wanted = new Set<ReviewState>(states.length === 0 ? REVIEW_STATES : states);
  const words = text?.toLowerCase() ?? '';
  return (each) =>
    wanted.has(each.state) &&
    (words === '' ||
      [each.source, each.target ?? '', each.key].some((part) =>
        part.toLowerCase().includes(words),
      ));
}

/** A text as the page shows it. */
export async function reviewRowOf(
  { options }: ReviewTexts,
  pair: ReviewPair,
  text: ReviewText,
): Promise<ReviewRow> {
  const { project, source, language } = pair;
  const name = { project: project.name, language, path: source.path };
  const edited = await options.edits.of({ ...name, id: text.id, targetHash: text.target_hash });
  const { terms } = options.inForce.planner.terms(project, language);
  return {
    ...{ project: project.name, file: source.path, language, source_language: project.source },
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
  if (!isOutdated || text.previous_source !== undefined || before === undefined) return text;
  return before === text.source ? text : { ...text, previous_source: before };
}
