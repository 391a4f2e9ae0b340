/** The config of the leader of a tree counts for all of its daemons. A daemon with another config takes no jobs until both agree. */
import {
  differingSettings,
  nameOfSettings,
  type SharedSettings,
  TERMINOLOGY,
} from '../../config/shared-settings.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';

export interface TreeAgreementOptions {
  readonly database: Pick<Database, 'rows' | 'call'>;
  readonly tree: string;
  readonly runner: Runner;
  /** From the config of this daemon. */
  readonly settings: SharedSettings;
  /** Called when a config changed. @param trouble the difference, for a person to read; undefined: both agree */
  onChange(trouble: string | undefined): void;
}

/** The config of a tree, as the table `trees` stores it. */
interface TreeConfigRow {
  readonly name: string;
  /** Name of the runner that leads with it. */
  readonly by: string;
  readonly settings: SharedSettings;
  /** See `TreeSpool`; absent: the leader cannot write the spool, or is of an earlier version. */
  readonly mark?: string;
}

/** For a tree that was last led before version 10 of the tables. */
const NO_CONFIG: TreeConfigRow = { name: '', by: '', settings: {} };
/** How many differing settings a message names. */
const NAMED_SETTINGS = 5;

export class TreeAgreement {
  readonly #options: TreeAgreementOptions;
  #settings: SharedSettings;
  #known = NO_CONFIG;
  /** Whether this daemon leads or begins to: then its config is that of the tree. */
  #leads = false;
  #mark: string | undefined;

  constructor(options: TreeAgreementOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  /** The name of the tree's config, for the claims of jobs. Undefined: this daemon has another config. */
  get name(): string | undefined {
    return this.#differing().length === 0 ? this.#known.name : undefined;
  }

  /** Reads the present config of the tree. */
  async refresh(): Promise<void> {
    const { database, tree } = this.#options;
    const before = this.#known;
    const [row] = await database.rows<{ config: TreeConfigRow | null }>(
      // A known config is not sent again.
      `select case when config->>'name' <> $2 then config end as config from @.trees where name = $1 and config is not null`,
      [tree, before.name],
    );
    // What was learned meanwhile may be newer than the answer: the next look compares it.
    if (row?.config && this.#known === before) this.#learn(row.config);
  }

  /**
   * Makes the config of this daemon, which has just become the leader, that of the tree.
   * @param mark of the volume of the tree
   * @returns the epoch: how often a daemon has begun to lead the tree
   * @throws JobFailure `team-state` when another daemon leads
   */
  async lead(mark?: string): Promise<number> {
    this.#leads = true;
    this.#mark = mark;
    return await this.#publish('begins');
  }

  /** Replaces the config of this daemon. @throws JobFailure `team-state` when it leads no more */
  async change(settings: SharedSettings): Promise<void> {
    this.#settings = settings;
    if (this.#leads) await this.#publish('goes-on');
    else this.#learn(this.#known);
  }

  /** Publishes a newer mark of the volume. @throws JobFailure `team-state` when this daemon leads no more */
  async mark(mark: string): Promise<void> {
    this.#mark = mark;
    await this.#publish('goes-on');
  }

  async #publish(how: 'begins' | 'goes-on'): Promise<number> {
    const { database, tree, runner } = this.#options;
    const settings = this.#settings;
    const mark = this.#mark;
    const named = { name: nameOfSettings(settings), by: runner.name, settings };
    const config = { ...named, ...(mark !== undefined && { mark }) };
    const asked = { tree, leader: runner.id, begins: how === 'begins', config };
    const epoch = await database.call<string>('tree_lead', JSON.stringify(asked));
    this.#learn(config);
    // They changed meanwhile. The database may get the newer ones first: then it gets them twice.
    if (this.#settings !== settings || this.#mark !== mark) await this.#publish('goes-on');
    return Number(epoch);
  }

  #learn(config: TreeConfigRow): void {
    this.#known = config;
    this.#options.onChange(this.#trouble());
  }

  #trouble(): string | undefined {
    const differing = this.#differing();
    if (differing.length === 0) return undefined;
    if (differing.length === 1 && differing[0] === TERMINOLOGY) {
      return `it takes no jobs until its glossaries and style lists are those of ${this.#known.by}, which leads: it looks at the files every second`;
    }
    const named = differing.slice(0, NAMED_SETTINGS).join(', ');
    const more =
      differing.length > NAMED_SETTINGS ? ` and ${differing.length - NAMED_SETTINGS} more` : '';
    return `it takes no jobs, because its config is not that of ${this.#known.by}, which leads (${named}${more}): give both the same one, and send SIGHUP`;
  }

  #differing(): readonly string[] {
    return differingSettings(this.#settings, this.#known.settings);
  }
}
