/** Loads the texts of the Review page, portion by portion, and keeps the chosen one. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReviewDesk, ReviewRow } from '../../control/review/report.ts';
import { askDaemon, wordsOf } from './ask.ts';
import type { WantedReviewTexts } from './review-filters.ts';
import { LIST_PORTION } from './review-list.ts';

const FIRST: WantedReviewTexts = {
  project: '',
  language: '',
  file: '',
  states: ['stale', 'unreviewed'],
  text: '',
};

interface Loaded {
  readonly desk: ReviewDesk;
  /** Rows by their place in the list. */
  readonly rows: ReadonlyMap<number, ReviewRow>;
}

export interface LoadedTexts {
  readonly wanted: WantedReviewTexts;
  readonly loaded: Loaded | undefined;
  readonly total: number;
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
    if (asked.current.has(portion)) return;
    asked.current.add(portion);
    const mine = run.current;
    askFor(query, portion, began.current).then(
      (desk) => {
        if (mine !== run.current) return;
        began.current ??= desk.at;
        setProblem('');
        setLoaded((before) => withPortion(before, desk, portion));
      },
      (error: unknown) => {
        asked.current.delete(portion);
        setProblem(wordsOf(error));
      },
    );
  };
  const begin = (query: WantedReviewTexts) => {
    setWanted(query);
    run.current += 1;
    asked.current = new Set();
    began.current = undefined;
    setLoaded((before) => before && { ...before, rows: new Map() });
    setAt(0);
    load(0, query);
  };
  useEffect(() => begin(wanted), []);
  const total = loaded?.desk.total ?? 0;
  const go = (to: number) => {
    if (to < 0 || to >= total) return;
    setAt(to);
    load(Math.floor(to / LIST_PORTION));
  };
  // A saved text keeps its place, also in another state, so that the list does not move while a person works.
  const place = (index: number, row: ReviewRow) =>
    setLoaded((before) => before && { ...before, rows: new Map([...before.rows, [index, row]]) });
  return {
    ...{ wanted, loaded, total, at, run: () => run.current, problem, setProblem },
    ...{ load, begin, go, place },
  };
}

async function askFor(
  query: WantedReviewTexts,
  portion: number,
  since: string | undefined,
): Promise<ReviewDesk> {
  return await askDaemon<ReviewDesk>('/api/review/list', {
    ...bodyOf(query),
    ...(since === undefined ? {} : { since }),
    from: portion * LIST_PORTION,
    count: LIST_PORTION,
  });
}

function bodyOf({ project, language, file, states, text }: WantedReviewTexts): object {
  const given = Object.entries({ project, language, file, text }).filter(
    ([, value]) => value !== '',
  );
  return { ...Object.fromEntries(given), states };
}

function withPortion(before: Loaded | undefined, desk: ReviewDesk, portion: number): Loaded {
  const rows = desk.rows.map((row, index) => [portion * LIST_PORTION + index, row] as const);
  return { desk, rows: new Map([...(before?.rows ?? []), ...rows]) };
}
