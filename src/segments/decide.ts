/** Decides about one segment: its text stays, a translation is bought, or it waits for a person. Pure. */
import type { Origin, ReplacedText, SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { Policies } from '../project.ts';
import { formerOf, isFormer } from './former-texts.ts';
import { type LockVerdict, lockVerdict } from './lock-decision.ts';
import { type Choice, resolve, sameText } from './record.ts';
import {
  type Assertion,
  type SourceHash,
  type Statement,
  sourceHash,
  statementsOf,
  type TargetHash,
  targetHash,
} from './statements.ts';

/** A segment that the source has now. */
export interface WantedSegment {
  readonly id: string;
  readonly source: readonly Part[];
  /**
   * `copy`: the source's text is written to the target (a locked key, a text without words). `omit`: dragoman leaves it alone (an ignored
   * key).
   */
  readonly treatment: 'translate' | 'copy' | 'omit';
  /** A locked key: it has words and is copied all the same. */
  readonly isLocked?: true;
}

export interface MergeRules {
  readonly policies: Pick<Policies, 'existing' | 'humanEdits' | 'deletedSource'>;
  /** Whether a part of the recipe that `retranslate_on` names has changed since this text was bought. */
  recipeChanged?(segment: WantedSegment, base: SegmentRecord): boolean;
  /** For a text of ours that the target lacks. `restore`: it is written again (a key). `leave`: a person removed it (a paragraph). */
  readonly missing?: 'restore' | 'leave';
  /** Keyed formats at first contact: a value without words (null, `""`, a number) that a person's target lacks is not added. */
  readonly wordless?: 'leave';
  /** A person asked to buy held segments again. */
  readonly retryHeld?: boolean;
  /** A person approved the price of the texts that wait for approval. */
  readonly approved?: boolean;
  /** The translation in the memory. It shows that a text of the target is ours when we wrote it just before a crash. */
  remembered?(segment: WantedSegment): readonly Part[] | undefined;
  /** How a person resolved the conflict of a segment; undefined: not yet. */
  resolution?(id: string): Choice | undefined;
  /** The statements of the lock about the unit of a segment; undefined: there is no lock. */
  statements?(id: string): readonly Statement[] | undefined;
  /**
   * The origin that the lock gives the same pair of texts in another unit, for example before its file was moved. Undefined: no statement.
   */
  statedElsewhere?(source: SourceHash, target: TargetHash): Exclude<Origin, 'copied'> | undefined;
  /** `new`: the target has all texts that the lock knows, so a text that the lock does not know was added. */
  readonly unknown?: 'new';
  /**
   * When the machine's text of a conflict is bought. `at once`: immediately. `where seen`: immediately, but only for a text that this
   * machine has a record of; else every new checkout would buy it. `resolve`: when a person asks for it.
   */
  readonly buyConflicts?: 'at once' | 'where seen' | 'resolve';
  /** The history of the repository about a text that no statement explains; undefined: unknown. */
  history?(id: string): History | undefined;
  /** The text that another side of a merge has for a text to be bought, or for the machine's text of a conflict. */
  elsewhere?(id: string): TranslationElsewhere | undefined;
}

/**
 * `current`: the text was changed together with its source or later. `older`: it belongs to an older source. `statements`: those of the
 * locks at that time.
 */
export type History =
  | { readonly kind: 'current'; readonly statements: readonly Assertion[] }
  | {
      readonly kind: 'older';
      /** The commit that wrote it. */
      readonly commit: string;
      /** The source text that it belongs to; absent: unknown. */
      readonly source?: string;
      readonly statements: readonly Assertion[];
    };

export interface TranslationElsewhere {
  /** Absent: the text is in the target file itself. */
  readonly commit?: string;
  readonly parts: readonly Part[];
  readonly origin: Exclude<Origin, 'copied'>;
}

/** `record.target` is the text that the target must have; the record is the base of the next merge. */
export type Decision =
  | {
      readonly kind: 'keep' | 'adopt' | 'restore' | 'copy' | 'hold';
      readonly id: string;
      readonly record: SegmentRecord;
      /** A person's text that no statement names yet. */
      readonly isEdit?: true;
    }
  | {
      readonly kind: 'move';
      readonly id: string;
      readonly from: string;
      readonly record: SegmentRecord;
    }
  | {
      /** The person's text stays. `buys`: the machine's text for the new source is missing and is bought at once. */
      readonly kind: 'conflict';
      readonly id: string;
      readonly record: SegmentRecord;
      readonly source: readonly Part[];
      readonly buys: boolean;
      /** Only this machine knows the source of the text; the lock does not. */
      readonly isUnstated?: true;
      /** Nobody knows which is newer, the source or the target. */
      readonly isUnknown?: true;
    }
  | {
      readonly kind: 'buy';
      readonly id: string;
      readonly reason: BuyReason;
      readonly source: readonly Part[];
      /** The text of the target until the translation is there. */
      readonly standing: StandingSegment | null;
      /** A person must look at the new text. */
      readonly review?: 'wanted';
      /** The text that a person wrote for an earlier source. */
      readonly replaced?: ReplacedText;
      /** The texts that the machine wrote for earlier sources. */
      readonly former?: SegmentRecord['former'];
    }
  | { readonly kind: 'omit'; readonly id: string };

/** Whether a text is bought for this decision. For a conflict, it is the version that a person may choose. */
export function buys(decision: Decision): boolean {
  return decision.kind === 'buy' || (decision.kind === 'conflict' && decision.buys);
}

export type BuyReason = 'new' | 'changed' | 'missing' | 'recipe' | 'held';

export interface StandingSegment {
  readonly parts: readonly Part[];
  readonly origin: Origin;
}

/** One segment with all that is known about it. */
export interface SegmentSituation {
  readonly wanted: WantedSegment;
  /** Its old id, when its key was renamed. */
  readonly from: string | undefined;
  /** `here`: the text of the target under its id. `found`: that, or the text under its old id. */
  readonly here: readonly Part[] | undefined;
  readonly found: readonly Part[] | undefined;
  readonly base: SegmentRecord | undefined;
}

export function decide(given: SegmentSituation, rules: MergeRules): Decision {
  const situation = given.base?.isPairing ? { ...given, base: undefined } : given;
  const { wanted } = situation;
  switch (wanted.treatment) {
    case 'omit':
      return { kind: 'omit', id: wanted.id };
    case 'copy':
      return leftOut(situation, rules) ?? decideByRecords(situation, rules);
    case 'translate':
      return withFormer(
        withReplaced(
          withElsewhere(
            decideStated(situation, verdictOf(situation, rules), rules),
            situation,
            rules,
          ),
          situation,
        ),
        situation.base,
      );
  }
}

/** A person's text for an earlier source is remembered when it is replaced, and written again when the source is as it was. */
function withReplaced(decision: Decision, { wanted, base }: SegmentSituation): Decision {
  const before = base?.replaced;
  if (decision.kind === 'buy') {
    const { standing, reason, id } = decision;
    const isBack = before?.source === partsText(wanted.source) && standing?.origin !== 'human';
    if (before !== undefined && isBack && reason === 'changed') {
      return { kind: 'restore', id, record: upToDate(wanted, before.target, before.origin) };
    }
    const replaced = replacedBy(standing, base) ?? before;
    return replaced === undefined ? decision : { ...decision, replaced };
  }
  if (before === undefined || !('record' in decision)) return decision;
  if (decision.kind === 'conflict' || decision.record.origin !== 'machine') return decision;
  return { ...decision, record: { ...decision.record, replaced: before } };
}

function replacedBy(
  standing: StandingSegment | null,
  base: SegmentRecord | undefined,
): ReplacedText | undefined {
  if (standing?.origin !== 'adopted' && standing?.origin !== 'human') return;
  if (base === undefined || !sameText(standing.parts, base.target)) return;
  const source = base.replaced?.source ?? sourceOf(base);
  const { parts: target, origin } = standing;
  return source === undefined ? undefined : { source, target, origin };
}

/** Adds the texts that the machine wrote for earlier sources to the record. */
function withFormer(decision: Decision, base: SegmentRecord | undefined): Decision {
  if (base === undefined) return decision;
  if (decision.kind === 'buy') {
    const former = formerOf(base, decision.source);
    return former.length === 0 ? decision : { ...decision, former };
  }
  if (!('record' in decision) || decision.record.origin !== 'machine') return decision;
  const { record } = decision;
  const isSame = sameText(record.target, base.target);
  const former = isSame ? (base.former ?? []) : formerOf(base, [record.source]);
  return former.length === 0 ? decision : { ...decision, record: { ...record, former } };
}

/** A value without words that a person's target lacked at first contact: it is not added until its source changes. */
function leftOut(
  { wanted, found, base }: SegmentSituation,
  rules: MergeRules,
): Decision | undefined {
  if (found !== undefined || wanted.isLocked) return undefined;
  const { id } = wanted;
  const source = partsText(wanted.source);
  const stays =
    base === undefined
      ? rules.wordless === 'leave'
      : base.origin === 'copied' && base.target === null && base.source === source;
  if (!stays) return undefined;
  const record = { id, source, target: null, origin: 'copied', state: 'ok' } as const;
  return { kind: 'keep', id, record };
}

/** A text that another side of a merge has is not bought again. */
function withElsewhere(
  decision: Decision,
  { wanted }: SegmentSituation,
  rules: MergeRules,
): Decision {
  if (decision.kind !== 'buy' && decision.kind !== 'conflict') return decision;
  const text = rules.elsewhere?.(decision.id);
  if (text === undefined) return decision;
  if (decision.kind === 'buy') {
    const record = upToDate(wanted, text.parts, text.origin);
    return { kind: 'restore', id: decision.id, record };
  }
  if (text.origin === 'human' || decision.record.machine !== undefined) return decision;
  const { parts: machine, commit: machineCommit } = text;
  const found = { machine, ...(machineCommit === undefined ? {} : { machineCommit }) };
  return { ...decision, buys: false, record: { ...decision.record, ...found } };
}

function verdictOf(
  { wanted, from, found, base }: SegmentSituation,
  rules: MergeRules,
): LockVerdict {
  const statements = rules.statements?.(from ?? wanted.id);
  if (statements === undefined) return { kind: 'no-lock' };
  const own = base === undefined || statements.length === 0 ? [] : statementsOf(base);
  const source = sourceHash(partsText(wanted.source));
  const target = found && targetHash(partsText(found));
  const all = [...statements, ...own, ...(rules.history?.(wanted.id)?.statements ?? [])];
  const verdict = lockVerdict({ statements: all, source, target });
  // The lock does not know this unit: its key was renamed in both files, for example.
  const isNew = verdict.kind === 'unstated' && base === undefined;
  if (target === undefined || !(isNew || verdict.kind === 'unknown')) return verdict;
  const origin = rules.statedElsewhere?.(source, target);
  return origin === undefined ? verdict : { kind: 'stands', origin };
}

/** The lock (what the team states) counts more than the records of this machine. */
function decideStated(
  situation: SegmentSituation,
  verdict: LockVerdict,
  rules: MergeRules,
): Decision {
  const { wanted, base, found = [] } = situation;
  const { id } = wanted;
  switch (verdict.kind) {
    case 'no-lock':
    case 'missing':
      return decideByRecords(situation, rules);
    case 'unstated':
      return forReview(decideByRecords(situation, rules));
    case 'stands':
      return decideUpToDate(situation, standingAs(situation, verdict.origin), rules);
    case 'held':
      return rules.retryHeld
        ? copyOrBuy(situation, 'held')
        : { kind: 'hold', id, record: heldRecord(situation) };
    case 'taken-out':
      return { kind: 'keep', id, record: withoutText(situation) };
    case 'edited': {
      if (rules.history?.(id)?.kind === 'older') return decideOlder(situation, rules);
      const isMachine =
        base?.source === partsText(wanted.source) && sameText(found, base.machine ?? null);
      const decision = keepOrRestore(
        situation,
        upToDate(wanted, found, isMachine ? 'machine' : 'human'),
      );
      return decision.kind === 'keep' && !isMachine ? { ...decision, isEdit: true } : decision;
    }
    case 'stale': {
      const standing = { parts: found, origin: verdict.origin };
      const buy = { kind: 'buy', id, reason: 'changed', source: wanted.source, standing } as const;
      return verdict.origin === 'adopted' ? { ...buy, review: 'wanted' } : buy;
    }
    case 'outdated':
      return decideOlder(situation, rules);
    case 'unknown':
      if (rules.unknown === 'new') return forReview(decideByRecords(situation, rules));
      return base === undefined
        ? decideUnknown(situation, rules)
        : unstated(decideByRecords(situation, rules));
  }
}

function unstated(decision: Decision): Decision {
  return decision.kind === 'conflict' ? { ...decision, isUnstated: true } : decision;
}

/** A person's text of an older source. */
function decideOlder(situation: SegmentSituation, rules: MergeRules): Decision {
  const standing = { ...withHistory(situation, rules), base: situation.base };
  return fromCommit(decideOutdated(situation, standing, rules), rules);
}

/** Tells the person who must choose which commit has the old source. */
function fromCommit(decision: Decision, rules: MergeRules): Decision {
  const history = decision.kind === 'conflict' ? rules.history?.(decision.id) : undefined;
  if (decision.kind !== 'conflict' || history?.kind !== 'older') return decision;
  const problem = `the old source is that of commit ${history.commit.slice(0, 10)}`;
  const { commit: sourceCommit } = history;
  return { ...decision, record: { ...decision.record, problem, sourceCommit } };
}

/** Adds the source that a person's text was written for, from the history, when this machine has no record of it. */
function withHistory(situation: SegmentSituation, rules: MergeRules): StandingText {
  const standing = standingAs(situation, 'human');
  const history = rules.history?.(situation.wanted.id);
  if (standing.belongsTo !== undefined || history?.kind !== 'older') return standing;
  return history.source === undefined ? standing : { ...standing, belongsTo: history.source };
}

function standingAs({ wanted, found = [], base }: SegmentSituation, origin: Origin): StandingText {
  const isSeen = base !== undefined && sameText(found, base.target);
  const belongsTo = isSeen ? sourceOf(base) : undefined;
  return {
    parts: found,
    origin,
    belongsTo: belongsTo === partsText(wanted.source) ? undefined : belongsTo,
    isFresh: !isSeen || base.source !== partsText(wanted.source),
  };
}

/** There is no statement and no record, so only the history can tell whose text it is. Nothing is bought for a text of unknown origin. */
function decideUnknown(situation: SegmentSituation, rules: MergeRules): Decision {
  const { wanted, found = [] } = situation;
  const history = rules.history?.(wanted.id);
  const record = upToDate(wanted, found, 'human');
  if (history?.kind === 'current') return keepOrRestore(situation, { ...record, review: 'wanted' });
  const standing = {
    ...standingAs(situation, 'human'),
    belongsTo: history?.kind === 'older' ? history.source : undefined,
    base: undefined,
  };
  const decision = decideOutdated(situation, standing, { ...rules, buyConflicts: 'resolve' });
  if (decision.kind !== 'conflict') return decision;
  if (history !== undefined) return fromCommit(decision, rules);
  return { ...decision, isUnknown: true, record: { ...decision.record, problem: UNKNOWN } };
}

const UNKNOWN =
  'neither its source nor its translation is in the lock, and the history of the repository is not there to tell which is newer; fetch it ("fetch-depth: 0" in CI), or decide with "dragoman resolve"';

function forReview(decision: Decision): Decision {
  if (decision.kind !== 'adopt' || decision.record.origin !== 'adopted') return decision;
  return { ...decision, record: { ...decision.record, review: 'wanted' } };
}

function heldRecord({ wanted, found, base }: SegmentSituation): SegmentRecord {
  const source = partsText(wanted.source);
  if (base?.state === 'held' && base.source === source) return { ...base, id: wanted.id };
  const problem =
    'no answer was fit to be written when it was bought; "dragoman retry" buys it again';
  return {
    ...{ id: wanted.id, source, target: found ?? null, origin: 'machine', state: 'held' },
    problem,
  };
}

/** Decides by the records of this machine alone. */
function decideByRecords(situation: SegmentSituation, rules: MergeRules): Decision {
  const { base, found } = situation;
  if (base === undefined) {
    return found === undefined
      ? copyOrBuy(situation, 'new')
      : decideUnseen(situation, found, rules);
  }
  return base.state === 'held' && (found === undefined || sameText(found, base.target))
    ? decideHeld(situation, base, rules)
    : decideKnown(situation, base, rules);
}

/** The target has a text that we have no record of: it is a person's, unless the memory has the same text. */
function decideUnseen(
  situation: SegmentSituation,
  found: readonly Part[],
  rules: MergeRules,
): Decision {
  const { wanted } = situation;
  const isOurs = sameText(found, rules.remembered?.(wanted) ?? null);
  if (rules.policies.existing === 'overwrite' && !isOurs) return copyOrBuy(situation, 'new');
  const record = upToDate(wanted, found, isOurs ? 'machine' : 'adopted');
  return { kind: 'adopt', id: wanted.id, record };
}

/** A held segment is not bought again without a person: the answer would probably fail again, and be billed in every run. */
function decideHeld(situation: SegmentSituation, base: SegmentRecord, rules: MergeRules): Decision {
  const { wanted } = situation;
  if (base.source !== partsText(wanted.source)) return copyOrBuy(situation, 'changed');
  const isApproved = rules.approved === true && base.awaits === 'approval';
  if (rules.retryHeld || isApproved) return copyOrBuy(situation, 'held');
  return { kind: 'hold', id: wanted.id, record: { ...base, id: wanted.id } };
}

function decideKnown(
  situation: SegmentSituation,
  base: SegmentRecord,
  rules: MergeRules,
): Decision {
  const { wanted, found } = situation;
  if (found === undefined && rules.missing === 'leave') return takenOut(situation, base, rules);
  const standing = standingText(situation, base, rules);
  if (standing === null) return copyOrBuy(situation, 'missing');
  return standing.belongsTo === partsText(wanted.source)
    ? decideUpToDate(situation, standing, rules)
    : decideOutdated(situation, { ...standing, base }, rules);
}

/** A person removed this text: it is neither bought nor written again until its source changes. */
function takenOut(situation: SegmentSituation, base: SegmentRecord, rules: MergeRules): Decision {
  const { wanted } = situation;
  const belongsTo = base.joined === undefined ? base.source : sourceOf(base);
  const isUpToDate = belongsTo === partsText(wanted.source);
  if (isUpToDate) return { kind: 'keep', id: wanted.id, record: withoutText(situation) };
  if (base.joined === undefined) return copyOrBuy(situation, 'changed');
  // A joined paragraph has this text already; written again, the target would have it twice.
  const standing = { parts: null, origin: 'human', belongsTo, isFresh: false, base } as const;
  return decideOutdated(situation, standing, rules);
}

function withoutText({ wanted, base }: SegmentSituation): SegmentRecord {
  return { ...upToDate(wanted, null, 'human'), ...joinedOf(base) };
}

function joinedOf(base: SegmentRecord | undefined): Pick<SegmentRecord, 'joined'> {
  return base?.joined === undefined ? {} : { joined: base.joined };
}

function decideUpToDate(
  situation: SegmentSituation,
  standing: StandingText,
  rules: MergeRules,
): Decision {
  const { wanted, base } = situation;
  const { parts, origin } = standing;
  const isLockedNow = wanted.treatment === 'copy' && origin === 'machine';
  if (isLockedNow && !sameText(parts, wanted.source)) return copyOrBuy(situation, 'changed');
  if (wanted.treatment === 'translate' && origin === 'copied') return copyOrBuy(situation, 'new');
  if (base === undefined || origin !== 'machine' || standing.isFresh) {
    return keepOrRestore(situation, upToDate(wanted, parts, origin));
  }
  if (rules.recipeChanged?.(wanted, base)) return copyOrBuy(situation, 'recipe');
  const made = base.made === undefined ? {} : { made: base.made };
  return keepOrRestore(situation, { ...upToDate(wanted, parts, origin), ...made });
}

interface Outdated extends Omit<StandingText, 'parts'> {
  /** Null: the text is part of another paragraph. */
  readonly parts: readonly Part[] | null;
  readonly base: SegmentRecord | undefined;
}

function decideOutdated(
  situation: SegmentSituation,
  standing: Outdated,
  rules: MergeRules,
): Decision {
  const { wanted } = situation;
  const { parts, origin, belongsTo } = standing;
  if (origin !== 'human') return copyOrBuy(situation, 'changed');
  if (wanted.treatment === 'copy') return keepOrRestore(situation, upToDate(wanted, parts, origin));
  const before = belongsTo === undefined ? {} : { previousSource: belongsTo };
  const outdated = { ...upToDate(wanted, parts, origin), ...before, ...joinedOf(standing.base) };
  switch (rules.policies.humanEdits) {
    case 'overwrite':
      return copyOrBuy(situation, 'changed');
    case 'keep':
      return keepOrRestore(situation, { ...outdated, state: 'stale' });
    case 'conflict':
      return conflict(situation, standing, rules);
  }
}

interface StandingText extends StandingSegment {
  /** The source text that it was written for; undefined: an older one that is not known. */
  readonly belongsTo: string | undefined;
  /** We wrote it just before a crash, or the source is new to our records: the text is not bought again. */
  readonly isFresh: boolean;
}

function standingText(
  { wanted, found }: SegmentSituation,
  base: SegmentRecord,
  rules: MergeRules,
): StandingText | null {
  const source = partsText(wanted.source);
  const before = sourceOf(base);
  if (found === undefined || sameText(found, base.target)) {
    const parts = found ?? base.target;
    return parts && { parts, origin: base.origin, belongsTo: before, isFresh: false };
  }
  const isMachine =
    sameText(found, rules.remembered?.(wanted) ?? null) ||
    (base.source === source && sameText(found, base.machine ?? null));
  if (isMachine) return { parts: found, origin: 'machine', belongsTo: source, isFresh: true };
  if (base.source !== source && isFormer(found, base)) {
    return { parts: found, origin: 'machine', belongsTo: undefined, isFresh: false };
  }
  // A person who edits a text after we saw its source has decided for this source.
  const belongsTo = base.source === source ? source : before;
  return { parts: found, origin: 'human', belongsTo, isFresh: false };
}

/** The source text that a record's target was written for; undefined: not known. */
function sourceOf({ source, previousSource, state }: SegmentRecord): string | undefined {
  const isOlder = state === 'conflict' || state === 'stale';
  return previousSource ?? (isOlder ? undefined : source);
}

/** The machine's text is bought at once, so that a person can choose. It is bought once per version of the source. */
function conflict(situation: SegmentSituation, standing: Outdated, rules: MergeRules): Decision {
  const { wanted } = situation;
  const { base, parts, belongsTo } = standing;
  const isOpen = base?.state === 'conflict' && base.source === partsText(wanted.source);
  const machine = isOpen ? base.machine : undefined;
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
  const choice = rules.resolution?.(wanted.id);
  if (choice !== undefined) {
    const resolved = resolve(record, choice);
    return resolved === undefined
      ? copyOrBuy(situation, 'changed')
      : { kind: 'restore', id: wanted.id, record: resolved };
  }
  const isDue = isBoughtAtOnce(rules, base) && (!isOpen || rules.retryHeld === true);
  const buys = machine === undefined && isDue;
  return { kind: 'conflict', id: wanted.id, record, source: wanted.source, buys };
}

function isBoughtAtOnce(
  { buyConflicts = 'at once' }: MergeRules,
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

function copyOrBuy(situation: SegmentSituation, reason: BuyReason): Decision {
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
  if (sameText(found, base.target)) return base.origin;
  return isFormer(found, base) ? 'machine' : 'human';
}

function keepOrRestore({ wanted, from, here }: SegmentSituation, record: SegmentRecord): Decision {
  const { id } = wanted;
  if (here !== undefined) return { kind: 'keep', id, record };
  return from === undefined ? { kind: 'restore', id, record } : { kind: 'move', id, from, record };
}

function upToDate(
  { id, source }: WantedSegment,
  target: readonly Part[] | null,
  origin: Origin,
): SegmentRecord {
  return { id, source: partsText(source), target, origin, state: 'ok' };
}
