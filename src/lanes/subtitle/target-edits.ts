/**
 * The changes that a target gets in its own file: cues are added, replaced and removed, and its header, notes and styles stay. Pure.
 */
import type { AddedCue, RenderedCue } from '../../formats/captions/render.ts';
import type { SubtitleInspection } from './inspection.ts';

/** A cue of the new target, with the cues of a person before and behind it. */
export interface PlacedCue {
  readonly timing: string;
  readonly text: string;
  readonly isLeftOut: boolean;
  readonly before: readonly (AddedCue & { readonly line: number })[];
  readonly after: readonly (AddedCue & { readonly line: number })[];
}

/** A cue of the target file as it is written. */
interface EditedCue {
  readonly before: AddedCue[];
  readonly after: AddedCue[];
  own: AddedCue | undefined;
}

/** @returns one for each cue of the target file; undefined: its cues are in another order, or in another format */
export function editsOfTarget(
  { film, source, target, current }: SubtitleInspection,
  shown: readonly PlacedCue[],
): RenderedCue[] | undefined {
  const file = target?.file;
  if (file === undefined || file.format !== film.format || file.cues.length === 0) return undefined;
  const places = new Map(file.cues.map(({ line }, at) => [line, at]));
  const edited = file.cues.map((): EditedCue => ({ before: [], after: [], own: undefined }));
  let last = -1;
  const isPlaced = (line: number | undefined, cue: AddedCue): boolean => {
    const at = line === undefined ? undefined : places.get(line);
    const there = edited[at ?? -1];
    if (at === undefined || there === undefined) {
      (edited[last]?.after ?? edited[0]?.before)?.push(cue);
      return true;
    }
    if (at <= last) return false;
    there.own = cue;
    last = at;
    return true;
  };
  const isInOrder = film.cues.every(({ id }, nth) => {
    const cue = shown[nth];
    if (cue === undefined) return false;
    const own = current.get(id);
    const name = file.cues[places.get(own?.line ?? 0) ?? -1]?.id ?? source.file.cues[nth]?.id ?? '';
    const { timing, text } = cue;
    return (
      cue.before.every((each) => isPlaced(each.line, each)) &&
      (cue.isLeftOut || isPlaced(own?.line, { id: name, timing, text })) &&
      cue.after.every((each) => isPlaced(each.line, each))
    );
  });
  return isInOrder ? numbered(edited, file.cues) : undefined;
}

const NO_CUE: AddedCue = { id: '', timing: '', text: '' };

/** Whether no cue is added or removed. */
export function areSameCues(cues: readonly RenderedCue[]): boolean {
  return cues.every(({ isLeftOut = false, before = [], after = [] }) => {
    return !isLeftOut && before.length + after.length === 0;
  });
}

/** Numbers that count the cues go on counting them; other numbers and names stay. */
function numbered(
  edited: readonly EditedCue[],
  before: readonly { readonly id: string }[],
): RenderedCue[] {
  const isCounted = before.every(({ id }, at) => id === String(at + 1));
  let count = 0;
  const named = (cue: AddedCue): AddedCue => {
    count += 1;
    return isCounted ? { ...cue, id: String(count) } : cue;
  };
  return edited.map(({ before: above, own, after }) => {
    const added = above.map(named);
    const { id, timing, text } = own === undefined ? NO_CUE : named(own);
    const is = own === undefined ? { isLeftOut: true } : { newId: id };
    return { timing, text, ...is, before: added, after: after.map(named) };
  });
}
