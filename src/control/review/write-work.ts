/** The work behind `parsers.ts`: writes a person's texts into a translation. All other texts stay unchanged. */

import { JobFailure } from '../../failure.ts';
import { hashBytes } from '../../files/disk.ts';
import { partsText, type Segment, type SegmentState, sourceParts } from '../../format.ts';
import type { OpenFile } from '../../formats/text/open.ts';
import type { Hash, Stat } from '../../job.ts';
import { append } from '../../parsing/append.ts';
import type { ThreadWork } from '../../parsing/thread-call.ts';
import { type TargetHash, targetHash } from '../../segments/statements.ts';
import { caseOf, type PackedTarget } from '../../translate/inspected-case.ts';
import { findingsOf, gather } from '../../translate/inspection.ts';
import { optionsFor } from '../../translate/text-files.ts';
import { composeSaved, type FitText } from './compose-texts.ts';
import { judgeText, type RefusedText, type TextWarning, uncheckedText } from './judge-text.ts';
import {
  isOther,
  type OpenTarget,
  openForSaves,
  type PersonsText,
  segmentsNamed,
  targetIndex,
} from './open-target.ts';
import { keepOpened } from './opened.ts';

export interface ReviewWriting extends PackedTarget {
  readonly texts: readonly PersonsText[];
  /** Other plural forms of the same messages, which stay. */
  readonly kept: readonly { readonly id: string; readonly state: SegmentState }[];
  /** File status of the target that the person saw. */
  readonly seen: Stat | undefined;
  /** `none`: the texts do not change, and a person only states how far their review is. Absent: all checks. */
  readonly checks?: 'none';
  /** ISO 8601; for formats that store the time of a change. */
  readonly at: string;
}

export interface ReviewWritten {
  /** Absent: none of the texts can be written. */
  readonly bytes?: Uint8Array;
  /** Hash of `bytes`. */
  readonly hash?: Hash;
  /** Hash of the target that was read; null: there was none. */
  readonly replaced: Hash | null;
  readonly refused: readonly RefusedText[];
  readonly warnings: readonly TextWarning[];
  /** The texts as they are read back: a format may fold or leave out some characters. */
  readonly written: readonly {
    readonly id: string;
    readonly text: string;
    readonly targetHash: TargetHash;
    /** Another text of the file had the same source and the same translation. */
    readonly hasTwin: boolean;
  }[];
  /** Whether the texts of the format have keys. Then writing one text leaves all others unchanged. */
  readonly isKeyed: boolean;
}

export const write: ThreadWork<ReviewWriting, ReviewWritten> = async ({
  texts,
  kept,
  at,
  checks,
  seen,
  ...packed
}) => {
  const text = caseOf(packed);
  const material = await gather(text);
  return () => {
    const findings =
      material.format.shape === 'keyed'
        ? openForSaves(text, material, texts)
        : findingsOf(text, material);
    if (material.target?.stat !== seen && isOther(findings, texts)) {
      throw new JobFailure({ kind: 'changed-meanwhile', file: optionsFor(text, 'target').file });
    }
    const replaced = material.target?.hash ?? null;
    const refused: RefusedText[] = [];
    const warnings: TextWarning[] = [];
    const fit = texts.flatMap((each) => {
      const judged =
        checks === 'none' ? uncheckedText(findings, each) : judgeText(text, findings, each);
      append(warnings, judged.warnings);
      if (judged.parts !== undefined) return [{ ...each, parts: judged.parts }];
      const { message, again } = judged;
      refused.push({ id: each.id, message, ...(again && { again }) });
      return [];
    });
    const states = new Map(kept.map(({ id, state }) => [id, state]));
    for (const { id, now } of texts) states.set(id, now);
    const { file, bytes, unfit } = composeSaved(findings, fit, { at, kept: states });
    append(refused, unfit);
    const gone = new Set(unfit.map(({ id }) => id));
    const written = fit.filter(({ id }) => !gone.has(id));
    const isKeyed = findings.reader.format.shape === 'keyed';
    if (file === undefined) return { isKeyed, replaced, refused, warnings, written: [] };
    const hash = hashBytes(bytes);
    keepOpened(file, { hash, bytes: bytes.byteLength }, findings.reader);
    return {
      ...{ bytes, hash, isKeyed, replaced, refused, warnings },
      written: hashesIn(findings, file, written),
    };
  };
};

/** The texts as they are read back: a format may fold or leave out some characters. */
function hashesIn(
  findings: OpenTarget,
  file: OpenFile,
  texts: readonly FitText[],
): ReviewWritten['written'] {
  const byId = new Map(segmentsNamed(texts, file.doc).map((segment) => [segment.id, segment]));
  const isKeyed = findings.reader.format.shape === 'keyed';
  return texts.map(({ id, parts }) => {
    const read = isKeyed ? byId.get(id) : file.doc.segments[targetIndex(findings, id) ?? -1];
    const text = partsText(read?.parts ?? parts);
    const hasTwin = !isKeyed && isTwice(findings, id);
    return { id, text, targetHash: targetHash(text), hasTwin };
  });
}

function isTwice({ segments, found }: OpenTarget, id: string): boolean {
  const own = segments.find((each) => each.id === id);
  const pair = (segment: Segment) =>
    `${partsText(sourceParts(segment))}\0${partsText(found.get(segment.id) ?? [])}`;
  return own !== undefined && segments.some((each) => each !== own && pair(each) === pair(own));
}
