/** Applies one change of a project's files: to the records, and to the targets of what moved or went. */

import { isoTime } from '../clock.ts';
import type { FoundFile } from '../files/listing.ts';
import { type Hash, type JobState, type Lane, sourceId } from '../job.ts';
import { commitDecision, type SourceRecord, type Written } from '../ledger.ts';
import { adoptCopy } from './adopt-copy.ts';
import type { Change } from './change.ts';
import { applyGone } from './gone.ts';
import type { OwnWrite } from './inventory.ts';
import { applyMoves } from './move.ts';
import type { PendingChanges } from './pending-changes.ts';
import { jobsOf, type ProjectContext } from './project-context.ts';

/** What becomes of targets whose source moved or went: a dry run only notes it. */
export type TargetsOfLeaving = 'follow' | 'stay';

export interface Circumstances {
  readonly context: ProjectContext;
  readonly pending: PendingChanges;
  readonly targets: TargetsOfLeaving;
  /** Of files whose content tells it. */
  readonly lanes: ReadonlyMap<string, Lane>;
}

/** What a change leads to: sources to plan, and records to write. */
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
    case 'mass-deletion':
      pending.vanished(context, change);
      return NOTHING;
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

const NOTHING: Applied = { sources: [], records: [] };

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
 * A job that met other content stops and waits for the watch to tell of it. Where the content is the one on record again, an
 * open job of the source is planned again, because nothing else offers it.
 */
function touch(change: Extract<Change, { kind: 'touched' }>, around: Circumstances): Applied {
  const record = recordOf(change, around);
  const isBack = change.hash === change.before.hash;
  const isOpen = isBack && jobsOf(around.context, record).some(({ state }) => OPEN.has(state.kind));
  return { sources: isOpen ? [record] : [], records: [record] };
}

const OPEN: ReadonlySet<JobState['kind']> = new Set(['queued', 'running']);

async function depart(before: SourceRecord, { context, pending, targets }: Circumstances) {
  if (targets === 'stay') {
    pending.leaves(before);
    return NOTHING;
  }
  const copy = pending.copyOf(context, before.path);
  const heir = copy === undefined ? undefined : context.inventory.source(copy);
  if (heir?.hash === before.hash && (await adoptCopy(context, before, heir))) {
    return { sources: [heir], records: [] };
  }
  await applyGone(context, before);
  return NOTHING;
}

async function follow(
  moves: readonly Extract<Change, { kind: 'moved' }>[],
  around: Circumstances,
): Promise<Applied> {
  const moved = moves.map((move) => ({ before: move.before, after: recordFor(move, around) }));
  if (around.targets === 'stay') {
    for (const { before, after } of moved) around.pending.leaves(before, after);
    return NOTHING;
  }
  await applyMoves(around.context, moved);
  return { sources: moved.map(({ after }) => after), records: [] };
}

interface Content {
  readonly file: FoundFile;
  readonly hash: Hash;
  readonly before?: SourceRecord;
}

function recordOf(content: Content, around: Circumstances): SourceRecord {
  const record = recordFor(content, around);
  around.context.inventory.putSource(record);
  return record;
}

function recordFor(
  { file, hash, before }: Content,
  { context, lanes }: Pick<Circumstances, 'context' | 'lanes'>,
): SourceRecord {
  const { project, clock, ledger } = context;
  const lane = lanes.get(file.path);
  return {
    id: sourceId(project.name, file.path),
    project: project.name,
    path: file.path,
    ...(file.raw === file.path ? {} : { raw: file.raw }),
    hash,
    stat: file.stat,
    ...(lane === undefined ? {} : { lane }),
    ...languageOf(before && ledger.get('sources', before.id), hash),
    since: before?.since ?? isoTime(clock),
  };
}

/** What the service said of a content, perhaps since the intake last saw it, holds as long as the content does. */
export function languageOf(
  before: SourceRecord | undefined,
  hash: Hash,
): Pick<SourceRecord, 'language'> {
  return before?.language === undefined || before.hash !== hash
    ? {}
    : { language: before.language };
}

interface Deviating {
  readonly writes: readonly OwnWrite[];
  /** Of what stands there; null when nothing does. */
  readonly hash: Hash | null;
  readonly around: Circumstances;
}

function deviate(path: string, { writes, hash, around }: Deviating): Applied {
  const { context, pending } = around;
  const others = writes.filter(
    ({ job }) => !isPublishing(context.ledger.get('jobs', job.id)?.state, hash),
  );
  if (others.length === 0) return NOTHING;
  pending.deviates(context, path, hash === null ? 'missing' : 'edited');
  return {
    sources: others.flatMap(({ job }) => context.inventory.source(job.source) ?? []),
    records: [],
  };
}

/** The rename of our own writing may be seen before the ledger hears of it. */
function isPublishing(state: JobState | undefined, hash: Hash | null): boolean {
  return state?.kind === 'running' && state.step.kind === 'publishing' && state.step.hash === hash;
}

async function renewStat(
  { file, writes }: Extract<Change, { kind: 'target-touched' }>,
  { ledger, inventory }: ProjectContext,
): Promise<void> {
  const jobs = () => writes.flatMap(({ job }) => ledger.get('jobs', job.id) ?? []);
  // What was written there since has a stat of its own.
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
