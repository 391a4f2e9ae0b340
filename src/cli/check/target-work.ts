/** The work behind `target-parsers.ts`: reads one source or one target for `check`, or one source for `init`. */
import { JobFailure } from '../../failure.ts';
import { readBytes } from '../../files/disk.ts';
import { keyName, partsText, sourceParts } from '../../format.ts';
import { chooseFormat } from '../../formats/all.ts';
import { describeDuplicate } from '../../formats/text/duplicates.ts';
import { expectedSegments } from '../../formats/text/expect.ts';
import { openFile } from '../../formats/text/open.ts';
import { LARGEST_SOURCE } from '../../lane.ts';
import type { ThreadWork } from '../../parsing/thread-call.ts';
import {
  caseOf,
  type PackedSource,
  type PackedTarget,
  sourceCase,
} from '../../translate/inspected-case.ts';
import { decideSegments, findingsOf, gather } from '../../translate/inspection.ts';
import { Recall } from '../../translate/recall.ts';
import {
  openSource,
  openTarget,
  optionsFor,
  readFiles,
  readSourceFile,
} from '../../translate/text-files.ts';
import { wantedSegment } from '../../translate/wanted-segment.ts';
import { findingsIn, type PlacedFinding } from './findings.ts';

/** Findings about a source, and whether it has texts for targets. */
export interface SourceFindings {
  readonly remarks: readonly PlacedFinding[];
  readonly isBare: boolean;
}

/** A text of a source and its translation in a target. */
export interface TextPair {
  readonly id: string;
  /** The key in the spelling of people. */
  readonly key: string;
  readonly text: string;
  readonly translation: string;
}

export const readSource: ThreadWork<PackedSource, SourceFindings> = async (inspected) => {
  const text = sourceCase(inspected);
  const files = await readSourceFile(text);
  return () => {
    const { segments, warnings, duplicates = [] } = openSource(text, files).doc;
    const repeated = duplicates.map((duplicate) => ({
      line: duplicate.lines[1] ?? 1,
      message: describeDuplicate(duplicate),
    }));
    return {
      remarks: [...warnings, ...repeated].map(({ line, message }) => ({
        ...{ line, column: 1, severity: 'warn', message },
      })),
      isBare: segments.every((segment) => wantedSegment(segment, text.route).treatment === 'omit'),
    };
  };
};

export const readTarget: ThreadWork<PackedTarget, readonly PlacedFinding[]> = async (inspected) => {
  const text = caseOf(inspected);
  const material = await gather(text);
  return () => {
    const findings = findingsOf(text, material);
    return findingsIn({ ...findings, ...decideSegments(text, findings, new Recall()) }, text);
  };
};

export const countTexts: ThreadWork<{ readonly file: string }, number> = async ({ file }) => {
  const { bytes } = await readBytes(file, LARGEST_SOURCE.text);
  const format = await chooseFormat(file, bytes);
  if (format === undefined) {
    const what = `${file} is in no text format that is known`;
    throw new JobFailure({ kind: 'unsupported', what, advice: '' });
  }
  return () => {
    const options = {
      file,
      sourceLanguage: undefined,
      language: undefined,
      role: 'source',
    } as const;
    const { segments } = openFile(bytes, format, options).doc;
    const texts = new Set(segments.map((segment) => partsText(sourceParts(segment))));
    return [...texts].reduce(
      (sum, text) => (/\p{L}/u.test(text) ? sum + [...text].length : sum),
      0,
    );
  };
};

export const pairTexts: ThreadWork<PackedSource, readonly TextPair[]> = async (packed) => {
  const text = sourceCase(packed);
  const files = await readFiles(text);
  return () => {
    const { format } = files;
    if (format.shape !== 'keyed') return [];
    const source = openSource(text, files);
    const target = openTarget(files, { format, options: optionsFor(text, 'target') });
    const found = new Map(target?.doc.segments.map(({ id, parts }) => [id, partsText(parts)]));
    const { language } = packed;
    return expectedSegments(format, source, { language }).flatMap((segment) => {
      const translation = found.get(segment.id) ?? '';
      const { id } = segment;
      if (translation === '') return [];
      return [{ id, key: keyName(id), text: partsText(sourceParts(segment)), translation }];
    });
  };
};
