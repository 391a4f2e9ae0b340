/** Conflict markers in a file: git writes them where two sides changed the same lines. */
import { extname } from 'node:path';
import { readBytesIfPresent } from './disk.ts';

/** @returns the line of the first marker, 1-based; undefined unless all markers are there in their order */
export function conflictLine(text: string): number | undefined {
  const open = /^<{7}(?: .*)?$/m.exec(text);
  if (open === null) return undefined;
  const rest = text.slice(open.index);
  if (!/^={7}\r?$[\s\S]*?^>{7}(?: .*)?$/m.test(rest)) return undefined;
  return text.slice(0, open.index).split('\n').length;
}

/** Larger files are not searched: nobody merges them by lines. */
const MOST_SEARCHED_BYTES = 128 * 1024 * 1024;
const MARKER = Buffer.from('<<<<<<<');

/**
 * The same for a file, if it exists. Markers between code fences are content: the page may be about git.
 * @param fenced the extensions of files that may have code fences
 */
export async function conflictIn(
  path: string,
  fenced: ReadonlySet<string>,
): Promise<number | undefined> {
  const file = await readBytesIfPresent(path, MOST_SEARCHED_BYTES);
  if (file === undefined || !file.bytes.includes(MARKER)) return undefined;
  const text = file.bytes.toString('utf8');
  const extension = extname(path).slice(1).toLowerCase();
  return conflictLine(fenced.has(extension) ? withoutFences(text) : text);
}

/** Makes fenced lines empty, so that line numbers stay. */
function withoutFences(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').map((line) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      fence = mark;
      return mark === undefined ? line : '';
    }
    if (mark?.startsWith(fence) === true) fence = undefined;
    return '';
  });
  return fence === undefined ? lines.join('\n') : text;
}
