/** Text translation: `POST /v2/translate` (docs/design/api.md, "Text translation"). */
import * as z from 'zod';
import { JobFailure } from '../failure.ts';
import { badAnswer, jsonAnswer } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { type Constraint, isLanguage, requireConstraints, totalCodePoints } from './constraint.ts';
import type { HttpAnswer } from './http.ts';
import { eachPart, inParts } from './parts.ts';
import { requireShape } from './shape.ts';
import {
  type Dialect,
  encodedSize,
  TRANSLATE_SHAPE,
  type TranslateBatch,
  type TranslateRequest,
  translateBody,
} from './text-request.ts';

export type { TranslateBatch, TranslateRequest } from './text-request.ts';

export interface Translation {
  /** May be empty for a non-empty text: this happens, and the caller must treat it as a failure (docs/design/api.md, "What is not documented"). */
  readonly text: string;
  readonly detected_source_language: string;
}

export interface TranslateResult {
  /** One for each text, in order. */
  readonly translations: readonly Translation[];
  /** Unicode code points that the service billed for the whole request; if it did not say so, those of the texts. */
  readonly billed_characters: number;
  /** False when the answer had no bill and `billed_characters` is the client's own count. */
  readonly billed_by_service: boolean;
  /** Present when `model_type` was asked for. */
  readonly model_type_used?: string;
}

export interface TextResource {
  /**
   * Translates. Bills the code points of all texts, also when source and target language are the same (rule 6). More texts than one request
   * may hold are sent in several, one after another.
   * @throws JobFailure `invalid-request` or `too-large` before anything is sent. `unanswered` when the answer was lost: it may have been
   * billed, and asking again may bill again. `PartialFailure<TranslateResult>` when a later request fails
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

const readAnswer = jsonAnswer(Answer);

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
    billed_characters: billed ?? totalCodePoints(text),
    billed_by_service: billed !== undefined,
    ...(model === undefined ? {} : { model_type_used: model }),
  };
}

/** Deployments write the bill into each element. If the answer also has a bill for all elements, only that one counts. */
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

/**
 * The rules of a translation request that can be checked before it is sent (docs/design/api.md, "Translation rules"). Whether a language
 * has a feature is not checked: the service gets new languages, and lists them itself (`GET /v3/languages`).
 */
const MAX_TEXTS = 50;
const MAX_TRANSLATE_BYTES = 131_072;
const MAX_INSTRUCTIONS = 10;
const MAX_INSTRUCTION_CHARACTERS = 300;
const OPERATION = 'POST /v2/translate';

/**
 * The request as the service accepts it: as several requests if it is more than one may hold.
 * @throws JobFailure `invalid-request` that names the first wrong parameter and its rule; `too-large` when the other fields leave no space
 * for a text
 */
export function translateBatches(
  request: TranslateRequest,
  dialect: Dialect,
): readonly TranslateBatch[] {
  requireShape(request, { operation: OPERATION, shape: TRANSLATE_SHAPE });
  const text = typeof request.text === 'string' ? [request.text] : request.text;
  requireConstraints({ ...request, text }, { operation: OPERATION, constraints: TRANSLATE_RULES });
  // There is one comma less than texts.
  const bytes = MAX_TRANSLATE_BYTES + 1 - encodedSize({ ...request, text: [] }, dialect);
  if (bytes <= 0) throw tooLarge(MAX_TRANSLATE_BYTES + 1 - bytes);
  const parts = inParts(text, { texts: MAX_TEXTS, bytes }, OPERATION);
  return parts.map((part) => ({ ...request, text: part }));
}

function tooLarge(size: number): JobFailure {
  const message = `the body has ${size} bytes without its texts, the limit is ${MAX_TRANSLATE_BYTES}`;
  return new JobFailure({ kind: 'too-large', operation: OPERATION, message });
}

const TRANSLATE_RULES: readonly Constraint<TranslateBatch>[] = [
  {
    parameter: 'text',
    rule: 'must hold at least one text',
    holds: ({ text }) => text.length >= 1,
  },
  {
    parameter: 'target_lang',
    rule: 'must be a language code',
    holds: ({ target_lang }) => isLanguage(target_lang),
  },
  {
    parameter: 'source_lang',
    rule: 'must be a language code, or absent to have it detected',
    holds: ({ source_lang }) => source_lang === undefined || isLanguage(source_lang),
  },
  {
    parameter: 'tag_handling_version',
    rule: 'v2 implies quality_optimized, so model_type cannot be latency_optimized (rule 3)',
    holds: (request) => !isFast(request) || request.tag_handling_version !== 'v2',
  },
  ...(['style_id', 'custom_instructions', 'translation_memory_id'] as const).map((parameter) => ({
    parameter,
    rule: 'uses quality_optimized, so model_type cannot be latency_optimized (rule 4)',
    holds: (request: TranslateBatch) => !isFast(request) || request[parameter] === undefined,
  })),
  {
    parameter: 'glossary_id',
    rule: 'needs source_lang: glossaries cannot be used with detection (rule 7)',
    holds: ({ glossary_id, source_lang }) => glossary_id === undefined || source_lang !== undefined,
  },
  {
    parameter: 'custom_instructions',
    rule: `may hold at most ${MAX_INSTRUCTIONS} instructions of at most ${MAX_INSTRUCTION_CHARACTERS} characters`,
    holds: ({ custom_instructions = [] }) =>
      custom_instructions.length <= MAX_INSTRUCTIONS &&
      custom_instructions.every((text) => totalCodePoints([text]) <= MAX_INSTRUCTION_CHARACTERS),
  },
  {
    parameter: 'translation_memory_threshold',
    rule: 'must be a whole percentage from 0 to 100',
    holds: ({ translation_memory_threshold: percent }) =>
      percent === undefined || (Number.isInteger(percent) && percent >= 0 && percent <= 100),
  },
];

function isFast({ model_type }: TranslateBatch): boolean {
  return model_type === 'latency_optimized';
}
