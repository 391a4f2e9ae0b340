/**
 * Whether the next run could write the lock, where it has something to write there. That may be new, taken, moved, renamed and removed texts.
 * It is asked before the run, for all commands in the same way. Nothing is written. Also what a lock lacks that can be written: git put it
 * back, or nobody committed it with its translations.
 */
import { stepsInTurns, turnsOf } from '../clock.ts';
import type { Failure } from '../failure.ts';
import type { Job } from '../job.ts';
import { type Estimate, type LaneWorker, nothingCounted } from '../lane.ts';
import type { JobRecord } from '../ledger.ts';
import { inBatches } from '../parsing/within.ts';
import type { InForce } from '../plan/in-force.ts';
import {
  FRAME,
  isContradicted,
  OWN,
  type Section,
  withSections,
} from '../segments/lock-section.ts';
import { unitId } from '../segments/statements.ts';
import { type LockIndex, type LockName, lockNames } from '../state/lock-file.ts';
import { whyUnwritable } from '../state/lock-place.ts';
import {
  jobsMissed,
  type LockTidying,
  leftLocks,
  lockAsLeft,
  sourcesByProject,
  vanishedSources,
} from './lock-tidying.ts';
import {
  keptUnits,
  type SectionSources,
  sectionOf,
  sectionOfPresent,
  sectionOfRecords,
} from './section-of-job.ts';

export interface ForeseeingOptions extends LockTidying, Pick<SectionSources, 'baselines'> {
  readonly inForce: Pick<InForce, 'config' | 'router'>;
  readonly files: LockTidying['files'];
  readonly estimate: LaneWorker['estimate'];
}

/** What a run has to do. */
export interface ForeseenRun {
  readonly planned: readonly Job[];
  /** Jobs that move or remove targets: they always change the lock. */
  readonly leaving: readonly Job[];
  /** `drop` when the run is about everything: it also removes lines and files of what is gone. */
  readonly orphans: 'keep' | 'drop';
}

/** Milliseconds for which the lines of a large file may stop other work. */
const TURN_MS = 10;

/**
 * @returns why the lock could not be written; undefined: it can, or the run has nothing to write into it. Files are read only where the lock
 * cannot be written
 */
export async function whyLockStays(
  options: ForeseeingOptions,
  run: ForeseenRun,
): Promise<Failure | undefined> {
  for (const { name, failure } of await unwritableLocks(options)) {
    const changes =
      name === undefined ? run.orphans === 'drop' : await isChanged(options, name, run);
    if (changes) return failure;
  }
  return undefined;
}

interface UnwritableLock {
  /** Undefined: the config does not have its language any more, and a run over everything removes it. */
  readonly name: LockName | undefined;
  readonly failure: Failure;
}

/** The files of the lock that could not be written, or not removed. */
export async function unwritableLocks({
  files,
  inForce,
}: Pick<LockTidying, 'files' | 'inForce'>): Promise<UnwritableLock[]> {
  const left = await leftLocks({ files, inForce });
  return [
    ...lockNames(inForce.config.projects).map((name) => ({ name, path: files.pathOf(name) })),
    ...left.map((path) => ({ name: undefined, path })),
  ].flatMap(({ name, path }) => {
    const failure = whyUnwritable(files.folder, path);
    return failure === undefined ? [] : [{ name, failure }];
  });
}

/**
 * Finished jobs of this machine whose lines a file of the lock lacks, because others wrote the file last. The next run writes them. A lock
 * as the last run left it costs nothing here.
 * @param isPlanned such a job looks at its texts first
 */
export async function jobsPutBack(
  options: Omit<ForeseeingOptions, 'estimate'>,
  isPlanned: (job: JobRecord) => boolean,
): Promise<JobRecord[]> {
  const { files, ledger } = options;
  const isAsLeft = await lockAsLeft(options);
  const changed = new Set<string>();
  for (const name of lockNames(options.inForce.config.projects)) {
    const path = files.pathOf(name);
    // Lines that another file has are moved by the next run.
    if (files.elsewhere.has(path) || !(await files.has(name)) || (await isAsLeft(name))) continue;
    changed.add(path);
  }
  if (changed.size === 0) return [];
  const found: JobRecord[] = [];
  for (const job of ledger.all('jobs')) {
    if (job.state.kind !== 'done' || !changed.has(files.pathOf(job)) || isPlanned(job)) continue;
    const section = await sectionOf(options, job);
    if (section !== undefined && lacksPairs(await files.index(job), section)) found.push(job);
  }
  return found;
}

