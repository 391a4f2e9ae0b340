/** The lead of a tree for a copy between it and a folder: no daemon plans or begins to lead meanwhile. */
import { randomUUID } from 'node:crypto';
import { type Clock, OnwardTime } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import type { PushRecord } from '../copies.ts';
import type { Database } from './database.ts';
import { leaseOf } from './lead-lease.ts';

export interface CopyLeadOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly tree: string;
  readonly copy: Pick<PushRecord, 'leader' | 'earlier'>;
  /** What copies. */
  readonly name: 'state push' | 'state pull';
}

/** A portion takes less. After a killed process, others wait this long. */
const LEASE_S = 60;
/** Seconds of silence after which a leader may be dead, and after which it is given up. A daemon beats every two seconds. */
const QUIET_S = 4;
const SILENCE_S = 6;
/** Only a runner that reached the database all this time may declare a leader dead. */
const WITNESS_MS = 15_000;
const WITNESS_PAUSE_MS = 1000;

export class CopyLead {
  readonly #options: CopyLeadOptions;

  constructor(options: CopyLeadOptions) {
    this.#options = options;
  }

  /** Takes the lead until the next portion. @throws JobFailure `team-state` while a daemon leads the tree */
  async take(): Promise<void> {
    const { database, tree, copy } = this.#options;
    const take = () => database.call<boolean>('take_lease', leaseOf(tree), copy.leader, LEASE_S);
    if (await take()) return;
    // This process has locked the folder, so the earlier one is gone.
    if (copy.earlier !== undefined) {
      await database.call('drop_lease', leaseOf(tree), copy.earlier);
      if (await take()) return;
    }
    if ((await giveUpDead(this.#options)) && (await take())) return;
    const message = `a daemon leads the tree "${tree}"`;
    throw new JobFailure({ kind: 'team-state', problem: 'taken', host: database.host, message });
  }

  /** If the database does not answer, the lead ends by itself. */
  async end(): Promise<void> {
    const { database, tree, copy } = this.#options;
    await database.callOnce('drop_lease', leaseOf(tree), copy.leader).catch(() => {});
  }
}

/**
 * Gives up a leader that died, or that only a restored backup names. The daemons give each other up; here none may run.
 * @returns false when the leader lives
 */
async function giveUpDead({ database, clock, tree, name }: CopyLeadOptions): Promise<boolean> {
  const time = new OnwardTime(clock);
  const witness = { id: randomUUID(), name, waiting: 0 };
  try {
    for (const began = time.now(); time.now() - began < WITNESS_MS; ) {
      const [leader] = await database.rows<{ lives: boolean }>(LEADER, [leaseOf(tree), QUIET_S]);
      if (leader === undefined) return true;
      if (leader.lives) return false;
      await database.call('beat', JSON.stringify(witness));
      await database.rows('select @.reap($1, $2)', [witness.id, SILENCE_S]);
      await clock.sleep(WITNESS_PAUSE_MS);
    }
    return false;
  } finally {
    await database.call('give_up', witness.id);
  }
}

/** Another copy has no beat: its lease ends soon. */
const LEADER = `select coalesce(r.beat > clock_timestamp() - $2::float8 * interval '1 s', true) as lives
  from @.leases l left join @.runners r on r.id = l.runner where l.name = $1`;
