/** Settings of one route. */
import * as z from 'zod';
import { PolicySettings } from './policy-schema.ts';
import { Count, LanguageCode, PositiveCount, Text } from './values.ts';

const TOKENS =
  'Tokens: {locale} {lang} {region} {locale_underscore} {android} {apple} {dir} {name} {ext} {project}';

const TargetTemplate = Text.meta({ description: `Path of the target. ${TOKENS}` });

const VoiceTemplates = z
  .strictObject({
    transcript: TargetTemplate.optional(),
    subtitles: TargetTemplate.optional(),
    speech: TargetTemplate.optional(),
  })
  .refine((to) => Object.keys(to).length > 0, 'names no output: transcript, subtitles or speech');

const Column = z
  .union([Text, z.int().min(1)], { error: 'expected the name of a column, or its number from 1' })
  .transform(String);

const AttributeName = Text.regex(/^[\w:.-]+$/, 'expected the name of an attribute, such as title');

const FrontMatterKey = Text.regex(
  /^[^.]+(?:\.[^.]+)*$/,
  'expected a key, or keys joined by dots, such as hero.tagline',
);

const KeyPatterns = z.array(Text).default([]);

export const RouteSettings = PolicySettings.omit({ review: true }).extend({
  from: Text.meta({
    description:
      'Pattern of the sources, relative to the root: ** * ? {a,b} [a-z]. {locale} stands for the source language and makes `to` the same pattern in another language',
  }),
  exclude: z.array(Text).default([]).meta({
    description: 'Patterns of paths that the route leaves out, relative to the root',
  }),
  to: z
    .union([TargetTemplate, VoiceTemplates], {
      error: 'expected a path template, or { transcript, subtitles, speech } for voice',
    })
    .optional(),
  embedded_source: z.boolean().default(false).meta({
    description:
      'The files in `from` hold their source texts themselves (PO without a template, Qt, XLIFF): each file is the source and the target of the language in its path',
  }),
  lane: z.enum(['document', 'text', 'subtitle', 'voice']).optional().meta({
    description: 'Overrides the lane of the extension',
  }),
  keys: z
    .strictObject({
      ignore: KeyPatterns.meta({ description: 'Keys that are neither read nor written' }),
      lock: KeyPatterns.meta({ description: 'Keys that keep the text of the source' }),
      max_length: z.record(Text, PositiveCount).default({}).meta({
        description: 'Key pattern -> characters',
      }),
      notes: z.record(Text, Text).default({}).meta({
        description:
          'Key pattern -> what a translator is to know of its texts ("a button, short"): sent as context, which is not billed',
      }),
    })
    .prefault({}),
  columns: z
    .strictObject({
      key: Column.optional(),
      source: Column,
      delimiter: z.string().length(1, 'must be one character').default(','),
      header: z.boolean().default(true),
      targets: z.record(LanguageCode, Column).default({}),
    })
    .optional()
    .meta({ description: 'Layout of a CSV or TSV file' }),
  attributes: z.array(AttributeName).optional().meta({
    description:
      'MDX: attributes of elements that readers see; absent: title, label, alt, placeholder, aria-label',
  }),
  front_matter: z.array(FrontMatterKey).optional().meta({
    description:
      'Markdown and MDX: keys of the front matter that readers see, such as title, hero.tagline, hero.actions.*.text; absent: the usual ones',
  }),
  encoding: Text.optional().meta({
    description: 'Encoding of files that are not Unicode, such as windows-1252',
  }),
  subtitles: z
    .strictObject({
      line_length: PositiveCount.optional().meta({
        description: 'Characters of a line; absent: 42, for ko and zh 16, for ja 13',
      }),
      lines: PositiveCount.default(2).meta({ description: 'Lines of a cue' }),
      cps: z.number().positive().optional().meta({
        description: 'Characters per second above which a cue is reported; absent: 17',
      }),
      sdh: z.enum(['translate', 'keep']).default('translate').meta({
        description: 'Descriptions of sounds, such as [door slams]',
      }),
      group: z.boolean().default(true).meta({
        description: 'Whether a sentence over several cues is translated as one',
      }),
      fallback_encoding: Text.default('windows-1252').meta({
        description: 'Encoding of subtitles that are not Unicode',
      }),
      report: z.boolean().default(false).meta({
        description: 'Writes <target>.report.json beside the target',
      }),
    })
    .prefault({}),
  voice: z
    .strictObject({
      recreate_on_loss: z.boolean().default(false).meta({
        description: 'Whether results that were paid and lost are bought once more without asking',
      }),
      speech_format: z.enum(['wav', 'opus', 'mp3']).default('wav').meta({
        description: 'How speech is packed; opus and mp3 need ffmpeg',
      }),
    })
    .prefault({}),
  approve_over: Count.optional().meta({
    description: 'Sources that would bill more characters wait for approval',
  }),
  pdf_to: z.literal('docx').optional().meta({ description: 'What a PDF becomes' }),
  minify: z.boolean().default(false),
});
export type RouteSettings = z.output<typeof RouteSettings>;
