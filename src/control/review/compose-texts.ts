/** Composes a target with a person's texts. All other texts stay unchanged, and each text reads back as it was written. */
import { JobFailure } from '../../failure.ts';
import type { Part, Segment } from '../../format.ts';
import { compose } from '../../formats/text/compose.ts';
import type { Composition, SegmentPlacement } from '../../formats/text/composition.ts';
import { type OpenFile, reread } from '../../formats/text/open.ts';
import { sameFoldedParts } from '../../formats/text/parts.ts';
import { splice } from '../../formats/text/splice.ts';
import { refusedSegments } from '../../formats/text/verify.ts';
import { type OpenTarget, type PersonsText, segmentsNamed, targetIndex } from './open-target.ts';

export interface FitText extends PersonsText {
  readonly parts: readonly Part[];
}

type Composed = {
  readonly unfit: readonly { readonly id: string; readonly message: string }[];
} & (WrittenTarget | { readonly file?: never; readonly bytes?: never });

interface WrittenTarget {
  readonly bytes: Uint8Array;
  /** The file as it is read back. */
  readonly file: OpenFile;
}

/** Composes all texts that read back as written. The others are refused, each with a reason. */
export function composeSaved(
  findings: OpenTarget,
  texts: readonly FitText[],
  told: Pick<Composition, 'at' | 'kept'>,
): Composed {
  const unfit = new Map<string, string>();
  for (;;) {
    const rest = texts.filter(({ id }) => !unfit.has(id));
    const problems = [...unfit].map(([id, message]) => ({ id, message }));
    if (rest.length === 0) return { unfit: problems };
    try {
      const isKeyed = findings.reader.format.shape === 'keyed';
      const written = isKeyed ? composeKeyed(findings, rest, told) : composePage(findings, rest);
      return { ...written, unfit: problems };
    } catch (error) {
      const named = refusedSegments(error).filter(({ key }) => rest.some(({ id }) => id === key));
      if (named.length === 0) throw error;
      const alone =
        rest.length === 1 ? [] : named.filter(({ key }) => failsAlone(findings, rest, key));
      const problems = alone.length > 0 ? alone : named;
      for (const { key, message } of problems) unfit.set(key, `it ${message}`);
    }
  }
}

/** Whether the text also fails without the others: in a page, one text that is read as two makes all later texts look wrong. */
function failsAlone(findings: OpenTarget, texts: readonly FitText[], id: string): boolean {
  if (findings.reader.format.shape === 'keyed') return true;
  try {
    composePage(
      findings,
      texts.filter((each) => each.id === id),
    );
    return false;
  } catch {
    return true;
  }
}

function composeKeyed(
  { reader, source, target, segments }: OpenTarget,
  texts: readonly FitText[],
  told: Pick<Composition, 'at' | 'kept'>,
): WrittenTarget {
  const left: SegmentPlacement = { kind: target === undefined ? 'omit' : 'keep' };
  const current = segmentsNamed(texts, target?.doc);
  // A new text is inserted beside its neighbours, so all segments are needed. Otherwise those of these texts are enough.
  const expected = current.length === texts.length ? segmentsNamed(texts, { segments }) : segments;
  const placements = new Map<string, SegmentPlacement>(expected.map(({ id }) => [id, left]));
  for (const { id, parts, state } of texts) placements.set(id, { kind: 'write', parts, state });
  return compose({
    ...reader,
    source,
    ...(target === undefined ? {} : { target }),
    expected,
    placements,
    ...told,
  });
}

/** Replaces the spans of these texts in a page. */
function composePage(findings: OpenTarget, texts: readonly FitText[]): WrittenTarget {
  const { target, reader } = findings;
  if (target === undefined)
    throw new JobFailure({ kind: 'internal', message: 'there is no page at this path' });
  const edits = new Map<Segment, FitText>();
  for (const each of texts) {
    const segment = target.doc.segments[targetIndex(findings, each.id) ?? -1];
    if (segment !== undefined) edits.set(segment, each);
  }
  const written = splice(
    target.text,
    [...edits].map(([{ start, end, encode }, { parts }]) => ({ start, end, text: encode(parts) })),
  );
  const after = reread(target, written, reader);
  verifyPage(target, after, edits);
  return { bytes: target.encode(written), file: after };
}

/** @throws JobFailure as `verify` does, with the texts that do not read back as written */
function verifyPage(before: OpenFile, after: OpenFile, edits: ReadonlyMap<Segment, FitText>): void {
  const isSameLength = before.doc.segments.length === after.doc.segments.length;
  const problems = [...edits].flatMap(([segment, { id, parts }]) => {
    const found = after.doc.segments[before.doc.segments.indexOf(segment)];
    const isRead = isSameLength && found !== undefined && sameFoldedParts(found.parts, parts);
    return isRead ? [] : [{ key: id, message: 'would not be read as it was written' }];
  });
  const isOtherTouched = before.doc.segments.some((segment, index) => {
    const found = after.doc.segments[index];
    return (
      !edits.has(segment) && (found === undefined || !sameFoldedParts(found.parts, segment.parts))
    );
  });
  if (problems.length === 0 && !isOtherTouched) return;
  const all = [...edits.values()].map(({ id }) => ({
    key: id,
    message: 'would change texts around it',
  }));
  throw new JobFailure(
    { kind: 'internal', message: 'the page would not be read as it was written' },
    { cause: problems.length > 0 ? problems : all },
  );
}
