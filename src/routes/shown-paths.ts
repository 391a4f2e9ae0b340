/** Absolute paths within sentences, as the reader names them from where they stand. Pure. */
import { relative, sep } from 'node:path';

/** Where the reader stands, and the folder of the config where that is known: files lie below one of them. */
export interface ReaderPlace {
  readonly cwd: string;
  readonly base?: string | undefined;
}

/** A sentence with its paths relative to where the reader stands. */
export function shownFrom({ cwd, base }: ReaderPlace, sentence: string): string {
  const near = withShort(sentence, cwd, '');
  return base === undefined || base === cwd ? near : withShort(near, base, relative(cwd, base));
}

/** With another sign before or behind it, the name is the end or the beginning of another one. */
const BEFORE = /[\w.~/-]$/;
const BEHIND = /^(?:$|[\s:;,'")]|\.(?:\s|$))/;
const BELOW = /^\/[^\s]/;

/** @param way to the folder from where the reader stands; '' for that place itself */
function withShort(sentence: string, folder: string, way: string): string {
  // Below the root of the disk, paths are short as they are.
  if (folder === sep) return sentence;
  const [first = '', ...rest] = sentence.split(folder);
  let shown = first;
  for (const behind of rest) {
    const isName = !BEFORE.test(shown.slice(-1));
    if (isName && BELOW.test(behind)) {
      shown += way === '' ? behind.slice(sep.length) : way + behind;
    } else if (isName && BEHIND.test(behind)) shown += (way === '' ? '.' : way) + behind;
    else shown += folder + behind;
  }
  return shown;
}

/** The same in every sentence of a result that scripts read. Fields that hold a path alone (`file`, `path`, `root`) stay as they are. */
export function sentencesFrom<T>(place: ReaderPlace, value: T): T {
  return mapped(value, (sentence) => shownFrom(place, sentence), 'data') as T;
}

const SENTENCES: ReadonlySet<string> = new Set([
  'config_faults',
  'error',
  'message',
  'next_step',
  'notes',
  'reason',
  'rule_faults',
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
