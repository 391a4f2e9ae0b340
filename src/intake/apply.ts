/**
 * Applies one change of a project's files. Makes the records of its sources, and moves or removes the targets of sources that moved or are
 * gone.
 */

import { join } from 'node:path';
import { isoTime } from '../clock.ts';
import { hashIfPresent } from '../files/disk.ts';
import type { FoundFile } from '../files/listing.ts';
import { removeFile } from '../files/move.ts';
import { type Hash, type JobState, type Lane, sourceId } from '../job.ts';
import { commitDecision, type SourceRecord, type Written } from '../ledger.ts';
import { editionNow } from '../plan/edition.ts';
import type { Change } from './change.ts';
import { applyGone, isBack, requireRemovableTargets } from './gone.ts';
import type { OwnWrite } from './inventory.ts';
import { applyMoves, requireMovable } from './move.ts';
import type { PendingChanges } from './pending-changes.ts';
import { allJobsOf, jobsOf, type ProjectContext } from './project-context.ts';
import { asVanished } from './vanished.ts';

/** What happens to the targets of a source that moved or is gone. `stay`: a dry run, which only reports it. */
export type TargetsOfLeaving = 'follow' | 'stay';

export interface Circumstances {
  readonly context: ProjectContext;
  readonly pending: PendingChanges;
  readonly targets: TargetsOfLeaving;
  /** By path: the lane of files whose content decides it. */
  readonly lanes: ReadonlyMap<string, Lane>;
}

/** The result of a change: sources to plan, and records to write. */
export interface Applied {
  readonly sources: readonly SourceRecord[];
  readonly records: readonly SourceRecord[];
}

export async function applyChange(change: Change, around: Circumstances): Promise<Applied> {
  const { context, pending } = around;
  switch (change.kind) {
    case 'new':
    case 'edited':
      return arrive(change, around);
    case 'touched':
      return touch(change, around);
    case 'moved':
      return await follow([change], around);
    case 'exchanged':
      return await follow(change.moves, around);
    case 'gone':
      return await depart(change.before, around);
    case 'mass-deletion': {
      // In a dry run a source that moved stays on record, so a second look finds it gone.
      const gone = change.gone.filter((source) => !pending.isLeaving(source));
      if (gone.length === 0) return NOTHING;
      pending.vanished(context, { ...change, gone });
      return { sources: [], records: gone.map(asVanished) };
    }
    case 'skipped':
      pending.skip(context, change.path, { reason: change.reason, why: 'meant' });
      return NOTHING;
    case 'target-edited':
      return deviate(change.file.path, { ...change, around });
    case 'target-missing':
      return deviate(change.path, { ...change, hash: null, around });
    case 'target-touched':
      await renewStat(change, context);
      return NOTHING;
  }
}

/** A change without a result. */
export const NOTHING: Applied = { sources: [], records: [] };

function arrive(
  change: Extract<Change, { kind: 'new' | 'edited' }>,
  around: Circumstances,
): Applied {
  const { project, events } = around.context;
  const record = recordOf(change, around);
  const { path } = record;
  if (change.kind === 'new' && change.copyOf !== undefined) {
    around.pending.copied(around.context, { from: change.copyOf, to: path });
  }
  events.emit({ kind: 'source-changed', project: project.name, path, change: change.kind });
  return { sources: [record], records: [record] };
}

/**
 * A job that finds other content than was planned stops, and waits for a change of the source. When the file has the content on record
 * again, there is no such change: so an open job of the source is planned again here.
 */
function touch(change: Extract<Change, { kind: 'touched' }>, around: Circumstances): Applied {
  const record = recordOf(change, around);
  const isBack = change.hash === change.before.hash;
  const isOpen = isBack && jobsOf(around.context, record).some(({ state }) => OPEN.has(state.kind));
  return { sources: isOpen ? [record] : [], records: [record] };
}

const OPEN: ReadonlySet<JobState['kind']> = new Set(['queued', 'running']);

async function depart(before: SourceRecord, { context, pending, targets }: Circumstances) {
  if (await isBack(context, before)) return NOTHING;
  if (targets === 'stay') {
    pending.leaves(before);
    await requireRemovableTargets(context, before);
    return NOTHING;
  }
  const path = pending.copyOf(context, before.path);
  const copy = path === undefined ? undefined : context.inventory.source(path);
  if (copy?.hash === before.hash && (await moveToCopy(context, before, copy))) {
    return { sources: [copy], records: [] };
  }
  await applyGone(context, before);
  return NOTHING;
}

/**
 * A source that was copied and then removed has moved in two steps, as between file systems: its targets move to the copy.
 * @returns false, and does nothing, when a person has changed a target of the copy since
 */
