/** Names the texts of a file that are not up to date, so that people find them. Pure. */
import { excerptOf, keyName } from '../format.ts';
import type { OpenCounts, OpenText, TextCounts } from '../lane.ts';
import type { Decision } from './decision.ts';
import { outOfDate } from './out-of-date.ts';

/** A text of the source, for the decision with the same index. */
export interface NamedText {
  readonly id: string;
  readonly text: string;
  readonly line: number;
}

/** At most so many texts of each kind and reason are named; the others are only counted. */
export const MOST_NAMED = 20;

/** @param texts one for each decision */
export function openTexts(
  decisions: readonly Decision[],
  texts: readonly NamedText[],
  shape: 'keyed' | 'sequence',
): OpenText[] {
  const named = new Map<string, number>();
  return decisions.flatMap((decision, nth): OpenText[] => {
    const is = openState(decision);
    const text = texts[nth];
    if (is === undefined || text === undefined) return [];
    const because = is === 'stale' ? outOfDate(decision) : [];
    const kind = [is, ...because].join(' ');
    const count = (named.get(kind) ?? 0) + 1;
    named.set(kind, count);
    if (count > MOST_NAMED) return [];
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
  const of = (kind: Decision['kind']) => decisions.filter((each) => each.kind === kind).length;
  return {
    ...{ adopted: of('adopt'), bought: of('buy'), fromMemory: of('restore') },
    ...{ held: of('hold'), conflicts: of('conflict') },
  };
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
