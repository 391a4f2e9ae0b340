/**
 * What the API document says about a translation request that can be known before it is sent. Which language has which
 * feature is not among it: the service learns languages, and tells by itself (`GET /v3/languages`).
 */
import { JobFailure } from '../failure.ts';
import { inParts } from './parts.ts';
import { codePoints, isLanguage, type Rule, requireRules } from './rule.ts';
import { requireShape } from './shape.ts';
import {
  type Dialect,
  encodedSize,
  TRANSLATE_SHAPE,
  type TranslateBatch,
  type TranslateRequest,
} from './text-request.ts';

const MAX_TEXTS = 50;
const MAX_TRANSLATE_BYTES = 131_072;
const MAX_INSTRUCTIONS = 10;
const MAX_INSTRUCTION_CHARACTERS = 300;
const OPERATION = 'POST /v2/translate';

/**
 * The request as the service takes it: several where it is more than one may hold.
 * @throws JobFailure `invalid-request` that names the first parameter at fault and its rule; `too-large` when there is no
 * room for any text beside the other fields
 */
export function translateBatches(
  request: TranslateRequest,
  dialect: Dialect,
): readonly TranslateBatch[] {
  requireShape(request, { operation: OPERATION, shape: TRANSLATE_SHAPE });
  const text = typeof request.text === 'string' ? [request.text] : request.text;
  requireRules({ ...request, text }, { operation: OPERATION, rules: TRANSLATE_RULES });
  // One comma less than texts.
  const bytes = MAX_TRANSLATE_BYTES + 1 - encodedSize({ ...request, text: [] }, dialect);
  if (bytes <= 0) throw tooLarge(MAX_TRANSLATE_BYTES + 1 - bytes);
  const parts = inParts(text, { texts: MAX_TEXTS, bytes }, OPERATION);
  return parts.map((part) => ({ ...request, text: part }));
}

function tooLarge(size: number): JobFailure {
  const message = `the body has ${size} bytes without its texts, the limit is ${MAX_TRANSLATE_BYTES}`;
  return new JobFailure({ kind: 'too-large', operation: OPERATION, message });
}

const TRANSLATE_RULES: readonly Rule<TranslateBatch>[] = [
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
      custom_instructions.every((text) => codePoints([text]) <= MAX_INSTRUCTION_CHARACTERS),
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
