/** The frame of the source that a page was made from: by its record, the lock or the history. Pure. */
import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import { partsText } from '../format.ts';
import { framesOf, ourKeys, sourcePieces, targetPieces } from '../formats/text/compose-sequence.ts';
import type { SequenceFrame } from '../formats/text/composition.ts';
import { idsNow } from '../segments/align.ts';
import { pieceKey, unpackFrame } from '../segments/frame/frame.ts';
import { frameId } from '../segments/frame/merge.ts';
import { FRAME, hashesOfFrame } from '../segments/lock-section.ts';
import type { Statement } from '../segments/statements.ts';
import { statementsAt } from '../state/lock-file.ts';
import { modulesOf, withModuleLines } from './module-lines.ts';
import { asReadBefore, EARLIER_READINGS } from './read-before.ts';
import type { RelationInput } from './relation-model.ts';
import { lockedSourceOf, type TextCase } from './text-case.ts';
import type { TextFile } from './text-files.ts';

interface FrameMaterial extends Pick<StatedFrame, 'placed' | 'ignored'> {
  readonly ids: readonly string[];
  readonly isStated: boolean;
}

/** The frame of the source that the target was made from; undefined: not known. */
export function frameSeen(
  input: RelationInput,
  { placed, ignored, ids, isStated }: FrameMaterial,
): readonly string[] | undefined {
  const { target, earlier, known } = input;
  if (target === undefined) return undefined;
  if (earlier !== undefined) return unpackFrame(earlier.frame, ids);
  return isStated
    ? statedFrame({ input, target, placed, ignored })
    : frameBefore({ target, known, placed, ids });
}

/** From the history: the source frame that a person's frame belongs to. */
export function frameFromHistory({
  earlierFrame,
  wanted,
}: RelationInput): readonly string[] | undefined {
  if (earlierFrame === undefined) return undefined;
  return unpackFrame(earlierFrame.frame, idsNow(earlierFrame.records, wanted, { isPage: true }));
}

/** The packed source frame now, when the lock says that a person changed the target's frame but not for which source. */
export function packedSourceFrame({
  text,
  reader,
  source,
  target,
  lock,
}: RelationInput): string | undefined {
  if (target === undefined || lock === undefined) return undefined;
  if (statementsAt(lock, lockedSourceOf(text), FRAME).length === 0) return undefined;
  return framesOf({ source, target, options: reader.options }).source;
}

interface EarlierTarget {
  readonly target: TextFile;
  readonly known: BaselineRecord | undefined;
  readonly placed: ReadonlyMap<string, number>;
  /** The ids of the records now. */
  readonly ids: readonly string[];
}

/**
 * The frame of the source in the last run. Version 0.1.0 did not record it, but wrote the source's frame, so the target it left shows it.
 */
function frameBefore({ target, known, placed, ids }: EarlierTarget): readonly string[] | undefined {
  if (known === undefined) return undefined;
  if (known.frame !== undefined) {
    return withModuleLines(unpackFrame(known.frame.lines, ids), modulesOf(known, ids));
  }
  return known.targetHash === target.hash
    ? targetPieces(target, placed).map((piece) => pieceKey(piece))
    : undefined;
}

interface StatedFrame {
  readonly input: RelationInput;
  readonly target: TextFile;
  readonly placed: ReadonlyMap<string, number>;
  readonly ignored: ReadonlySet<string>;
}

/**
 * The frame by the statements of the lock. One that is up to date stays, and one that nobody changed follows the source. Undefined: a
 * person changed it.
 */
function statedFrame({ input, target, placed, ignored }: StatedFrame) {
  const { text, reader, source, lock } = input;
  const { options } = reader;
  const statements = lock === undefined ? [] : statementsAt(lock, lockedSourceOf(text), FRAME);
  const now = statedHashes(statements, { source, target, options });
  const ofTarget = statements.filter((each) => each.target === now.target);
  const isEdited = ofTarget.length === 0 && statements.some((each) => each.source === now.source);
  if (isEdited || ofTarget.some((each) => each.source === now.source)) {
    return sourcePieces({ source, options }, ignored).map((piece) => pieceKey(piece));
  }
  return ofTarget.some(({ mark }) => mark === 'machine') ? ourKeys(target, placed) : undefined;
}

/** The hashes of both frames, as an earlier version read them where the lock has its lines. */
function statedHashes(statements: readonly Statement[], pages: Parameters<typeof framesOf>[0]) {
  const isStated = (each: ReturnType<typeof hashesOfFrame>) =>
    statements.some(({ source, target }) => source === each.source || target === each.target);
  const now = hashesOfFrame(framesOf(pages));
  if (isStated(now)) return now;
  const { source, target } = pages;
  const isJoint = (file: typeof target) => file.doc.segments.some((each) => each.readBefore);
  if (!isJoint(source) && !isJoint(target)) return now;
  const before = EARLIER_READINGS.map((as) =>
    hashesOfFrame(
      framesOf({ ...pages, source: asReadBefore(source, as), target: asReadBefore(target, as) }),
    ),
  );
  return before.find(isStated) ?? now;
}

/** A line that a person and the source both changed is a conflict, like a text. An edit of the line afterwards resolves it. */
export function framePolicy(
  { route, instructions }: TextCase,
  open: readonly SegmentRecord[],
): Pick<SequenceFrame, 'decide' | 'open'> {
  const decide: SequenceFrame['decide'] = (conflict) => {
    const id = frameId(conflict);
    const choice = instructions.choices?.get(id);
    if (choice !== undefined) {
      return typeof choice === 'object' ? { text: partsText(choice.parts) } : choice;
    }
    switch (route.policies.humanEdits) {
      case 'keep':
        return 'human';
      case 'overwrite':
        return 'machine';
      case 'conflict': {
        const same = open.filter(({ source }) => source === conflict.source);
        return same.length > 0 && same.every((record) => record.id !== id) ? 'human' : 'open';
      }
    }
  };
  const left = open.map(({ source, target }) => ({ source, target: partsText(target ?? []) }));
  return { decide, open: left };
}
