/** Decides what becomes of one segment: what stands, what is bought, what waits for a person. Pure. */
import type { Origin, SegmentRecord } from '../baseline.ts';
import type { Policies } from '../config.ts';
import { type Part, partsText } from '../format.ts';
import { type Choice, resolve, sameText } from './record.ts';

/** A segment that the source holds now. */
export interface WantedSegment {
  readonly id: string;
  readonly source: readonly Part[];
  /** `copy`: goes over as it is (a locked key, nothing to translate in it). `omit`: is none of our business (an ignored key). */
  readonly treatment: 'translate' | 'copy' | 'omit';
  /** It has words and is copied all the same. */
  readonly isLocked?: true;
}

export interface MergeRules {
  readonly policies: Pick<Policies, 'existing' | 'humanEdits' | 'deletedSource'>;
  /** Whether a part of the recipe that `retranslate_on` names changed since this text was bought. */
  recipeChanged?(segment: WantedSegment, base: SegmentRecord): boolean;
  /** What becomes of a text of ours that the target lacks: a key comes back; a paragraph that a person took out does not. */
  readonly missing?: 'restore' | 'leave';
  /** A person asked for held segments to be tried again. */
  readonly retryHeld?: boolean;
  /** A person approved the price of what waits for that. */
  readonly approved?: boolean;
  /** The translation in the memory, for recognising a target that we wrote just before a crash. */
  remembered?(segment: WantedSegment): readonly Part[] | undefined;
  /** A person's word on the conflict of a segment. */
  resolution?(id: string): Choice | undefined;
}

/** `record.target` is what shall stand in the target; the record is the base of the next merge. */
export type Decision =
  | {
      readonly kind: 'keep' | 'adopt' | 'restore' | 'copy' | 'hold';
      readonly id: string;
      readonly record: SegmentRecord;
    }
  | {
      readonly kind: 'move';
      readonly id: string;
      readonly from: string;
      readonly record: SegmentRecord;
    }
  | {
      /** A person's text stands. `buys`: the machine's text for the new source is not there yet and is bought at once. */
      readonly kind: 'conflict';
      readonly id: string;
      readonly record: SegmentRecord;
      readonly source: readonly Part[];
      readonly buys: boolean;
    }
  | {
      readonly kind: 'buy';
      readonly id: string;
      readonly reason: BuyReason;
      readonly source: readonly Part[];
      /** What stands there until then. */
      readonly standing: Standing | null;
    }
  | { readonly kind: 'omit'; readonly id: string };

export type BuyReason = 'new' | 'changed' | 'missing' | 'recipe' | 'held';

export interface Standing {
  readonly parts: readonly Part[];
  readonly origin: Origin;
}

/** One segment as it is now. */
export interface Situation {
  readonly wanted: WantedSegment;
  /** The id that it had, when its key was renamed. */
  readonly from: string | undefined;
  /** What stands in the target under its id, and that or what stands under the old one. */
  readonly here: readonly Part[] | undefined;
  readonly found: readonly Part[] | undefined;
  readonly base: SegmentRecord | undefined;
}

export function decide(situation: Situation, rules: MergeRules): Decision {
  const { wanted, base, found } = situation;
  if (wanted.treatment === 'omit') return { kind: 'omit', id: wanted.id };
  if (base === undefined) {
    return found === undefined ? acquire(situation, 'new') : firstSight(situation, found, rules);
  }
  return base.state === 'held' && (found === undefined || sameText(found, base.target))
    ? decideHeld(situation, base, rules)
    : decideKnown(situation, base, rules);
}

/** Something stands there that we never saw: a person's work, unless the memory says that it is ours. */
function firstSight(situation: Situation, found: readonly Part[], rules: MergeRules): Decision {
  const { wanted } = situation;
  const isOurs = sameText(found, rules.remembered?.(wanted) ?? null);
  if (rules.policies.existing === 'overwrite' && !isOurs) return acquire(situation, 'new');
  const record = upToDate(wanted, found, isOurs ? 'machine' : 'adopted');
  return { kind: 'adopt', id: wanted.id, record };
}

/** Held segments are not bought again by themselves: they would fail, and bill, in every run. */
function decideHeld(situation: Situation, base: SegmentRecord, rules: MergeRules): Decision {
  const { wanted } = situation;
  if (base.source !== partsText(wanted.source)) return acquire(situation, 'changed');
  const isApproved = rules.approved === true && base.awaits === 'approval';
  if (rules.retryHeld || isApproved) return acquire(situation, 'held');
  return { kind: 'hold', id: wanted.id, record: { ...base, id: wanted.id } };
}

function decideKnown(situation: Situation, base: SegmentRecord, rules: MergeRules): Decision {
  const { wanted, found } = situation;
  if (found === undefined && rules.missing === 'leave') return takenOut(situation, base);
  const standing = standingText(situation, base, rules);
  if (standing === null) return acquire(situation, 'missing');
  return standing.belongsTo === partsText(wanted.source)
    ? decideUpToDate(situation, standing, rules)
    : decideOutdated(situation, { ...standing, base }, rules);
}

