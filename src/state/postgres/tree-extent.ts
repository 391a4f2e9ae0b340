/** SQL for the records of a tree that a process reads when it opens it. */
import { type JobId, type Lane, sourceId } from '../../job.ts';
import type { LanguageTag } from '../../language.ts';
import type { Tables } from '../tables.ts';
import type { Extent, JobCount, NeededSources } from '../tree.ts';
import type { Database } from './database.ts';
import { fitText, textFrom } from './tree-text.ts';

/** Rows that are fetched at a time. */
export const PORTION = 5000;

/** A query by the portion: `$1` is the tree, `$2` the last `seq` of the portion before. */
export interface Portions {
  readonly sql: string;
  /** From `$3` on. */
  readonly values: readonly unknown[];
  /** Gets the rows of each portion, and says whether no more are needed. Absent: they are records, and all are needed. */
  look?(rows: readonly object[]): boolean;
}

/** The remotes alone, which a worker reads. */
export function remotesOnly(): Portions[] {
  return [recordsWhere(`tbl = 'remotes'`)];
}

/**
 * The records of an extent. It also has one job and the oldest source, if there are any. A tree with jobs must not look empty, and the
 * books begin with the oldest source.
 * @param tables filled with the rows of each query before the next one is asked for
 */
export function* recordsOf(extent: Extent, tables: Tables): Generator<Portions> {
  switch (extent.of) {
    case 'everything':
      yield recordsWhere('true');
      yield jobsWhere('true');
      return;
    case 'books':
      yield recordsWhere(NO_OTHER_SOURCES);
      yield jobsWhere(ANY_JOB);
      return;
    case 'file':
      yield recordsWhere(NO_OTHER_SOURCES);
      yield jobsWhere(
        `(${ANY_JOB} or record->>'project' = $3 and (${isAt(`record->>'source'`)}
          or exists (select from jsonb_each_text(record->'targets') t where ${isAt('t.value')})))`,
        [fitText(extent.project), fitText(extent.path)],
      );
      yield sourcesOfJobs(tables);
      return;
    case 'open work':
      yield recordsWhere(`tbl <> 'sources'`);
      yield jobsWhere(`(${ANY_JOB} or ${DELIVERED_JOB} or ${OPEN_JOBS})`);
      yield sourcesOfJobs(tables);
      yield* neededSources(extent.sources);
      return;
  }
}

/** First only the names of the sources: records are several times as long, and few are needed. */
function* neededSources(sources: NeededSources): Generator<Portions> {
  const needed: string[] = [];
  const look = (rows: readonly object[]) => {
    for (const { id, project, path, lane } of rows as readonly NameRow[]) {
      if (sources.isEnough()) break;
      const names = { project: textFrom(project), path: textFrom(path), ...(lane && { lane }) };
      if (sources.needs(names)) needed.push(id);
    }
    return sources.isEnough();
  };
  yield { sql: SOURCE_NAMES, values: [], look };
  yield recordsWhere(`tbl = 'sources' and id = any($3)`, [needed]);
}

interface NameRow {
  readonly id: string;
  readonly project: string;
  readonly path: string;
  readonly lane: Lane | null;
}

const SOURCE_NAMES = `select seq::text, id, record->>'project' as project, record->>'path' as path, record->>'lane' as lane
  from @.tree_records where tree = $1 and seq > $2::bigint and tbl = 'sources' order by tree_records.seq limit ${PORTION}`;

interface CountedTree {
  readonly tree: string;
  readonly extent: Extract<Extent, { of: 'open work' }>;
  /** The records in memory. */
  readonly tables: Tables;
}

/** The jobs of a tree by project, language and state, without those in memory. */
export async function countOthers(
  database: Pick<Database, 'rows'>,
  counted: CountedTree,
): Promise<JobCount[]> {
  return [
    ...(await countQueued(database, counted)),
    ...(await countWithoutQueued(database, counted)),
  ];
}

