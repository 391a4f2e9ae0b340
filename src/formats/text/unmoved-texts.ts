/** Texts that cannot follow their source to another place stay, and a person learns of it by a conflict. Pure. */
import type { FrameConflict } from '../../segments/frame-merge.ts';
import type { SequenceFrame } from './composition.ts';
import type { OpenFile } from './open.ts';
import { lineStart } from './position.ts';

interface PageFiles {
  readonly source: OpenFile;
  readonly target: OpenFile;
  readonly frame: Pick<SequenceFrame, 'placed' | 'decide'>;
}

/** @param keys of the texts, as `unmovedTexts` names them */
export function unmovedConflicts(
  { source, target, frame }: PageFiles,
  keys: readonly string[],
): FrameConflict[] {
  if (keys.length === 0) return [];
  const places = new Map(source.doc.segments.map(({ id }, at) => [`#${id}`, at]));
  const inSource = keys.flatMap((key) => places.get(key) ?? []);
  const inTarget = keys.flatMap((key) => frame.placed.get(key.slice(1)) ?? []);
  const conflict = {
    source: linesWith(source, inSource).join(''),
    target: linesWith(target, inTarget).join(''),
  };
  return frame.decide(conflict) === 'human' ? [] : [conflict];
}

/** The lines of some texts. @param indices of the texts in the file */
export function linesWith({ text, doc }: OpenFile, indices: readonly number[]): string[] {
  const lines = indices.flatMap((index) => {
    const { start = 0, end = 0 } = doc.segments[index] ?? {};
    const last = text.indexOf('\n', end);
    const from = lineStart(text, start);
    return text.slice(from, last < 0 ? text.length : last + 1).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  });
  return [...new Set(lines)];
}
