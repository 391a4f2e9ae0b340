/** How far a translation has come, and which statements a reviewer's word leaves in the lock. Pure. */

import type { LanguageTag } from '../language.ts';
import type { Policies } from '../project.ts';
import type { Decision } from './decide.ts';
import { type Assertion, lockRank, type Mark, type Statement, type UnitId } from './statements.ts';

/**
 * Each text is in one of them. `stale`: it is the translation of another source text, or nobody knows. `done`: it stands, and
 * nobody was asked to look at it.
 */
export type ReviewState = 'missing' | 'stale' | 'held' | 'unreviewed' | 'reviewed' | 'done';

export const REVIEW_STATES: readonly ReviewState[] = [
  'missing',
  'stale',
  'held',
  'unreviewed',
  'reviewed',
  'done',
];

/** Whether a text of this origin asks for a reviewer by itself, as long as nobody has looked at it. */
export type WantsReview = (mark: Mark) => boolean;

/** What config says for one language. */
export function wantsReview({ review }: Policies, language: LanguageTag): WantsReview {
  const { want, languages } = review;
  const isMeant = languages === undefined || languages.includes(language);
  return (mark) => isMeant && mark !== 'held' && want.has(mark);
}

export interface Judged {
  readonly decision: Decision;
  /** What the lock states of the very pair of texts that stands. */
  readonly said: readonly Assertion[];
  readonly wants: WantsReview;
}

/** Undefined for what is no matter of a reviewer: ignored and locked keys, texts without a word, what a person took out. */
export function reviewState({ decision, said, wants }: Judged): ReviewState | undefined {
  switch (decision.kind) {
    case 'omit':
    case 'copy':
      return undefined;
    case 'restore':
    case 'move':
      return 'missing';
    case 'hold':
      return 'held';
    case 'conflict':
      return 'stale';
    case 'buy':
      if (decision.reason === 'held') return 'held';
      return decision.standing === null ? 'missing' : 'stale';
    case 'keep':
    case 'adopt': {
      const { origin, state, target, review } = decision.record;
      if (origin === 'copied' || target === null) return undefined;
      if (state === 'stale') return 'stale';
      return lookedAt(strongest(said), { mark: origin, ...(review && { review }) }, wants);
    }
  }
}

function lookedAt(
  said: Assertion | undefined,
  found: Pick<Assertion, 'mark' | 'review'>,
  wants: WantsReview,
): 'unreviewed' | 'reviewed' | 'done' {
  const review = said?.review ?? found.review;
  if (review === 'reviewed') return 'reviewed';
  return review === 'wanted' || wants(said?.mark ?? found.mark) ? 'unreviewed' : 'done';
}

function strongest(said: readonly Assertion[]): Assertion | undefined {
  return said.toSorted((a, b) => lockRank(b) - lockRank(a))[0];
}

/** Who made a text that a reviewer has spoken about: what the lock said of it, else what is seen. */
export function markOf(said: readonly Assertion[], seen: Mark): Mark {
  const mark = strongest(said)?.mark ?? seen;
  // Whoever says that a held text is right has made it theirs.
  return mark === 'held' ? 'human' : mark;
}

/** What a person has said of pairs of texts. */
export interface Spoken {
  readonly spoken: readonly Statement[];
  /** Places of which nothing else is true any more: a job would take it out the next time. */
  readonly renewed: ReadonlySet<UnitId>;
  /** Of places that several texts share, as in pages: pairs of which no text stands there any more. */
  readonly over?: readonly Pick<Statement, 'unit' | 'source' | 'target'>[];
}

/**
 * The sections of a lock with what a person has said: about a pair of texts there is one statement then, and it stands under
 * its source. What is said of other pairs stays, and sections that say nothing of these pairs are the same arrays.
 */
export function amended(
  known: ReadonlyMap<string, readonly Statement[]>,
  path: string,
  { spoken, renewed, over = [] }: Spoken,
): Map<string, readonly Statement[]> {
  const units = new Set(spoken.map(({ unit }) => unit));
  const pairs = new Map(spoken.map((statement) => [pairOf(statement), statement]));
  const isSpoken = (each: Statement) => units.has(each.unit) && pairs.has(pairOf(each));
  const next = new Map<string, readonly Statement[]>();
  for (const [name, statements] of known) {
    // A merge by lines may have put them under other paths: there they go.
    const isOther = name !== path && statements.some(isSpoken);
    next.set(name, isOther ? statements.filter((each) => !isSpoken(each)) : statements);
  }
  const placed = new Set<Statement>();
  const byUnit = Map.groupBy(pairs.values(), ({ unit }) => unit);
  const gone = new Set(over.map(pairOf));
  const section = (known.get(path) ?? []).flatMap((statement) => {
    const { unit } = statement;
    const said = units.has(unit) ? pairs.get(pairOf(statement)) : undefined;
    if (said === undefined && gone.has(pairOf(statement))) return [];
    if (said === undefined && renewed.has(unit)) {
      const now = (byUnit.get(unit) ?? []).filter((each) => !placed.has(each));
      for (const each of now) placed.add(each);
      return now;
    }
    if (said === undefined) return [statement];
    const isAgain = placed.has(said);
    placed.add(said);
    return isAgain ? [] : [withRecipe(said, statement)];
  });
  for (const statement of pairs.values()) {
    if (placed.has(statement)) continue;
    const last = section.findLastIndex(({ unit }) => unit === statement.unit);
    section.splice(last < 0 ? section.length : last + 1, 0, statement);
  }
  next.set(path, section);
  return next;
}

function withRecipe(said: Statement, { recipe }: Statement): Statement {
  return recipe === undefined || said.recipe !== undefined ? said : { ...said, recipe };
}

function pairOf({ unit, source, target }: Pick<Statement, 'unit' | 'source' | 'target'>): string {
  return `${unit} ${source} ${target}`;
}
