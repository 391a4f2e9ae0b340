/** Language detection: `POST /v3/detect/language` (docs/design/api.md, "Language detection"; beta, opt-in). */
import * as z from 'zod';
import { badAnswer, jsonAnswer } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { requireConstraints, totalCodePoints } from './constraint.ts';
import { eachPart, inParts } from './parts.ts';
import { requireShape, Texts } from './shape.ts';

/** Only `success` has a language. `unknown`: the service answered a state that is not documented. */
export type Detection =
  | { readonly detection_status: 'success'; readonly detected_language: string }
  | { readonly detection_status: (typeof WITHOUT_LANGUAGE)[number] }
  | { readonly detection_status: 'unknown'; readonly reported_status: string };

const WITHOUT_LANGUAGE = [
  'insufficient_confidence',
  'unsupported_language',
  'no_language_detected',
] as const;

const NO_STATUS = 'no status';

/** An invalid result must not spoil the others of its request. */
const Result = z
  .object({
    detection_status: z.string().catch(NO_STATUS),
    detected_language: z.string().optional().catch(undefined),
  })
  .catch({ detection_status: NO_STATUS, detected_language: undefined })
  .transform(({ detection_status, detected_language }): Detection => {
    const known = WITHOUT_LANGUAGE.find((status) => status === detection_status);
    if (known !== undefined) return { detection_status: known };
    return detection_status === 'success' && detected_language !== undefined
      ? { detection_status, detected_language }
      : { detection_status: 'unknown', reported_status: detection_status };
  });

export interface DetectResult {
  /** One for each text, in order. */
  readonly results: readonly Detection[];
  /** Unicode code points of the texts, counted by the client: the answer has no bill. */
  readonly counted_characters: number;
}

export interface DetectionResource {
  /**
   * Detects the language of each text by itself; more than 50 texts are sent in several requests.
   * @throws JobFailure `forbidden` without access to the beta feature; `unanswered` when the answer was lost; PartialFailure<DetectResult>
   * when a later one of several requests fails
   */
  detect(text: string | readonly string[], options?: CallOptions): Promise<DetectResult>;
}

const OPERATION = 'POST /v3/detect/language';
const MAX_TEXTS = 50;
const readAnswer = jsonAnswer(z.object({ results: z.array(Result) }));

export function detectionResource(ask: Ask): DetectionResource {
  return {
    async detect(text, options) {
      requireShape(text, { operation: OPERATION, shape: Texts, name: 'text' });
      const texts = typeof text === 'string' ? [text] : text;
      requireConstraints(texts, { operation: OPERATION, constraints: [TEXT_RULE] });
      const parts = inParts(texts, { texts: MAX_TEXTS }, OPERATION);
      return eachPart(parts, { ask: (part) => askOnce(ask, part, options), join });
    },
  };
}

function askOnce(
  ask: Ask,
  text: readonly string[],
  options: CallOptions | undefined,
): Promise<DetectResult> {
  return ask(
    {
      operation: OPERATION,
      traffic: 'paid',
      repeat: 'once',
      json: { text },
      async read(answer) {
        const { results } = await readAnswer(answer);
        if (results.length !== text.length) {
          throw badAnswer(answer, `${results.length} results for ${text.length} texts`);
        }
        return { results, counted_characters: totalCodePoints(text) };
      },
    },
    options,
  );
}

function join(a: DetectResult, b: DetectResult): DetectResult {
  return {
    results: [...a.results, ...b.results],
    counted_characters: a.counted_characters + b.counted_characters,
  };
}

const TEXT_RULE = {
  parameter: 'text',
  rule: 'must hold at least one text',
  holds: (text: readonly string[]) => text.length >= 1,
};
