/** The config of the leader of a tree counts for all of its daemons. A daemon with another config takes no jobs until both agree. */
import {
  differingSettings,
  nameOfSettings,
  type SharedSettings,
} from '../../config/shared-settings.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';

export interface TreeAccordOptions {
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
}

/** For a tree that was last led before version 10 of the tables. */
const NO_CONFIG: TreeConfigRow = { name: '', by: '', settings: {} };
/** How many differing settings a message names. */
const NAMED_SETTINGS = 5;

export class TreeAccord {
  readonly #options: TreeAccordOptions;
  #settings: SharedSettings;
  #known = NO_CONFIG;

  constructor(options: TreeAccordOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  /** The name of the tree's config, for the claims of jobs. Undefined: this daemon has another config. */
  get name(): string | undefined {
    return this.#differing().length === 0 ? this.#known.name : undefined;
  }

  /** Reads the present config of the tree. */
  async look(): Promise<void> {
    const { database, tree } = this.#options;
    const [row] = await database.rows<{ config: TreeConfigRow | null }>(
      // A known config is not sent again.
      `select case when config->>'name' <> $2 then config end as config from @.trees where name = $1 and config is not null`,
      [tree, this.#known.name],
    );
    if (row?.config) this.#learn(row.config);
  }

  /**
   * Makes the config of this daemon that of the tree.
   * @param how `begins`: it has just become the leader
   * @returns the epoch: how often a daemon has begun to lead the tree
   * @throws JobFailure `team-state` when another daemon leads
   */
  async lead(how: 'begins' | 'goes-on'): Promise<number> {
    const { database, tree, runner } = this.#options;
    const settings = this.#settings;
    const config = { name: nameOfSettings(settings), by: runner.name, settings };
    const asked = { tree, leader: runner.id, begins: how === 'begins', config };
    const epoch = await database.call<string>('tree_lead', JSON.stringify(asked));
    this.#learn(config);
    return Number(epoch);
  }

  /** Replaces the config of this daemon. */
  async change(settings: SharedSettings, task: 'leads' | 'works'): Promise<void> {
    this.#settings = settings;
    if (task === 'leads') await this.lead('goes-on');
    else this.#learn(this.#known);
  }

  #learn(config: TreeConfigRow): void {
    this.#known = config;
    this.#options.onChange(this.#trouble());
  }

  #trouble(): string | undefined {
    const differing = this.#differing();
    if (differing.length === 0) return undefined;
    const named = differing.slice(0, NAMED_SETTINGS).join(', ');
    const more =
      differing.length > NAMED_SETTINGS ? ` and ${differing.length - NAMED_SETTINGS} more` : '';
    return `it takes no jobs, because its config is not that of ${this.#known.by}, which leads (${named}${more}): give both the same one, and send SIGHUP`;
  }

  #differing(): readonly string[] {
    return differingSettings(this.#settings, this.#known.settings);
  }
}
