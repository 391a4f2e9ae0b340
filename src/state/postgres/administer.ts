/** A person's work with a team's database: creates its tables, copies a folder to it and back, checks it, and deletes texts. */
import type { BaselineReader, Baselines } from '../../baseline.ts';
import type { Clock } from '../../clock.ts';
import type { SharedSettings } from '../../config/shared-settings.ts';
import { JobFailure } from '../../failure.ts';
import type { PullRecord, PushRecord } from '../copies.ts';
import type { DaemonLine } from '../tree.ts';
import { allTexts, type Copied, type Folder, pullFolder, pushFolder } from './copy-folder.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { pullTree } from './pull-tree.ts';
import { pushTree } from './push-tree.ts';
import {
  FUNCTIONS_MARK,
  FUNCTIONS_VERSION,
  quotedName,
  SCHEMA_VERSION,
  schemaSql,
} from './schema.ts';
import { sealFrom } from './seal.ts';
import type { TeamMemories } from './team-memory.ts';
import { TreeAgreement } from './tree-agreement.ts';
import { TreeBaselines } from './tree-baselines.ts';
import { TreeDaemons } from './tree-daemons.ts';
import { TreeFilling } from './tree-filling.ts';
import { TreeKey } from './tree-key.ts';
import { TreeSpool } from './tree-spool.ts';

/** The runner of a process that only reads and takes no jobs. */
const NOBODY = { id: '00000000-0000-0000-0000-000000000000', name: '' };

/** The part of a folder that belongs to its tree. */
export interface TreeOfFolder extends Pick<Folder, 'ledger'> {
  readonly tree: string;
  /** 32 bytes as base64 or hexadecimal. */
  readonly key: string;
  readonly baselines: Baselines;
}

/** What is pushed. */
export interface PushedTree extends TreeOfFolder {
  /** The state folder, which this process has locked. */
  readonly folder: string;
  readonly mark: PushRecord;
}

/** What is pulled. */
export interface PulledTree extends TreeOfFolder {
  readonly mark: PullRecord;
}

export interface RunnerLine {
  readonly name: string;
  readonly login: string;
  /** Seconds since its last beat. */
  readonly silent_s: number;
}

export interface DatabaseReport {
  readonly host: string;
  readonly schema: string;
  readonly version: number;
  /** Number of the functions; 0: of a version that did not number them. */
  readonly functions: number;
  /** Null: this login may not read them. */
  readonly texts: number | null;
  readonly billed_characters: number;
  readonly possibly_billed_twice: number;
  /** Requests whose answer is not known yet, and their characters. */
  readonly open: { readonly requests: number; readonly characters: number };
  readonly runners: readonly RunnerLine[];
}

/** The properties of a connection and its login, and the limits of the runners. */
export interface TeamHealth {
  /** Version of PostgreSQL, such as 150004. */
  readonly server: number;
  readonly isEncrypted: boolean;
  /** Whether it takes no changes, as a standby. */
  readonly isReadOnly: boolean;
  /** How far the clock of this machine is ahead of the server's; negative: behind it. */
  readonly aheadSeconds: number;
  /** Rights of the login that no runner needs. */
  readonly excess: readonly string[];
  /** Whether the login has the rights that a runner needs. */
  readonly isRunner: boolean;
  /** The different limits of runners of the last hour for all projects together, each with the names of these runners. */
  readonly limits: readonly { readonly limits: string; readonly names: string }[];
}

export class Administration implements AsyncDisposable {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(options: Omit<DatabaseOptions, 'onAway' | 'onBack'>) {
    this.#clock = options.clock;
    this.#database = new Database({ ...options, onAway: () => {}, onBack: () => {} });
  }

