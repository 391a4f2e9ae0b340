/** The work behind `parsers.ts`: hashes the texts of a target. */
import { partsText } from '../format.ts';
import type { ThreadWork } from '../parsing/thread-call.ts';
import { type TargetHash, targetHash } from '../segments/statements.ts';
import { type PackedSource, sourceCase } from './inspected-case.ts';
import { openTarget, optionsFor, readFiles } from './text-files.ts';

export const hashTexts: ThreadWork<PackedSource, ReadonlyMap<string, TargetHash>> = async (
  packed,
) => {
  const text = sourceCase(packed);
  const files = await readFiles(text);
  return () => {
    const reader = { format: files.format, options: optionsFor(text, 'target') };
    const texts = new Map<string, TargetHash>();
    for (const { id, gap, parts } of openTarget(files, reader)?.doc.segments ?? []) {
      if (gap === undefined && partsText(parts) !== '') texts.set(id, targetHash(partsText(parts)));
    }
    return texts;
  };
};
