/**
 * Whether the spool of this process is that of its tree. The database has the name of the volume, which the first leader gave it. Without
 * the volume of the spool, a daemon must not lead and must not work, even when it has the files of the tree. It would not find what was
 * paid, and would begin another spool in the empty folder.
 */
import type { Clock } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import {
  hasMark,
  makeMark,
  marksFolder,
  nameVolume,
  ownerProblem,
  shutSpool,
  spoolOfAnother,
  takeSpool,
  volumeFile,
  volumeIn,
} from '../volume.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';

export interface TreeSpoolOptions {
  readonly database: Pick<Database, 'rows' | 'call'>;
  readonly tree: string;
  /** The folder. */
  readonly spool: string;
  readonly runner: Pick<Runner, 'id'>;
}

/** `elsewhere`: another volume is there, or none. `shut`: it is the right one, as far as that is known, and cannot be written. */
export interface SpoolProblem {
  readonly kind: 'elsewhere' | 'shut';
  /** A sentence, with an advice. */
  readonly message: string;
}

export class TreeSpool {
  readonly #options: TreeSpoolOptions;
  #volume: string | null = null;
  /** When the last daemon of the tree started, at the last look; and at the last mark. */
  #joined: string | null = null;
  #marked: string | null = null;
  #isTaken = false;

  constructor(options: TreeSpoolOptions) {
    this.#options = options;
  }

  /** The name of the volume that was there at the last look; null: none was. */
  get volume(): string | null {
    return this.#volume;
  }

  /** @returns undefined when it can be used; also when the tree has no spool yet, which the leader makes */
  async problem(): Promise<SpoolProblem | undefined> {
    const { database, tree, spool } = this.#options;
    const shut = await shutSpool(spool);
    // Before the look at the folder: the first leader names the volume there, then here.
    const known = shut === undefined ? await volumeOfTree(database, tree) : undefined;
    this.#volume = (await volumeIn(spool)) ?? null;
    if (shut !== undefined) {
      return { kind: 'shut', message: `${shut}: mount the volume there, or make it writable` };
    }
    const { volume = null, mark = null, joined = null } = known ?? {};
    this.#joined = joined;
    if (volume !== null && volume !== this.#volume)
      return { kind: 'elsewhere', message: elsewhere(spool, volume) };
    if (mark === null || (await hasMark(spool, mark))) return undefined;
    return { kind: 'elsewhere', message: copied(spool) };
  }

  /** For the process that leads: makes a mark, which all daemons must find. @returns undefined while the spool cannot be written */
  async mark(clock: Pick<Clock, 'now'>): Promise<string | undefined> {
    this.#marked = this.#joined;
    return await makeMark(this.#options.spool, clock);
  }

  /** Makes a mark when a daemon has started since the last one: its volume may be a copy that has that mark. */
  async renewMark(
    clock: Pick<Clock, 'now'>,
    publish: (mark: string) => Promise<void>,
  ): Promise<void> {
    const joined = this.#joined;
    if (joined === this.#marked) return;
    const mark = await makeMark(this.#options.spool, clock);
    if (mark === undefined) return;
    await publish(mark);
    this.#marked = joined;
  }

  /** @throws JobFailure `team-state` (`spool`) when the spool belongs to another tree */
  async requireOwn(): Promise<void> {
    const { spool, tree } = this.#options;
    this.#volume = (await volumeIn(spool)) ?? null;
    const stranger = await ownerProblem(spool, tree);
    if (stranger !== undefined) throw spoolOfAnother(stranger);
  }

  /** @throws JobFailure `team-state` (`absent`) when the spool is not on the volume of the tree */
  async require(): Promise<void> {
    const problem = await this.problem();
    if (problem?.kind === 'elsewhere') throw absent(this.#options.tree, problem.message);
  }

  /**
   * For the process that leads: names the volume if the tree has none, and reserves the spool for the tree. While the spool cannot be
   * written, it does nothing.
   * @throws as `require`
   */
  async take(): Promise<void> {
    if (this.#isTaken) return;
    await this.require();
    const { database, tree, spool, runner } = this.#options;
    const own = await nameVolume(spool);
    if (own === null) return;
    this.#volume = own;
    const asked = { tree, leader: runner.id, volume: own };
    const volume = await database.call<string>('tree_volume', JSON.stringify(asked));
    if (volume !== own) throw absent(tree, elsewhere(spool, volume));
    await takeSpool(spool, tree);
    this.#isTaken = true;
  }
}

interface VolumeRow {
  /** The name of the volume with the spool; null: it has none yet. */
  readonly volume: string | null;
  /** The last mark of a leader; null: it was led by an earlier version. */
  readonly mark: string | null;
  /** When the last daemon started. */
  readonly joined: string | null;
}

/** A leader of an earlier version has the name of the volume in its own row. */
async function volumeOfTree(
  database: Pick<Database, 'rows'>,
  tree: string,
): Promise<VolumeRow | undefined> {
  const [row] = await database.rows<VolumeRow>(
    `select coalesce((select volume from @.trees where name = $1), (select d.volume from @.daemons d
       join @.leases l on l.runner = d.id where l.name = 'tree ' || $1)) as volume,
       (select config->>'mark' from @.trees where name = $1) as mark,
       (select max(since)::text from @.daemons where tree = $1) as joined`,
    [tree],
  );
  return row;
}

function elsewhere(spool: string, volume: string): string {
  return `${spool} is not on the volume of the tree: mount the volume there (if its spool is lost, write the line ${volume} into ${volumeFile(spool)})`;
}

function copied(spool: string): string {
  return `${spool} is a copy of the volume of the tree, or an earlier state of it: mount the volume there, or name another "tree" for the copy and remove "volume", "tree" and "marks" from its spool (if it replaces the volume for good, remove ${marksFolder(spool)})`;
}

function absent(tree: string, message: string): JobFailure {
  return new JobFailure({ kind: 'team-state', problem: 'absent', host: tree, message });
}
