/** Text translation: `POST /v2/translate` (API document, "Text translation request fields" and "Text translation response"). */
import * as z from 'zod';
import { badAnswer, jsonOf } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import type { HttpAnswer } from './http.ts';
import { eachPart } from './parts.ts';
import { codePoints } from './rule.ts';
import {
  type Dialect,
  type TranslateBatch,
  type TranslateRequest,
  translateBody,
} from './text-request.ts';
import { translateBatches } from './text-rules.ts';

export type { TranslateBatch, TranslateRequest } from './text-request.ts';

export interface Translation {
  /** May be empty for a non-empty text: that happens, and is a failure for whoever asked (docs/design/api.md). */
  readonly text: string;
  readonly detected_source_language: string;
}

export interface TranslateResult {
  /** In the order of `text`, one for each. */
  readonly translations: readonly Translation[];
  /** Unicode code points that the service billed for the whole request; when it did not say, those of the texts. */
  readonly billed_characters: number;
  /** False when the answer carried no bill and `billed_characters` is our own count. */
  readonly billed_by_service: boolean;
  /** Present when `model_type` was asked for. */
  readonly model_type_used?: string;
}

export interface TextResource {
  /**
   * Translates. Bills the code points of all texts, also when source and target language are the same (rule 6).
   * More texts than one request may hold are sent in several, one after another.
   * @throws JobFailure `invalid-request` or `too-large` before anything is sent; `unanswered` when the answer was lost:
   * it may have been billed, and asking again may bill again; PartialFailure<TranslateResult> when a later request fails
   */
  translate(request: TranslateRequest, options?: CallOptions): Promise<TranslateResult>;
}

const Answer = z.object({
  translations: z.array(
    z.object({
      detected_source_language: z.string(),
      text: z.string(),
      billed_characters: z.int().nonnegative().optional(),
      model_type_used: z.string().optional(),
    }),
  ),
  billed_characters: z.int().nonnegative().optional(),
  model_type_used: z.string().optional(),
});

const readAnswer = jsonOf(Answer);

export function textResource(ask: Ask, dialect: Dialect): TextResource {
  return {
    async translate(request, options) {
      const batches = translateBatches(request, dialect);
      return eachPart(batches, { ask: (batch) => askOnce(ask, batch, { dialect, options }), join });
    },
  };
}

function askOnce(
  ask: Ask,
  batch: TranslateBatch,
  { dialect, options }: { dialect: Dialect; options: CallOptions | undefined },
): Promise<TranslateResult> {
  const read = (answer: HttpAnswer) => readTranslations(answer, batch);
  return ask({ ...TRANSLATE, json: translateBody(batch, dialect), read }, options);
}

const TRANSLATE = { operation: 'POST /v2/translate', traffic: 'paid', repeat: 'once' } as const;

function join(a: TranslateResult, b: TranslateResult): TranslateResult {
  return {
    ...a,
    translations: [...a.translations, ...b.translations],
    billed_characters: a.billed_characters + b.billed_characters,
    billed_by_service: a.billed_by_service && b.billed_by_service,
  };
}

async function readTranslations(
  answer: HttpAnswer,
  { text }: TranslateBatch,
): Promise<TranslateResult> {
  const { translations, ...whole } = await readAnswer(answer);
  if (translations.length !== text.length) {
    throw badAnswer(answer, `${translations.length} translations for ${text.length} texts`);
  }
  const billed = whole.billed_characters ?? billOfElements(translations);
  const model = whole.model_type_used ?? translations[0]?.model_type_used;
  return {
    translations: translations.map(({ text, detected_source_language }) => ({
      text,
      detected_source_language,
    })),
    billed_characters: billed ?? codePoints(text),
    billed_by_service: billed !== undefined,
    ...(model === undefined ? {} : { model_type_used: model }),
  };
}

/** Deployments write the bill into each element; where it also stands beside them, that one is taken, and only once. */
function billOfElements(
  translations: readonly { readonly billed_characters?: number | undefined }[],
): number | undefined {
  let sum = 0;
  for (const { billed_characters } of translations) {
    if (billed_characters === undefined) return undefined;
    sum += billed_characters;
  }
  return sum;
}
