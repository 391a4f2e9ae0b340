/** Why a translation is out of date: the one place that knows the reasons and their words. Pure. */
import type { OutOfDate } from '../lane.ts';
import type { ChangedInput } from '../project.ts';
import type { Decision } from './decision.ts';

/** The problem of a text whose baseline was lost. */
export const RECORDS_LOST =
  'a part of "base" in the state folder is lost, and the source file has changed since';

/** @returns empty for a text that is up to date or missing */
export function outOfDate(decision: Decision): readonly OutOfDate[] {
  switch (decision.kind) {
    case 'conflict':
      return [decision.isUnknown === true ? 'unknown' : 'source'];
    case 'keep':
    case 'adopt':
      return decision.record.state === 'stale' ? ['source'] : [];
    case 'buy':
      return decision.current === null ? [] : reasonsToBuy(decision);
    case 'restore':
    case 'move':
    case 'copy':
    case 'hold':
    case 'omit':
      return [];
  }
}

function reasonsToBuy({
  reason,
  changed = [],
}: Extract<Decision, { kind: 'buy' }>): readonly OutOfDate[] {
  switch (reason) {
    case 'changed':
      return ['source'];
    case 'recipe':
      return changed;
    case 'new':
      return ['new'];
    case 'missing':
    case 'held':
      return [];
  }
}

const CHANGED: Readonly<Record<'source' | ChangedInput, string>> = {
  source: 'its source',
  options: 'its options',
  glossary: 'a glossary term in it',
  style: 'its style list',
  notes: 'its note',
};

/** The reasons as a part of a sentence, such as `its note changed since it was translated`. */
export function describeOutOfDate(reasons: readonly OutOfDate[]): string {
  if (reasons.includes('unknown')) {
    return 'nothing says which source it was made from, so it may be stale';
  }
  const changed = reasons.flatMap((reason) =>
    reason === 'new' || reason === 'unknown' ? [] : [CHANGED[reason]],
  );
  if (changed.length === 0) return 'dragoman has not translated it yet';
  return `${changed.join(' and ')} changed since it was translated`;
}