function lacksPairs(lock: LockIndex | undefined, { path, units }: Section): boolean {
  const own = unitId(path, OWN);
  return units.entries().some(([unit, { said, isAsStated, former }]) => {
    if (isAsStated === true || unit === own) return false;
    const known = [unit, former].flatMap((each) => (each && lock?.get(each)) ?? []);
    return said.some(
      (pair) =>
        !isContradicted(pair, known) &&
        !known.some(({ source, target }) => source === pair.source && target === pair.target),
    );
  });
}

/**
 * Whether a lock that is there knows a text of a target, but neither its present source nor its present translation. The target stays as it
 * is. New texts are no lack: a run takes them. Nor are corrections of people.
 * @param estimate with records
 */
export async function isUnsaid(
  options: Omit<ForeseeingOptions, 'estimate'>,
  estimate: Estimate,
): Promise<boolean> {
  const { job } = estimate;
  const { files } = options;
  if (!(await files.has(job))) return false;
  const section = await sectionAfter(options, estimate);
  const lock = await files.index(job);
  if (section === undefined || lock === undefined) return false;
  // This machine has bought a text itself if its mark is the machine's; of a whole file that is not known.
  const isWhole = job.lane === 'document' || job.lane === 'voice';
  // All texts of a file without keys are one unit: its new texts look the same.
  const texts = job.lane === 'text' ? [undefined, FRAME, OWN] : [FRAME, OWN];
  const others = new Set(texts.map((id) => unitId(job.source, id)));
  return section.units.entries().some(([unit, { said }]) => {
    const known = lock.get(unit) ?? [];
    if (others.has(unit) || known.length === 0) return false;
    return said.some(
      (pair) =>
        (isWhole || pair.mark !== 'machine') &&
        !known.some(({ source, target }) => source === pair.source || target === pair.target),
    );
  });
}

async function isChanged(
  options: ForeseeingOptions,
  name: LockName,
  { planned, leaving, orphans }: ForeseenRun,
): Promise<boolean> {
  const isOf = (job: LockName) => job.project === name.project && job.language === name.language;
  if (leaving.some(isOf)) return true;
  if (orphans === 'drop' && options.files.elsewhere.has(options.files.pathOf(name))) return true;
  const sections = await sectionsAfter(options, planned.filter(isOf));
  if (sections === 'open') return true;
  const lock = await options.files.lock(name);
  if (lock === undefined) return sections.some(({ units }) => units.size > 0);
  if (orphans === 'drop') {
    if (lock.hasMarkers || (await vanishedSources(options, name, lock)).size > 0) return true;
    const own = new Set(sections.map(({ path }) => path));
    for (const job of await jobsMissed(options, sourcesByProject(options))) {
      const section = isOf(job) && !own.has(job.source) && (await sectionOf(options, job));
      if (section) sections.push(section);
    }
  }
  if (sections.length === 0) return false;
  const known = lock.sections;
  const isKept =
    orphans === 'drop' ? await keptUnits(options, { name, sections, known }) : () => true;
  const next = withSections({ known, sections, isKept });
  return await options.files.differs(name, await stepsInTurns(next, turnsOf(TURN_MS)));
}

/** @returns `open` when one of the jobs would change its target: then it also changes its lines */
async function sectionsAfter(
  options: ForeseeingOptions,
  jobs: readonly Job[],
): Promise<Section[] | 'open'> {
  const sections: Section[] = [];
  // A file that cannot be read has a line of its own in every answer.
  const estimateOf = (job: Job, before: Promise<void>) =>
    options.estimate(job, nothingCounted(before), 'records').catch(() => undefined);
  for await (const estimates of inBatches(jobs, estimateOf)) {
    for (const estimate of estimates) {
      // What waits for a person stays, and so do its lines.
      if (estimate === undefined || estimate.hold !== undefined) continue;
      if (estimate.isUpToDate !== true) return 'open';
      const section = await sectionAfter(options, estimate);
      if (section !== undefined) sections.push(section);
    }
  }
  return sections;
}

async function sectionAfter(
  options: Pick<ForeseeingOptions, 'inForce' | 'files'>,
  { job, records }: Estimate,
): Promise<Section | undefined> {
  if (records !== undefined) return await sectionOfRecords(options, job, records);
  const isWhole = job.lane === 'document' || job.lane === 'voice';
  return isWhole ? await sectionOfPresent(options, job) : undefined;
}
