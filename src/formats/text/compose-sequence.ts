/** Sequences (Markdown, HTML, text) have no keys: the source is the frame, its spans take the target's texts in order. */
import type { Edit, Part, Segment } from '../../format.ts';
import { sourceParts } from '../../format.ts';
import type { Composed, Composition } from './compose.ts';
import { type OpenFile, reread } from './open.ts';
import { trackedSplice } from './splice.ts';
import { verifyInOrder } from './verify.ts';

export function composeSequence(composition: Composition): Composed {
  const { source, options } = composition;
  const filled = source.doc.segments.map((segment, index) => fill(segment, index, composition));
  const language = options.language;
  const locale = language === undefined ? [] : (source.doc.localeEdits?.(language) ?? []);
  const { text, starts } = trackedSplice(source.text, [
    ...filled.map(({ edit }) => edit),
    ...locale,
  ]);
  const intended = filled.map(({ id, parts, edit }, index) => ({
    id,
    parts,
    region: { start: starts[index] ?? 0, end: (starts[index] ?? 0) + edit.text.length },
  }));
  verifyInOrder(reread(source, text, composition), intended, composition);
  return { text, bytes: source.encode(text) };
}

interface Filled {
  readonly id: string;
  readonly parts: readonly Part[];
  readonly edit: Edit;
}

function fill(segment: Segment, index: number, composition: Composition): Filled {
  const { id, start, end } = segment;
  const placement = composition.placements.get(id) ?? { kind: 'keep' };
  switch (placement.kind) {
    case 'write':
      return {
        id,
        parts: placement.parts,
        edit: { start, end, text: segment.encode(placement.parts) },
      };
    case 'keep': {
      const kept = counterpart(index, composition);
      if (kept !== undefined)
        return { id, parts: kept.parts, edit: { start, end, text: kept.raw } };
      break;
    }
    case 'source':
    case 'omit':
      break;
  }
  const parts = sourceParts(segment);
  return { id, parts, edit: { start, end, text: segment.encode(parts) } };
}

// A target with as many segments as the source still runs beside it, place by place (formats.md 5).
function counterpart(
  index: number,
  { source, target }: Composition,
): { readonly parts: readonly Part[]; readonly raw: string } | undefined {
  if (target === undefined || !isParallel(source, target)) return undefined;
  const segment = target.doc.segments[index];
  if (segment === undefined) return undefined;
  return { parts: segment.parts, raw: target.text.slice(segment.start, segment.end) };
}

function isParallel(source: OpenFile, target: OpenFile): boolean {
  return source.doc.segments.length === target.doc.segments.length;
}
