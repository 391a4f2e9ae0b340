/** How far a translation has come, and the statements that a reviewer's decision leaves in the lock. Pure. */

import type { StepwiseWork } from '../clock.ts';
import type { LanguageTag } from '../language.ts';
import { append } from '../parsing/append.ts';
import type { Policies } from '../project.ts';
import type { Decision } from './decision.ts';
import { type Assertion, lockRank, type Mark, type Statement, type UnitId } from './statements.ts';

/**
 * Each text has one of these states. `stale`: it is the translation of another source text, or of an unknown one. `done`: it is up to date,
 * and no review was asked for.
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

/** Whether a text of this origin needs a review until a person has seen it. */
export type WantsReview = (mark: Mark) => boolean;

/** The rule of the config for one language. */
export function wantsReview({ review }: Policies, language: LanguageTag): WantsReview {
  const { want, languages } = review;
  const isMeant = languages === undefined || languages.includes(language);
  return (mark) => isMeant && mark !== 'held' && want.has(mark);
}

export interface Judged {
  readonly decision: Decision;
  /** The statements of the lock about exactly this pair of texts. */
  readonly stated: readonly Assertion[];
  readonly wants: WantsReview;
}

/** Undefined for a text that is not reviewed: ignored and locked keys, texts without a word, texts that a person removed. */
export function reviewState({ decision, stated, wants }: Judged): ReviewState | undefined {
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
      return decision.current === null ? 'missing' : 'stale';
    case 'keep':
    case 'adopt': {
      const { origin, state, target, review } = decision.record;
      if (origin === 'copied' || target === null) return undefined;
      if (state === 'stale') return 'stale';
      return lookedAt(strongest(stated), { mark: origin, ...(review && { review }) }, wants);
    }
  }
}

function lookedAt(
  stated: Assertion | undefined,
  found: Pick<Assertion, 'mark' | 'review'>,
  wants: WantsReview,
): 'unreviewed' | 'reviewed' | 'done' {
  const review = stated?.review ?? found.review;
  if (review === 'reviewed') return 'reviewed';
  return review === 'wanted' || wants(stated?.mark ?? found.mark) ? 'unreviewed' : 'done';
}

function strongest(stated: readonly Assertion[]): Assertion | undefined {
  return stated.toSorted((a, b) => lockRank(b) - lockRank(a))[0];
}

/** The origin of a reviewed text: from the lock, else as it looks now. */
export function reviewedMark(stated: readonly Assertion[], seen: Mark): Mark {
  const mark = strongest(stated)?.mark ?? seen;
  // A person who confirms a held text makes it a person's text.
  return mark === 'held' ? 'human' : mark;
}

/** A reviewer's decisions about pairs of texts. */
export interface LockAmendment {
  readonly decided: readonly Statement[];
  /** Units about which all other statements become false: the next job would remove them. */
  readonly renewed: ReadonlySet<UnitId>;
  /** Units that several texts share, as in pages: the pairs whose text is no longer in the target. */
  readonly over?: readonly Pick<Statement, 'unit' | 'source' | 'target'>[];
}

/**
 * The sections of a lock after a reviewer's decisions. There is then one statement about each pair, under its source. Statements about
 * other pairs stay. Sections without such a pair are returned as the same arrays.
 */
export function* amended(
  known: ReadonlyMap<string, readonly Statement[]>,
  path: string,
  { decided, renewed, over = [] }: LockAmendment,
): StepwiseWork<Map<string, readonly Statement[]>> {
  const units = new Set(decided.map(({ unit }) => unit));
  const pairs = new Map(decided.map((statement) => [statementKey(statement), statement]));
  const isDecided = (each: Statement) => units.has(each.unit) && pairs.has(statementKey(each));
  const next = new Map<string, readonly Statement[]>();
  for (const [name, statements] of known) {
    yield;
    // A merge of branches may have put the statements under other paths; they are removed there.
    const isOther = name !== path && statements.some(isDecided);
    next.set(name, isOther ? statements.filter((each) => !isDecided(each)) : statements);
  }
  const placed = new Set<Statement>();
  const byUnit = Map.groupBy(pairs.values(), ({ unit }) => unit);
  const gone = new Set(over.map(statementKey));
  const before = known.get(path) ?? [];
  const current = new Set(before.filter(({ unit }) => units.has(unit)).map(statementKey));
  const section: Statement[] = [];
  for (const statement of before) {
    yield;
    const { unit, source } = statement;
    const stated = units.has(unit) ? pairs.get(statementKey(statement)) : undefined;
    const isGone = stated === undefined && gone.size > 0 && gone.has(statementKey(statement));
    if (isGone || (stated === undefined && renewed.has(unit))) {
      // A new statement gets the place of the statement that it replaces, so that the change of the lock is small.
      const now = (byUnit.get(unit) ?? []).filter(
        (each) =>
          !placed.has(each) &&
          (renewed.has(unit) || (each.source === source && !current.has(statementKey(each)))),
      );
      for (const each of now) placed.add(each);
      append(section, now);
    } else if (stated === undefined) section.push(statement);
    else if (!placed.has(stated)) {
      placed.add(stated);
      section.push(withRecipe(stated, statement));
    }
  }
  for (const statement of pairs.values()) {
    if (placed.has(statement)) continue;
    const last = section.findLastIndex(({ unit }) => unit === statement.unit);
    section.splice(last < 0 ? section.length : last + 1, 0, statement);
  }
  next.set(path, section);
  return next;
}

function withRecipe(stated: Statement, { recipe }: Statement): Statement {
  return recipe === undefined || stated.recipe !== undefined ? stated : { ...stated, recipe };
}

function statementKey({
  unit,
  source,
  target,
}: Pick<Statement, 'unit' | 'source' | 'target'>): string {
  return `${unit} ${source} ${target}`;
}
