/** A page and its translation at an earlier commit, paired by the lock: the same information as a record of that time. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { JobFailure } from '../failure.ts';
import { hashBytes } from '../files/disk.ts';
import { partsText } from '../format.ts';
import { sourcePieces } from '../formats/text/compose-sequence.ts';
import { expectedSegments } from '../formats/text/expect.ts';
import type { WantedSegment } from '../segments/decision.ts';
import { packFrame, pieceKey } from '../segments/frame/frame.ts';
import { PAIRING, statedRecords } from '../segments/stated-records.ts';
import { type Statement, sourceHash, targetHash } from '../segments/statements.ts';
import { commonSubsequence } from '../segments/subsequence.ts';
import { type LockIndex, statementsAt } from '../state/lock-file.ts';
import { withStatedParts } from './read-before.ts';
import { lockedSourceOf, type TextCase } from './text-case.ts';
import { type FilesOfJob, openSource, openTarget, optionsFor } from './text-files.ts';
import { wantedSegment } from './wanted-segment.ts';

export interface EarlierPage {
  /** One for each segment of the source at that commit, in its order. */
  readonly records: readonly SegmentRecord[];
  /** The frame of the source at that commit, packed. */
  readonly frame: string;
  /** How much of both files belonged together: pairs that the lock states, in order, minus texts that it does not state. */
  readonly inStep: number;
}

export interface PageBytes {
  readonly source: Buffer;
  readonly target: Buffer;
}

/** @returns undefined when the files of that commit cannot be read */
export function earlierPage(
  text: TextCase,
  files: FilesOfJob & { readonly lock: LockIndex },
  bytes: PageBytes,
): EarlierPage | undefined {
  const { lock, format } = files;
  const then = (side: keyof PageBytes) => ({
    ...files.source,
    bytes: bytes[side],
    hash: hashBytes(bytes[side]),
  });
  const options = optionsFor(text, 'target');
  try {
    const source = openSource(text, { ...files, source: then('source') });
    const target = openTarget({ ...files, target: then('target') }, { format, options });
    const { language } = text.job;
    const segments = expectedSegments(format, source, { language });
    const wanted = segments.map((segment) => wantedSegment(segment, text.route));
    const found = target?.doc.segments.map(({ parts }) => parts) ?? [];
    const statements = withStatedParts(statementsAt(lock, lockedSourceOf(text)), {
      source: source.doc.segments,
      target: target?.doc.segments ?? [],
    });
    const paired = new Map(
      statedRecords({ wanted, found, statements, records: [] }).map((each) => [each.id, each]),
    );
    const records = wanted.map((each) => paired.get(each.id) ?? unpaired(each));
    const frame = packFrame(sourcePieces({ source, options }, new Set()).map(pieceKey));
    return { records, frame, inStep: inStep(records, { wanted, found, statements }) };
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
}

function unpaired({ id, source, treatment }: WantedSegment): SegmentRecord {
  const target = treatment === 'copy' ? source : null;
  return { id, source: partsText(source), target, ...PAIRING };
}

interface PageEvidence {
  readonly wanted: readonly WantedSegment[];
  readonly found: readonly NonNullable<SegmentRecord['target']>[];
  readonly statements: readonly Statement[];
}

function inStep(
  records: readonly SegmentRecord[],
  { wanted, found, statements }: PageEvidence,
): number {
  const pairs = new Set(statements.map(({ source, target }) => `${source} ${target}`));
  const sources = new Set(statements.map(({ source }) => source));
  const places = new Map(found.map((parts, at) => [parts, at]));
  const order = records.flatMap(({ source, target }) => {
    if (target === null) return [];
    const pair = `${sourceHash(source)} ${targetHash(partsText(target))}`;
    return pairs.has(pair) ? [places.get(target) ?? -1] : [];
  });
  const rising = order.toSorted((a, b) => a - b).map(String);
  const inOrder = commonSubsequence(order.map(String), rising).length;
  const unknown = wanted.filter(
    ({ source, treatment }) =>
      treatment === 'translate' && !sources.has(sourceHash(partsText(source))),
  );
  return inOrder - unknown.length;
}
