/** Names the texts of a file that are not up to date, so that people find them. Pure. */
import { excerptOf, keyName } from '../format.ts';
import type { OpenCounts, OpenText, TextCounts } from '../lane.ts';
import type { Decision } from './decision.ts';
import { outOfDate } from './out-of-date.ts';

/** A text of the source. */
export interface NamedText {
  readonly id: string;
  readonly text: string;
  readonly line: number;
}

/** At most so many texts of each kind and reason are named; the others are only counted. */
export const MOST_NAMED = 20;

/** @param textAt the text for the decision with an index: only the few that are named are asked for */
export function openTexts(
  decisions: readonly Decision[],
  textAt: (nth: number) => NamedText | undefined,
  shape: 'keyed' | 'sequence',
): OpenText[] {
  const named = new Map<string, number>();
  return decisions.flatMap((decision, nth): OpenText[] => {
    const is = openState(decision);
    if (is === undefined) return [];
    const because = is === 'stale' ? outOfDate(decision) : [];
    const kind = [is, ...because].join(' ');
    const count = (named.get(kind) ?? 0) + 1;
    named.set(kind, count);
    const text = count > MOST_NAMED ? undefined : textAt(nth);
    if (text === undefined) return [];
    return [
      {
        key: shape === 'keyed' ? keyName(text.id) : excerptOf(text.text, EXCERPT),
        line: text.line,
        is,
        ...(is === 'stale' ? { because } : {}),
      },
    ];
  });
}

export function openCounts(decisions: readonly Decision[]): OpenCounts {
  const counts: Partial<Record<OpenText['is'], number>> = {};
  for (const decision of decisions) {
    const is = openState(decision);
    if (is !== undefined) counts[is] = (counts[is] ?? 0) + 1;
  }
  return counts;
}

/** What a run would do with the texts of a file. */
export function textCounts(decisions: readonly Decision[]): TextCounts {
  const count: Partial<Record<Decision['kind'], number>> = {};
  for (const { kind } of decisions) count[kind] = (count[kind] ?? 0) + 1;
  const { adopt = 0, buy = 0, restore = 0, hold = 0, conflict = 0 } = count;
  return { adopted: adopt, bought: buy, fromMemory: restore, held: hold, conflicts: conflict };
}

/** Why a text is open; undefined when it is up to date. */
export function openState(decision: Decision): OpenText['is'] | undefined {
  switch (decision.kind) {
    case 'buy':
      if (decision.reason === 'held') return 'held';
      return decision.current === null ? 'missing' : 'stale';
    case 'hold':
      return 'held';
    case 'conflict':
      return decision.isUnknown === true ? 'unknown' : 'conflict';
    case 'keep':
      return decision.isEdit === true ? 'edited' : undefined;
    case 'adopt':
    case 'restore':
    case 'copy':
    case 'move':
    case 'omit':
      return undefined;
  }
}

const EXCERPT = 60;
