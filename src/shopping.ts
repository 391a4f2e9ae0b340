/** What a text job has to buy: the texts of its open segments, and what the service would bill for them. Pure. */
import type { Examination, TextCase } from './examine.ts';
import { type Part, partsText, type Segment, sourceParts } from './format.ts';
import type { Memory } from './memory.ts';
import { codePoints } from './segments/bill.ts';
import type { Decision } from './segments/decide.ts';
import { maxLengthOf } from './segments/key-pattern.ts';
import { protect } from './segments/protect.ts';
import { firstAttempt, type Wanted } from './translate.ts';

/** The texts of one segment. */
export interface Purchase {
  readonly id: string;
  readonly segment: Segment;
  readonly wanted: Wanted;
}

export function purchasesOf(text: TextCase, { merge, segments }: Examination): Purchase[] {
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  return merge.decisions.filter(buys).flatMap(({ id }) => {
    const segment = byId.get(id);
    return segment === undefined ? [] : [{ id, segment, wanted: wantedOf(text, segment) }];
  });
}

function buys(decision: Decision): boolean {
  return decision.kind === 'buy' || (decision.kind === 'conflict' && decision.buys);
}

function wantedOf(text: TextCase, segment: Segment): Wanted {
  const { job, recipe, route } = text;
  const limit = segment.maxLength ?? maxLengthOf(route.keys.maxLength, segment.id);
  const isStrict = limit !== undefined && route.policies.checks.length === 'hold';
  return {
    job: job.id,
    project: job.project,
    lane: job.lane,
    recipe,
    parts: sourceParts(segment),
    syntax: segment.syntax,
    ...(segment.context === undefined ? {} : { note: segment.context }),
    ...(isStrict ? { check: (parts) => lengthProblem(parts, limit) } : {}),
  };
}

function lengthProblem(parts: readonly Part[], limit: number): string | undefined {
  const length = codePoints(partsText(parts));
  return length > limit ? `${length} characters, at most ${limit} fit` : undefined;
}

/** Texts that somebody else buys already; shared by all jobs of one plan, so that equal texts count once. */
export type Counted = Set<string>;

/** Unicode code points that buying would bill: as sent, each text once, none that the memory holds. */
export function priceOf(purchases: readonly Purchase[], memory: Memory, counted: Counted): number {
  let characters = 0;
  for (const { wanted } of purchases) {
    const id = `${wanted.project}\n${wanted.recipe.key}\n${partsText(wanted.parts)}`;
    if (counted.has(id) || memory.lookup(wanted.recipe.key, wanted.parts) !== undefined) continue;
    counted.add(id);
    characters += codePoints(protect(wanted, firstAttempt(wanted)).text);
  }
  return characters;
}
