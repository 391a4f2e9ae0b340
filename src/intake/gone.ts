/**
 * Applies that a source is gone: its targets are treated as `deleted_source` says, its jobs and baselines are removed. Paid
 * translations stay in the memory. A document that is paid and not delivered keeps its job.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesIn, removeAtOnce, sizeOfFile, statOf } from '../files/disk.ts';
import { changeFile } from '../files/right.ts';
import { requireRemovable } from '../files/writable.ts';
import { firstFormat } from '../formats/all.ts';
import { reportPath } from '../formats/captions/report.ts';
import {
  commitDecision,
  type Fact,
  type JobRecord,
  type LedgerView,
  type SourceRecord,
} from '../ledger.ts';
import { patchWithoutSource } from '../plan/unclaimed.ts';
import { textsOfPeople } from '../segments/moving-texts.ts';
import { takeBackMoves } from './begun-moves.ts';
import { deletionPolicy } from './leaving.ts';
import { jobsOf, type ProjectContext, takeFromWorkers } from './project-context.ts';

/** Does nothing where the source is back: the next look at its folder finds it. */
export async function applyGone(context: ProjectContext, source: SourceRecord): Promise<void> {
  const { project, ledger, inventory, baselines, events } = context;
  const isForgotten = (job: JobRecord) => patchWithoutSource(context, job) === undefined;
  await takeFromWorkers(context, jobsOf(context, source).filter(isForgotten));
  await takeBackMoves(context, jobsOf(context, source));
  // Workers are waited for, and meanwhile a person may put the source back and correct a target.
  if (await isBack(context, source)) return;
  // A target that cannot be removed does not keep those of other languages.
  const stuck: unknown[] = [];
  for (const job of jobsOf(context, source)) {
    try {
      for (const path of await filesOf(context, job)) await removeTarget(context, source, path);
      await keepTextsOfPeople(context, job);
      await baselines.remove({ project: project.name, language: job.language, path: source.path });
    } catch (error) {
      stuck.push(error);
    }
  }
  if (stuck.length > 0) throw stuck[0];
  // Read again: a paid job may have gone on meanwhile.
  const jobs = jobsOf(context, source);
  await commitDecision(ledger, () => [
    ...withoutRecord(ledger, source),
    ...jobsOf(context, source).map((from): Fact => {
      const set = patchWithoutSource(context, from);
      return set === undefined ? { table: 'jobs', drop: from } : { table: 'jobs', from, set };
    }),
  ]);
  for (const { id } of jobs) inventory.removeJob(id);
  inventory.removeSource(source.path);
  events.emit({ kind: 'source-changed', project: project.name, path: source.path, change: 'gone' });
}

/**
 * Whether a source that a look at its folder missed is there now, as when git checks out one commit after the other. Names are compared,
 * since a file system may ignore case.
 */
export async function isBack(
  { project, router }: ProjectContext,
  { path, raw = path }: SourceRecord,
): Promise<boolean> {
  const file = join(project.root, raw);
  if (router.match(project.name, path).kind !== 'source') return false;
  return sizeOfFile(file) !== undefined && (await namesIn(dirname(file))).includes(basename(file));
}

/** Its sections may have come into other files. */
async function keepTextsOfPeople(
  { baselines, left }: ProjectContext,
  { project, language, source: path, lane, wrote: [written] }: JobRecord,
): Promise<void> {
  const format = lane === 'text' ? await firstFormat(path) : undefined;
  if (format === undefined || written === undefined) return;
  const record = await baselines.of({ project, language, path }, written.hash).record(written.hash);
  const texts = textsOfPeople(record?.segments ?? []);
  await left.keep({ project, language, format: format.name }, path, texts);
}

/** For a dry run. @throws JobFailure as `applyGone` would, when a target cannot be removed */
export async function requireRemovableTargets(
  context: ProjectContext,
  source: SourceRecord,
): Promise<void> {
  for (const job of jobsOf(context, source)) {
    for (const path of await filesOf(context, job)) {
      const file = join(context.project.root, path);
      if (isRemoved(context, source, path) && existsSync(file)) requireRemovable(file);
    }
  }
}

/** Removes the present record of a source: a worker may have added its language meanwhile. */
export function withoutRecord(ledger: LedgerView, { id }: SourceRecord): Fact[] {
  const remove = ledger.get('sources', id);
  return remove === undefined ? [] : [{ table: 'sources', remove }];
}

/** The targets, and beside a target of the subtitle lane its report. */
async function filesOf({ project }: ProjectContext, { lane, wrote }: JobRecord): Promise<string[]> {
  const targets = wrote.map(({ path }) => path);
  if (lane !== 'subtitle') return targets;
  const reports: string[] = [];
  for (const report of targets.map(reportPath)) {
    if ((await statOf(join(project.root, report))) !== undefined) reports.push(report);
  }
  return [...targets, ...reports];
}

async function removeTarget(
  context: ProjectContext,
  source: SourceRecord,
  path: string,
): Promise<void> {
  const { project, trash, right, events } = context;
  if (!isRemoved(context, source, path)) return;
  if (deletionPolicy(context, source) === 'delete') {
    await changeFile(right, () => removeAtOnce(join(project.root, path)));
    events.emit({ kind: 'deleted', project: project.name, path });
    return;
  }
  const into = await trash.take({ project: project.name, path }, project.root);
  if (into !== undefined) events.emit({ kind: 'trashed', project: project.name, path, into });
}

/** A file with all languages is source and target: a person has removed it already. */
function isRemoved(context: ProjectContext, source: SourceRecord, path: string): boolean {
  return deletionPolicy(context, source) !== 'keep' && context.inventory.source(path) === undefined;
}
