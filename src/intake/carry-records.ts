/**
 * Carries the records of this machine along where the config has a source in another project than before: its record, its jobs and their
 * baselines. Nothing is bought, and no target moves. What a person wrote stays a person's.
 */
import { join, relative } from 'node:path';
import { hashBytes, hashIfPresent, statOf } from '../files/disk.ts';
import { type Hash, jobId, type Stat, sourceId, targetList } from '../job.ts';
import {
  commitDecision,
  type Fact,
  type JobRecord,
  type SourceRecord,
  type Written,
} from '../ledger.ts';
import type { Setup } from '../plan/planner.ts';
import { recipeFor } from '../plan/recipe.ts';
import type { PathMatch } from '../routes/compiled.ts';
import { type Memories, textsLacking } from '../state/memory.ts';
import type { Team } from '../state/team.ts';
import type { Tree } from '../state/tree.ts';
import { baselineKeyOf } from '../state/undo-log.ts';
import { readSeen, recordSeen } from './config-seen.ts';
import { withoutRecord } from './gone.ts';
import { type ClaimedSource, heirsOf, isSourceOf, type Routed } from './heirs.ts';
import { type ProjectContext, takeFromWorkers } from './project-context.ts';

type Records = Pick<ProjectContext, 'ledger' | 'baselines' | 'publications'> & {
  readonly memories: Memories;
  readonly team?: Pick<Team, 'status'>;
  readonly tree?: Pick<Tree, 'task'>;
};

/** To ask the routes for each of 20,000 sources took a tenth of a run with nothing to do. */
export async function carryRecords(setup: Setup, records: Records): Promise<void> {
  const { state, projects } = setup.config;
  const names = new Set(projects.map(({ name }) => name));
  const others = new Set<string>();
  for (const { project } of records.ledger.all('sources')) {
    if (!names.has(project)) others.add(project);
  }
  const digest = hashBytes([setup.text, ...[...others].toSorted()].join('\n'));
  if ((await readSeen(state)).records === digest) return;
  await carryAll(setup, records);
  if (records.tree?.task === 'looks') return;
  await recordSeen(state, { records: digest });
}

async function carryAll(routed: Routed, records: Records): Promise<void> {
  const { ledger } = records;
  const projects = new Map(routed.config.projects.map((project) => [project.name, project]));
  const left = [...ledger.all('sources')].filter(({ project: name, path }) => {
    const project = projects.get(name);
    return project === undefined || !isSourceOf(routed, project, { source: path });
  });
  for (const [name, sources] of Map.groupBy(left, ({ project }) => project)) {
    const byPath = new Map(sources.map((source) => [source.path, source]));
    const jobs = Map.groupBy(
      [...ledger.all('jobs')].filter((job) => job.project === name && byPath.has(job.source)),
      ({ source }) => source,
    );
    const claims = await heirsOf(
      routed,
      { project: projects.get(name), paths: [...byPath.keys()] },
      (some) => isEvident(some, { byPath, jobs }),
    );
    await copyTexts(records, { from: name, claims, jobs });
    for (const claim of claims) {
      const source = byPath.get(claim.there);
      // The first project that has the source gets its records.
      if (source === undefined || !byPath.delete(claim.there)) continue;
      await carry(routed, records, { claim, source, jobs: jobs.get(claim.there) ?? [] });
    }
  }
}

interface TextsToCopy extends Pick<KnownRecords, 'jobs'> {
  /** Name of the project that bought them. */
  readonly from: string;
  readonly claims: readonly ClaimedSource[];
}

/** So texts that come back later are not bought again. Nobody waits for a database that is away. */
async function copyTexts(
  { memories, team, tree }: Records,
  { from, claims, jobs }: TextsToCopy,
): Promise<void> {
  if (tree?.task === 'looks' || team?.status().away !== undefined) return;
  for (const [heir, own] of Map.groupBy(claims, ({ project }) => project)) {
    if (heir.name === from) continue;
    const wanted = own
      .flatMap(({ there }) => jobs.get(there) ?? [])
      .flatMap(({ language }) => {
        const { shared, polish } = recipeFor(heir, language);
        return [language, ...(shared ? [shared.target] : []), ...(polish ? [polish.target] : [])];
      });
    for (const language of new Set(wanted)) {
      const former = await memories.open(from, language);
      const memory = await memories.open(heir.name, language);
      for await (const lacking of textsLacking(former, memory)) await memory.remember(lacking);
    }
  }
}