/** Not bought and not put back, until its source changes. */
function takenOut(situation: Situation, base: SegmentRecord): Decision {
  const { wanted } = situation;
  const source = partsText(wanted.source);
  if (base.source !== source) return acquire(situation, 'changed');
  const record = { id: wanted.id, source, target: null, origin: 'human', state: 'ok' } as const;
  return { kind: 'keep', id: wanted.id, record };
}

function decideUpToDate(situation: Situation, standing: StandingText, rules: MergeRules): Decision {
  const { wanted, base } = situation;
  const { parts, origin } = standing;
  const isLockedNow = wanted.treatment === 'copy' && origin === 'machine';
  if (isLockedNow && !sameText(parts, wanted.source)) return acquire(situation, 'changed');
  if (wanted.treatment === 'translate' && origin === 'copied') return acquire(situation, 'new');
  if (base === undefined || origin !== 'machine' || standing.isFresh) {
    return stands(situation, upToDate(wanted, parts, origin));
  }
  if (rules.recipeChanged?.(wanted, base)) return acquire(situation, 'recipe');
  const made = base.made === undefined ? {} : { made: base.made };
  return stands(situation, { ...upToDate(wanted, parts, origin), ...made });
}

interface Outdated extends StandingText {
  readonly base: SegmentRecord;
}

function decideOutdated(situation: Situation, standing: Outdated, rules: MergeRules): Decision {
  const { wanted } = situation;
  const { parts, origin, belongsTo } = standing;
  if (origin !== 'human') return acquire(situation, 'changed');
  if (wanted.treatment === 'copy') return stands(situation, upToDate(wanted, parts, origin));
  const outdated = { ...upToDate(wanted, parts, origin), previousSource: belongsTo };
  switch (rules.policies.humanEdits) {
    case 'overwrite':
      return acquire(situation, 'changed');
    case 'keep':
      return stands(situation, { ...outdated, state: 'stale' });
    case 'conflict':
      return conflict(situation, standing, rules);
  }
}

interface StandingText extends Standing {
  /** The text of the source that it was made for. */
  readonly belongsTo: string;
  /** Written by us just now, before a crash: not to be bought again. */
  readonly isFresh: boolean;
}

function standingText(
  { wanted, found }: Situation,
  base: SegmentRecord,
  rules: MergeRules,
): StandingText | null {
  const source = partsText(wanted.source);
  const before = base.previousSource ?? base.source;
  if (found === undefined || sameText(found, base.target)) {
    const parts = found ?? base.target;
    return parts && { parts, origin: base.origin, belongsTo: before, isFresh: false };
  }
  const isMachine =
    sameText(found, rules.remembered?.(wanted) ?? null) ||
    (base.source === source && sameText(found, base.machine ?? null));
  if (isMachine) return { parts: found, origin: 'machine', belongsTo: source, isFresh: true };
  // Whoever edits a text after its source was seen has decided what it shall be.
  const belongsTo = base.source === source ? source : before;
  return { parts: found, origin: 'human', belongsTo, isFresh: false };
}

/** Machine text is bought at once, so that a person can choose; it is bought once per version of the source. */
function conflict(situation: Situation, standing: Outdated, rules: MergeRules): Decision {
  const { wanted } = situation;
  const { base, parts, belongsTo } = standing;
  const isOpen = base.state === 'conflict' && base.source === partsText(wanted.source);
  const machine = isOpen ? base.machine : undefined;
  const record: SegmentRecord = {
    ...upToDate(wanted, parts, 'human'),
    state: 'conflict',
    previousSource: belongsTo,
    ...(machine === undefined ? {} : { machine }),
  };
  const choice = rules.resolution?.(wanted.id);
  if (choice !== undefined) {
    const resolved = resolve(record, choice);
    return resolved === undefined
      ? acquire(situation, 'changed')
      : { kind: 'restore', id: wanted.id, record: resolved };
  }
  const buys = machine === undefined && (!isOpen || rules.retryHeld === true);
  return { kind: 'conflict', id: wanted.id, record, source: wanted.source, buys };
}

function acquire(situation: Situation, reason: BuyReason): Decision {
  const { wanted, found } = situation;
  const { id, source } = wanted;
  if (wanted.treatment === 'copy') {
    return { kind: 'copy', id, record: upToDate(wanted, source, 'copied') };
  }
  const standing = found ? { parts: found, origin: originOf(found, situation.base) } : null;
  return { kind: 'buy', id, reason, source, standing };
}

function originOf(found: readonly Part[], base: SegmentRecord | undefined): Origin {
  if (base === undefined) return 'adopted';
  return sameText(found, base.target) ? base.origin : 'human';
}

function stands({ wanted, from, here }: Situation, record: SegmentRecord): Decision {
  const { id } = wanted;
  if (here !== undefined) return { kind: 'keep', id, record };
  return from === undefined ? { kind: 'restore', id, record } : { kind: 'move', id, from, record };
}

function upToDate(
  { id, source }: WantedSegment,
  target: readonly Part[],
  origin: Origin,
): SegmentRecord {
  return { id, source: partsText(source), target, origin, state: 'ok' };
}
