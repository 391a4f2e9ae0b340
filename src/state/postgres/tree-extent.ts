/** SQL for the records of a tree that a process reads when it opens it. */
import { sourceId } from '../../job.ts';
import type { Tables } from '../tables.ts';
import type { Extent } from '../tree.ts';
import { fitText } from './tree-text.ts';

/** Rows that are fetched at a time. */
export const PORTION = 5000;

/** A query for rows of records, by the portion: `$1` is the tree, `$2` the last `seq` of the portion before. */
export interface Portions {
  readonly sql: string;
  /** From `$3` on. */
  readonly values: readonly unknown[];
}

/** The remotes alone: what a worker reads. */
export function remotesOnly(): Portions[] {
  return [recordsWhere(`tbl = 'remotes'`)];
}

/**
 * The records of an extent. Beside these it has one job and the oldest source, where there are any: a tree with jobs must not look like
 * an empty one, and the books begin with its oldest source.
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
  }
}

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
