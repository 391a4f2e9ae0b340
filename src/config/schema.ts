/** Every setting of `dragoman.yaml`: names, shapes, limits and descriptions. The JSON Schema for editors is made from it. */
import * as z from 'zod';
import { BudgetSettings, PolicySettings } from './policy-schema.ts';
import { ProjectSettings } from './project-schema.ts';
import { ServiceSettings } from './service-schema.ts';
import { Duration, HttpAddress, PositiveCount, Secret, Text } from './values.ts';

const HookSettings = z.union(
  [
    z.strictObject({
      run: Text.meta({ description: 'Command that gets the event as JSON' }),
      env: z.array(Text).optional().meta({
        description:
          'Variables that the command gets although their names are those of a secret (…_KEY, …_TOKEN); never a key of the service',
      }),
    }),
    z.strictObject({ post: HttpAddress, secret: Secret.optional() }),
  ],
  { error: 'expected { run: COMMAND, env: [NAME] } or { post: ADDRESS, secret: … }' },
);
const Hooks = z.array(HookSettings).default([]);

export const PageSettings = z.union(
  [
    z.literal(false),
    z.strictObject({
      listen: Text.regex(/^(.+:)?\d{1,5}$/, 'expected HOST:PORT such as 127.0.0.1:9730')
        .default('127.0.0.1:9730')
        .meta({
          description: 'Where the page is; port 0, or a port that is taken, means a free one',
        }),
      allowed_hosts: z.array(Text).default([]).meta({
        description:
          'Further hosts that are answered, as the browser says them (host, or host:port); needed for other addresses than loopback',
      }),
    }),
  ],
  { error: 'expected { listen: HOST:PORT } or false' },
);

/** `>=0.2` or `>=0.2.1`. */
const VERSION_RANGE = /^>=\s*\d+(\.\d+){0,2}$/;

const DAY_MS = 86_400_000;

/** An address with a password in it would be committed with the file. */
const TeamAddress = Text.regex(
  /^postgres(ql)?:\/\/([^/:@]*@)?[^@]*$/,
  'expected an address without a password, such as postgres://runner@db.acme/dragoman, or { env: NAME }',
);

const StateSettings = z.union(
  [
    Text,
    z.strictObject({
      folder: Text.default('.dragoman').meta({
        description: 'State folder of this checkout, relative to the folder of this file',
      }),
      url: z.union([Secret, TeamAddress]).optional().meta({
        description:
          'Where the address of the PostgreSQL database is that a team shares, such as { env: DRAGOMAN_STATE_URL }',
      }),
      schema: Text.regex(/^[a-z_][a-z0-9_]{0,40}$/, 'expected a plain name such as dragoman')
        .default('dragoman')
        .meta({ description: 'Schema of the database; one for each team' }),
    }),
  ],
  { error: 'expected a folder, or { folder, url, schema }' },
);

/** All but the projects: each project and route is read by itself, so that one fault does not hide the others. */
export const HeadSettings = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1, { error: 'this program reads version 1' }),
  service: ServiceSettings,
  state: StateSettings.default('.dragoman').meta({
    description: 'State folder, relative to the folder of this file; or the state of a team',
  }),
  lock: Text.optional().meta({
    description:
      'Folder of the lock that is committed with the translations, such as dragoman.lock; absent: none is kept',
  }),
  sync: z.enum(['on', 'off']).default('on').meta({
    description:
      'off: glossaries and style lists on the service are read and never written; also --no-sync and DRAGOMAN_SYNC=off',
  }),
  requires: Text.regex(VERSION_RANGE, 'expected a lowest version such as ">=0.2"')
    .optional()
    .meta({ description: 'Versions of dragoman that may work with this config, such as ">=0.2"' }),
  budget: BudgetSettings.default({}),
  guard: z
    .strictObject({ files: PositiveCount, characters: PositiveCount })
    .optional()
    .meta({ description: 'A larger change at once is held until a person approves it' }),
  keep: z
    .strictObject({
      trash: Duration.default(30 * DAY_MS).meta({ description: 'Removed targets; 30d' }),
      spool: Duration.default(7 * DAY_MS).meta({ description: 'Paid results; 7d' }),
      undo: Duration.default(7 * DAY_MS).meta({ description: 'What runs replaced; 7d' }),
      backup: Duration.default(14 * DAY_MS).meta({
        description: 'Daily copies of the ledger; 14d',
      }),
      memory: Duration.optional().meta({
        description: 'Translations: what comes back later is bought again; for ever when absent',
      }),
    })
    .prefault({})
    .meta({ description: 'How long things are kept, such as 30d or 12h' }),
  log: z
    .strictObject({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info') })
    .prefault({}),
  page: PageSettings.prefault({}).meta({ description: 'The page of the running daemon, or false' }),
  on: z
    .strictObject({ delivered: Hooks, held: Hooks, failed: Hooks, budget: Hooks })
    .prefault({})
    .meta({ description: 'Commands and addresses that hear of what happened' }),
  defaults: PolicySettings.prefault({}).meta({ description: 'Policies of all projects' }),
});

export const ProjectName = z
  .string()
  .regex(
    /^[A-Za-z0-9][\w.-]*$/,
    'a project name has letters, digits, ".", "_" and "-", and begins with a letter or digit',
  );

/** The whole file. */
export const ConfigSettings = HeadSettings.extend({
  projects: z
    .record(ProjectName, ProjectSettings)
    .meta({ description: 'Named blocks of source language, target languages, rules and routes' }),
}).meta({ title: 'dragoman.yaml', description: 'Config of dragoman' });
export type HeadSettings = z.output<typeof HeadSettings>;
