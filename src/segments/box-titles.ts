/**
 * The source gives a box a title, and a person's page has a title of its own there: that title is its translation. Without this, the box
 * would be opened twice. Pure.
 */
import type { Part } from '../format.ts';
import type { SequenceAlignment } from './align-sequence.ts';
import type { WantedSegment } from './decision.ts';
import { type Box, boxesIn } from './frame/boxes.ts';
import type { FramePiece } from './frame/frame.ts';

interface TitledPages {
  readonly wanted: readonly WantedSegment[];
  /** The texts of the target, in order. */
  readonly texts: readonly (readonly Part[])[];
  /** The pieces of both pages; in the target, each text has its position as its id. */
  pieces(): { readonly source: readonly FramePiece[]; readonly target: readonly FramePiece[] };
}

export function withOwnTitles(
  aligned: SequenceAlignment,
  { wanted, texts, pieces }: TitledPages,
): SequenceAlignment {
  const taken = new Set(aligned.placed.values());
  const open = new Set(
    wanted.flatMap(({ id, treatment }) =>
      treatment === 'omit' || aligned.placed.has(id) || isKnown(aligned, id) ? [] : [id],
    ),
  );
  if (open.size === 0 || taken.size === texts.length) return aligned;
  const { source, target } = pieces();
  const [ours, theirs] = [titledBoxes(source), titledBoxes(target)];
  const pairs = [...ours].flatMap(([first, { title = '' }]): [string, number][] => {
    const at = Number(theirs.get(String(aligned.placed.get(first)))?.title ?? -1);
    return open.has(title) && at >= 0 && !taken.has(at) ? [[title, at]] : [];
  });
  return pairs.length === 0 ? aligned : withPairs(aligned, pairs, texts);
}

/** A text that was held, because its title did not fit, is open again. */
function isKnown({ base }: SequenceAlignment, id: string): boolean {
  const record = base.get(id);
  return record !== undefined && !(record.state === 'held' && record.target === null);
}

/** The boxes with a title, by the first text below it. */
function titledBoxes(pieces: readonly FramePiece[]): ReadonlyMap<string, Box> {
  return new Map(
    boxesIn(pieces).boxes.flatMap((box): [string, Box][] => {
      const [first] = box.texts;
      return first === undefined || box.title === undefined ? [] : [[first, box]];
    }),
  );
}

function withPairs(
  { base, placed, found, ...rest }: SequenceAlignment,
  pairs: readonly [string, number][],
  texts: TitledPages['texts'],
): SequenceAlignment {
  const ids = new Set(pairs.map(([id]) => id));
  const titles = pairs.map(([id, at]) => [id, texts[at] ?? []] as const);
  return {
    ...rest,
    base: new Map([...base].filter(([id]) => !ids.has(id))),
    placed: new Map([...placed, ...pairs]),
    found: new Map([...found, ...titles]),
  };
}
