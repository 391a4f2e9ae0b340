/**
 * A message that gets another shape (a text becomes a plural) was removed and inserted: here it gets back the comments of its key. Pure.
 */
import type { Edit, Segment } from '../../format.ts';
import type { ComposedText, Composition } from './composition.ts';
import { commentsAbove, entryLines } from './entry-lines.ts';
import { isCommentLine } from './kept-comments.ts';
import { splitKey } from './key-path.ts';
import { indented, lostIn, readAlike } from './moved-entries.ts';
import type { OpenFile } from './open.ts';
import { lineStart } from './position.ts';
import { splice } from './splice.ts';

/** @param before the target, in which the messages have their old shapes */
export function withReshapedComments(
  made: ComposedText,
  before: OpenFile,
  composition: Composition,
): ComposedText {
  const edits = reshaped(before, made.file, composition).flatMap((message) =>
    editFor(message, before.text, made.text),
  );
  if (edits.length === 0) return made;
  const text = splice(made.text, edits);
  const file = readAlike(made.file, text, composition);
  return file === undefined ? made : { ...made, text, bytes: file.encode(text), file };
}

interface Reshaped {
  readonly key: string;
  /** The first text of each shape. */
  readonly old: Segment;
  readonly now: Segment;
}

function reshaped(before: OpenFile, made: OpenFile, { format, removed }: Composition): Reshaped[] {
  const { messageOf } = format;
  if (messageOf === undefined || removed === undefined || removed.size === 0) return [];
  const [was, is] = [idsOf(before), idsOf(made)];
  const gone = before.doc.segments.filter(({ id }) => removed.has(id) && !is.has(id));
  const come = gone.length === 0 ? [] : made.doc.segments.filter(({ id }) => !was.has(id));
  if (come.length === 0) return [];
  const ids = new Set([...gone, ...come].map(({ id }) => id));
  const rootOf = ({ id }: Segment) => messageOf(id, (each) => ids.has(each));
  const firstOf = (segments: readonly Segment[]) =>
    new Map(segments.toReversed().map((segment) => [rootOf(segment), segment]));
  const now = firstOf(come);
  return [...firstOf(gone)].flatMap(([root, old]): Reshaped[] => {
    const [key, other] = [splitKey(root).at(-1), now.get(root)];
    if (typeof key !== 'string' || other === undefined) return [];
    // One of the shapes is a single text: elements of a list may only have other places.
    return old.id === root || other.id === root ? [{ key, old, now: other }] : [];
  });
}

function idsOf({ doc }: OpenFile): ReadonlySet<string> {
  return new Set(doc.segments.map(({ id }) => id));
}

function editFor({ key, old, now }: Reshaped, before: string, made: string): Edit[] {
  const places = { old: keyLineOf(before, old, key), now: keyLineOf(made, now, key) };
  if (places.old === undefined || places.now === undefined) return [];
  const above = commentsAbove(before, places.old).filter(lostIn({ before, made }));
  const own = splitKey(old.id).at(-1) === key ? trailingLine(before, old) : '';
  const isLost = own !== '' && !made.includes(own.trim());
  const comments = [...above, ...(isLost ? [own] : [])].join('');
  if (comments === '') return [];
  const [from, to] = [indentAt(before, places.old), indentAt(made, places.now)];
  const text = indented(comments, { indent: from }, { indent: to });
  return [{ start: places.now, end: places.now, text }];
}

/** The comment behind a text, as a line of its own. */
function trailingLine(text: string, segment: Segment): string {
  const lines = entryLines(text, segment);
  if (lines === undefined || lines.trailing.trim() === '') return '';
  const [lineEnd = '\n'] = /\r\n|\n|\r/.exec(text) ?? [];
  return `${lines.indent}${lines.trailing.trim()}${lineEnd}`;
}

/** Where the line begins that has the key of a message: that of its first text, or one above. */
function keyLineOf(text: string, { id, start }: Segment, key: string): number | undefined {
  const own = splitKey(id).at(-1);
  const names = typeof own === 'string' && own.startsWith(`${key}_`) ? [key, own] : [key];
  const name = new RegExp(`(?<![\\w-])(?:${names.map(RegExp.escape).join('|')})(?![\\w-])`);
  let below = start;
  for (let tries = 0; tries < FARTHEST_LINE; tries++) {
    const at = lineStart(text, below);
    const line = text.slice(at, below);
    if (name.test(line) && !isCommentLine(line)) return at;
    if (at === 0) return undefined;
    below = at - 1;
  }
  return undefined;
}

/** Between the key of a group and its first text there are few lines: comments, and the openings of groups. */
const FARTHEST_LINE = 20;

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(at))?.[0] ?? '';
}
