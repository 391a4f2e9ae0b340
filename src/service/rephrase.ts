/** Text improvement: `POST /v2/write/rephrase` (docs/design/api.md, "Text improvement"). */
import * as z from 'zod';
import { badAnswer, jsonAnswer } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { type Constraint, requireConstraints, totalCodePoints } from './constraint.ts';
import { eachPart, inParts } from './parts.ts';
import { requireShape, Texts } from './shape.ts';

type Preferred<T extends string> = 'default' | T | `prefer_${T}`;
export const STYLES = ['simple', 'business', 'academic', 'casual'] as const;
export const TONES = ['enthusiastic', 'friendly', 'confident', 'diplomatic'] as const;
export type WritingStyle = Preferred<(typeof STYLES)[number]>;
export type Tone = Preferred<(typeof TONES)[number]>;

/** More than 50 texts or 10 KiB of JSON body are sent in several requests. */
export interface RephraseRequest {
  /** A single text counts as a list of one. */
  readonly text: string | readonly string[];
  /** The language of the texts; another variant of it converts the texts. */
  readonly target_lang?: string | undefined;
  /** Not together with `tone`. With `prefer_` the default is used for languages without styles. */
  readonly writing_style?: WritingStyle | undefined;
  readonly tone?: Tone | undefined;
}

const REPHRASE_SHAPE = z.looseObject({
  text: Texts,
  target_lang: z.string().optional(),
  writing_style: z.enum(withPreferred(STYLES)).optional(),
  tone: z.enum(withPreferred(TONES)).optional(),
});

export function withPreferred(values: readonly string[]): string[] {
  return [...values, 'default', ...values.map((value) => `prefer_${value}`)];
}

const Improvement = z.object({
  text: z.string(),
  target_language: z.string(),
  detected_source_language: z.string(),
});
export type Improvement = z.infer<typeof Improvement>;

export interface RephraseResult {
  /** One for each text, in order. */
  readonly improvements: readonly Improvement[];
  /** Unicode code points of the texts, counted by the client: the answer has no bill. */
  readonly counted_characters: number;
}

export interface WritingResource {
  /**
   * Improves texts in their own language. Bills their code points.
   * @throws JobFailure `invalid-request` before anything is sent; `unanswered` when the answer was lost;
   * PartialFailure<RephraseResult> when a later one of several requests fails
   */
  rephrase(request: RephraseRequest, options?: CallOptions): Promise<RephraseResult>;
}

const OPERATION = 'POST /v2/write/rephrase';
const MAX_TEXTS = 50;
export const MAX_REPHRASE_BYTES = 10_240;

const readAnswer = jsonAnswer(z.object({ improvements: z.array(Improvement) }));

export function writingResource(ask: Ask): WritingResource {
  return {
    async rephrase(request, options) {
      const batches = rephraseBatches(request);
      return eachPart(batches, { ask: (batch) => askOnce(ask, batch, options), join });
    },
  };
}

interface RephraseBatch extends RephraseRequest {
  readonly text: readonly string[];
}

function rephraseBatches(request: RephraseRequest): readonly RephraseBatch[] {
  requireShape(request, { operation: OPERATION, shape: REPHRASE_SHAPE });
  const text = typeof request.text === 'string' ? [request.text] : request.text;
  requireConstraints({ ...request, text }, { operation: OPERATION, constraints: REPHRASE_RULES });
  // There is one comma less than texts.
  const rest = Buffer.byteLength(JSON.stringify({ ...request, text: [] })) - 1;
  const limits = { texts: MAX_TEXTS, bytes: MAX_REPHRASE_BYTES - rest };
  return inParts(text, limits, OPERATION).map((part) => ({ ...request, text: part }));
}

function askOnce(
  ask: Ask,
  batch: RephraseBatch,
  options: CallOptions | undefined,
): Promise<RephraseResult> {
  return ask(
    {
      operation: OPERATION,
      traffic: 'paid',
      repeat: 'once',
      json: batch,
      async read(answer) {
        const { improvements } = await readAnswer(answer);
        if (improvements.length !== batch.text.length) {
          const counts = `${improvements.length} improvements for ${batch.text.length} texts`;
          throw badAnswer(answer, counts);
        }
        return { improvements, counted_characters: totalCodePoints(batch.text) };
      },
    },
    options,
  );
}

function join(a: RephraseResult, b: RephraseResult): RephraseResult {
  return {
    improvements: [...a.improvements, ...b.improvements],
    counted_characters: a.counted_characters + b.counted_characters,
  };
}

const REPHRASE_RULES: readonly Constraint<RephraseBatch>[] = [
  {
    parameter: 'text',
    rule: 'must hold at least one text',
    holds: ({ text }) => text.length >= 1,
  },
  {
    parameter: 'tone',
    rule: 'cannot be sent together with writing_style',
    holds: ({ tone, writing_style }) => tone === undefined || writing_style === undefined,
  },
];
