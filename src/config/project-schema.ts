/** Settings of one project. */
import * as z from 'zod';
import { BudgetSettings, PolicySettings } from './policy-schema.ts';
import { RouteSettings } from './route-schema.ts';
import { LanguageCode, Text } from './values.ts';

const CODE_POINTS = 300;

/** At most 10 of at most 300 characters (docs/design/api.md, "custom_instructions on translate"). */
const CustomInstructions = z
  .array(
    Text.refine(
      (text) => [...text].length <= CODE_POINTS,
      `an instruction has at most ${CODE_POINTS} characters`,
    ),
  )
  .max(10, 'at most 10 instructions');

const WritingStyle = withPreference(['simple', 'business', 'academic', 'casual']);
const Tone = withPreference(['enthusiastic', 'friendly', 'confident', 'diplomatic']);

function withPreference(names: readonly string[]) {
  return z.enum(['default', ...names, ...names.map((name) => `prefer_${name}`)]);
}

const ImproveSettings = z.union(
  [z.strictObject({ writing_style: WritingStyle }), z.strictObject({ tone: Tone })],
  { error: 'expected { writing_style: … } or { tone: … }; the service takes only one of them' },
);

const GlossarySettings = z.union(
  [
    z.strictObject({ id: Text.meta({ description: 'A glossary that others look after' }) }),
    z.strictObject({
      name: Text.refine(
        (name) => new TextEncoder().encode(name).length <= 1024,
        'a name has at most 1024 bytes',
      ),
      csv: Text.meta({
        description:
          'CSV file relative to the folder of this config; may hold {source} and {locale}',
      }),
      mode: z.enum(['mirror', 'merge', 'check']).default('mirror').meta({
        description: 'mirror: the file is the truth; merge: only add; check: only report',
      }),
    }),
  ],
  { error: 'expected { name: …, csv: … } or { id: … }' },
);

const StyleSettings = z.union([Text, z.strictObject({ id: Text })], {
  error: 'expected a YAML file, or { id: … }',
});

/** A project without its routes, which are read by themselves. */
export const ProjectHead = PolicySettings.extend({
  root: Text.default('.').meta({ description: 'Folder that the paths of the routes start from' }),
  source: LanguageCode.meta({ description: 'Language of the sources, or auto' }),
  detect: z.boolean().default(false).meta({
    description: 'With source: auto, asks the detection endpoint before translating',
  }),
  targets: z.array(LanguageCode).min(1, 'names no language'),
  locales: z
    .record(
      LanguageCode,
      z.strictObject({
        file: Text.optional().meta({ description: 'How {locale} is spelled in paths' }),
        api: Text.optional().meta({ description: 'How the API wants to hear it' }),
      }),
    )
    .default({})
    .meta({ description: 'How files and the API spell a language, where it differs' }),
  budget: BudgetSettings.optional(),
  formality: z.enum(['default', 'more', 'less', 'prefer_more', 'prefer_less']).optional(),
  model: z
    .enum(['latency_optimized', 'quality_optimized', 'prefer_quality_optimized'])
    .optional()
    .meta({ description: 'latency_optimized needs a source language: with auto it has no effect' }),
  context: Text.optional().meta({
    description:
      'Said to the translator with every text, in the source language; not translated and not billed',
  }),
  custom_instructions: CustomInstructions.default([]),
  translation_memory: z
    .strictObject({
      id: Text,
      threshold: z.int().min(0).max(100).optional().meta({
        description: 'Least match in percent; 75 or more is recommended',
      }),
    })
    .optional(),
  tag_handling_version: z.enum(['v1', 'v2']).optional(),
  improve: ImproveSettings.optional().meta({
    description:
      'Improves the texts of the sources before they are translated, and sets the manner in which variants are converted',
  }),
  glossary: GlossarySettings.optional(),
  style: z
    .record(Text, StyleSettings)
    .optional()
    .meta({ description: 'Language -> style file, or { id: … } of a list' }),
});
export type ProjectHead = z.output<typeof ProjectHead>;

export const ProjectSettings = ProjectHead.extend({
  routes: z.array(RouteSettings).min(1, 'names no route'),
});
