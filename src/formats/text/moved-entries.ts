/** An entry that moved into another group was removed and inserted: here it gets back its spelling and its comments. Pure. */
import { JobFailure } from '../../failure.ts';
import type { Edit, Segment } from '../../format.ts';
import type { ComposedText, Composition } from './composition.ts';
import { type EntryLines, entryLines } from './entry-lines.ts';
import { type OpenFile, reread } from './open.ts';
import { sameParts } from './parts.ts';
import { splice } from './splice.ts';

/** @param before the target, in which the entries are in their old groups */
export function withMovedEntries(
  made: ComposedText,
  before: OpenFile,
  composition: Composition,
): ComposedText {
  const moves = movesBetween(before, made, composition);
  if (moves.length === 0) return made;
  const ways = [inOldSpelling, withOldComments];
  for (const way of ways) {
    const edits = moves.flatMap((move) => way(move, before.text, made.text) ?? []);
    const text = splice(made.text, edits);
    const file = text === made.text ? undefined : readAlike(made.file, text, composition);
    if (file !== undefined) return { ...made, text, bytes: file.encode(text), file };
  }
  return made;
}

interface Move {
  readonly old: EntryLines;
  readonly now: EntryLines;
  /** The comments of the old place that are not there any more. */
  readonly lost: readonly string[];
  readonly isSameText: boolean;
}

function movesBetween(before: OpenFile, made: ComposedText, { renamed }: Composition): Move[] {
  if (renamed === undefined || renamed.size === 0) return [];
  const [old, now] = [byId(before), byId(made.file)];
  const isLost = lostIn({ before: before.text, made: made.text });
  return [...renamed].flatMap(([from, to]) => {
    const [was, is] = [old.get(from), now.get(to)];
    if (was === undefined || is === undefined || now.has(from) || old.has(to)) return [];
    const places = { old: entryLines(before.text, was), now: entryLines(made.text, is) };
    if (places.old === undefined || places.now === undefined) return [];
    const lost = places.old.comments.filter(isLost);
    const isSameText = sameParts(was.parts, is.parts);
    return [{ old: places.old, now: places.now, lost, isSameText }];
  });
}

function byId({ doc }: OpenFile): ReadonlyMap<string, Segment> {
  return new Map(doc.segments.map((segment) => [segment.id, segment]));
}

/** Whether a line was more often in the text before than in the new one. */
export function lostIn({
  before,
  made,
}: Readonly<Record<'before' | 'made', string>>): (line: string) => boolean {
  const [linesBefore, linesLeft] = [counted(before), counted(made)];
  return (line) => (linesLeft.get(line.trim()) ?? 0) < (linesBefore.get(line.trim()) ?? 0);
}

function counted(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split(/\r\n|\n|\r/)) {
    counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  }
  return counts;
}

/** The old lines as they were, with the indentation and the comma of the new place. */
function inOldSpelling(move: Move, before: string, made: string): Edit[] | undefined {
  const { old, now, lost, isSameText } = move;
  if (!isSameText) return withOldComments(move, before, made);
  const text = before.slice(old.start, old.valueEnd) + now.sign + old.trailing;
  return [{ start: now.start, end: now.end, text: indented([...lost, text].join(''), old, now) }];
}

function withOldComments({ old, now, lost }: Move, _before: string, _made: string): Edit[] {
  return [
    { start: now.start, end: now.start, text: indented(lost.join(''), old, now) },
    { start: now.end, end: now.end, text: now.trailing === '' ? old.trailing : '' },
  ];
}

type Indented = Pick<EntryLines, 'indent'>;

export function indented(
  text: string,
  { indent: from }: Indented,
  { indent: to }: Indented,
): string {
  return text.replace(/^[ \t]*(?=\S)/gm, (own) =>
    own.startsWith(from) ? to + own.slice(from.length) : own,
  );
}

/** The file when it has the same texts; a comment or a spelling may not fit into the new place. */
export function readAlike(
  made: OpenFile,
  text: string,
  composition: Composition,
): OpenFile | undefined {
  try {
    const file = reread(made, text, composition);
    const { segments } = made.doc;
    const isAlike =
      file.doc.segments.length === segments.length &&
      file.doc.segments.every(({ id, parts }, index) => {
        const own = segments[index];
        return own?.id === id && sameParts(own.parts, parts);
      });
    return isAlike ? file : undefined;
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
}
