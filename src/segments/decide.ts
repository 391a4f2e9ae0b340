/** Decides about one segment: its text stays, a translation is bought, or it waits for a person. Pure. */
import type { ReplacedText, SegmentRecord } from '../baseline.ts';
import { partsText } from '../format.ts';
import { decideByLock } from './decide-by-lock.ts';
import { decideByRecords, translatedSource, upToDate } from './decide-by-records.ts';
import type { CurrentSegment, Decision, MergePolicy, SegmentSituation } from './decision.ts';
import { formerOf } from './former-texts.ts';
import { sameText } from './record.ts';
import { type Mark, NO_TARGET, sourceHash, targetHash } from './statements.ts';

export function decideSegment(given: SegmentSituation, policy: MergePolicy): Decision {
  const situation = given.base?.isPairing
    ? { ...given, base: undefined, earlierSource: given.base.source }
    : given;
  const { wanted } = situation;
  switch (wanted.treatment) {
    case 'omit':
      return { kind: 'omit', id: wanted.id };
    case 'copy':
      return leftOut(situation, policy) ?? asCopied(decideByRecords(situation, policy), policy);
    case 'translate':
      return withoutValue(decideTranslated(situation, policy), situation, policy);
  }
}

function decideTranslated(situation: SegmentSituation, policy: MergePolicy): Decision {
  const decision = withElsewhere(decideByLock(situation, policy), situation, policy);
  return withPieces(withFormer(withReplaced(decision, situation), situation.base), situation);
}

/**
 * A person's number, boolean or date in the place of the text: no text is there, and what is there stays. So the text is held until the
 * person decides. A setting that overwrites people's texts overwrites values too.
 */
function withoutValue(
  decision: Decision,
  { wanted, here }: SegmentSituation,
  policy: MergePolicy,
): Decision {
  const problem = here && policy.notText?.(here);
  if (problem === undefined || !isOfPerson(decision, policy)) return decision;
  const record = { ...upToDate(wanted, null, 'human'), state: 'held', awaits: 'target' } as const;
  return { kind: 'hold', id: wanted.id, record: { ...record, problem } };
}

function isOfPerson(decision: Decision, { policies }: MergePolicy): boolean {
  switch (decision.kind) {
    case 'keep':
    case 'adopt':
    case 'conflict':
    case 'hold':
      return true;
    case 'buy':
      if (decision.current?.origin === 'adopted') return policies.existing !== 'overwrite';
      return decision.current?.origin === 'human' && policies.humanEdits !== 'overwrite';
    case 'copy':
    case 'restore':
    case 'move':
    case 'omit':
      return false;
  }
}

/** A person's text for an earlier source is remembered when it is replaced, and written again when the source is as it was. */
function withReplaced(decision: Decision, { wanted, base }: SegmentSituation): Decision {
  const before = base?.replaced;
  if (decision.kind === 'buy') {
    const { current, reason, id } = decision;
    const isBack = before?.source === partsText(wanted.source) && current?.origin !== 'human';
    if (before !== undefined && isBack && reason === 'changed') {
      return { kind: 'restore', id, record: upToDate(wanted, before.target, before.origin) };
    }
    const replaced = replacedBy(current, base) ?? before;
    return replaced === undefined ? decision : { ...decision, replaced };
  }
  if (before === undefined || !('record' in decision)) return decision;
  if (decision.kind === 'conflict' || decision.record.origin !== 'machine') return decision;
  return { ...decision, record: { ...decision.record, replaced: before } };
}

function replacedBy(
  current: CurrentSegment | null,
  base: SegmentRecord | undefined,
): ReplacedText | undefined {
  if (current?.origin !== 'adopted' && current?.origin !== 'human') return;
  if (base === undefined || !sameText(current.parts, base.target)) return;
  const source = base.replaced?.source ?? translatedSource(base);
  const { parts: target, origin } = current;
  return source === undefined ? undefined : { source, target, origin };
}

/** A person's text that is one of several pieces stays so while its source stays. */
function withPieces(decision: Decision, { wanted, base }: SegmentSituation): Decision {
  if (base?.pieces === undefined || decision.kind !== 'keep') return decision;
  if (base.source !== partsText(wanted.source)) return decision;
  return { ...decision, record: { ...decision.record, pieces: base.pieces } };
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
  { wanted, found, base, from, here }: SegmentSituation,
  policy: MergePolicy,
): Decision | undefined {
  if (found !== undefined || wanted.isLocked) return undefined;
  const { id } = wanted;
  const source = partsText(wanted.source);
  const stated = base === undefined ? statedAbsence(wanted, policy) : undefined;
  if (stated === 'held') return decideByLock({ wanted, found, base, from, here }, policy);
  const stays =
    base === undefined
      ? policy.wordless === 'leave' || stated !== undefined
      : base.origin === 'copied' && base.target === null && base.source === source;
  if (!stays) return undefined;
  const record = { id, source, target: null, origin: 'copied', state: 'ok' } as const;
  return { kind: 'keep', id, record };
}

/** Another checkout saw that the target lacks the text, or holds the text because its place in a page is not clear. */
function statedAbsence(
  { id, source }: SegmentSituation['wanted'],
  policy: MergePolicy,
): Mark | undefined {
  const text = sourceHash(partsText(source));
  const stated = policy.statements?.(id) ?? [];
  return stated.find((each) => each.source === text && each.target === NO_TARGET)?.mark;
}

/** A new checkout finds the copies of the texts that need no translation. The lock says nothing of them, so they count as copies. */
function asCopied(decision: Decision, policy: MergePolicy): Decision {
  if (decision.kind !== 'adopt') return decision;
  const { id, record } = decision;
  const text = record.target && partsText(record.target);
  if (text !== record.source) return decision;
  const pair = { source: sourceHash(text), target: targetHash(text) };
  const stated = policy.statements?.(id) ?? [];
  const isStated = stated.some((s) => s.source === pair.source && s.target === pair.target);
  return isStated ? decision : { ...decision, record: { ...record, origin: 'copied' } };
}

/** A text that another side of a merge has is not bought again. */
function withElsewhere(
  decision: Decision,
  { wanted }: SegmentSituation,
  policy: MergePolicy,
): Decision {
  if (decision.kind !== 'buy' && decision.kind !== 'conflict') return decision;
  const text = policy.elsewhere?.(decision.id);
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