async function countWithoutQueued(
  database: Pick<Database, 'rows'>,
  { tree, tables: { jobs } }: CountedTree,
): Promise<JobCount[]> {
  const counts = await database.rows<JobCount>(
    `select record->>'project' as project, record->>'language' as language, record->'state'->>'kind' as state, count(*)::int as jobs
     from @.tree_jobs where tree = $1 and ${QUEUED} is not true group by 1, 2, 3 order by 1, 2, 3`,
    [tree],
  );
  const known = Map.groupBy(jobs.values(), (job) =>
    extentKey(job.project, job.language, job.state.kind),
  );
  return counts.flatMap(({ jobs: all, ...alike }) => {
    const project = textFrom(alike.project);
    const others = all - (known.get(extentKey(project, alike.language, alike.state))?.length ?? 0);
    return others > 0 ? [{ ...alike, project, jobs: others }] : [];
  });
}

/** One by one: only the config says whether a queued job counts, by the path of its source. */
async function countQueued(
  database: Pick<Database, 'rows'>,
  { tree, extent, tables }: CountedTree,
): Promise<JobCount[]> {
  const counts = new Map<string, JobCount>();
  for (let last = '0', rows: QueuedRow[] = []; ; last = rows.at(-1)?.seq ?? last) {
    rows = await database.rows<QueuedRow>(QUEUED_NAMES, [tree, last]);
    for (const { id, language, lane, ...names } of rows) {
      if (tables.jobs.has(textFrom(id) as JobId)) continue;
      const [project, source] = [textFrom(names.project), textFrom(names.source)];
      if (!extent.counts({ project, source, language, lane })) continue;
      const key = extentKey(project, language);
      const jobs = (counts.get(key)?.jobs ?? 0) + 1;
      counts.set(key, { project, language, state: 'queued', jobs });
    }
    if (rows.length < PORTION) return [...counts.values()];
  }
}

interface QueuedRow {
  readonly seq: string;
  readonly id: string;
  readonly project: string;
  readonly language: LanguageTag;
  readonly source: string;
  readonly lane: Lane;
}

const QUEUED = `record->'state'->>'kind' = 'queued'`;
const QUEUED_NAMES = `select seq::text, id, record->>'project' as project, record->>'language' as language,
  record->>'source' as source, record->>'lane' as lane
  from @.tree_jobs where tree = $1 and seq > $2::bigint and ${QUEUED} order by tree_jobs.seq limit ${PORTION}`;

function extentKey(...parts: readonly string[]): string {
  return parts.join('\n');
}

const DELIVERED_JOB = `id = (select id from @.tree_jobs where tree = $1 and record->'wrote' <> '[]' limit 1)`;
/**
 * Held and failed jobs, those that wait for a disk or for paid work, films, and targets that a killed process put in place. Jobs whose
 * lines are not in the lock, too.
 */
const OPEN_JOBS = `record->'state'->>'kind' in ('held', 'failed') or record->'state' ?| array['waitsFor', 'stoppedBy']
  or record->>'lane' = 'subtitle' or record ?| array['placed', 'lockLacks']`;
const ANY_JOB = 'id = (select id from @.tree_jobs where tree = $1 order by seq limit 1)';
/** Times are ISO 8601: their order is that of their characters. */
const NO_OTHER_SOURCES = `(tbl <> 'sources' or id = (select id from @.tree_records
  where tree = $1 and tbl = 'sources' order by record->>'since' collate "C" limit 1))`;

/** Whether a path is the one in `$4`, or below it. */
function isAt(path: string): string {
  return `(${path} = $4 or $4 = '' or starts_with(${path}, $4 || '/'))`;
}

function sourcesOfJobs({ jobs }: Tables): Portions {
  const ids = new Set(jobs.values().map(({ project, source }) => sourceId(project, source)));
  return recordsWhere(`tbl = 'sources' and id = any($3)`, [[...ids].map(fitText)]);
}

function recordsWhere(where: string, values: readonly unknown[] = []): Portions {
  return {
    sql: `select tbl, seq::text, id, mark, null as fence, record::text from @.tree_records
      where tree = $1 and seq > $2::bigint and ${where} order by tree_records.seq limit ${PORTION}`,
    values,
  };
}

function jobsWhere(where: string, values: readonly unknown[] = []): Portions {
  return {
    sql: `select 'jobs' as tbl, seq::text, id, mark, fence::int, record::text from @.tree_jobs
      where tree = $1 and seq > $2::bigint and ${where} order by tree_jobs.seq limit ${PORTION}`,
    values,
  };
}
