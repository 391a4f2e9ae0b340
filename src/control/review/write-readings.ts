/** The work behind `parsers.ts`: writes a person's texts into a translation. All other texts stay unchanged. */
import { JobFailure } from '../../failure.ts';
import { hashBytes } from '../../files/disk.ts';
import {
  type Doc,
  type Part,
  partsText,
  type Segment,
  type SegmentState,
  sourceParts,
} from '../../format.ts';
import { compose } from '../../formats/text/compose.ts';
import type { Composition, SegmentPlacement } from '../../formats/text/composition.ts';
import { type OpenFile, type Reader, reread } from '../../formats/text/open.ts';
import { sameFoldedParts } from '../../formats/text/parts.ts';
import { splice } from '../../formats/text/splice.ts';
import { refusedSegments } from '../../formats/text/verify.ts';
import type { Hash, Stat } from '../../job.ts';
import type { Reading } from '../../parsing/parser.ts';
import { checkTranslation } from '../../segments/check.ts';
import { maxLengthOf } from '../../segments/key-pattern.ts';
import { partsFrom } from '../../segments/raw-parts.ts';
import { NO_TARGET, type TargetHash, targetHash } from '../../segments/statements.ts';
import { caseOf, type PackedTarget } from '../../translate/inspected-case.ts';
import {
  expectedIn,
  findingsOf,
  gather,
  type Material,
  type TextFindings,
} from '../../translate/inspection.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { optionsFor } from '../../translate/text-files.ts';
import { keepOpened, openedFile } from './opened.ts';

/** One text that a person saves, from an exchange file or the page. */
export interface PersonsText {
  /** Id of the segment. */
  readonly id: string;
  readonly text: string;
  /** Hash of the text that the person saw, or `NO_TARGET`. */
  readonly was: TargetHash;
  /** The state to write into the target, if its format has a word for it. */
  readonly state: 'translated' | 'review-wanted' | 'reviewed';
  /** The state that it has now, and keeps when it cannot be written. */
  readonly now: SegmentState;
}

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
  readonly warnings: readonly { readonly id: string; readonly message: string }[];
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

export interface RefusedText {
  readonly id: string;
  readonly message: string;
  /** When it may be tried again. How is said where the person works: on the page, or in a terminal. */
  readonly again?: 'now' | 'after-run';
}

