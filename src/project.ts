/** The settings of a project and its routes: the schemas of the file, and the types that the program works with. */
import * as z from 'zod';
import { LANES } from './job.ts';
import type { LanguageTag } from './language.ts';
import { Count, group, LanguageCode, PositiveCount, Text } from './setting.ts';

const Check = z.enum(['hold', 'warn', 'off']);

const policies = {
  settle_ms: Count.optional().meta({
    description: 'Milliseconds that a file must stop changing before it costs money',
  }),
  existing: z.enum(['adopt', 'overwrite']).optional().meta({
    description: 'What happens to translations that exist before the first run',
  }),
  human_edits: z.enum(['conflict', 'keep', 'overwrite']).optional().meta({
    description: 'What happens to a translation that a person edited, when its source changes',
  }),
  deleted_source: z.enum(['trash', 'keep', 'delete']).optional().meta({
    description: 'What happens to the targets of a source that was deleted',
  }),
  retranslate_on: z
    .array(z.enum(['source', 'glossary', 'style', 'options', 'notes']))
    .transform((changes) => new Set(changes) as ReadonlySet<(typeof changes)[number]>)
    .optional()
    .meta({ description: 'Changes that buy a translation again' }),
  checks: group({
    placeholders: Check.optional().meta({
      description: 'A placeholder of the source is missing, or there is one more',
    }),
    tags: Check.optional().meta({ description: 'A tag of the source is missing or misplaced' }),
    length: Check.optional().meta({ description: 'The text is longer than keys.max_length' }),
    untranslated: Check.optional().meta({
      description: 'A sentence of four words or more equals its source',
    }),
    unreviewed: Check.optional().meta({
      description: 'Texts that wait for a reviewer: hold ends check and once with 2, warn says so',
    }),
  })
    .optional()
    .meta({ description: 'What happens to a text that fails a check before it is written' }),
  review: group({
    want: z
      .array(z.enum(['machine', 'adopted', 'human']))
      .transform((origins) => new Set(origins) as ReadonlySet<(typeof origins)[number]>)
      .optional()
      .meta({ description: 'Texts by these authors wait until a reviewer has looked at them' }),
    languages: z
      .array(LanguageCode)
      .optional()
      .meta({ description: 'Only in these languages; all when absent' }),
  })
    .optional()
    .meta({ description: 'Which translations a person is to look at; needs "lock"' }),
};
export const PolicySettings = group(policies);
export type PolicySettings = z.output<typeof PolicySettings>;

type Checks = NonNullable<PolicySettings['checks']>;

/** An input of a translation beside its source, whose change may buy it again. */
export type ChangedInput = Exclude<
  NonNullable<PolicySettings['retranslateOn']> extends ReadonlySet<infer Name> ? Name : never,
  'source'
>;

/** The policies of a project or a route. A setting that it lacks comes from the project, then from `defaults`, then from the program. */
export interface Policies extends Required<Omit<PolicySettings, 'checks' | 'review'>> {
  /** Lanes with large files wait at least 10 s for a file to stop changing, unless `settle_ms` is given. */
  readonly settleIsExplicit: boolean;
  readonly checks: Required<Omit<Checks, 'unreviewed'>>;
  readonly review: ReviewPolicy;
}

/** Which texts a person should look at. */
export interface ReviewPolicy {
  /** Texts by these authors; empty: only texts that a person marks. */
  readonly want: NonNullable<NonNullable<PolicySettings['review']>['want']>;
  /** Absent: all languages. */
  readonly languages?: readonly LanguageTag[];
  /** How a run or a check ends that leaves texts unreviewed. */
  readonly unreviewed: NonNullable<Checks['unreviewed']>;
}

const BUDGET = {
  month: Count.optional().meta({ description: 'Characters in a billing period' }),
  run: Count.optional().meta({ description: 'Characters from idle to idle' }),
  file: Count.optional().meta({ description: 'Characters for one source over all languages' }),
  voice_minutes: Count.optional().meta({ description: 'Minutes of audio in a billing period' }),
  on_exceed: z.enum(['hold', 'warn']).optional().meta({
    description:
      'hold: what is over the budget waits for dragoman approve; warn: it is only reported',
  }),
};
const BUDGET_MEANING = {
  description: 'What may be billed, in characters (Unicode code points)',
};
const ProjectBudgetSettings = group(BUDGET).meta(BUDGET_MEANING);
export const BudgetSettings = group({
  ...BUDGET,
  runner: Count.optional().meta({
    description:
      'Characters in a billing period of everybody who uses the same login of the database that "state.url" names',
  }),
}).meta(BUDGET_MEANING);
export type BudgetSettings = z.output<typeof BudgetSettings>;

/** Absent = no limit. */
export type Budget = BudgetSettings & Required<Pick<BudgetSettings, 'onExceed'>>;

const TOKEN_LIST =
  'Tokens: {locale} {lang} {region} {locale_underscore} {android} {apple} {dir} {name} {ext} {project}';

