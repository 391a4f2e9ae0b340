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
const PAGE_EXTENSIONS: ReadonlySet<string> = new Set(['.md', '.mdx', '.markdown']);

/** The same for a file, if it exists. In Markdown, markers between code fences are content: the page may be about git. */
export async function conflictIn(path: string): Promise<number | undefined> {
  const file = await readBytesIfPresent(path, MOST_SEARCHED_BYTES);
  if (file === undefined || !file.bytes.includes(MARKER)) return undefined;
  const text = file.bytes.toString('utf8');
  return conflictLine(
    PAGE_EXTENSIONS.has(extname(path).toLowerCase()) ? withoutFences(text) : text,
  );
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