interface KnownRecords {
  readonly byPath: ReadonlyMap<string, SourceRecord>;
  readonly jobs: ReadonlyMap<string, readonly JobRecord[]>;
}

/** Whether one of the files, or a translation of one, is still as it is on record. */
async function isEvident(
  claims: readonly ClaimedSource[],
  { byPath, jobs }: KnownRecords,
): Promise<boolean> {
  for (const { there, root } of claims) {
    const source = byPath.get(there);
    const wrote = (jobs.get(there) ?? []).flatMap((job) => job.wrote);
    const known = [...(source === undefined ? [] : [source]), ...wrote];
    for (const each of known) if (await isAsRecorded(join(root, each.path), each)) return true;
  }
  return false;
}

async function isAsRecorded(
  path: string,
  { stat, hash }: { readonly stat: Stat; readonly hash: Hash },
): Promise<boolean> {
  const found = await statOf(path);
  return found !== undefined && (found === stat || (await hashIfPresent(path)) === hash);
}

interface CarriedSource {
  readonly claim: ClaimedSource;
  readonly source: SourceRecord;
  readonly jobs: readonly JobRecord[];
}

async function carry(
  { router }: Routed,
  { ledger, baselines, publications }: Records,
  { claim, source, jobs }: CarriedSource,
): Promise<void> {
  const { project, root } = claim;
  const id = sourceId(project.name, claim.source);
  const match = router.match(project.name, claim.source);
  const isMoving = jobs.some(({ moveBegun }) => moveBegun !== undefined);
  if (match.kind !== 'source' || isMoving || ledger.get('sources', id) !== undefined) return;
  const own = jobs.filter((job) => isCarried(job, { claim, match }));
  await takeFromWorkers({ ledger, publications, project: { root } }, own);
  const present = () => own.flatMap((job) => ledger.get('jobs', job.id) ?? []);
  const carried = (job: JobRecord) => carriedJob(job, { claim, match });
  await baselines.move(
    present().map((job) => ({ from: baselineKeyOf(job), to: baselineKeyOf(carried(job)) })),
  );
  const inProject = (path: string) => relative(project.root, join(root, path));
  await commitDecision(ledger, () => [
    ...withoutRecord(ledger, source),
    {
      table: 'sources',
      put: {
        ...source,
        ...{ id, project: project.name, path: claim.source },
        ...(source.raw === undefined ? {} : { raw: inProject(source.raw) }),
      },
      from: ledger.get('sources', id),
    },
    ...present().flatMap((job): Fact[] => {
      const add = carried(job);
      const known = ledger.get('jobs', add.id);
      return [
        { table: 'jobs', drop: job },
        ...(known === undefined ? [] : [{ table: 'jobs', drop: known } as const]),
        {
          table: 'jobs',
          add: { ...add, fence: Math.max(add.fence, (known?.fence ?? 0) + 1) },
          isInLock: true,
        },
      ];
    }),
  ]);
}

interface CarriedTo {
  readonly claim: ClaimedSource;
  readonly match: Extract<PathMatch, { kind: 'source' }>;
}

/** Whether the project has the language, and writes the targets where they are. Otherwise they are not those of its jobs. */
function isCarried(job: JobRecord, { claim, match }: CarriedTo): boolean {
  if (!claim.project.targets.includes(job.language)) return false;
  const paths = new Set(targetList(match.targets(job.language)));
  return wroteIn(job, claim).every(({ path }) => paths.has(path));
}

function wroteIn({ wrote }: JobRecord, { project, root }: ClaimedSource): Written[] {
  return wrote.map((each) => ({ ...each, path: relative(project.root, join(root, each.path)) }));
}

/** The job in its new project. */
function carriedJob(job: JobRecord, { claim, match }: CarriedTo): JobRecord {
  const { project, source } = claim;
  const isUnderWay = job.lane === 'document' && job.state.kind !== 'done';
  return {
    ...job,
    ...(isUnderWay && { formerIds: [...(job.formerIds ?? []), job.id] }),
    id: jobId(project.name, job.language, source),
    project: project.name,
    source,
    targets: match.targets(job.language),
    wrote: wroteIn(job, claim),
    state: job.state.kind === 'running' ? { kind: 'queued' } : job.state,
    fence: job.fence + 1,
  };
}
