/** Asks the history of the repository about the texts of a job, reading old versions in the format of its files. */
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import { hashBytes } from '../files/disk.ts';
import { partsText, sourceParts } from '../format.ts';
import { expectedSegments } from '../formats/text/expect.ts';
import type { Limited } from '../parsing/within.ts';
import type { Material, TextFindings, TextInspection } from './inspection.ts';
import { askHistory, openQuestions, type Past, textUnits } from './past.ts';
import type { PastText } from './past-version.ts';
import type { TextCase } from './text-case.ts';
import { openSource, openTarget, optionsFor, type TextFile } from './text-files.ts';

export interface SeenText {
  readonly material: Material;
  readonly findings: TextFindings & TextInspection;
  readonly limited: Limited;
}

/** Undefined when nothing is asked, or there is no history. */
export async function pastOf(
  text: TextCase,
  { material, findings, limited }: SeenText,
): Promise<Past | undefined> {
  const { lock } = text;
  if (material.lock === undefined || lock === undefined) return undefined;
  const { reader, wanted, found, merge, target } = findings;
  const sources = new Map(wanted.map(({ id, source }) => [id, partsText(source)]));
  return await askHistory({
    job: text.job,
    lock,
    files: [text.sourcePath, join(text.root, text.targetPath)],
    ...textUnits(text, reader.format.shape === 'keyed'),
    ...openQuestions(merge.decisions),
    texts: (id) => {
      const target = found.get(id);
      return { source: sources.get(id) ?? '', target: target && partsText(target) };
    },
    present: () => target?.doc.segments.map(({ parts }) => partsText(parts)) ?? [],
    read: async (side, bytes) =>
      await limited(() => textsIn({ text, material, target, side, bytes })),
  });
}

interface PastBytes {
  readonly text: TextCase;
  readonly material: Material;
  /** The target now, whose forms the source's texts get. */
  readonly target: TextFile | undefined;
  readonly side: 'source' | 'target';
  readonly bytes: Buffer;
}

/** An old version that cannot be read counts as empty. */
function textsIn({ text, material, target: now, side, bytes }: PastBytes): PastText[] | undefined {
  // Parsed sources are cached by hash, and these bytes are not those on the disk.
  const file = { ...material.source, bytes, hash: hashBytes(bytes) };
  try {
    if (side === 'source') {
      const source = openSource(text, { ...material, source: file });
      const { language } = text.job;
      const expected = expectedSegments(material.format, source, {
        language,
        ...(now === undefined ? {} : { file: now }),
      });
      const own = new Set(source.doc.segments.map(({ id }) => id));
      return [...source.doc.segments, ...expected.filter(({ id }) => !own.has(id))].map(
        (segment) => ({ id: segment.id, parts: sourceParts(segment) }),
      );
    }
    const reader = { format: material.format, options: optionsFor(text, 'target') };
    const target = openTarget({ ...material, target: file }, reader);
    return target?.doc.segments.map(({ id, parts }) => ({ id, parts }));
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
}
