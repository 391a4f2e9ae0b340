/** Limits of style rule lists that are checked before sending (docs/design/api.md, "Limits" and "Style rule lists"). */
import * as z from 'zod';
import { type Constraint, isLanguage, totalCodePoints } from './constraint.ts';

/** Category to rule to chosen option; the service decides which options fit which language. */
export type ConfiguredRules = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface InstructionInput {
  /** 1 to 100 characters. */
  readonly label: string;
  /** 1 to 300 characters. */
  readonly prompt: string;
  readonly source_language?: string | undefined;
}

export interface StyleInput {
  /** 1 to 1024 characters. */
  readonly name: string;
  /** Target language: de, en, es, fr, it, ja, ko or zh. */
  readonly language: string;
  readonly configured_rules?: ConfiguredRules | undefined;
  /** At most 200. */
  readonly custom_instructions?: readonly InstructionInput[] | undefined;
}

export const INSTRUCTION_SHAPE = z.looseObject({
  label: z.string(),
  prompt: z.string(),
  source_language: z.string().optional(),
});
export const RULES_SHAPE = z.record(z.string(), z.record(z.string(), z.string()));
export const STYLE_SHAPE = z.looseObject({
  name: z.string(),
  language: z.string(),
  configured_rules: RULES_SHAPE.optional(),
  custom_instructions: z.array(INSTRUCTION_SHAPE).optional(),
});

const STYLE_LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'zh'];
const MAX_NAME = 1024;
const MAX_INSTRUCTIONS = 200;
const MAX_LABEL = 100;
const MAX_PROMPT = 300;

export const STYLE_NAME_RULE: Constraint<{ readonly name: string }> = {
  parameter: 'name',
  rule: `must have 1 to ${MAX_NAME} characters`,
  holds: ({ name }) => fits(name, MAX_NAME),
};

export const INSTRUCTION_RULES: readonly Constraint<InstructionInput>[] = [
  {
    parameter: 'label',
    rule: `must have 1 to ${MAX_LABEL} characters`,
    holds: ({ label }) => fits(label, MAX_LABEL),
  },
  {
    parameter: 'prompt',
    rule: `must have 1 to ${MAX_PROMPT} characters`,
    holds: ({ prompt }) => fits(prompt, MAX_PROMPT),
  },
  {
    parameter: 'source_language',
    rule: 'must be a language code, or absent',
    holds: ({ source_language: code }) => code === undefined || isLanguage(code),
  },
];

export const STYLE_RULES: readonly Constraint<StyleInput>[] = [
  STYLE_NAME_RULE,
  {
    parameter: 'language',
    rule: `must be one of ${STYLE_LANGUAGES.join(', ')}`,
    holds: ({ language }) => STYLE_LANGUAGES.includes(language.toLowerCase()),
  },
  {
    parameter: 'custom_instructions',
    rule: `may hold at most ${MAX_INSTRUCTIONS} instructions`,
    holds: ({ custom_instructions = [] }) => custom_instructions.length <= MAX_INSTRUCTIONS,
  },
  ...INSTRUCTION_RULES.map(({ parameter, rule, holds }) => ({
    parameter: `custom_instructions.${parameter}`,
    rule,
    holds: ({ custom_instructions = [] }: StyleInput) => custom_instructions.every(holds),
  })),
];

function fits(text: string, maxCharacters: number): boolean {
  return text !== '' && totalCodePoints([text]) <= maxCharacters;
}