async function moveToCopy(
  context: ProjectContext,
  before: SourceRecord,
  copy: SourceRecord,
): Promise<boolean> {
  const { project, right } = context;
  const { root } = project;
  const own = jobsOf(context, copy).flatMap(({ wrote }) => wrote);
  // If one file has all languages, a copy of the source has the translations, too.
  if (own.some(({ path }) => path === copy.path)) return false;
  const found = await Promise.all(own.map(({ path }) => hashIfPresent(join(root, path))));
  if (own.some(({ hash }, at) => found[at] !== hash)) return false;
  // The targets of the copy have only texts of the machine, which are in the memory. Those that come may have texts of a person.
  for (const { path, hash } of own) {
    if (!(await removeFile(right, join(root, path), hash))) return false;
  }
  await applyMoves(context, [{ before, after: copy }]);
  return true;
}

async function follow(
  moves: readonly Extract<Change, { kind: 'moved' }>[],
  around: Circumstances,
): Promise<Applied> {
  const moved = moves.map((move) => ({ before: move.before, after: recordFor(move, around) }));
  if (around.targets === 'stay') {
    for (const { before, after } of moved) around.pending.leaves(before, after);
    await requireMovable(around.context, moved);
    return NOTHING;
  }
  await applyMoves(around.context, moved);
  return { sources: moved.map(({ after }) => after), records: [] };
}

interface HashedFile {
  readonly file: FoundFile;
  readonly hash: Hash;
  readonly before?: SourceRecord;
}

function recordOf(content: HashedFile, around: Circumstances): SourceRecord {
  const record = recordFor(content, around);
  around.context.inventory.putSource(record);
  return record;
}

function recordFor(
  { file, hash, before }: HashedFile,
  { context, lanes }: Pick<Circumstances, 'context' | 'lanes'>,
): SourceRecord {
  const { project, clock, ledger } = context;
  const lane = lanes.get(file.path);
  const edition =
    before && editionNow(before, { hash, stat: file.stat }, allJobsOf(context, before));
  return {
    id: sourceId(project.name, file.path),
    project: project.name,
    path: file.path,
    ...(file.raw === file.path ? {} : { raw: file.raw }),
    hash,
    stat: file.stat,
    ...(edition === undefined ? {} : { edition }),
    ...(lane === undefined ? {} : { lane }),
    ...knownLanguage(before && ledger.get('sources', before.id), {
      hash,
      ...(edition && { edition }),
    }),
    since: before?.since ?? isoTime(clock),
  };
}

/**
 * The language that the service detected stays valid while the content is the same. The answer may be newer than the record
 * that the intake saw.
 */
export function knownLanguage(
  before: SourceRecord | undefined,
  { hash, edition = hash }: Pick<SourceRecord, 'hash' | 'edition'>,
): Pick<SourceRecord, 'language'> {
  const isSame = before?.hash === hash || (before?.edition ?? before?.hash) === edition;
  return before?.language === undefined || !isSame ? {} : { language: before.language };
}

interface Deviating {
  readonly writes: readonly OwnWrite[];
  /** Hash of the file at the path; null: there is none. */
  readonly hash: Hash | null;
  readonly around: Circumstances;
}

function deviate(path: string, { writes, hash, around }: Deviating): Applied {
  const { context, pending } = around;
  // A job may have delivered this content since the file was compared with the records.
  if (context.inventory.writes(path).some(({ written }) => written.hash === hash)) return NOTHING;
  const others = writes.filter(
    ({ job }) => !isPublishing(context.ledger.get('jobs', job.id)?.state, hash),
  );
  if (others.length === 0) return NOTHING;
  pending.deviates(context, path, hash);
  return {
    sources: others.flatMap(({ job }) => context.inventory.source(job.source) ?? []),
    records: [],
  };
}

/** The watch may see a target that dragoman writes before the ledger has it. */
function isPublishing(state: JobState | undefined, hash: Hash | null): boolean {
  return state?.kind === 'running' && state.step.kind === 'publishing' && state.step.hash === hash;
}

async function renewStat(
  { file, writes }: Extract<Change, { kind: 'target-touched' }>,
  { ledger, inventory }: ProjectContext,
): Promise<void> {
  const jobs = () => writes.flatMap(({ job }) => ledger.get('jobs', job.id) ?? []);
  // A target that was written since has another hash, and its own stat.
  const isTouched = ({ path, hash }: Written) =>
    path === file.path && writes.some(({ written }) => written.hash === hash);
  await commitDecision(ledger, () =>
    jobs().map((from) => {
      const wrote = from.wrote.map((written) =>
        isTouched(written) ? { ...written, stat: file.stat } : written,
      );
      return { table: 'jobs', from, set: { wrote } };
    }),
  );
  for (const job of jobs()) inventory.putJob(job);
}
