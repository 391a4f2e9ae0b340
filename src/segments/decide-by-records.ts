/** Decides about one segment by the records of this machine, where the lock of the team says nothing or agrees. Pure. */
import type { Origin, SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { ChangedInput } from '../project.ts';
import type {
  BuyReason,
  CurrentSegment,
  Decision,
  MergePolicy,
  SegmentSituation,
  WantedSegment,
} from './decision.ts';
import { isFormer } from './former-texts.ts';
import { RECORDS_LOST } from './out-of-date.ts';
import { resolve, sameText } from './record.ts';

/** Decides by the records of this machine alone. */
export function decideByRecords(situation: SegmentSituation, policy: MergePolicy): Decision {
  const { base, found } = situation;
  if (base === undefined) {
    return found === undefined
      ? copyOrBuy(situation, 'new')
      : decideUnseen(situation, found, policy);
  }
  return base.state === 'held' && (found === undefined || sameText(found, base.target))
    ? decideHeld(situation, base, policy)
    : decideKnown(situation, base, policy);
}

/** The target has a text that we have no record of: it is a person's, unless the memory has the same text. */
function decideUnseen(
  situation: SegmentSituation,
  found: readonly Part[],
  policy: MergePolicy,
): Decision {
  const { wanted } = situation;
  const isOurs = sameText(found, policy.remembered?.(wanted) ?? null);
  if (policy.policies.existing === 'overwrite' && !isOurs) return copyOrBuy(situation, 'new');
  if (policy.areRecordsLost && !isOurs && wanted.treatment === 'translate') {
    return decideLost(situation, found, policy);
  }
  const record = upToDate(wanted, found, isOurs ? 'machine' : 'adopted');
  return { kind: 'adopt', id: wanted.id, record };
}

/** Nobody knows whether the source of this text has changed, or who wrote it: so nothing is bought before a person decides. */
function decideLost(
  situation: SegmentSituation,
  parts: readonly Part[],
  policy: MergePolicy,
): Decision {
  const current = { parts, origin: 'human', belongsTo: undefined, isFresh: false } as const;
  const decision = decidePersons(
    situation,
    { ...current, base: undefined },
    { ...policy, buyConflicts: 'resolve' },
  );
  if (decision.kind !== 'conflict') return decision;
  return { ...decision, isUnknown: true, record: { ...decision.record, problem: RECORDS_LOST } };
}

/**
 * A held segment is not bought again without a person: the answer would probably fail again, and be billed in every run. One that was not
 * paid, because the target could not take it, is tried anew: source or target may have been changed.
 */
function decideHeld(
  situation: SegmentSituation,
  base: SegmentRecord,
  policy: MergePolicy,
): Decision {
  const { wanted } = situation;
  if (base.source !== partsText(wanted.source)) return copyOrBuy(situation, 'changed');
  if (policy.retryHeld || isApproved(base, policy) || base.awaits === 'target')
    return copyOrBuy(situation, 'held');
  return { kind: 'hold', id: wanted.id, record: { ...base, id: wanted.id } };
}

export function isApproved({ awaits }: SegmentRecord, { approved }: MergePolicy): boolean {
  return approved === true && awaits === 'approval';
}

function decideKnown(
  situation: SegmentSituation,
  base: SegmentRecord,
  policy: MergePolicy,
): Decision {
  const { wanted, found } = situation;
  const isLeft = policy.missing === 'leave' && policy.isPutBack?.(wanted.id) !== true;
  if (found === undefined && isLeft) return takenOut(situation, base, policy);
  if (found !== undefined && hasFormerText(found, base, wanted))
    return { kind: 'restore', id: wanted.id, record: { ...base, id: wanted.id } };
  const current = currentText(situation, base, policy);
  if (current === null) return copyOrBuy(situation, 'missing');
  return current.belongsTo === partsText(wanted.source)
    ? decideUpToDate(situation, current, policy)
    : decideOutdated(situation, { ...current, base }, policy);
}

/** Git or an editor put a text back that the machine wrote for an earlier source, where it has written one for the present source. */
export function hasFormerText(
  found: readonly Part[],
  base: SegmentRecord,
  { source }: WantedSegment,
): boolean {
  const isOurs = base.origin === 'machine' && base.state === 'ok' && base.target !== null;
  return isOurs && base.source === partsText(source) && isFormer(found, base);
}

/** A person removed this text: it is neither bought nor written again until its source changes. */
function takenOut(situation: SegmentSituation, base: SegmentRecord, policy: MergePolicy): Decision {
  const { wanted } = situation;
  const belongsTo = base.joined === undefined ? base.source : translatedSource(base);
  const isUpToDate = belongsTo === partsText(wanted.source);
  if (isUpToDate) {
    const isMissing = base.target !== null && base.joined === undefined;
    const record = withoutText(situation);
    return { kind: 'keep', id: wanted.id, record, ...(isMissing && { isMissing }) };
  }
  if (base.joined === undefined) return copyOrBuy(situation, 'changed');
  // A joined paragraph has this text already; written again, the target would have it twice.
  const current = { parts: null, origin: 'human', belongsTo, isFresh: false, base } as const;
  return decideOutdated(situation, current, policy);
}

export function withoutText({ wanted, base }: SegmentSituation): SegmentRecord {
  return { ...upToDate(wanted, null, 'human'), ...joinedOf(base) };
}

function joinedOf(base: SegmentRecord | undefined): Pick<SegmentRecord, 'joined'> {
  return base?.joined === undefined ? {} : { joined: base.joined };
}

export function decideUpToDate(
  situation: SegmentSituation,
  current: CurrentText,
  policy: MergePolicy,
): Decision {
  const { wanted, base } = situation;
  const { parts, origin } = current;
  const isLockedNow = wanted.treatment === 'copy' && origin === 'machine';
  if (isLockedNow && !sameText(parts, wanted.source)) return copyOrBuy(situation, 'changed');
  if (wanted.treatment === 'translate' && origin === 'copied') return copyOrBuy(situation, 'new');
  if (base === undefined || origin !== 'machine' || current.isFresh) {
    return keepOrRestore(situation, upToDate(wanted, parts, origin));
  }
  const changed = policy.changedInputs?.(wanted, base) ?? [];
  if (changed.length > 0) return copyOrBuy(situation, 'recipe', changed);
  const made = base.made === undefined ? {} : { made: base.made };
  return keepOrRestore(situation, { ...upToDate(wanted, parts, origin), ...made });
}

interface Outdated extends Omit<CurrentText, 'parts'> {
  /** Null: the text is part of another paragraph. */
  readonly parts: readonly Part[] | null;
  readonly base: SegmentRecord | undefined;
  /** The other version of a conflict, which is not bought: the person's words with the markup of the source. */
  readonly machine?: readonly Part[];
}

export function decideOutdated(
  situation: SegmentSituation,
  current: Outdated,
  policy: MergePolicy,
): Decision {
  const { wanted } = situation;
  const { parts, origin } = current;
  const byMarkup = decideByMarkup(situation, current, policy);
  if (byMarkup !== undefined) return byMarkup;
  const isOwn = isWordless(wanted, current.belongsTo) || policy.isCode?.(wanted.id) === true;
  const isKept = origin === 'human' || (origin === 'adopted' && isOwn);
  if (!isKept) return copyOrBuy(situation, 'changed');
  if (wanted.treatment === 'copy') return keepOrRestore(situation, upToDate(wanted, parts, origin));
  return decidePersons(situation, current, policy);
}

/** A person's text of an older source. */
function decidePersons(
  situation: SegmentSituation,
  current: Outdated,
  policy: MergePolicy,
): Decision {
  const { wanted } = situation;
  const { parts, belongsTo } = current;
  const before = belongsTo === undefined ? {} : { previousSource: belongsTo };
  const outdated = { ...upToDate(wanted, parts, 'human'), ...before, ...joinedOf(current.base) };
  switch (policy.policies.humanEdits) {
    case 'overwrite':
      return copyOrBuy(situation, 'changed');
    case 'keep':
      return keepOrRestore(situation, { ...outdated, state: 'stale' });
    case 'conflict':
      return conflict(situation, current, policy);
  }
}

/**
 * Where the source changed only destinations, attributes or code, a person's words stay and get the new values. A value that a person
 * and the source both changed is a conflict: it is the person's, whoever wrote the words.
 */
export function decideByMarkup(
  situation: SegmentSituation,
  current: Outdated,
  policy: MergePolicy,
): Decision | undefined {
  const { wanted } = situation;
  const { parts, origin, belongsTo } = current;
  if (wanted.treatment === 'copy' || origin === 'copied') return undefined;
  if (parts === null || belongsTo === undefined) return undefined;
  const change = policy.markup?.({ before: belongsTo, now: wanted.source, current: parts });
  if (change === undefined || (origin === 'machine' && !change.isContested)) return undefined;
  const { followed, isAlone, isContested } = change;
  const isDecided = !isContested || policy.policies.humanEdits === 'overwrite';
  if (isDecided && followed !== undefined) {
    const record = upToDate(wanted, followed, origin);
    return { kind: sameText(parts, followed) ? 'keep' : 'restore', id: wanted.id, record };
  }
  if (!isContested && !isAlone) return undefined;
  const theirs = { ...current, origin: 'human', ...(followed && { machine: followed }) } as const;
  return decidePersons(situation, theirs, policy);
}

/**
 * The source has nothing to translate, now and before: what a person's target has there (a separator, a number) does not follow it.
 * @param before the earlier source; undefined: it is not known
 */
function isWordless({ treatment, isLocked }: WantedSegment, before: string | undefined): boolean {
  return treatment === 'copy' && isLocked !== true && !/\p{L}/u.test(before ?? '');
}

export interface CurrentText extends CurrentSegment {
  /** The source text that it was written for; undefined: an older one that is not known. */
  readonly belongsTo: string | undefined;
  /** We wrote it just before a crash, or the source is new to our records: the text is not bought again. */
  readonly isFresh: boolean;
}

function currentText(
  { wanted, found }: SegmentSituation,
  base: SegmentRecord,
  policy: MergePolicy,
): CurrentText | null {
  const source = partsText(wanted.source);
  const before = translatedSource(base);
  if (found === undefined || sameText(found, base.target)) {
    const parts = found ?? base.target;
    return parts && { parts, origin: base.origin, belongsTo: before, isFresh: false };
  }
  const isMachine =
    sameText(found, policy.remembered?.(wanted) ?? null) ||
    (base.source === source && sameText(found, base.machine ?? null));
  if (isMachine) return { parts: found, origin: 'machine', belongsTo: source, isFresh: true };
  if (base.source !== source && isFormer(found, base)) {
    return { parts: found, origin: 'machine', belongsTo: undefined, isFresh: false };
  }
  if (base.source !== source && sameText(found, policy.rememberedByOthers?.(wanted) ?? null)) {
    return { parts: found, origin: 'machine', belongsTo: source, isFresh: true };
  }
  // A person who edits a text after we saw its source has decided for this source.
  const belongsTo = base.source === source ? source : before;
  return { parts: found, origin: 'human', belongsTo, isFresh: false };
}

/** The source text that a record's target was written for; undefined: not known. */
export function translatedSource({
  source,
  previousSource,
  state,
}: SegmentRecord): string | undefined {
  const isOlder = state === 'conflict' || state === 'stale';
  return previousSource ?? (isOlder ? undefined : source);
}

/** The machine's text is bought at once, so that a person can choose. It is bought once per version of the source. */
function conflict(situation: SegmentSituation, current: Outdated, policy: MergePolicy): Decision {
  const { wanted } = situation;
  const { base, parts, belongsTo } = current;
  const isOpen = base?.state === 'conflict' && base.source === partsText(wanted.source);
  const machine = current.machine ?? (isOpen ? base.machine : undefined);
  const record: SegmentRecord = {
    ...upToDate(wanted, parts, 'human'),
    ...joinedOf(base),
    state: 'conflict',
    ...(belongsTo === undefined ? {} : { previousSource: belongsTo }),
    ...(machine === undefined ? {} : { machine }),
    ...(isOpen && base.problem !== undefined ? { problem: base.problem } : {}),
    ...(isOpen && base.isOutOfOrder === true ? { isOutOfOrder: true } : {}),
    ...(isOpen && base.sourceCommit !== undefined ? { sourceCommit: base.sourceCommit } : {}),
    ...(isOpen && base.machineCommit !== undefined ? { machineCommit: base.machineCommit } : {}),
  };
  const choice = policy.resolution?.(wanted.id, partsText(wanted.source));
  if (choice !== undefined) {
    const resolved = resolve(record, choice);
    return resolved === undefined
      ? copyOrBuy(situation, 'changed')
      : { kind: 'restore', id: wanted.id, record: resolved };
  }
  const isDue = isBoughtAtOnce(policy, base) && (!isOpen || policy.retryHeld === true);
  const buys = machine === undefined && isDue;
  return { kind: 'conflict', id: wanted.id, record, source: wanted.source, buys };
}

function isBoughtAtOnce(
  { buyConflicts = 'at once' }: MergePolicy,
  base: SegmentRecord | undefined,
): boolean {
  switch (buyConflicts) {
    case 'at once':
      return true;
    case 'where seen':
      return base !== undefined;
    case 'resolve':
      return false;
  }
}

export function copyOrBuy(
  situation: SegmentSituation,
  reason: BuyReason,
  changed?: readonly ChangedInput[],
): Decision {
  const { wanted, found } = situation;
  const { id, source } = wanted;
  if (wanted.treatment === 'copy') {
    return { kind: 'copy', id, record: upToDate(wanted, source, 'copied') };
  }
  const current = found ? { parts: found, origin: originOf(found, situation.base) } : null;
  return { kind: 'buy', id, reason, source, current, ...(changed && { changed }) };
}

function originOf(found: readonly Part[], base: SegmentRecord | undefined): Origin {
  if (base === undefined) return 'adopted';
  if (sameText(found, base.target)) return base.origin;
  return isFormer(found, base) ? 'machine' : 'human';
}

export function keepOrRestore(
  { wanted, from, here }: SegmentSituation,
  record: SegmentRecord,
): Decision {
  const { id } = wanted;
  if (here !== undefined) return { kind: 'keep', id, record };
  return from === undefined ? { kind: 'restore', id, record } : { kind: 'move', id, from, record };
}

export function upToDate(
  { id, source }: WantedSegment,
  target: readonly Part[] | null,
  origin: Origin,
): SegmentRecord {
  return { id, source: partsText(source), target, origin, state: 'ok' };
}
