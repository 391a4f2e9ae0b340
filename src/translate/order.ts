/** One text on its way: what a job wants, the form in which it is sent, and the possible results. */
import type { Part, PlaceholderSyntax } from '../format.ts';
import type { JobId, Lane } from '../job.ts';
import { memoryKey, type Recipe } from '../plan/recipe.ts';
import { needsTags, type Protected } from '../segments/inline/protect.ts';
import type { SendForm } from '../segments/inline/send-form.ts';
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
  /** A developer's comment: it goes into the unbilled context of the request. */
  readonly note?: string;
  /** Where the text is: its key, or the paragraph before it. Sent like a note, if it fits. */
  readonly place?: string;
  /** The position in a film: its request has the texts around it as unbilled context, and ends at a pause. */
  readonly scene?: Scene;
  /** Requests and memory share the text only within the same scope; absent: within the whole project. */
  readonly scope?: string;
  /** Not in the plan: bought because an earlier answer could not be used. */
  readonly unplanned?: true;
  /** A further check of an answer, beside intact placeholders: it returns one sentence when the answer cannot be used. */
  readonly check?: (parts: readonly Part[]) => string | undefined;
}

/** Texts in the order of their file, some at a time, so that nobody needs to hold those of a whole file. */
export type TextPortions = AsyncIterable<readonly JobText[]> | Iterable<readonly JobText[]>;

/** The position of a text among those that are spoken before and after it. */
export interface Scene {
  /** All spoken texts, in order; one array shared by all texts of a film. */
  readonly texts: readonly string[];
  /** Its index in `texts`. */
  readonly at: number;
  /** Milliseconds of silence before it. */
  readonly pause: number;
}

/** One text on its way to the service in one form. */
export interface TextOrder {
  readonly wanted: JobText;
  readonly sendForm: SendForm;
  readonly sent: Protected;
  readonly group: string;
  /** As sent. */
  readonly text: string;
  /** Milliseconds of silence before it, in a film. */
  readonly pause?: number;
}

/** Texts with the same key share one answer, whatever format they come from: they are sent and remembered in the same way. */
export function textPurchaseKey(wanted: JobText, sent: Protected): string {
  const key = partsKey(wanted.parts);
  // A hundred thousand keys are held while a file is priced: most texts are sent as they are, and are in their key once.
  const form = key === sent.text ? `${sent.kind} as is` : `${sent.kind}\n${key}`;
  return `${wanted.project}\n${memoryKey(wanted)}\n${form}\n${sent.text}`;
}

/** The question to the memory for a text. */
export function askedFor(wanted: JobText): AskedText {
  const { parts, check } = wanted;
  const recipe = memoryKey(wanted);
  if (check === undefined) return { recipe, parts };
  return { recipe, parts, fits: (translation) => check(translation) === undefined };
}

/** The form in which a text is first sent; the plan counts the characters of this form. */
export function firstSendForm(wanted: Pick<JobText, 'parts' | 'syntax' | 'recipe'>): SendForm {
  const { tagHandlingVersion, model, untagged } = wanted.recipe;
  return {
    form: firstForm(wanted, untagged === true ? 'literal' : 'xml'),
    // v2 implies quality_optimized and clashes with latency_optimized (docs/design/api.md, "Translation rules", 3).
    version: tagHandlingVersion ?? (model === 'latency_optimized' ? 'v1' : 'v2'),
    alone: false,
  };
}

function firstForm(
  wanted: Pick<JobText, 'parts' | 'syntax'>,
  protecting: 'xml' | 'literal',
): SendForm['form'] {
  return needsTags(wanted) ? protecting : 'plain';
}
