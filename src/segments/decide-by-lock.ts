/** Decides about one segment by the lock of the team, and by the history of the repository where the lock does not know the text. Pure. */
import type { Origin, SegmentRecord } from '../baseline.ts';
import { partsText } from '../format.ts';
import {
  type CurrentText,
  copyOrBuy,
  decideByMarkup,
  decideByRecords,
  decideOutdated,
  decideUpToDate,
  hasFormerText,
  isApproved,
  keepOrRestore,
  translatedSource,
  upToDate,
  withoutText,
} from './decide-by-records.ts';
import type { Decision, MergePolicy, SegmentSituation } from './decision.ts';
import { type LockVerdict, lockVerdict } from './lock-decision.ts';
import { sameText } from './record.ts';
import { sourceHash, statementsOf, targetHash } from './statements.ts';

/** The lock (what the team states) counts more than the records of this machine. */
export function decideByLock(situation: SegmentSituation, policy: MergePolicy): Decision {
  const verdict = verdictOf(situation, policy);
  const { wanted, base, found = [] } = situation;
  const { id } = wanted;
  switch (verdict.kind) {
    case 'no-lock':
    case 'missing':
      return decideByRecords(situation, policy);
    case 'unstated':
      return forReview(decideByRecords(situation, policy));
    case 'up-to-date':
      return decideUpToDate(situation, currentAs(situation, verdict.origin), policy);
    case 'held':
      // Earlier versions stated texts that were not paid, because the target could not take them.
      if (base?.awaits === 'target') return decideByRecords(situation, policy);
      return policy.retryHeld || (base !== undefined && isApproved(base, policy))
        ? copyOrBuy(situation, 'held')
        : { kind: 'hold', id, record: heldRecord(situation) };
    case 'taken-out':
      return { kind: 'keep', id, record: withoutText(situation) };
    case 'edited':
      return decideEdited(situation, policy);
    case 'stale': {
      const older = { ...withEarlierSource(situation, verdict.origin, policy), base };
      const byMarkup = decideByMarkup(situation, older, policy);
      if (byMarkup !== undefined) return byMarkup;
      if (policy.isCode?.(id)) return decideOutdated(situation, older, policy);
      const current = { parts: found, origin: verdict.origin };
      const buy = { kind: 'buy', id, reason: 'changed', source: wanted.source, current } as const;
      return verdict.origin === 'adopted' ? { ...buy, review: 'wanted' } : buy;
    }
    case 'outdated':
      return decideOlder(situation, policy);
    case 'unknown':
      if (policy.unknown === 'new') return forReview(decideByRecords(situation, policy));
      return base === undefined
        ? decideUnknown(situation, policy)
        : unstated(decideByRecords(situation, policy));
  }
}

/** The lock has the present source with another text: a person's, or one that the machine wrote before. */
function decideEdited(situation: SegmentSituation, policy: MergePolicy): Decision {
  const { wanted, base, found = [] } = situation;
  const { id } = wanted;
  // The lock has only the newest translation of a text. The records know what the machine wrote before.
  if (base !== undefined && hasFormerText(found, base, wanted)) {
    return { kind: 'restore', id, record: { ...base, id } };
  }
  if (policy.history?.(id)?.kind === 'older') return decideOlder(situation, policy);
  const isMachine =
    base?.source === partsText(wanted.source) && sameText(found, base.machine ?? null);
  const decision = keepOrRestore(
    situation,
    upToDate(wanted, found, isMachine ? 'machine' : 'human'),
  );
  return decision.kind === 'keep' && !isMachine ? { ...decision, isEdit: true } : decision;
}

function verdictOf(
  { wanted, from, found, base }: SegmentSituation,
  policy: MergePolicy,
): LockVerdict {
  const statements = policy.statements?.(from ?? wanted.id);
  if (statements === undefined) return { kind: 'no-lock' };
  const own = base === undefined || statements.length === 0 ? [] : statementsOf(base);
  const source = sourceHash(partsText(wanted.source));
  const target = found && targetHash(partsText(found));
  const all = [...statements, ...own, ...(policy.history?.(wanted.id)?.statements ?? [])];
  const verdict = lockVerdict({ statements: all, source, target });
  // The lock does not know this unit: its key was renamed in both files, for example.
  const isNew = verdict.kind === 'unstated' && base === undefined;
  if (target === undefined || !(isNew || verdict.kind === 'unknown')) return verdict;
  const origin = policy.statedElsewhere?.(source, target);
  return origin === undefined ? verdict : { kind: 'up-to-date', origin };
}