const TargetTemplate = Text.meta({
  description: `Path of the target. ${TOKEN_LIST}`,
  examples: [
    '{dir}/{name}.{locale}.{ext}',
    'docs/{locale}/{dir}/{name}.{ext}',
    'app/src/main/res/values-{android}/{name}.{ext}',
    '{apple}.lproj/{name}.{ext}',
    'po/{locale_underscore}.po',
  ],
});

const VoiceTemplates = group({
  transcript: TargetTemplate.optional(),
  subtitles: TargetTemplate.optional(),
  speech: TargetTemplate.optional(),
}).refine((to) => Object.keys(to).length > 0, 'names no output: transcript, subtitles or speech');

const Column = z
  .union([Text, z.int().min(1)], { error: 'expected the name of a column, or its number from 1' })
  .transform(String);

const AttributeName = Text.regex(/^[\w:.-]+$/, 'expected the name of an attribute, such as title');

const FrontMatterKey = Text.regex(
  /^[^.]+(?:\.[^.]+)*$/,
  'expected a key, or keys joined by dots, such as hero.tagline',
);

const KeyPatterns = z.array(Text).default([]);

const { review: _, ...routePolicies } = policies;

const patternsTo = <Value>(record: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> =>
  new Map(Object.entries(record));

export const RouteSettings = group({
  ...routePolicies,
  from: Text.meta({
    description:
      'Pattern of the sources, relative to the root: ** * ? {a,b} [a-z]. {locale} stands for the source language and makes `to` the same pattern in another language',
    examples: [
      'locales/{locale}/**/*.json',
      'config/locales/**/{locale}.yml',
      'app/src/main/res/values/strings.xml',
      '{apple}.lproj/*.strings',
      'lib/l10n/app_{locale_underscore}.arb',
      'po/app.pot',
      'lang/{locale}/**/*.php',
      'docs/**/*.{md,mdx}',
    ],
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
  lane: z.enum(LANES).optional().meta({
    description: 'Overrides the lane of the extension',
  }),
  keys: group({
    ignore: KeyPatterns.meta({ description: 'Keys that are neither read nor written' }),
    lock: KeyPatterns.meta({ description: 'Keys that keep the text of the source' }),
    max_length: z.record(Text, PositiveCount).default({}).transform(patternsTo).meta({
      description: 'Key pattern -> characters',
    }),
    notes: z.record(Text, Text).default({}).transform(patternsTo).meta({
      description:
        'Key pattern -> what a translator must know about its texts ("a button, short"): sent as context, which is not billed',
    }),
  }).prefault({}),
  columns: group({
    key: Column.optional().meta({
      description: 'Column of the keys: its name, or its number from 1',
    }),
    source: Column.meta({ description: 'Column of the source texts' }),
    delimiter: z.string().length(1, 'must be one character').default(',').meta({
      description: 'Character between two columns',
    }),
    header: z.boolean().default(true).meta({ description: 'Whether line 1 names the columns' }),
    targets: z.record(LanguageCode, Column).default({}).meta({
      description: 'Language -> its column, where one file holds all languages',
    }),
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
  subtitles: group({
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
  }).prefault({}),
  voice: group({
    recreate_on_loss: z.boolean().default(false).meta({
      description: 'Whether results that were paid and lost are bought once more without asking',
    }),
    speech_format: z.enum(['wav', 'opus', 'mp3']).default('wav').meta({
      description: 'How speech is packed; opus and mp3 need ffmpeg',
    }),
  }).prefault({}),
  approve_over: Count.optional().meta({
    description: 'Sources that would bill more characters wait for approval',
  }),
  pdf_to: z.literal('docx').optional().meta({ description: 'What a PDF becomes' }),
  minify: z.boolean().default(false),
});
export type RouteSettings = z.output<typeof RouteSettings>;

export type SubtitleSettings = RouteSettings['subtitles'];

/** The layout of a CSV or TSV file. A column is a name of the header, or a 1-based number. */
export type Columns = Omit<NonNullable<RouteSettings['columns']>, 'targets'> & {
  /** Language -> column. */
  readonly targets: ReadonlyMap<LanguageTag, string>;
};

export interface Route extends Omit<RouteSettings, keyof PolicySettings | 'columns'> {
  /** Index in the project's list, for messages. */
  readonly index: number;
  /** The line of the route in the config file. */
  readonly line: number;
  readonly column: number;
  readonly columns?: Columns;
  /** Overrides the project's policies where the route sets them. */
  readonly policies: Policies;
}

const CODE_POINTS = 300;

/** At most 10 of at most 300 characters (docs/design/api.md, "What is not documented"). */
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

const ImproveSettings = z.union([group({ writing_style: WritingStyle }), group({ tone: Tone })], {
  error: 'expected { writing_style: … } or { tone: … }; the service takes only one of them',
});

const GlossarySettings = z.union(
  [
    group({
      id: Text.meta({
        description: 'Id of a glossary on the service; dragoman uses it and never changes it',
      }),
    }),
    group({
      name: Text.refine(
        (name) => new TextEncoder().encode(name).length <= 1024,
        'a name has at most 1024 bytes',
      ).meta({
        description:
          'Name of the glossary on the service; dragoman creates it if it does not exist',
      }),
      csv: Text.meta({
        description:
          'CSV file relative to the folder of this config; may hold {source} and {locale}',
        examples: ['glossary.csv', 'l10n/{source}-{locale}.csv'],
      }),
      mode: z.enum(['mirror', 'merge', 'check']).default('mirror').meta({
        description: 'mirror: the file is the truth; merge: only add; check: only report',
      }),
    }),
  ],
  { error: 'expected { name: …, csv: … } or { id: … }' },
);

const StyleSettings = z.union([Text, group({ id: Text })], {
  error: 'expected a YAML file, or { id: … }',
});

/** A project without its routes, which are read separately. */
const head = {
  ...policies,
  root: Text.default('.').meta({ description: 'Folder that the paths of the routes start from' }),
  source: LanguageCode.meta({ description: 'Language of the sources, or auto' }),
  detect: z.boolean().default(false).meta({
    description:
      'With source: auto, asks the service for the language of each source before it is translated',
  }),
  targets: z
    .array(LanguageCode)
    .min(1, 'names no language')
    .meta({ description: 'Languages to translate into' }),
  locales: z
    .record(
      LanguageCode,
      group({
        file: Text.optional().meta({ description: 'How {locale} is spelled in paths' }),
        api: Text.optional().meta({ description: 'How the API spells it' }),
      }),
    )
    .prefault({})
    .meta({ description: 'How files and the API spell a language, where it differs' }),
  budget: ProjectBudgetSettings.optional(),
  formality: z.enum(['default', 'more', 'less', 'prefer_more', 'prefer_less']).optional().meta({
    description:
      'a language without formality fails by name with more and less; prefer_more and prefer_less are ignored for it',
  }),
  model: z
    .enum(['latency_optimized', 'quality_optimized', 'prefer_quality_optimized'])
    .optional()
    .meta({ description: 'latency_optimized needs a source language: with auto it has no effect' }),
  context: Text.optional().meta({
    description:
      'Sent with every text, in the source language, to explain it; not translated and not billed',
  }),
  custom_instructions: CustomInstructions.default([]).meta({
    description: 'Sentences that tell the service how to translate, such as "Use short sentences"',
  }),
  translation_memory: group({
    id: Text.meta({ description: 'Id of a translation memory: dragoman memory list --service' }),
    threshold: z.int().min(0).max(100).optional().meta({
      description: 'Least match in percent; 75 or more is recommended',
    }),
  })
    .optional()
    .meta({ description: 'A translation memory of the service, in which texts are looked up' }),
  tag_handling_version: z.enum(['v1', 'v2']).optional(),
  improve: ImproveSettings.optional().meta({
    description:
      'Improves the texts of the sources before they are translated; its style or tone is also used to convert between variants of a language',
  }),
  glossary: GlossarySettings.optional().meta({
    description:
      'Terms and their translations: a CSV file of the repository, or one on the service',
  }),
  style: z
    .record(LanguageCode, StyleSettings)
    .optional()
    .meta({ description: 'Language -> style file, or { id: … } of a list' }),
};
export const ProjectHead = group(head);
export type ProjectHead = z.output<typeof ProjectHead>;

export const ProjectSettings = group({
  ...head,
  routes: z.array(RouteSettings).min(1, 'names no route'),
});

/** The settings of a project that every translation request gets. */
export interface Rules
  extends Pick<
    ProjectHead,
    | 'formality'
    | 'model'
    | 'context'
    | 'customInstructions'
    | 'translationMemory'
    | 'tagHandlingVersion'
    | 'glossary'
  > {
  readonly improve?: TextImprovement;
  readonly styles: ReadonlyMap<LanguageTag, StyleRule>;
}

/** `code`: the source language as text improvement spells it; absent: the service detects it from the text. */
export type TextImprovement = z.output<typeof ImproveSettings> & { readonly code?: string };

/** `file` is absolute. */
export type StyleRule = Exclude<z.output<typeof StyleSettings>, string> | { readonly file: string };

export interface Project {
  readonly name: string;
  /** Absolute. */
  readonly root: string;
  readonly source: LanguageTag | 'auto';
  readonly detect: boolean;
  readonly targets: readonly LanguageTag[];
  /** Targets that text improvement can convert texts of their own language into. */
  readonly convertible: ReadonlySet<LanguageTag>;
  /** How files and the API spell a language, where it differs from its tag. */
  readonly locales: ReadonlyMap<LanguageTag, { readonly file?: string; readonly api?: string }>;
  readonly budget: Budget;
  readonly rules: Rules;
  readonly policies: Policies;
  readonly routes: readonly Route[];
}
