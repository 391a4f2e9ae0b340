/** All settings of `dragoman.yaml` but the projects, and the config as the program has it: with defaults and absolute paths, frozen. */

import * as z from 'zod';
import { DAY_MS } from './clock.ts';
import {
  type Budget,
  BudgetSettings,
  PolicySettings,
  type Project,
  ProjectSettings,
} from './project.ts';
import {
  Duration,
  group,
  HttpAddress,
  LanguageCode,
  PositiveCount,
  Secret,
  Size,
  Text,
} from './setting.ts';

const LaneCounts = group({
  document: PositiveCount.optional().meta({ description: 'Documents at a time' }),
  text: PositiveCount.optional().meta({ description: 'Text files at a time' }),
  subtitle: PositiveCount.optional().meta({ description: 'Subtitle files at a time' }),
  voice: PositiveCount.optional().meta({ description: 'Recordings at a time' }),
});

/** A token in a request header, before the key. */
const Scheme = Text.regex(/^[\x20-\x7e]+$/, 'must be one line of ASCII characters');

const ServiceSettings = group({
  // Paths begin with a slash.
  url: HttpAddress.transform((url) => url.replace(/\/+$/, '')).meta({
    description: 'Base address of the API, or of the sandbox',
  }),
  key: Secret.default({ env: 'DRAGOMAN_KEY' }).meta({ description: 'Where the API key is' }),
  admin_key: Secret.optional().meta({
    description: 'Where the admin key is; for the commands keys and analytics only',
  }),
  scheme: Scheme.default('Service-Auth-Key').meta({
    description: 'Token before the key in the Authorization header',
  }),
  signature_scheme: Scheme.default('Service-Signature').meta({
    description: 'Token before the signature of a voice upload or download',
  }),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is no name of a header'),
      z
        .string()
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be one line of ASCII or Latin-1 characters'),
    )
    .default({})
    .meta({ description: 'Further request headers' }),
  concurrency: PositiveCount.max(256).default(8).meta({ description: 'Requests at a time' }),
  rate: group({
    per_second: z.number().positive().meta({ description: 'Requests in a second' }),
  })
    .optional()
    .meta({ description: 'Without it the client finds the rate by itself' }),
  dialect: z.enum(['document', 'deployed']).default('document').meta({
    description: 'document: as the API is documented; deployed: as deployments are known to differ',
  }),
  capabilities: z.array(z.enum(['document_style', 'instruction_edit'])).default([]),
  ca_file: Text.optional().meta({ description: 'PEM file with further certificate authorities' }),
  limits: z
    .record(Text, Size)
    .default({})
    .transform(byPlainExtension)
    .meta({ description: 'Upload sizes per extension, where they differ: { docx: 30MB }' }),
  voice: group({
    max_size: Size.default(1_073_741_824).meta({
      description: 'Bytes of one upload; absent: 1GiB',
    }),
    max_duration: Duration.default(10_800_000).meta({
      description: 'Of one recording; absent: 3h',
    }),
    jobs: PositiveCount.default(10).meta({ description: 'Voice jobs at a time' }),
  })
    .prefault({})
    .meta({
      description: 'What the service takes of recordings: size, duration, jobs at a time',
    }),
  lanes: LaneCounts.prefault({}).meta({ description: 'Jobs at a time, per lane' }),
  verify_every: Duration.default(3_600_000).meta({
    description: 'How often remote glossaries and styles are looked at again, such as 1h',
  }),
}).meta({ description: 'The service and how to talk to it' });

/** `.docx` and `DOCX` become `docx`. */
function byPlainExtension(limits: Readonly<Record<string, number>>) {
  return Object.fromEntries(
    Object.entries(limits).map(([name, bytes]) => [name.replace(/^\./, '').toLowerCase(), bytes]),
  );
}

