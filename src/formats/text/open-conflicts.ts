/** The conflicts of a page that wait for a person. No run forgets one that an earlier run found, while its lines are where they were. Pure. */
import { type FramePiece, frameLines, lineKey } from '../../segments/frame/frame.ts';
import { type FrameConflict, frameId } from '../../segments/frame/merge.ts';
import { unmovedTexts } from '../../segments/frame/moves.ts';
import { unfollowedLines } from '../../segments/frame/unmoved.ts';
import type { SequenceFrame } from './composition.ts';
import type { OpenFile } from './open.ts';
import { linesWith, unmovedConflicts, writtenLines } from './unmoved-texts.ts';
import type { Intended } from './verify.ts';

interface MergedPage {
  readonly source: OpenFile;
  readonly target: OpenFile;
  readonly frame: Pick<SequenceFrame, 'placed' | 'decide' | 'open'>;
}

interface ComposedPage {
  readonly pages: Record<'source' | 'target', readonly FramePiece[]>;
  readonly now: readonly FramePiece[];
  readonly text: string;
  readonly intended: readonly Intended[];
  /** Keys of the source when it was last read; undefined at first contact. */
  readonly seen: readonly string[] | undefined;
}

/** @param merged the conflicts of the merge */
export function withOpenConflicts(
  merged: readonly FrameConflict[],
  page: MergedPage,
  written: ComposedPage,
): FrameConflict[] {
  const { frame } = page;
  const found = [...merged, ...unfollowed(merged, page, written)];
  const known = new Set(found.map(frameId));
  const still = stillOpen(frame.open, {
    source: { text: page.source.text, texts: page.source.doc.segments },
    target: { text: written.text, texts: placesOfTexts(written.intended) },
  });
  const left = still.filter(
    (conflict) => !known.has(frameId(conflict)) && frame.decide(conflict) !== 'human',
  );
  return [...found, ...left];
}

function unfollowed(
  merged: readonly FrameConflict[],
  page: MergedPage,
  written: ComposedPage,
): FrameConflict[] {
  const { pages, now, seen } = written;
  if (seen === undefined) return [];
  const { target, frame } = page;
  const remembered = { ...pages, before: seen };
  const texts = unmovedConflicts(page, unmovedTexts(remembered, now), written);
  const placed = new Set(frame.placed.values());
  const loose = [...target.doc.segments.keys()].filter((at) => !placed.has(at));
  const ownTexts = new Set(linesWith(target, loose).map(lineKey));
  const lines = unfollowedLines(remembered, { written: now, ownTexts }).filter(
    (conflict) =>
      frame.decide(conflict) !== 'human' &&
      ![...merged, ...texts].some((each) => each.target.includes(conflict.target)),
  );
  return [...texts, ...lines, ...leftTexts(page, written, [...merged, ...texts, ...lines])];
}

/** Texts that left the source, in lines that could not follow: columns of a table that a person built otherwise. */
function leftTexts(
  { source, frame }: MergedPage,
  written: ComposedPage,
  known: readonly FrameConflict[],
): FrameConflict[] {
  const ids = new Set(source.doc.segments.map(({ id }) => id));
  const left = written.now.flatMap((piece) =>
    piece.kind === 'segment' && !ids.has(piece.id) ? [piece.id] : [],
  );
  if (left.length === 0) return [];
  const conflict = { source: '', target: writtenLines(written, new Set(left)) };
  const isTold = known.some((each) => each.target.includes(conflict.target));
  return isTold || frame.decide(conflict) === 'human' ? [] : [conflict];
}

interface PlacedTexts {
  readonly text: string;
  readonly texts: readonly { readonly id: string; readonly start: number }[];
}

/** Conflicts of the last run whose lines are still at different places, or on one side alone. */
function stillOpen(
  open: readonly FrameConflict[],
  { source, target }: Record<'source' | 'target', PlacedTexts>,
): FrameConflict[] {
  if (open.length === 0) return [];
  const idsOf = ({ texts }: PlacedTexts) => new Set(texts.map(({ id }) => id));
  const common = idsOf(source).intersection(idsOf(target));
  const [theirs, ours] = [placesIn(source, common), placesIn(target, common)];
  return open.filter((conflict) => {
    const [lines, own] = [keysOf(conflict.source), keysOf(conflict.target)];
    const isThere = lines.every((key) => theirs.has(key)) && own.every((key) => ours.has(key));
    if (!isThere) return false;
    if (own.length === 0) return lines.some((key) => !ours.has(key));
    if (lines.length === 0) return own.some((key) => !theirs.has(key));
    const places = (keys: readonly string[], page: LinePlaces) =>
      new Set(keys.flatMap((key) => page.get(key) ?? []));
    return places(lines, theirs).symmetricDifference(places(own, ours)).size > 0;
  });
}

/** By key of a line: the text above it and those on it, or undefined where the page has the line twice. */
type LinePlaces = ReadonlyMap<string, string | undefined>;

function placesIn({ text, texts }: PlacedTexts, common: ReadonlySet<string>): LinePlaces {
  const places = new Map<string, string | undefined>();
  const known = texts.filter(({ id }) => common.has(id));
  let [next, end] = [0, 0];
  for (const line of frameLines(text)) {
    end += line.length;
    const first = next;
    while ((known[next]?.start ?? end) < end) next += 1;
    const around = known.slice(Math.max(0, first - 1), next).map(({ id }) => id);
    const key = lineKey(line);
    const place = `${first === 0} ${around.join(' ')}`;
    places.set(key, places.has(key) ? undefined : place);
  }
  return places;
}

function keysOf(lines: string): string[] {
  return frameLines(lines).flatMap((line) => (line.trim() === '' ? [] : [lineKey(line)]));
}

function placesOfTexts(intended: readonly Intended[]): PlacedTexts['texts'] {
  return intended.map(({ id, region }) => ({ id, start: region?.start ?? 0 }));
}
