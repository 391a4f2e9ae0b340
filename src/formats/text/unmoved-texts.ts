/** Texts that cannot follow their source to another place stay, and a person learns of it by a conflict. Pure. */

import type { Span } from '../../format.ts';
import type { FrameConflict } from '../../segments/frame/merge.ts';
import type { SequenceFrame } from './composition.ts';
import type { OpenFile } from './open.ts';
import { lineStart } from './position.ts';
import type { Intended } from './verify.ts';

interface WrittenTexts {
  readonly text: string;
  readonly intended: readonly Intended[];
}

interface SourcePage {
  readonly source: OpenFile;
  readonly frame: Pick<SequenceFrame, 'decide'>;
}

/**
 * The target's lines are those that are written, since the next run looks for them: numbers and texts on them may be new.
 * @param keys of the texts, as `unmovedTexts` names them
 */
export function unmovedConflicts(
  { source, frame }: SourcePage,
  keys: readonly string[],
  written: WrittenTexts,
): FrameConflict[] {
  if (keys.length === 0) return [];
  const places = new Map(source.doc.segments.map(({ id }, at) => [`#${id}`, at]));
  const inSource = keys.flatMap((key) => places.get(key) ?? []);
  const conflict = {
    source: linesWith(source, inSource).join(''),
    target: writtenLines(written, new Set(keys.map((key) => key.slice(1)))),
  };
  return frame.decide(conflict) === 'human' ? [] : [conflict];
}

/** The written lines of some texts. */
export function writtenLines({ text, intended }: WrittenTexts, ids: ReadonlySet<string>): string {
  const spans = intended.flatMap(({ id, region }) => (ids.has(id) && region ? [region] : []));
  return linesAt(text, spans).join('');
}

/** The lines of some texts. @param indices of the texts in the file */
export function linesWith({ text, doc }: OpenFile, indices: readonly number[]): string[] {
  return linesAt(
    text,
    indices.flatMap((index) => doc.segments[index] ?? []),
  );
}

function linesAt(text: string, spans: readonly Span[]): string[] {
  const lines = spans.flatMap(({ start, end }) => {
    const last = text.indexOf('\n', end);
    const from = lineStart(text, start);
    return text.slice(from, last < 0 ? text.length : last + 1).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  });
  return [...new Set(lines)];
}
