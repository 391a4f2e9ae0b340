/** Absolute paths within sentences, as the reader names them from where they stand. Pure. */
import { relative, sep } from 'node:path';

/** Where the reader stands, and the folder of the config where that is known: files lie below one of them. */
export interface Place {
  readonly cwd: string;
  readonly base?: string | undefined;
}

/** A sentence with its paths relative to where the reader stands. */
export function shownFrom({ cwd, base }: Place, sentence: string): string {
  const near = sentence.replaceAll(`${cwd}${sep}`, '');
  if (base === undefined || base === cwd) return near;
  const way = relative(cwd, base);
  return near.replaceAll(`${base}${sep}`, way === '' ? '' : `${way}${sep}`);
}

/** The same in every sentence of a result that scripts read. Fields that hold a path alone (`file`, `path`, `root`) stay as they are. */
export function sentencesFrom(place: Place, value: unknown): unknown {
  return mapped(value, (sentence) => shownFrom(place, sentence), 'data');
}

const SENTENCES: ReadonlySet<string> = new Set([
  'error',
  'message',
  'next_step',
  'notes',
  'reason',
  'state',
  'stopped_by',
  'would_fail',
  'would_hold',
]);

function mapped(
  value: unknown,
  show: (sentence: string) => string,
  kind: 'data' | 'sentence',
): unknown {
  if (typeof value === 'string') return kind === 'sentence' ? show(value) : value;
  if (Array.isArray(value)) return value.map((each) => mapped(each, show, kind));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      mapped(each, show, SENTENCES.has(name) ? 'sentence' : 'data'),
    ]),
  );
}
