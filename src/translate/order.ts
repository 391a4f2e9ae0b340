/** One text on its way: what a job wants, in which form it is sent, and what may come of it. */
import type { Part, PlaceholderSyntax } from '../format.ts';
import type { JobId, Lane } from '../job.ts';
import { memoryKey, type Recipe } from '../plan/recipe.ts';
import type { Attempt } from '../segments/attempt.ts';
import { needsTags, type Protected } from '../segments/protect.ts';
import { partsKey } from '../state/memories/parts.ts';
import type { AskedText } from '../state/memory.ts';

/** One text that a job needs. */
export interface JobText {
  readonly job: JobId;
  readonly project: string;
  readonly lane: Lane;
  readonly recipe: Recipe;
  readonly parts: readonly Part[];
  readonly syntax: PlaceholderSyntax;
  /** A developer's comment: goes into the unbilled context of the request that carries the text. */
  readonly note?: string;
  /** Where it stands: its key, or the paragraph before it. Sent like a note, where room is left. */
  readonly place?: string;
  /** Where it stands in a film: its request shares the unbilled context with the texts around it, and ends at a pause. */
  readonly scene?: Scene;
  /** Shared only with texts of the same scope, in requests and in the memory; absent: with all of the project. */
  readonly scope?: string;
  /** In nobody's plan: bought because an answer was not fit. */
  readonly unplanned?: true;
  /** What the caller asks of an answer beside intact placeholders: one sentence when it is not fit. */
  readonly check?: (parts: readonly Part[]) => string | undefined;
}

/** A text's place among those that are spoken before and after it. */
export interface Scene {
  /** Everything that is spoken, in order; one array for all texts of a film. */
  readonly texts: readonly string[];
  /** Its index in `texts`. */
  readonly at: number;
  /** Milliseconds of silence before it. */
  readonly pause: number;
}

export type TextAnswer =
  | { readonly kind: 'translated'; readonly parts: readonly Part[] }
  | { readonly kind: 'refused'; readonly problem: string };

/** One text on its way to the service in one form. */
export interface TextOrder {
  readonly wanted: JobText;
  readonly attempt: Attempt;
  readonly sent: Protected;
  readonly group: string;
  /** As sent. */
  readonly text: string;
  /** Milliseconds of silence before it, in a film. */
  readonly pause?: number;
}

/** Equal for texts of which one answer serves all: whatever format each comes from, they are sent and remembered alike. */
export function purchaseKey(wanted: JobText, sent: Protected): string {
  return `${wanted.project}\n${memoryKey(wanted)}\n${sent.kind}\n${sent.text}\n${partsKey(wanted.parts)}`;
}

/** What the memory is asked for. */
export function askedFor(wanted: Pick<JobText, 'recipe' | 'scope' | 'parts'>): AskedText {
  return { recipe: memoryKey(wanted), parts: wanted.parts };
}

/** How a text is sent first; `plan` counts the characters of this form. */
export function firstAttempt(wanted: Pick<JobText, 'parts' | 'syntax' | 'recipe'>): Attempt {
  const { tagHandlingVersion, model, untagged } = wanted.recipe;
  return {
    form: firstForm(wanted, untagged === true ? 'literal' : 'xml'),
    // v2 implies quality_optimized and clashes with latency_optimized (API document, translation rule 3).
    version: tagHandlingVersion ?? (model === 'latency_optimized' ? 'v1' : 'v2'),
    alone: false,
  };
}

function firstForm(
  wanted: Pick<JobText, 'parts' | 'syntax'>,
  protecting: 'xml' | 'literal',
): Attempt['form'] {
  return needsTags(wanted) ? protecting : 'plain';
}
