/** The config of who leads a tree counts for all of its daemons: one that has another config takes no jobs until both agree. */
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
  /** Of the config of this daemon. */
  readonly settings: SharedSettings;
  /** It agrees, or does not any more. */
  onChange(trouble: string | undefined): void;
}

/** The config of a tree, as the tables keep it. */
interface TreeConfigRow {
  readonly name: string;
  /** Name of the runner that works by it. */
  readonly by: string;
  readonly settings: SharedSettings;
}

/** Of a tree that nobody has led since the tenth version of the tables. */
const NONE: TreeConfigRow = { name: '', by: '', settings: {} };
/** Settings that are named at a time. */
const NAMED = 5;

export class TreeAccord {
  readonly #options: TreeAccordOptions;
  #settings: SharedSettings;
  #known = NONE;

  constructor(options: TreeAccordOptions) {
    this.#options = options;
    this.#settings = options.settings;
  }

  /** Names the config of the tree, by which jobs are claimed. Undefined: this daemon has another one. */
  get name(): string | undefined {
    return this.#differing().length === 0 ? this.#known.name : undefined;
  }

  /** Learns what the config of the tree is now. */
  async look(): Promise<void> {
    const { database, tree } = this.#options;
    const [row] = await database.rows<{ config: TreeConfigRow | null }>(
      // What is known already is not sent again.
      `select case when config->>'name' <> $2 then config end as config from @.trees where name = $1 and config is not null`,
      [tree, this.#known.name],
    );
    if (row?.config) this.#learn(row.config);
  }

  /**
   * From now on the config of this daemon is that of the tree.
   * @param how `begins`: it has just got the lead
   * @returns the epoch: how often a daemon has begun to lead the tree
   * @throws JobFailure `team-state` where another daemon leads
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

  /** This daemon has another config now. */
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
    const named = differing.slice(0, NAMED).join(', ');
    const more = differing.length > NAMED ? ` and ${differing.length - NAMED} more` : '';
    return `it takes no jobs, because its config is not that of ${this.#known.by}, which leads (${named}${more}): give both the same one, and send SIGHUP`;
  }

  #differing(): readonly string[] {
    return differingSettings(this.#settings, this.#known.settings);
  }
}
