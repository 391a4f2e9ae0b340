/**
 * Who wrote which file of a tree, and whether that daemon had the right to. The database records when each daemon began and ended a turn at
 * a job, and the lead. Each daemon records its renames (`traced-renames-process.ts`): a file gets its content by a rename.
 */
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { isTemporary } from '../../src/files/temporary.ts';
import type { Postgres } from '../postgres.ts';
import type { TracedRename } from '../traced-renames-process.ts';
import { Broken } from './installation.ts';

/** Milliseconds between the moment that a trigger records, and that of the commit. */
const COMMIT_MS = 50;
/**
 * A process that stood still for so many milliseconds in the middle of a rename had asked whether it may, right before. No program can close
 * this gap of two system calls (docs/cluster.md); the trace widens it.
 */
const STOOD_STILL_MS = 1000;
/** Where only the leader writes. */
const LOCK = 'dragoman.lock';
const SPOOL = '.dragoman-spool';

const TABLES = [
  `create table @.audit (seq bigint generated always as identity, at timestamptz not null default clock_timestamp(),
     begins boolean not null, turn text not null, runner uuid not null, name text, job text)`,
  'create table @.audit_targets (job text, target text, primary key (job, target))',
  `create function @.audit_turn() returns trigger language plpgsql security definer as $$ begin
     if tg_op <> 'INSERT' then insert into @.audit (begins, turn, runner) values (false, old.id::text, old.runner); end if;
     if tg_op <> 'DELETE' then insert into @.audit (begins, turn, runner, name, job)
       values (true, new.id::text, new.runner, (select name from @.runners where id = new.runner), new.job); end if;
     return null; end $$`,
  `create function @.audit_lead() returns trigger language plpgsql security definer as $$ begin
     if tg_op <> 'INSERT' and old.name like 'tree %' then insert into @.audit (begins, turn, runner) values (false, old.name, old.runner); end if;
     if tg_op <> 'DELETE' and new.name like 'tree %' then insert into @.audit (begins, turn, runner, name)
       values (true, new.name, new.runner, (select name from @.runners where id = new.runner)); end if;
     return null; end $$`,
  `create function @.audit_job() returns trigger language plpgsql security definer as $$ begin
     insert into @.audit_targets select distinct new.id, t #>> '{}' from jsonb_path_query(new.record->'targets', 'strict $.**') t
       where jsonb_typeof(t) = 'string' on conflict do nothing;
     return null; end $$`,
  'create trigger audit after insert or update or delete on @.turns for each row execute function @.audit_turn()',
  'create trigger audit after insert or update or delete on @.leases for each row execute function @.audit_lead()',
  'create trigger audit after insert or update on @.tree_jobs for each row execute function @.audit_job()',
];

/** A daemon had a turn at a job, or the lead (`job` is null), from one moment to another. Milliseconds since the epoch. */
interface Span {
  readonly pid: number;
  readonly job: string | null;
  readonly from: number;
  to: number;
}

export class Audit {
  readonly #postgres: Postgres;
  readonly #schema: string;

  static async begin(postgres: Postgres, schema: string): Promise<Audit> {
    for (const sql of TABLES) await postgres.query(sql.replaceAll('@', schema));
    return new Audit(postgres, schema);
  }

  private constructor(postgres: Postgres, schema: string) {
    this.#postgres = postgres;
    this.#schema = schema;
  }

  /** @param trace with the renames of all daemons @returns in words, how many were compared @throws Broken for a file that was written without the right to */
  async require(trace: string, root: string): Promise<string> {
    const spans = await this.#spans();
    const jobs = await this.#jobsByTarget();
    const leads = spans.filter(({ job }) => job === null);
    const turns = Map.groupBy(spans, ({ job }) => job);
    const counts = { turns: 0, leads: 0, halves: 0 };
    const wrong: string[] = [];
    for (const rename of tracedIn(trace)) {
      const to = relative(root, rename.to);
      if (to.startsWith('..') || to.startsWith(SPOOL)) continue;
      const owners = (jobs.get(to) ?? []).flatMap((job) => turns.get(job) ?? []);
      if (owners.some((turn) => covers(turn, rename))) counts.turns += 1;
      else if (mayLeaderWrite(rename, to) && leads.some((lead) => covers(lead, rename))) {
        counts.leads += 1;
      } else if (rename.made - rename.asked > STOOD_STILL_MS) counts.halves += 1;
      else wrong.push(`${to} by ${rename.pid} at ${rename.made}: ${near(owners, rename)}`);
    }
    if (wrong.length > 0) {
      throw new Broken(
        `${wrong.length} files written by a daemon that had no right to:\n${wrong.slice(0, 10).join('\n')}`,
      );
    }
    return `${counts.turns} files were written by the daemon that had the job, ${counts.leads} by the leader, and ${counts.halves} by one that was stopped in the middle of a rename`;
  }

  async #spans(): Promise<readonly Span[]> {
    const rows = await this.#postgres.query(
      `select extract(epoch from at) * 1000 as at, begins, turn, name, job from ${this.#schema}.audit order by seq`,
    );
    const open = new Map<string, Span>();
    const spans: Span[] = [];
    for (const { at, begins, turn, name, job } of rows as unknown as readonly AuditRow[]) {
      const before = open.get(turn);
      if (before !== undefined) before.to = Math.min(before.to, Number(at));
      if (!begins) continue;
      const pid = Number(name?.split('-').at(-1));
      const span: Span = { pid, job, from: Number(at), to: Number.POSITIVE_INFINITY };
      open.set(turn, span);
      spans.push(span);
    }
    return spans;
  }

  async #jobsByTarget(): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.#postgres.query(
      `select target, array_agg(job) as jobs from ${this.#schema}.audit_targets group by target`,
    );
    return new Map(rows.map(({ target, jobs }) => [String(target), jobs as string[]]));
  }
}

interface AuditRow {
  readonly at: string;
  readonly begins: boolean;
  readonly turn: string;
  readonly name: string | null;
  readonly job: string | null;
}

function covers({ pid, from, to }: Span, { pid: by, made }: TracedRename): boolean {
  return pid === by && made >= from - COMMIT_MS && made <= to + COMMIT_MS;
}

/** Whether a leader needs no turn for it: the lock, what people save on its page (the shelf), and files that it moves. */
function mayLeaderWrite({ from }: TracedRename, to: string): boolean {
  const isMove = !isTemporary(basename(from));
  return isMove || to.startsWith(LOCK) || to.startsWith('shelf/');
}

function near(turns: readonly Span[], { made }: TracedRename): string {
  const known = turns.map(
    ({ pid, from, to }) => `${pid} from ${from - made} ms to ${to - made} ms`,
  );
  return known.length === 0 ? 'nobody had a job with it' : `it was the job of ${known.join(', ')}`;
}

function tracedIn(trace: string): readonly TracedRename[] {
  const lines = readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as TracedRename);
}