export const write: Reading<ReviewWriting, ReviewWritten> = async ({
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
    const warnings: { id: string; message: string }[] = [];
    const fit = texts.flatMap((each) => {
      const judged =
        checks === 'none' ? uncheckedText(findings, each) : judgeText(text, findings, each);
      warnings.push(...judged.warnings);
      if (judged.parts !== undefined) return [{ ...each, parts: judged.parts }];
      const { message, again } = judged;
      refused.push({ id: each.id, message, ...(again && { again }) });
      return [];
    });
    const states = new Map(kept.map(({ id, state }) => [id, state]));
    for (const { id, now } of texts) states.set(id, now);
    const { file, bytes, unfit } = composeFit(findings, fit, { at, kept: states });
    refused.push(...unfit);
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

/** The findings that a write needs. */
type OpenTarget = Pick<
  TextFindings,
  'reader' | 'source' | 'target' | 'segments' | 'found' | 'blocker' | 'frame'
>;

/** Opens a keyed target. Nothing has to be known of its other texts: they stay unchanged. */
function openForSaves(
  text: TextCase,
  material: Material,
  texts: readonly PersonsText[],
): OpenTarget {
  const { format, known } = material;
  const source = openedFile(material.source, { format, options: optionsFor(text, 'source') });
  const reader: Reader = { format, options: optionsFor(text, 'target') };
  const target = material.target && openedFile(material.target, reader);
  const segments = expectedIn({ text, reader, source, target, known, statements: undefined });
  const found = new Map(segmentsNamed(texts, target?.doc).map(({ id, parts }) => [id, parts]));
  return { reader, source, target, segments, found, blocker: undefined };
}

/** Whether one of the texts is not the one that the person saw. */
function isOther({ reader, target, found }: OpenTarget, texts: readonly PersonsText[]): boolean {
  const isKeyed = reader.format.shape === 'keyed';
  const gaps = segmentsNamed(texts, isKeyed ? target?.doc : undefined).filter(
    ({ gap, parts }) => gap !== undefined || partsText(parts) === '',
  );
  const vacant = new Set(gaps.map(({ id }) => id));
  return texts.some(({ id, was }) => {
    const parts = vacant.has(id) ? undefined : found.get(id);
    return was !== (parts === undefined ? NO_TARGET : targetHash(partsText(parts)));
  });
}

/** Only the segments of these texts: the file may have 100,000. */
function segmentsNamed(
  texts: readonly Pick<PersonsText, 'id'>[],
  all: Pick<Doc, 'segments'> | undefined,
): Segment[] {
  const ids = new Set(texts.map(({ id }) => id));
  return all?.segments.filter(({ id }) => ids.has(id)) ?? [];
}

interface FitText extends PersonsText {
  readonly parts: readonly Part[];
}

type CheckedText = { readonly warnings: ReviewWritten['warnings'] } & (
  | { readonly parts: readonly Part[]; readonly message?: never }
  | ({ readonly parts?: never } & Omit<RefusedText, 'id'>)
);

/** Accepts the text if the target still has it. */
function uncheckedText({ found }: OpenTarget, { id, text }: PersonsText): CheckedText {
  const parts = found.get(id);
  if (parts !== undefined && partsText(parts) === text) return { warnings: [], parts };
  return { warnings: [], message: 'somebody changed it meanwhile', again: 'now' };
}

/** Applies the checks that translations of the service must pass. */
function judgeText(
  { job, route }: TextCase,
  findings: OpenTarget,
  { id, text: given, was }: PersonsText,
): CheckedText {
  const segment = findings.segments.find((each) => each.id === id);
  if (findings.blocker !== undefined || segment === undefined) {
    return { warnings: [], message: 'the files changed meanwhile', again: 'now' };
  }
  const found = findings.found.get(id) ?? [];
  if (findings.reader.format.shape === 'sequence' && targetIndex(findings, id) === undefined) {
    const message = 'its page has no place for it yet';
    return { warnings: [], message, again: 'after-run' };
  }
  if (isElsewhere(findings, id, was)) {
    const message =
      'the elements of its list were moved in the source, and the next run moves the translations, too';
    return { warnings: [], message, again: 'after-run' };
  }
  const source = sourceParts(segment);
  const { keepsLineEdges } = findings.reader.format;
  const text = keepsLineEdges ? withLineEdges(given, partsText(source)) : given;
  const control = controlIn(text, partsText(source) + partsText(found));
  if (control !== undefined) {
    const message = `it has ${control}, which neither its source nor its present translation has`;
    return { warnings: [], message };
  }
  // A form may contain what another plural form of the text contains.
  const known = { source, target: [...found, ...(segment.form?.wordings.flat() ?? [])] };
  const parts = partsText(found) === text ? found : partsFrom(text, known);
  const maxLength = segment.maxLength ?? maxLengthOf(route.keys.maxLength, id);
  const results = checkTranslation(
    {
      source: { parts: source, syntax: segment.syntax },
      target: parts,
      ...(maxLength === undefined ? {} : { maxLength }),
      language: job.language,
      ...(segment.form === undefined ? {} : { form: segment.form }),
    },
    route.policies.checks,
  );
  const warnings = results
    .filter(({ severity }) => severity === 'warn')
    .map(({ message }) => ({ id, message }));
  const held = results.find(({ severity }) => severity === 'hold');
  return held === undefined ? { warnings, parts } : { warnings: [], message: held.message };
}

/** Programs for translators often drop the line break at the end of a text. */
function withLineEdges(text: string, source: string): string {
  const begin = source.startsWith('\n') && !text.startsWith('\n') ? '\n' : '';
  const end = source.endsWith('\n') && !text.endsWith('\n') ? '\n' : '';
  return `${begin}${text}${end}`;
}

/**
 * Whether the target has the text of another list element at this place. That is so when elements moved in the source, and no job has
 * reordered the target yet.
 */
function isElsewhere({ reader, target }: OpenTarget, id: string, was: TargetHash): boolean {
  if (reader.format.shape === 'sequence') return false;
  const current = target?.doc.segments.find((each) => each.id === id);
  if (current === undefined || current.gap !== undefined) return false;
  const text = partsText(current.parts);
  return text !== '' && targetHash(text) !== was;
}

/**
 * Control characters except tabs and line ends: nobody types them, and programs end a text at them. A surrogate without its other half
 * (category Cs) has no UTF-8, so the file would get another character than was saved.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}]/gu;

/** @returns the kind of the character, with its code point as Unicode writes it */
function controlIn(text: string, known: string): string | undefined {
  const [found] = text.matchAll(CONTROL).filter(([sign]) => !known.includes(sign));
  if (found === undefined) return undefined;
  const [sign] = found;
  const code = `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return sign.isWellFormed() ? `the control character ${code}` : `half of a character (${code})`;
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
function composeFit(
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

function targetIndex({ frame, target, found }: OpenTarget, id: string): number | undefined {
  const placed = frame?.placed.get(id);
  if (placed !== undefined) return placed;
  const parts = found.get(id);
  const index = target?.doc.segments.findIndex((segment) => segment.parts === parts) ?? -1;
  return index < 0 ? undefined : index;
}

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