const HookSettings = z.union(
  [
    group({
      run: Text.meta({ description: 'Command that gets the event as JSON' }),
      env: z.array(Text).optional().meta({
        description:
          'Variables that the command gets although their names are those of a secret (…_KEY, …_TOKEN); never a key of the service',
      }),
    }),
    group({
      post: HttpAddress.meta({ description: 'Address that the event is posted to, as JSON' }),
      secret: Secret.optional(),
    }),
  ],
  { error: 'expected { run: COMMAND, env: [NAME] } or { post: ADDRESS, secret: … }' },
);
const Hooks = z.array(HookSettings).prefault([]);

const ReviewerSettings = group({
  name: Text.regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u,
    'a name has letters, digits, blanks, ".", "_" and "-", and begins with a letter or digit',
  ).meta({ description: 'Whose link it is: dragoman review link NAME' }),
  languages: z
    .array(LanguageCode)
    .min(1, 'name the languages that they may read and edit')
    .meta({ description: 'Target languages that they may read and edit' }),
});

const PageSettings = z.union(
  [
    z.literal(false),
    group({
      listen: Text.regex(/^(.+:)?\d{1,5}$/, 'expected HOST:PORT such as 127.0.0.1:9730')
        .default('127.0.0.1:9730')
        .meta({
          description: 'Where the page is; port 0, or a port that is taken, means a free one',
        }),
      allowed_hosts: z.array(Text).default([]).meta({
        description:
          'Further hosts that are answered, as the browser says them (host, or host:port); needed for other addresses than loopback',
      }),
      reviewers: z.array(ReviewerSettings).prefault([]).meta({
        description: 'People who may get a link to review some languages, and nothing else',
      }),
    }).transform(({ listen, ...page }) => ({ ...hostAndPort(listen), ...page })),
  ],
  { error: 'expected { listen: HOST:PORT } or false' },
);

export type ReviewerSettings = z.output<typeof ReviewerSettings>;

function hostAndPort(listen: string): { readonly host: string; readonly port: number } {
  const colon = listen.lastIndexOf(':');
  const host = colon < 0 ? '127.0.0.1' : listen.slice(0, colon).replace(/^\[|\]$/g, '');
  return { host, port: Number(listen.slice(colon + 1)) };
}

/** `>=0.2` or `>=0.2.1`. */
const VERSION_RANGE = /^>=\s*\d+(\.\d+){0,2}$/;

/** An address without a password: a password here would be committed with the file. */
const TeamAddress = Text.regex(
  /^(?!.*[?&]password=)postgres(ql)?:\/\/([^/:@]*@)?[^@]*$/i,
  'expected an address without a password, such as postgres://runner@db.acme/dragoman, or { env: NAME }',
);

const StateSettings = z.union(
  [
    Text,
    group({
      folder: Text.default('.dragoman').meta({
        description: 'State folder of this checkout, relative to the folder of this file',
      }),
      url: z.union([Secret, TeamAddress]).optional().meta({
        description:
          'Where the address of the PostgreSQL database is that a team shares, such as { env: DRAGOMAN_STATE_URL }',
      }),
      schema: Text.regex(
        /^(?!pg_|public$|information_schema$)[a-z_][a-z0-9_]{0,40}$/,
        'expected a plain name such as dragoman, of a schema that holds nothing else',
      )
        .default('dragoman')
        .meta({ description: 'Schema of the database; one for each team' }),
      key: Secret.optional().meta({
        description:
          'Where the key of 32 bytes is by which runners go on with documents and recordings of each other; absent: each keeps its own',
      }),
      tree: Text.regex(
        /^[A-Za-z0-9][\w.-]{0,62}$/,
        'expected a name of letters, digits, ".", "_" and "-", such as website',
      )
        .optional()
        .meta({
          description:
            'Name of the folder tree: sources, jobs and baselines are in the database too, for all who name the same tree; the folder is then one of this machine',
        }),
      spool: Text.optional().meta({
        description:
          'With a tree: folder on the shared volume for paid documents and recordings, relative to the folder of this file; .dragoman-spool when absent',
      }),
    }),
  ],
  { error: 'expected a folder, or { folder, url, schema, key, tree }' },
);

