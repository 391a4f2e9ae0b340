/** Merges the frames of a page's source and target for one composition: table rows as wholes, and lines that the source removed. Pure. */
import {
  withoutEmptied,
  withPersonsOpenings,
  withSourceOpenings,
  withTitlePlaces,
} from '../../segments/frame/box-merge.ts';
import type { FramePiece } from '../../segments/frame/frame.ts';
import { withLeafBlocks } from '../../segments/frame/leaf-blocks.ts';
import {
  type FrameConflict,
  type FrameInput,
  type FrameMerge,
  mergeFrames,
} from '../../segments/frame/merge.ts';
import { type NamedPage, nameMerge } from '../../segments/frame/named-merge.ts';
import { newRowsWithout, withoutRows, withRows } from '../../segments/frame/row-units.ts';
import type { Composition, SequenceFrame } from './composition.ts';
import { withRemoved } from './left-lines.ts';

export interface PageMerge extends Pick<Composition, 'source' | 'placements'> {
  readonly frame: SequenceFrame & Pick<FrameInput, 'keepsOrder'>;
}

/** @param seen keys of the source when it was last read; used only to report the lines that it removed since */
export function mergePages(
  existing: PageMerge,
  pages: { readonly source: readonly FramePiece[]; readonly target: readonly FramePiece[] },
  seen: readonly string[] | undefined,
): FrameMerge {
  const { frame } = existing;
  const sides = { ...pages, before: frame.before, seen };
  // In Markdown a line end beside a tag decides how the text is read.
  if (existing.source.doc.unpaired === undefined) return mergeNamed(existing, sides);
  const { shown, separated, ...joined } = withLeafBlocks(sides);
  const decide: FrameInput['decide'] = (conflict) => frame.decide(shown(conflict));
  return separated(mergeNamed({ ...existing, frame: { ...frame, decide } }, joined));
}

function mergeNamed(existing: PageMerge, sides: NamedPage): FrameMerge {
  const { frame } = existing;
  const { page, withNames } = nameMerge(sides, (conflict) => frame.decide(conflict));
  const { before, ...rest } = page;
  return withNames(mergeRest({ ...existing, frame: { ...frame, before } }, rest, rest.seen));
}

function mergeRest(...[existing, pages, seen]: Parameters<typeof mergePages>): FrameMerge {
  const { source, frame } = existing;
  const { keepsOrder } = frame;
  const stays = (key: string) => !comesBack(key, existing);
  const isNew = (id: string) => comesBack(`#${id}`, existing);
  const places = withTitlePlaces({ ...pages, before: frame.before?.filter(stays) }, isNew);
  const openings = withSourceOpenings(places);
  const rows = withRows({ ...places, target: openings.target });
  const { before } = frame.before === undefined ? withRows({ ...pages, before: seen }) : rows;
  const reported: FrameConflict[] = [];
  const absent = new Set(
    source.doc.segments.flatMap(({ id }) => (isAbsent(id, existing) ? [id] : [])),
  );
  const decide: FrameInput['decide'] = (conflict) => frame.decide(conflict);
  const merge = mergeFrames({
    ...rows,
    ...(keepsOrder && { keepsOrder }),
    absent: new Set([...absent, ...newRowsWithout(rows, absent)]),
    decide: (conflict) => {
      reported.push(conflict);
      return decide(conflict);
    },
  });
  const removed = { before: before ?? [], source: rows.source, reported, decide };
  const whole = withoutRows(withRemoved(merge, removed), rows, { decide, absent });
  return { ...whole, pieces: withoutEmptied(withPersonsOpenings(whole.pieces, openings), pages) };
}

/** A paragraph that is written again after the target lost it is inserted like a new one. */
function comesBack(key: string, { placements, frame }: PageMerge): boolean {
  const id = key.startsWith('#') ? key.slice(1) : undefined;
  return id !== undefined && !frame.placed.has(id) && placements.get(id)?.kind === 'write';
}

/** A paragraph that is held, or that a person removed, is not inserted. */
function isAbsent(id: string, { placements, frame }: PageMerge): boolean {
  return !frame.placed.has(id) && placements.get(id)?.kind === 'omit';
}
