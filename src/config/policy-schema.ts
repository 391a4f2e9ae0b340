/** Settings of more than one level: policies (defaults, project, route: each overrides the one before) and budgets. */
import * as z from 'zod';
import { Count, LanguageCode } from './values.ts';

const Check = z.enum(['hold', 'warn', 'off']);

export const PolicySettings = z.strictObject({
  settle_ms: Count.optional().meta({
    description: 'Milliseconds that a file must stop changing before it costs money',
  }),
  existing: z.enum(['adopt', 'overwrite']).optional().meta({
    description: 'Translations that are there at first contact',
  }),
  human_edits: z.enum(['conflict', 'keep', 'overwrite']).optional().meta({
    description: 'When the source of a text changes that a person has edited',
  }),
  deleted_source: z.enum(['trash', 'keep', 'delete']).optional().meta({
    description: 'What becomes of the targets of a source that is gone',
  }),
  retranslate_on: z
    .array(z.enum(['source', 'glossary', 'style', 'options', 'notes']))
    .optional()
    .meta({ description: 'Changes that buy a translation again' }),
  checks: z
    .strictObject({
      placeholders: Check.optional(),
      tags: Check.optional(),
      length: Check.optional(),
      untranslated: Check.optional(),
      unreviewed: Check.optional().meta({
        description:
          'Texts that wait for a reviewer: hold ends check and once with 2, warn says so',
      }),
    })
    .optional()
    .meta({ description: 'What happens to a text that fails a check before it is written' }),
  review: z
    .strictObject({
      want: z
        .array(z.enum(['machine', 'adopted', 'human']))
        .optional()
        .meta({ description: 'Whose texts wait for a reviewer until one has looked at them' }),
      languages: z
        .array(LanguageCode)
        .optional()
        .meta({ description: 'Only in these languages; all when absent' }),
    })
    .optional()
    .meta({ description: 'Which translations a person is to look at; needs "lock"' }),
});
export type PolicySettings = z.output<typeof PolicySettings>;

export const BudgetSettings = z
  .strictObject({
    month: Count.optional().meta({ description: 'Characters in a billing period' }),
    run: Count.optional().meta({ description: 'Characters from idle to idle' }),
    file: Count.optional().meta({ description: 'Characters for one source over all languages' }),
    voice_minutes: Count.optional().meta({ description: 'Minutes of audio in a billing period' }),
    on_exceed: z.enum(['hold', 'warn']).optional(),
  })
  .meta({ description: 'What may be billed, in characters (Unicode code points)' });
export type BudgetSettings = z.output<typeof BudgetSettings>;
