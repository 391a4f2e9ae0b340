/** Text improvement: `POST /v2/write/rephrase` (API document, "Text improvement (rephrase) request and response"). */
import { z } from 'zod';
import { JobFailure } from '../failure.ts';
import { badAnswer, jsonOf } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { codePoints, type Rule, requireRules } from './rule.ts';

type Preferred<T extends string> = 'default' | T | `prefer_${T}`;
export type WritingStyle = Preferred<'simple' | 'business' | 'academic' | 'casual'>;
export type Tone = Preferred<'enthusiastic' | 'friendly' | 'confident' | 'diplomatic'>;

/** At most 50 texts and 10 KiB of JSON body. */
export interface RephraseRequest {
  readonly text: readonly string[];
  /** The language of the texts; another variant of it converts them. */
  readonly target_lang?: string;
  /** Not together with `tone`. `prefer_` falls back to the default where the language has no styles. */
  readonly writing_style?: WritingStyle;
  readonly tone?: Tone;
}

const Improvement = z.object({
  text: z.string(),
  target_language: z.string(),
  detected_source_language: z.string(),
});
export type Improvement = z.infer<typeof Improvement>;

export interface RephraseResult {
  /** In the order of `text`, one for each. */
  readonly improvements: readonly Improvement[];
  /** Unicode code points of the texts, counted by us: the answer carries no bill. */
  readonly counted_characters: number;
}

export interface WritingResource {
  /**
   * Improves texts in their own language. Bills their code points.
   * @throws JobFailure `invalid-request` or `too-large` before anything is sent; `unanswered` when the answer was lost
   */
  rephrase(request: RephraseRequest, options?: CallOptions): Promise<RephraseResult>;
}

const OPERATION = 'POST /v2/write/rephrase';
const MAX_TEXTS = 50;
export const MAX_REPHRASE_BYTES = 10_240;

const readAnswer = jsonOf(z.object({ improvements: z.array(Improvement) }));

export function writingResource(ask: Ask): WritingResource {
  return {
    async rephrase(request, options) {
      checkRephrase(request);
      return ask(
        {
          operation: OPERATION,
          traffic: 'paid',
          repeat: 'once',
          json: request,
          async read(answer) {
            const { improvements } = await readAnswer(answer);
            if (improvements.length !== request.text.length) {
              const counts = `${improvements.length} improvements for ${request.text.length} texts`;
              throw badAnswer(answer, counts);
            }
            return { improvements, counted_characters: codePoints(request.text) };
          },
        },
        options,
      );
    },
  };
}

function checkRephrase(request: RephraseRequest): void {
  requireRules(request, { operation: OPERATION, rules: REPHRASE_RULES });
  const size = Buffer.byteLength(JSON.stringify(request));
  if (size <= MAX_REPHRASE_BYTES) return;
  const message = `the body has ${size} bytes, the limit is ${MAX_REPHRASE_BYTES}`;
  throw new JobFailure({ kind: 'too-large', operation: OPERATION, message });
}

const REPHRASE_RULES: readonly Rule<RephraseRequest>[] = [
  {
    parameter: 'text',
    rule: `must hold 1 to ${MAX_TEXTS} texts`,
    holds: ({ text }) => text.length >= 1 && text.length <= MAX_TEXTS,
  },
  {
    parameter: 'tone',
    rule: 'cannot be sent together with writing_style',
    holds: ({ tone, writing_style }) => tone === undefined || writing_style === undefined,
  },
];