  /**
   * Creates the tables, or brings them up to date; writes functions and rights again each time.
   * @param tree also creates the queues of this tree
   * @returns false when tables and functions were up to date
   */
  async migrate(tree?: string): Promise<boolean> {
    const { schema } = this.#database;
    const [{ found } = { found: null }] = await this.#database.rows<{ found: string | null }>(
      'select to_regclass($1)::text as found',
      [`${quotedName(schema)}.version`],
    );
    const before = found === null ? 0 : await this.#version();
    const functions = found === null ? 0 : await this.#functions();
    // Tables of a later version have functions of that version.
    if (before > SCHEMA_VERSION || functions > FUNCTIONS_VERSION) return false;
    await this.#database.script(`begin; ${schemaSql(schema)}; commit`);
    const isOlder = before < SCHEMA_VERSION || functions < FUNCTIONS_VERSION;
    if (tree === undefined) return isOlder;
    const { migrateQueues } = await import('./boss.ts');
    return (await migrateQueues(this.#database, tree)) || isOlder;
  }

  /** Copies texts and charges that the database does not have from a folder. */
  async push(folder: Folder, run: 'dry' | 'real'): Promise<Copied> {
    return await pushFolder(this.#database, folder, run);
  }

  /** Copies texts and charges that a folder does not have from the database, so that the folder can be used alone. */
  async pull(folder: Folder): Promise<Copied> {
    return await pullFolder(this.#database, folder);
  }

  /** Copies the jobs of a folder to a tree. @returns how many of them the tree did not have */
  async pushTree({ tree, key, ...folder }: PushedTree, run: 'dry' | 'real'): Promise<number> {
    const seal = sealFrom(key);
    const [database, clock] = [this.#database, this.#clock];
    return await pushTree({ database, clock, tree, seal, ...folder }, run);
  }

  /**
   * Replaces the jobs of a folder with those of a tree.
   * @returns how many there are
   * @throws JobFailure `team-state` (`taken`) when a daemon works on the tree
   */
  async pullTree({ tree, key, ...folder }: PulledTree): Promise<number> {
    const options = { database: this.#database, clock: this.#clock, tree, seal: sealFrom(key) };
    return await pullTree({ ...options, ...folder }, async () => {
      const [working] = await this.working(tree);
      if (working === undefined) return;
      const { host } = this.#database;
      const message = `${working} works on the tree "${tree}"`;
      throw new JobFailure({ kind: 'team-state', problem: 'taken', host, message });
    });
  }

  /** The names of the daemons of a tree that live. */
  async working(tree: string): Promise<readonly string[]> {
    return (await this.daemons(tree))
      .filter(({ state }) => state !== 'silent')
      .map(({ name }) => name);
  }

  /** @throws JobFailure `team-state` when the database does not answer */
  async requireAnswer(): Promise<void> {
    await this.#database.query('select 1 from @.tree_baselines limit 1');
  }

  /** The baselines of a tree, to be read. Disposing of them disposes of this, too. */
  baselines(tree: string): BaselineReader {
    const baselines = new TreeBaselines({ database: this.#database, tree, leader: undefined });
    return {
      of: (...asked) => baselines.of(...asked),
      [Symbol.asyncDispose]: () => this[Symbol.asyncDispose](),
    };
  }

  async report(): Promise<DatabaseReport> {
    const { host, schema } = this.#database;
    const [sums] = await this.#database.rows<{
      version: number;
      reads: boolean;
      billed: string;
      possibly: string;
      requests: string;
      open: string;
    }>(
      `select (select max(version) from @.version) as version,
      has_table_privilege(session_user, $1, 'select') as reads,
      (select coalesce(sum(characters), 0) from @.charges where record->>'kind' <> 'possibly-twice') as billed,
      (select coalesce(sum(characters), 0) from @.charges where record->>'kind' = 'possibly-twice') as possibly,
      (select count(*) from @.requests) as requests,
      (select coalesce(sum(characters), 0) from @.requests) as open`,
      [`${quotedName(schema)}.memory`],
    );
    const [texts] =
      sums?.reads === true
        ? await this.#database.rows<{ n: string }>('select count(*) as n from @.memory')
        : [];
    const runners = await this.#database.rows<RunnerLine>(
      `select name, login, round(extract(epoch from clock_timestamp() - beat))::int as silent_s
       from @.runners order by name`,
    );
    return {
      host,
      schema,
      version: sums?.version ?? SCHEMA_VERSION,
      functions: await this.#functions(),
      texts: texts === undefined ? null : Number(texts.n),
      billed_characters: Number(sums?.billed),
      possibly_billed_twice: Number(sums?.possibly),
      open: { requests: Number(sums?.requests), characters: Number(sums?.open) },
      runners,
    };
  }

  /** @throws JobFailure `team-state` */
  async health(): Promise<TeamHealth> {
    const [row] = await this.#database.query<{
      server: number;
      encrypted: boolean | null;
      standby: boolean;
      excess: string[];
      runs: boolean;
      time: number;
    }>(
      `select current_setting('server_version_num')::int as server,
       extract(epoch from clock_timestamp())::float8 as time, current_setting('transaction_read_only') = 'on' as standby,
       (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as encrypted,
       has_function_privilege(session_user, $2 || '.buy_begin(jsonb)', 'execute') as runs,
       array_remove(array[case when r.rolsuper then 'superuser' end, case when r.rolcreaterole then 'create roles' end,
         case when has_schema_privilege(session_user, $1, 'create') then 'change the tables' end,
         case when has_table_privilege(session_user, $2 || '.charges', 'delete') then 'delete charges' end], null) as excess
       from pg_roles r where r.rolname = session_user`,
      [this.#database.schema, quotedName(this.#database.schema)],
    );
    const limits = await this.#database.query<{ limits: string; names: string }>(
      `select limits::text as limits, string_agg(name, ', ' order by name) as names from @.runners
       where limits <> '{}' and beat > clock_timestamp() - interval '1 hour' group by limits order by 1`,
    );
    const { server = 0, encrypted, excess = [], time = 0, runs: isRunner = false } = row ?? {};
    const aheadSeconds = Math.round(this.#clock.now() / 1000 - time);
    const [isEncrypted, isReadOnly] = [encrypted === true, row?.standby === true];
    return { server, isEncrypted, isReadOnly, aheadSeconds, excess, isRunner, limits };
  }

  /** Counts the offers in the queues of a tree. @throws JobFailure `team-state` when it has no queues */
  async offers(tree: string): Promise<{ readonly waiting: number; readonly running: number }> {
    const { TreeQueues } = await import('./boss.ts');
    const [database, runner] = [this.#database, NOBODY];
    await using queues = await TreeQueues.open({ database, tree, runner });
    const offers = await queues.open();
    const running = offers.filter(({ isRunning }) => isRunning).length;
    return { waiting: offers.length - running, running };
  }

  /**
   * The daemons of a tree, with those that died in the last 24 hours.
   * @throws JobFailure `team-state` when the database does not answer: that must not read as a tree where nobody works
   */
  async daemons(tree: string): Promise<readonly DaemonLine[]> {
    const [database, clock] = [this.#database, this.#clock];
    return await new TreeDaemons({ database, clock, tree, runner: NOBODY }).look();
  }

  /**
   * @param key 32 bytes as base64 or hexadecimal
   * @returns false when the tree has nothing to check the key with
   * @throws JobFailure `team-state` when the tree has another key
   */
  async checkKey(tree: string, key: string): Promise<boolean> {
    const [database, seal] = [this.#database, sealFrom(key)];
    return await new TreeKey({ database, tree, seal, name: '' }).check();
  }

  /**
   * @param settings from a config
   * @returns why a daemon with this config would take no jobs; undefined: it would
   */
  async checkConfig(tree: string, settings: SharedSettings): Promise<string | undefined> {
    let trouble: string | undefined;
    const agreement = new TreeAgreement({
      ...{ database: this.#database, tree, runner: NOBODY, settings },
      onChange: (now) => {
        trouble = now;
      },
    });
    await agreement.refresh();
    return trouble;
  }

  /** @throws JobFailure `team-state` (`partial`) when a copy of a folder to the tree has not ended */
  async requireFilled(tree: string): Promise<void> {
    await new TreeFilling(this.#database, tree).requireNone();
  }

  /** The spool of a tree, for a process that does not lead. @param spool its folder */
  spoolOf(tree: string, spool: string): Pick<TreeSpool, 'problem' | 'require'> {
    return new TreeSpool({ database: this.#database, tree, spool, runner: NOBODY });
  }

  /** Deletes texts and the kept results of documents and recordings; never charges. @returns how many texts */
  async forget({ project, before }: { project?: string; before?: string }): Promise<number> {
    await this.#database.rows(
      `delete from @.results r using @.purchases p where p.id = r.id and ($1::text is null or p.project = $1)
       and ($2::timestamptz is null or r.at < $2)`,
      [project ?? null, before ?? null],
    );
    const rows = await this.#database.rows(
      `delete from @.memory where ($1::text is null or project = $1)
       and ($2::timestamptz is null or at < $2) returning 1`,
      [project ?? null, before ?? null],
    );
    return rows.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }

  /** @param name of the runner; stored with each translation */
  memories(name: string): TeamMemories {
    return allTexts(this.#database, name);
  }

  async #version(): Promise<number> {
    const [row] = await this.#database.rows<{ version: number }>(
      'select max(version) as version from @.version',
    );
    return row?.version ?? 0;
  }

  async #functions(): Promise<number> {
    const [row] = await this.#database.rows<{ mark: string | null }>(
      `select obj_description($1::regclass, 'pg_class') as mark`,
      [`${quotedName(this.#database.schema)}.version`],
    );
    return Number(FUNCTIONS_MARK.exec(row?.mark ?? '')?.[1] ?? 0);
  }
}
