/** Loads the texts of the Review page, portion by portion, and keeps the chosen one. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReviewPortion, ReviewRow } from '../../control/review-report.ts';
import { askDaemon, reasonOfError } from './ask.ts';
import type { WantedReviewTexts } from './review-filters.ts';
import { LIST_PORTION } from './review-list.ts';
import { tabSaves } from './tab-saves.ts';
import { rowId } from './typed-texts.ts';
import { countSoFar } from './words.ts';

const FIRST: WantedReviewTexts = {
  project: '',
  language: '',
  file: '',
  states: ['stale', 'unreviewed'],
  text: '',
};

/** A row with the number of answers to saves before it was asked for. */
interface LoadedRow {
  readonly row: ReviewRow;
  readonly answers: number;
}

interface Loaded {
  readonly list: ReviewPortion;
  /** Rows by their place in the list. A text may have two places: the texts of a later portion move when others come or go. */
  readonly rows: ReadonlyMap<number, LoadedRow>;
  /** Whether `list` answers the earlier query: its filters are shown until the new query has an answer. */
  readonly isOld: boolean;
}

export interface LoadedTexts {
  readonly wanted: WantedReviewTexts;
  readonly loaded: Loaded | undefined;
  readonly total: number;
  /** The total, with a "+" while the daemon still counts. */
  readonly totalWords: string;
  readonly isCounting: boolean;
  /** Place of the chosen text. */
  readonly at: number;
  readonly problem: string;
  setProblem(words: string): void;
  load(portion: number): void;
  /** Loads a new list from its beginning. */
  begin(wanted: WantedReviewTexts): void;
  go(to: number): void;
  /** The text at a place, as it is after the last save of this tab; undefined: it is not loaded. */
  rowAt(index: number): ReviewRow | undefined;
  /** The place of a loaded text; undefined: it is not in this list. */
  indexOfRow(row: ReviewRow): number | undefined;
}

/** Number of texts that are loaded ahead of the chosen one, so that a person who types fast never waits for the next text. */
const AHEAD = 25;

export function useTexts(): LoadedTexts {
  const [wanted, setWanted] = useState(FIRST);
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined);
  const [at, setAt] = useState(0);
  const [problem, setProblem] = useState('');
  const asked = useRef(new Set<number>());
  const run = useRef(0);
  /** The time of the first portion: texts that are saved later stay in the list. */
  const began = useRef<string | undefined>(undefined);
  const load = (portion: number, query: WantedReviewTexts = wanted) => {
    const mine = run.current;
    const show = (list: ReviewPortion, answers: number) => {
      began.current ??= list.at;
      setProblem('');
      setLoaded((before) => withPortion(before, list, { portion, answers }));
    };
    const isOver = () => mine !== run.current;
    const showing = { since: () => began.current, show, isOver };
    void loadPortion({ query, portion, asked: asked.current }, showing, setProblem);
  };
  const begin = (query: WantedReviewTexts) => {
    setWanted(query);
    run.current += 1;
    asked.current = new Set();
    began.current = undefined;
    setLoaded((before) => before && { ...before, rows: new Map(), isOld: true });
    setAt(0);
    load(0, query);
  };
  useEffect(() => begin(wanted), []);
  const total = loaded?.list.total ?? 0;
  const go = (to: number) => {
    if (to < 0 || to >= total) return;
    setAt(to);
    load(Math.floor(to / LIST_PORTION));
    load(Math.floor(Math.min(to + AHEAD, total - 1) / LIST_PORTION));
  };
  // A saved text keeps its place, also in another state, so that the list does not move while a person works.
  const rowAt = (index: number) => {
    const known = loaded?.rows.get(index);
    return known && tabSaves.newer(known.row, known.answers);
  };
  const indexOfRow = (row: ReviewRow) =>
    loaded?.rows.entries().find(([, each]) => rowId(each.row) === rowId(row))?.[0];
  return {
    ...{ wanted, loaded, at, problem, setProblem },
    ...{ load, begin, go, rowAt, indexOfRow, ...countedIn(loaded) },
  };
}

function countedIn(
  loaded: Loaded | undefined,
): Pick<LoadedTexts, 'total' | 'totalWords' | 'isCounting'> {
  const { total = 0, counting: isCounting = false } = loaded?.list ?? {};
  return { total, totalWords: countSoFar(total, isCounting), isCounting };
}

interface AskedPortion {
  readonly query: WantedReviewTexts;
  readonly portion: number;
  /** The portions of this list that are not asked for again. */
  readonly asked: Set<number>;
}

async function loadPortion(
  { query, portion, asked }: AskedPortion,
  showing: ListDisplay,
  setProblem: (words: string) => void,
): Promise<void> {
  if (asked.has(portion)) return;
  asked.add(portion);
  try {
    // A portion without all of its texts is requested again when it comes into view.
    if (!(await askFor(query, portion, showing))) asked.delete(portion);
  } catch (error) {
    asked.delete(portion);
    if (!showing.isOver()) setProblem(reasonOfError(error));
  }
}

interface ListDisplay {
  /** The time of the first answer. */
  readonly since: () => string | undefined;
  /** @param answers number of answers to saves when it was asked for */
  show(list: ReviewPortion, answers: number): void;
  /** Whether the page shows another list by now. */
  readonly isOver: () => boolean;
}

/**
 * Shows the texts of a portion as soon as they are known. Then, with the first portion, waits until all texts are counted.
 * @returns whether the portion has all its texts
 */
async function askFor(
  query: WantedReviewTexts,
  portion: number,
  { since, show, isOver }: ListDisplay,
): Promise<boolean> {
  const ask = async (partial: boolean) => {
    const at = since();
    const { answers } = tabSaves;
    const list = await askDaemon<ReviewPortion>('/api/review/list', {
      ...{ ...bodyOf(query), partial, from: portion * LIST_PORTION, count: LIST_PORTION },
      ...(at === undefined ? {} : { since: at }),
    });
    if (!isOver()) show(list, answers);
    return list;
  };
  let list = await ask(true);
  for (let before = 0; isWaiting(list) && textsIn(list) >= before && !isOver(); ) {
    before = textsIn(list);
    list = await ask(true);
  }
  if (list.counting && portion === 0 && !isOver()) list = await ask(false);
  return !isWaiting(list);
}

function isWaiting({ counting, rows }: ReviewPortion): boolean {
  return counting && rows.length < LIST_PORTION;
}

/** Texts that are read. They get fewer when the daemon cannot keep all of them: then only a complete answer helps. */
function textsIn({ counts }: ReviewPortion): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function bodyOf({ project, language, file, states, text }: WantedReviewTexts): object {
  const given = Object.entries({ project, language, file, text }).filter(
    ([, value]) => value !== '',
  );
  return { ...Object.fromEntries(given), states };
}

interface PortionAnswer {
  readonly portion: number;
  readonly answers: number;
}

function withPortion(
  before: Loaded | undefined,
  list: ReviewPortion,
  { portion, answers }: PortionAnswer,
): Loaded {
  const first = portion * LIST_PORTION;
  const rows = new Map(list.rows.map((row, index) => [first + index, { row, answers }] as const));
  if (before === undefined || before.isOld) return { list, rows, isOld: false };
  // A later portion is answered before the daemon has counted, also when it has counted for an earlier one.
  const isLess = list.counting && (!before.list.counting || list.total < before.list.total);
  // A row that is there already keeps its place: the person may be working on it.
  const all = new Map([...rows, ...before.rows]);
  return { list: isLess ? before.list : list, rows: all, isOld: false };
}
