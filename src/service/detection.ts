/** Language detection: `POST /v3/detect/language` (API document, "Language detection"; beta, opt-in). */
import { z } from 'zod';
import { badAnswer, jsonOf } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { codePoints, requireRules } from './rule.ts';

const Detection = z.discriminatedUnion('detection_status', [
  z.object({ detection_status: z.literal('success'), detected_language: z.string() }),
  z.object({
    detection_status: z.enum([
      'insufficient_confidence',
      'unsupported_language',
      'no_language_detected',
    ]),
  }),
]);

/** One of four states; only `success` names a language. */
export type Detection = z.infer<typeof Detection>;

export interface DetectResult {
  /** In the order of the texts, one for each. */
  readonly results: readonly Detection[];
  /** Unicode code points of the texts, counted by us: the answer carries no bill. */
  readonly counted_characters: number;
}

export interface DetectionResource {
  /**
   * Detects the language of each of 1 to 50 texts, independently.
   * @throws JobFailure `forbidden` without access to the beta feature; `unanswered` when the answer was lost
   */
  detect(text: readonly string[], options?: CallOptions): Promise<DetectResult>;
}

const OPERATION = 'POST /v3/detect/language';
const MAX_TEXTS = 50;
const readAnswer = jsonOf(z.object({ results: z.array(Detection) }));

export function detectionResource(ask: Ask): DetectionResource {
  return {
    async detect(text, options) {
      requireRules(text, { operation: OPERATION, rules: [TEXT_RULE] });
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
            return { results, counted_characters: codePoints(text) };
          },
        },
        options,
      );
    },
  };
}

const TEXT_RULE = {
  parameter: 'text',
  rule: `must hold 1 to ${MAX_TEXTS} texts`,
  holds: (text: readonly string[]) => text.length >= 1 && text.length <= MAX_TEXTS,
};
