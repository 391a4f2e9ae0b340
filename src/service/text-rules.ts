/**
 * What the API document says about a translation request that can be known before it is sent. Which language has which
 * feature is not among it: the service learns languages, and tells by itself (`GET /v3/languages`).
 */
import { JobFailure } from '../failure.ts';
import { codePoints, isLanguage, type Rule, requireRules } from './rule.ts';
import { type Dialect, encodedSize, type TranslateRequest } from './text-request.ts';

export const MAX_TEXTS = 50;
export const MAX_TRANSLATE_BYTES = 131_072;
const MAX_INSTRUCTIONS = 10;
const MAX_INSTRUCTION_CHARACTERS = 300;
const OPERATION = 'POST /v2/translate';

/**
 * @throws JobFailure `invalid-request` that names the first parameter at fault and its rule; `too-large` when the body
 * has more than 128 KiB, as the service's own 413 would be
 */
export function checkTranslate(request: TranslateRequest, dialect: Dialect): void {
  requireRules(request, { operation: OPERATION, rules: TRANSLATE_RULES });
  const size = encodedSize(request, dialect);
  if (size <= MAX_TRANSLATE_BYTES) return;
  throw new JobFailure({
    kind: 'too-large',
    operation: OPERATION,
    message: `the body has ${size} bytes, the limit is ${MAX_TRANSLATE_BYTES}`,
  });
}

const TRANSLATE_RULES: readonly Rule<TranslateRequest>[] = [
  {
    parameter: 'text',
    rule: `must hold 1 to ${MAX_TEXTS} texts`,
    holds: ({ text }) => text.length >= 1 && text.length <= MAX_TEXTS,
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
    holds: (request: TranslateRequest) => !isFast(request) || request[parameter] === undefined,
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

function isFast({ model_type }: TranslateRequest): boolean {
  return model_type === 'latency_optimized';
}