const head = {
  $schema: z.string().optional(),
  version: z.literal(1, { error: 'this program reads version 1' }),
  service: ServiceSettings,
  state: StateSettings.prefault('.dragoman').meta({
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
  budget: BudgetSettings.prefault({}),
  guard: group({
    files: PositiveCount.meta({ description: 'Files that change at once' }),
    characters: PositiveCount.meta({ description: 'Characters that they would bill' }),
  })
    .optional()
    .meta({ description: 'A larger change at once is held until a person approves it' }),
  keep: group({
    trash: Duration.default(30 * DAY_MS).meta({ description: 'Removed targets; 30d' }),
    spool: Duration.default(7 * DAY_MS).meta({ description: 'Paid results; 7d' }),
    undo: Duration.default(7 * DAY_MS).meta({ description: 'What runs replaced; 7d' }),
    backup: Duration.default(14 * DAY_MS).meta({
      description: 'Daily copies of the ledger; 14d',
    }),
    edits: Duration.default(90 * DAY_MS).meta({
      description: 'Who changed which text on the page or by an import, and when; 90d',
    }),
    memory: Duration.optional().meta({
      description: 'Translations: what comes back later is bought again; for ever when absent',
    }),
  })
    .prefault({})
    .meta({ description: 'How long things are kept, such as 30d or 12h' }),
  log: group({ level: z.enum(['debug', 'info', 'warn', 'error']).default('info') }).prefault({}),
  page: PageSettings.prefault({}).meta({ description: 'The page of the running daemon, or false' }),
  on: group({ delivered: Hooks, held: Hooks, failed: Hooks, budget: Hooks }).prefault({}).meta({
    description: 'Commands that are run, and addresses that are called, when something happens',
  }),
  defaults: PolicySettings.prefault({}).meta({ description: 'Policies of all projects' }),
};

/** All settings but the projects. Each project and each route is read separately, so that one fault does not hide the others. */
export const HeadSettings = group(head);
export type HeadSettings = z.output<typeof HeadSettings>;

export const ProjectName = z
  .string()
  .regex(
    /^[A-Za-z0-9][\w.-]*$/,
    'a project name has letters, digits, ".", "_" and "-", and begins with a letter or digit',
  );

/** The whole file. */
export const ConfigSettings = group({
  ...head,
  projects: z
    .record(ProjectName, ProjectSettings)
    .meta({ description: 'Named blocks of source language, target languages, rules and routes' }),
}).meta({ title: 'dragoman.yaml', description: 'Config of dragoman' });

export interface Config
  extends Omit<HeadSettings, '$schema' | 'version' | 'requires' | 'defaults' | 'state' | 'budget'> {
  /** Absolute path of the config file. */
  readonly file: string;
  /** Absolute folder of the config file; relative paths of the config start here. */
  readonly base: string;
  /** Absolute path of the state folder. */
  readonly state: string;
  /** The database that a team shares; absent: all state is in the folder. */
  readonly team?: TeamConfig;
  readonly budget: Budget;
  readonly projects: readonly Project[];
}

export type ServiceConfig = Config['service'];

/** How long trash, paid results, undo data, backups and edits are kept, in milliseconds. `memory` absent: for ever. */
export type Keep = Config['keep'];

export type Hook = z.output<typeof HookSettings>;

type StateGroup = Exclude<z.output<typeof StateSettings>, string>;

export interface TeamConfig extends Pick<StateGroup, 'schema' | 'key'> {
  /** The reference to its address, or the address itself when it has no password. */
  readonly url: NonNullable<StateGroup['url']>;
  /** The folder tree whose sources, jobs and baselines are in the database too; absent: they are in the state folder. */
  readonly tree?: TreeConfig;
}

/** Folder of paid documents and recordings. With a tree it is shared, so that every daemon of the tree finds them. */
export function spoolOf({ state, team }: Pick<Config, 'state' | 'team'>): string {
  return team?.tree?.spool ?? state;
}

export interface TreeConfig {
  readonly name: string;
  /** Absolute path, on a volume that the daemons share. */
  readonly spool: string;
}
