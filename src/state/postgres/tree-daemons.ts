/** Answers which daemons share a tree, for people. When the database does not answer, the last known state is shown. */
import { hostname } from 'node:os';
import type { Clock } from '../../clock.ts';
import { LANES, type Lane } from '../../job.ts';
import { type LastAnswer, LastAnswerOf } from '../last-answer.ts';
import type { DaemonFigures, DaemonLine, Daemons, DaemonWork, OwnDaemon } from '../tree.ts';
import type { Database } from './database.ts';
import type { Runner } from './runner.ts';
import { textFrom } from './tree-text.ts';

export interface TreeDaemonsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly tree: string;
  readonly runner: Runner;
}

/** Running jobs of one daemon that are named. */
const NAMED_JOBS = 5;

interface DaemonRow {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly role: OwnDaemon['role'];
  readonly version: string;
  readonly volume: string | null;
  readonly since: Date;
  readonly seen: Date;
  readonly silent: number;
  /** False also where it died and nobody gave it up, because no other daemon runs. */
  readonly lives: boolean;
  readonly leads: boolean;
  readonly places: Readonly<Partial<Record<Lane, number>>>;
  readonly settled: string;
  readonly trouble: string | null;
  /** How often a daemon has begun to lead the tree. */
  readonly epoch: string;
}

interface RunningJobRow {
  readonly runner: string;
  readonly lane: Lane;
  readonly of_lane: number;
  readonly nth: number;
  readonly since: Date;
  /** Null: the job was deleted. */
  readonly project: string | null;
  readonly language: string | null;
  readonly source: string | null;
}

export class TreeDaemons implements Daemons {
  readonly #options: TreeDaemonsOptions;
  readonly #lines: LastAnswerOf<readonly DaemonLine[]>;

  constructor(options: TreeDaemonsOptions) {
    this.#options = options;
    this.#lines = new LastAnswerOf(options.clock, [], () => this.look());
  }

  /**
   * From now on, this daemon hears of each change of others. A command asks for them where it waits, because it ends soon.
   * @param former id of the daemon that worked in the state folder before
   */
  async enter(own: OwnDaemon, former: string | undefined): Promise<void> {
    const { database, tree, runner } = this.#options;
    const told = { ...runner, ...own, tree, former, host: hostname() };
    await database.call('enter_daemon', JSON.stringify(told));
    await database.listen();
  }

  async leave(): Promise<void> {
    await this.#options.database.callOnce('leave_daemon', this.#options.runner.id);
  }

  async publish({ places, settled, troubles, volume }: DaemonFigures): Promise<void> {
    const { database, runner } = this.#options;
    const trouble = troubles.length === 0 ? null : troubles.join('; ');
    const told = { id: runner.id, places, settled, trouble, volume };
    await database.callOnce('tell_daemon', JSON.stringify(told));
  }

  async lines(): Promise<LastAnswer<readonly DaemonLine[]>> {
    return await this.#lines.ask();
  }

  /** @throws JobFailure `team-state` when the database does not answer */
  async look(): Promise<readonly DaemonLine[]> {
    const { database, tree, runner } = this.#options;
    const rows = await database.query<DaemonRow>(DAEMONS, [tree]);
    const turns = await database.query<RunningJobRow>(TURNS, [tree, NAMED_JOBS]);
    return rows.map((row) => {
      const own = turns.filter((turn) => turn.runner === row.id);
      const { name, host, role, version, volume, lives, leads, places, trouble } = row;
      const running = (lane: Lane) => own.find((turn) => turn.lane === lane)?.of_lane ?? 0;
      return {
        ...{ name, host, role, version, volume },
        state: lives ? (leads ? 'leads' : role === 'worker' ? 'works' : 'waits') : 'silent',
        since: row.since.toISOString(),
        seen: row.seen.toISOString(),
        silentSeconds: Math.max(0, Math.round(row.silent)),
        isThis: row.id === runner.id,
        lanes: LANES.map((lane) => ({
          lane,
          places: places[lane] ?? 0,
          running: running(lane),
        })).filter((lane) => lane.places + lane.running > 0),
        work: own.filter(({ nth }) => nth <= NAMED_JOBS).flatMap(workOf),
        settled: Number(row.settled),
        epoch: leads && lives ? Number(row.epoch) : null,
        trouble,
      } satisfies DaemonLine;
    });
  }
}

function workOf({ lane, since, project, language, source }: RunningJobRow): DaemonWork[] {
  if (project === null || language === null || source === null) return [];
  const [named, of, path] = [project, language, source].map(textFrom) as [string, string, string];
  return [{ project: named, source: path, language: of, lane, since: since.toISOString() }];
}

const DAEMONS = `select d.id, d.name, d.host, d.role, d.version, d.volume, d.since, d.places, d.settled::text, d.trouble,
  coalesce((select t.epoch from @.trees t where t.name = d.tree), 0)::text as epoch,
  coalesce(r.beat, d.seen, d.since) as seen,
  extract(epoch from clock_timestamp() - coalesce(r.beat, d.seen, d.since))::float8 as silent,
  coalesce(r.beat > clock_timestamp() - interval '10 s', false) as lives,
  exists (select from @.leases l where l.name = 'tree ' || d.tree and l.runner = d.id) as leads
  from @.daemons d left join @.runners r on r.id = d.id where d.tree = $1 order by d.since, d.name`;

/** The first turn of each lane, with the number of turns of the lane; and the oldest turns of each daemon, with their jobs. */
const TURNS = `select t.runner, t.lane, t.of_lane::int, t.nth::int, t.since,
  j.record->>'project' as project, j.record->>'language' as language, j.record->>'source' as source
  from (select runner, lane, job, since,
      row_number() over (partition by runner order by since, id) as nth,
      row_number() over (partition by runner, lane order by since, id) as nth_of_lane,
      count(*) over (partition by runner, lane) as of_lane
    from @.turns where tree = $1) t
  left join lateral (select record from @.tree_jobs o where o.tree = $1 and o.id = t.job and t.nth <= $2 offset 0) j on true
  where t.nth <= $2 or t.nth_of_lane = 1 order by t.runner, t.nth`;