function unstated(decision: Decision): Decision {
  return decision.kind === 'conflict' ? { ...decision, isUnstated: true } : decision;
}

/** A person's text of an older source. */
function decideOlder(situation: SegmentSituation, policy: MergePolicy): Decision {
  const current = { ...withHistory(situation, policy), base: situation.base };
  return fromCommit(decideOutdated(situation, current, policy), policy);
}

/** Adds the commit with the old source, for the person who must choose. */
function fromCommit(decision: Decision, policy: MergePolicy): Decision {
  const history = decision.kind === 'conflict' ? policy.history?.(decision.id) : undefined;
  if (decision.kind !== 'conflict' || history?.kind !== 'older') return decision;
  const problem = `the old source is that of commit ${history.commit.slice(0, 10)}`;
  const { commit: sourceCommit } = history;
  return { ...decision, record: { ...decision.record, problem, sourceCommit } };
}

/** Adds the source text of an earlier commit, if the lock states it for this translation. */
function withEarlierSource(
  situation: SegmentSituation,
  origin: Origin,
  policy: MergePolicy,
): CurrentText {
  const current = currentAs(situation, origin);
  const { wanted, earlierSource } = situation;
  if (current.belongsTo !== undefined || earlierSource === undefined) return current;
  const pair = [sourceHash(earlierSource), targetHash(partsText(current.parts))];
  const stated = policy.statements?.(wanted.id) ?? [];
  const isStated = stated.some(({ source, target }) => source === pair[0] && target === pair[1]);
  return isStated ? { ...current, belongsTo: earlierSource } : current;
}

/** Adds the source that a person's text was written for, from the history, when this machine has no record of it. */
function withHistory(situation: SegmentSituation, policy: MergePolicy): CurrentText {
  const current = currentAs(situation, 'human');
  const history = policy.history?.(situation.wanted.id);
  if (current.belongsTo !== undefined || history?.kind !== 'older') return current;
  return history.source === undefined ? current : { ...current, belongsTo: history.source };
}

function currentAs({ wanted, found = [], base }: SegmentSituation, origin: Origin): CurrentText {
  const isSeen = base !== undefined && sameText(found, base.target);
  const belongsTo = isSeen ? translatedSource(base) : undefined;
  return {
    parts: found,
    origin,
    belongsTo: belongsTo === partsText(wanted.source) ? undefined : belongsTo,
    isFresh: !isSeen || base.source !== partsText(wanted.source),
  };
}

/** There is no statement and no record, so only the history can show who wrote the text. Nothing is bought for a text of unknown origin. */
function decideUnknown(situation: SegmentSituation, policy: MergePolicy): Decision {
  const { wanted, found = [] } = situation;
  const history = policy.history?.(wanted.id);
  const record = upToDate(wanted, found, 'human');
  if (history?.kind === 'current') return keepOrRestore(situation, { ...record, review: 'wanted' });
  const current = {
    ...currentAs(situation, 'human'),
    belongsTo: history?.kind === 'older' ? history.source : undefined,
    base: undefined,
  };
  const decision = decideOutdated(situation, current, { ...policy, buyConflicts: 'resolve' });
  if (decision.kind !== 'conflict') return decision;
  if (history !== undefined) return fromCommit(decision, policy);
  return { ...decision, isUnknown: true, record: { ...decision.record, problem: UNKNOWN } };
}

const UNKNOWN =
  'neither its source nor its translation is in the lock, and the history of the repository, which would show which is newer, is missing; fetch it ("fetch-depth: 0" in CI), or decide with "dragoman resolve"';

function forReview(decision: Decision): Decision {
  if (decision.kind !== 'adopt' || decision.record.origin !== 'adopted') return decision;
  return { ...decision, record: { ...decision.record, review: 'wanted' } };
}

function heldRecord({ wanted, found, base }: SegmentSituation): SegmentRecord {
  const source = partsText(wanted.source);
  if (base?.state === 'held' && base.source === source) return { ...base, id: wanted.id };
  const problem =
    'no answer was fit to be written when it was bought; a retry of the file buys it again';
  return {
    ...{ id: wanted.id, source, target: found ?? null, origin: 'machine', state: 'held' },
    problem,
  };
}
