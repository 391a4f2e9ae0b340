/** Makes absolute paths in sentences relative to the folder of the person. Pure. */
import { relative, sep } from 'node:path';

/** The folder of the person, and the folder of the config where it is known: files are below one of them. */
export interface ReaderFolders {
  readonly cwd: string;
  readonly base?: string | undefined;
}

/** The sentence with paths relative to `cwd`. */
export function shownFrom({ cwd, base }: ReaderFolders, sentence: string): string {
  const near = withShort(sentence, cwd, '');
  return base === undefined || base === cwd ? near : withShort(near, base, relative(cwd, base));
}

/** The text before and after a path. With another character there, the folder is only a part of a longer name. */
const BEFORE = /[\w.~/-]$/;
const BEHIND = /^(?:$|[\s:;,'")]|\.(?:\s|$))/;
const BELOW = /^\/[^\s]/;

/** @param way from the folder of the person to this folder; '' for the same folder */
function withShort(sentence: string, folder: string, way: string): string {
  // Relative to the root of the disk, a path would not become shorter.
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

/** The result for scripts, with short paths in its sentences. Fields that hold only a path (`file`, `path`, `root`) do not change. */
export function sentencesFrom<T>(folders: ReaderFolders, value: T): T {
  return mapped(value, (sentence) => shownFrom(folders, sentence), 'data') as T;
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
