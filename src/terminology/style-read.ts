/** Reads a style list in YAML: name, language, rules of the catalogue and custom instructions. Faults have their place. Pure. */
import * as z from 'zod';
import { type Fault, sortFaults } from '../config/fault.ts';
import { type Report, readShape } from '../config/shape.ts';
import { YamlText } from '../config/yaml-text.ts';
import { didYouMean } from '../routes/suggest.ts';

/** The languages of style lists (docs/design/api.md, "Style rule lists"). */
const STYLE_LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'zh'] as const;

/** Category -> rule -> option. */
export type StyleRules = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Category -> rule -> its options. */
export type Catalogue = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Names as in the API; the file and the service use the same. */
export interface StyleContent {
  readonly name: string;
  readonly language: string;
  readonly configured_rules: StyleRules;
  readonly custom_instructions: readonly StyleInstruction[];
}

export interface StyleInstruction {
  readonly label: string;
  readonly prompt: string;
  readonly source_language?: string;
}

export interface ReadStyle {
  /** Undefined when there are faults. */
  readonly content: StyleContent | undefined;
  readonly faults: readonly Fault[];
  /** Rules that the catalogue does not have; the service may accept them. */
  readonly warnings: readonly Fault[];
}

// docs/design/api.md, "Limits".
const Name = limited(1024);
const Instruction = z.strictObject({
  label: limited(100),
  prompt: limited(300),
  source_language: z.string().optional(),
});
const StyleSettings = z.strictObject({
  name: Name,
  language: z.enum(STYLE_LANGUAGES),
  configured_rules: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  custom_instructions: z.array(Instruction).max(200, 'at most 200 instructions').default([]),
});

/** Parses a style list. Never throws for its content: it returns faults. */
export function readStyle(text: string, file: string, catalogue: Catalogue): ReadStyle {
  const yaml = new YamlText(text, { file, rewrite: (value) => value });
  if (yaml.data === undefined || yaml.data === null) {
    const faults = yaml.faults.length > 0 ? yaml.faults : [yaml.fault([], 'the file is empty')];
    return { content: undefined, faults, warnings: [] };
  }
  const faults = [...yaml.faults];
  const report: Report = (path, message, anchor) =>
    void faults.push(yaml.fault(path, message, anchor));
  const settings = readShape(StyleSettings, { data: yaml.data, report });
  const warnings = settings === undefined ? [] : strangeRules(settings, yaml, catalogue);
  const content = settings === undefined || faults.length > 0 ? undefined : contentOf(settings);
  return { content, faults: sortFaults(faults), warnings };
}

function limited(characters: number) {
  return z
    .string()
    .min(1, 'must not be empty')
    .refine((text) => [...text].length <= characters, `has more than ${characters} characters`);
}

function contentOf({ custom_instructions, ...rest }: z.output<typeof StyleSettings>): StyleContent {
  const instructions = custom_instructions.map(({ source_language, ...instruction }) =>
    source_language === undefined ? instruction : { ...instruction, source_language },
  );
  return { ...rest, custom_instructions: instructions };
}

function strangeRules(
  { configured_rules }: z.output<typeof StyleSettings>,
  yaml: YamlText,
  catalogue: Catalogue,
): Fault[] {
  const warnings: Fault[] = [];
  const warn = (path: string[], message: string) =>
    warnings.push(yaml.fault(['configured_rules', ...path], message, 'name'));
  for (const [category, rules] of Object.entries(configured_rules)) {
    const known = own(catalogue, category);
    if (known === undefined) {
      warn([category], `unknown category${didYouMean(category, Object.keys(catalogue))}`);
      continue;
    }
    for (const [rule, option] of Object.entries(rules)) {
      const options = own(known, rule);
      if (options === undefined) {
        warn([category, rule], `unknown rule${didYouMean(rule, Object.keys(known))}`);
      } else if (!options.includes(option)) {
        warn([category, rule], `unknown option "${option}"${didYouMean(option, options)}`);
      }
    }
  }
  return warnings;
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
