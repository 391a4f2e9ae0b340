/**
 * Marks a tree to which `state push` copies a folder. Until the copy has ended, some targets have no records: a daemon would take the
 * texts of a person in them for its own.
 */
import { JobFailure } from '../../failure.ts';
import type { PushRecord } from '../copies.ts';
import type { Database } from './database.ts';
import { leaseOf } from './lead-lease.ts';

/** The copy of a folder to the tree, as the table `trees` stores it. */
export interface Filling extends Pick<PushRecord, 'push'> {
  /** Id under which the process leads the tree while it copies. */
  readonly leader: string;
  /** Name of the machine. */
  readonly by: string;
  /** The state folder there. */
  readonly folder: string;
  /** ISO 8601. */
  readonly at: string;
}

interface FillingRow {
  readonly filling: Filling;
  readonly lives: boolean;
}

const FILLING = `select t.filling,
  exists (select from @.leases l where l.name = $2 and l.runner = (t.filling->>'leader')::uuid and l.until > clock_timestamp()) as lives
  from @.trees t where t.name = $1 and t.filling is not null`;

export class TreeFilling {
  readonly #database: Pick<Database, 'rows' | 'call'>;
  readonly #tree: string;

  constructor(database: Pick<Database, 'rows' | 'call'>, tree: string) {
    this.#database = database;
    this.#tree = tree;
  }

  /** @throws JobFailure `team-state` (`partial`) while a copy is under way, or after one was broken off */
  async requireNone(): Promise<void> {
    const row = await this.#look();
    if (row !== undefined) throw partial(this.#tree, row);
  }

  /**
   * Begins a copy, or goes on with the one that the same folder began. The caller leads the tree.
   * @throws JobFailure `team-state` (`partial`) after the copy of another folder was broken off
   */
  async begin(filling: Filling): Promise<void> {
    const [tree, { leader }] = [this.#tree, filling];
    await this.#database.call('tree_fill', JSON.stringify({ tree, leader, filling }));
    const row = await this.#look();
    if (row?.filling.push !== filling.push) await this.requireNone();
  }

  /** Everything is copied. The caller leads the tree. */
  async end({ leader, push }: Filling): Promise<void> {
    await this.#database.call('tree_filled', JSON.stringify({ tree: this.#tree, leader, push }));
  }

  /** Gives up the lead of an earlier process of this copy. The caller has locked the folder, so that process is gone. */
  async giveUpEarlier({ push }: Pick<PushRecord, 'push'>): Promise<void> {
    const row = await this.#look();
    if (row?.filling.push !== push) return;
    await this.#database.call('drop_lease', leaseOf(this.#tree), row.filling.leader);
  }

  async #look(): Promise<FillingRow | undefined> {
    const [row] = await this.#database.rows<FillingRow>(FILLING, [this.#tree, leaseOf(this.#tree)]);
    return row;
  }
}

function partial(tree: string, { filling: { by, folder, at }, lives }: FillingRow): JobFailure {
  const message = lives
    ? `"dragoman state push" on ${by} fills it from ${folder} since ${at}: wait until that has ended`
    : `a push on ${by} from ${folder} was broken off: run "dragoman state push" there again`;
  return new JobFailure({
    kind: 'team-state',
    problem: 'partial',
    host: `the tree "${tree}"`,
    message,
  });
}
