/** Loads the texts of the Review page, portion by portion, and keeps the chosen one. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReviewPortion, ReviewRow } from '../../control/review/report.ts';
import { askDaemon, reasonOfError } from './ask.ts';
import type { WantedReviewTexts } from './review-filters.ts';
import { LIST_PORTION } from './review-list.ts';
import { countSoFar } from './words.ts';

const FIRST: WantedReviewTexts = {
  project: '',
  language: '',
  file: '',
  states: ['stale', 'unreviewed'],
  text: '',
};

interface Loaded {
  readonly list: ReviewPortion;
  /** Rows by their place in the list. */
  readonly rows: ReadonlyMap<number, ReviewRow>;
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
  /** The number of the present list: a place is valid only in its list. */
  readonly run: () => number;
  readonly problem: string;
  setProblem(words: string): void;
  load(portion: number): void;
  /** Loads a new list from its beginning. */
  begin(wanted: WantedReviewTexts): void;
  go(to: number): void;
  /** Replaces a row at its place. */
  place(index: number, row: ReviewRow): void;
}

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
    const show = (list: ReviewPortion) => {
      began.current ??= list.at;
      setProblem('');
      setLoaded((before) => withPortion(before, list, portion));
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
  };
  // A saved text keeps its place, also in another state, so that the list does not move while a person works.
  const place = (index: number, row: ReviewRow) =>
    setLoaded((before) => before && { ...before, rows: new Map([...before.rows, [index, row]]) });
  return {
    ...{ wanted, loaded, at, run: () => run.current, problem, setProblem },
    ...{ load, begin, go, place, ...countedIn(loaded) },
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
  show(list: ReviewPortion): void;
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
    const list = await askDaemon<ReviewPortion>('/api/review/list', {
      ...{ ...bodyOf(query), partial, from: portion * LIST_PORTION, count: LIST_PORTION },
      ...(at === undefined ? {} : { since: at }),
    });
    if (!isOver()) show(list);
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

function withPortion(before: Loaded | undefined, list: ReviewPortion, portion: number): Loaded {
  const first = portion * LIST_PORTION;
  const rows = new Map(list.rows.map((row, index) => [first + index, row] as const));
  if (before === undefined || before.isOld) return { list, rows, isOld: false };
  // A later portion is answered before the daemon has counted, also when it has counted for an earlier one.
  const isLess = list.counting && (!before.list.counting || list.total < before.list.total);
  // A row that is there already may have been saved since the daemon read it.
  const all = new Map([...rows, ...before.rows]);
  return { list: isLess ? before.list : list, rows: all, isOld: false };
}
