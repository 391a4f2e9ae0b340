/** Applies the changes that the watch reports: hashes the files, compares them with the ledger, and writes the result to the ledger. */

import { join } from 'node:path';
import { type StepwiseWork, stepsInTurns, turnsOf } from '../clock.ts';
import { describeFailure, type Failure, failureOf } from '../failure.ts';
import { namesIn, statOf } from '../files/disk.ts';
import type { FoundFile } from '../files/listing.ts';
import { absentOnPurpose, findWorkTree } from '../files/work-tree.ts';
import { type JobId, type Lane, type SourceId, sourceId } from '../job.ts';
import { commitDecision, type Fact, type SourceRecord } from '../ledger.ts';
import { growHeapSlowly } from '../parsing/heap.ts';
import type { SkipCause } from '../routes/compiled.ts';
import { asStateFailure } from '../state/state-disk.ts';
import type { Settled, WatchEvent } from '../watch/event.ts';
import { KnownFiles, knownFilesOf } from '../watch/known.ts';
import type { WatchedRoot } from '../watch/observed-root.ts';
import {
  type Applied,
  applyChange,
  type Circumstances,
  knownLanguage,
  NOTHING,
  type TargetsOfLeaving,
} from './apply.ts';
import type { Change } from './change.ts';
import { type Contents, readContents } from './contents.ts';
import { applyGone } from './gone.ts';
import { LARGE_BYTES } from './joined-saves.ts';
import { type FollowUp, followUps } from './leaving.ts';
import {
  type Deviation,
  type MassDeletion,
  PendingChanges,
  type SavedFile,
  type SkippedFile,
  type SkipReason,
} from './pending-changes.ts';
import {
  allJobsOf,
  type ProjectContext,
  ProjectContexts,
  type ProjectContextsOptions,
} from './project-context.ts';
import { judgeFiles, reconcile, toHash, unknownContents } from './reconcile.ts';
import { findSimilarFiles } from './similar-files.ts';
import { returned, vanishedOf } from './vanished.ts';

export type { TargetsOfLeaving } from './apply.ts';
export type { MassDeletion } from './pending-changes.ts';

export interface IntakeOptions extends Omit<ProjectContextsOptions, 'targetPlaced'> {
  readonly targets: TargetsOfLeaving;
  /** Called with the sources whose jobs may wait, because a person has saved into a large file of theirs. */
  joined(sources: readonly SourceId[]): void;
}

/** Before the first job of 50,000 new sources began, the heap took 520 MB for 195 MB of objects. */
const MANY_FILES = 20_000;

/** A pull may bring 100,000 files: together, they blocked the event loop for 0.6 s. */
const TURN_MS = 8;

/** Records that are committed together. A crash between two commits loses nothing: the next look finds the other files new. */
const PORTION = 1000;

const WHY = {
  contested: 'contested',
  lane: 'no-lane',
  excluded: 'meant',
} as const satisfies Partial<Record<SkipCause, SkipReason['why']>>;

export class Intake {
  readonly #options: IntakeOptions;
  readonly #contexts: ProjectContexts;
  readonly #pending: PendingChanges;
  /** The new paths of moved sources whose targets could not follow. */
  readonly #stuckMoves = new Map<SourceId, string>();
  #known: ReadonlyMap<string, KnownFiles> = new Map();

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#contexts = new ProjectContexts({
      ...options,
      targetPlaced: (project, path, stat) => this.#known.get(project)?.set(path, stat),
    });
    this.#pending = new PendingChanges(options.world.events);
  }

  /** The folders to watch. A file on record is reported only when it differs from the record. */
  roots(): WatchedRoot[] {
    const { config, router } = this.#options.setup;
    const recorded = knownFilesOf(this.#options.workspace.ledger);
    this.#known = new Map(
      config.projects.map(({ name }) => [name, recorded.get(name) ?? new KnownFiles()]),
    );
    return config.projects.map(({ name, root }) => ({
      project: name,
      isTarget: (file) => {
        const { inventory } = this.#contexts.of(name);
        return inventory.writes(file).length > 0 && inventory.source(file) === undefined;
      },
      path: root,
      wants: (file) => router.wants(name, file),
      enters: (folder) => router.enters(name, folder),
      known: this.#known.get(name) ?? new KnownFiles(),
    }));
  }

  /** How a target deviates from what dragoman left; undefined when it does not. */
  deviation(project: string, path: string): Deviation | undefined {
    return this.#pending.deviation(project, path);
  }

  /** Absolute paths of the files that are not translated, with the reasons. */
  skipped(): { path: string; reason: string }[] {
    return this.#pending.skipped();
  }

  /** The files that are not translated for this reason. */
  skippedFor(why: SkipReason['why']): SkippedFile[] {
    return this.#pending.skippedFor(why);
  }

  /** Whether a source on record has moved or is gone, while its targets stay (dry run). */
  isLeaving(source: SourceRecord): boolean {
    return this.#pending.isLeaving(source);
  }

  /** Where a source on record has moved (dry run). */
  movedTo(source: SourceRecord): string | undefined {
    return this.#pending.movedTo(source);
  }

  /** How a run would treat the targets of sources that moved or are gone (dry run), where they can follow. */
  followUps(): FollowUp[] {
    const stuck = new Set(
      this.skippedFor('not-followed').map(({ project, path }) => sourceId(project, path)),
    );
    return this.#pending
      .leaving()
      .filter(({ before }) => !stuck.has(before.id))
      .flatMap((leaving) => followUps(this.#contexts.of(leaving.before.project), leaving));
  }

  massDeletions(): MassDeletion[] {
    return this.#pending.massDeletions();
  }

  /** The targets of a job are as the ledger says: they deviate no longer, and the watch need not report them. */
  delivered(id: JobId): void {
    const job = this.#options.workspace.ledger.get('jobs', id);
    if (job === undefined) return;
    const { inventory } = this.#contexts.of(job.project);
    inventory.putJob(job);
    for (const { path, stat } of job.wrote) {
      this.#pending.forgetDeviation(job.project, path);
      // The watch reports the removal of a target only when it knows the file, so it gets the file here. A file with all languages is also a
      // source: its change must be reported.
      if (!inventory.source(path)) this.#known.get(job.project)?.set(path, stat);
    }
  }

  /** A person saves texts into a file: called before the file is written. */
  saves(file: SavedFile): void {
    this.#pending.saves(file);
  }

  /** Undo has put back a target. @param source where one file has all languages: its record now */
  tookBack({ jobs, source }: { jobs: readonly JobId[]; source?: SourceRecord }): void {
    if (source !== undefined) this.#contexts.of(source.project).inventory.putSource(source);
    for (const id of jobs) this.delivered(id);
  }

  /** @returns the sources whose jobs must be planned */
  async take(event: WatchEvent): Promise<SourceRecord[]> {
    switch (event.kind) {
      case 'settled':
        return await this.#takeSettled(event);
      case 'skipped':
      case 'incomplete': {
        const isFile = event.kind === 'incomplete' || event.isUnreadable === true;
        this.#pending.skip(this.#contexts.of(event.project), event.path, {
          reason: event.reason,
          why: isFile || event.advice !== undefined ? 'watched' : 'no-file',
        });
        return [];
      }
      case 'scanned':
      case 'offline':
      case 'online':
      case 'degraded':
      case 'recovered':
        return [];
    }
  }

  /**
   * A person confirms that the vanished sources are really deleted. A file that is back since stays as it is. Where the root itself is gone
   * now, they stay held.
   */
  async confirmDeletions(): Promise<void> {
    for (const { project, gone } of this.#pending.massDeletions()) {
      const context = this.#contexts.of(project);
      const { root } = context.project;
      if ((await statOf(root)) === undefined) continue;
      for (const before of gone) {
        await applyGone(context, before);
        this.#pending.forgetDeletions(context, [before.path]);
      }
    }
  }

  async #takeSettled(settled: Settled): Promise<SourceRecord[]> {
    if (settled.files.length >= MANY_FILES) growHeapSlowly();
    const context = this.#contexts.of(settled.project);
    const { inventory, router, ledger } = context;
    this.#pending.forgetDeletions(
      context,
      settled.files.map(({ path }) => path),
    );
    const observed = {
      ...settled,
      isBare:
        settled.gone.length > 0 && settled.files.length === 0 && (await isBare(context.project)),
      ...(await this.#withoutAbsent(context, settled)),
      files: await stepsInTurns(this.#takenOf(context, settled.files), turnsOf(TURN_MS)),
    };
    const reconciling = {
      observed,
      inventory,
      isSource: (path: string) => router.match(settled.project, path).kind === 'source',
      jobsOf: (source: SourceRecord) => allJobsOf(context, source),
    };
    const unread = await stepsInTurns(toHash(reconciling), turnsOf(TURN_MS));
    const contents = await readContents(context, unread);
    this.#skipUnread(context, contents);
    const { hashes, lanes } = contents;
    const judged = await stepsInTurns(judgeFiles(reconciling, hashes), turnsOf(TURN_MS));
    const similar = await findSimilarFiles(context, unknownContents(judged));
    const found = settled.files.map(({ path }) => sourceId(settled.project, path));
    const back = vanishedOf(ledger, found);
    const changed = await this.#apply(reconcile(judged, similar), { context, lanes });
    const others = await returned(ledger, back);
    return [...new Map([...changed, ...others].map((source) => [source.id, source])).values()];
  }

  /** After a look at all files: what an earlier process found vanished, and this one did not, is back. */
  async forgetVanished(): Promise<void> {
    const { ledger } = this.#options.workspace;
    const held = new Set(this.massDeletions().flatMap(({ gone }) => gone.map(idOf)));
    const known = vanishedOf(ledger, [...ledger.all('sources')].map(idOf));
    const back = known.filter((id) => !held.has(id));
    await returned(ledger, back);
  }

  /** Without files that git tracks but did not check out (sparse checkout, submodule): these are not gone. */
  async #withoutAbsent(context: ProjectContext, { gone, missing }: Settled) {
    const { root } = context.project;
    const tree = gone.length + missing.size === 0 ? undefined : findWorkTree(root);
    if (tree === undefined) return { gone, missing };
    const isAway = await absentOnPurpose(tree);
    const isThere = (path: string) => !isAway(join(root, path));
    for (const path of gone) {
      if (isThere(path)) continue;
      const reason = 'git has not checked it out (sparse checkout or submodule): it is not gone';
      this.#pending.skip(context, path, { reason, why: 'meant' });
    }
    return { gone: gone.filter(isThere), missing: new Set([...missing].filter(isThere)) };
  }

  *#takenOf(context: ProjectContext, files: readonly FoundFile[]): StepwiseWork<FoundFile[]> {
    const taken: FoundFile[] = [];
    for (const file of files) {
      if (this.#isTaken(context, file.path)) taken.push(file);
      yield;
    }
    return taken;
  }

  /** Whether a route or a target matches the file. A route may also reach a file and refuse it: the plan then names it. */
  #isTaken(context: ProjectContext, path: string): boolean {
    const match = context.router.match(context.project.name, path);
    if (match.kind !== 'skipped') this.#pending.forgetSkip(context, path);
    else if (match.because !== 'no-route' && match.because !== 'state') {
      this.#pending.skip(context, path, { reason: match.reason, why: WHY[match.because] });
    }
    return match.kind !== 'skipped';
  }

  /**
   * Skips files that cannot be read now. What the watch knew of them, and of files that are gone, is restored: so the next look at
   * all files reports them again.
   */
  #skipUnread(context: ProjectContext, { unreadable, gone }: Contents): void {
    for (const { path, reason } of unreadable) {
      this.#pending.skip(context, path, { reason, why: 'unreadable' });
    }
    const known = this.#known.get(context.project.name);
    for (const path of [...unreadable.map((file) => file.path), ...gone]) {
      const recorded = context.inventory.source(path)?.stat;
      if (recorded === undefined) known?.delete(path);
      else known?.set(path, recorded);
    }
  }

  /** Applies a change. When a target cannot follow its source, the change is left for the next look at all files: others go on. */
  async #followed(change: Change, around: Circumstances): Promise<Applied> {
    const { context } = around;
    const leaving = leavingBy(change);
    if (change.kind === 'gone' && (await this.#isStuck(context, change.before))) return NOTHING;
    try {
      const applied = await applyChange(change, around);
      for (const { before } of leaving) {
        this.#pending.forgetSkip(context, before.path);
        this.#stuckMoves.delete(before.id);
      }
      return applied;
    } catch (error) {
      const failure = failureOf(asStateFailure(error, this.#options.setup.config));
      if (leaving.length === 0 || !OF_ONE_FILE.has(failure.kind)) throw error;
      const reason = describeFailure(failure);
      const known = this.#known.get(context.project.name);
      for (const { before, to } of leaving) {
        if (to === undefined) continue;
        known?.delete(to);
        this.#stuckMoves.set(before.id, to);
      }
      for (const { before } of leaving) {
        known?.set(before.path, before.stat);
        this.#pending.skip(context, before.path, { reason, why: 'not-followed' });
      }
      return NOTHING;
    }
  }

  /**
   * A moved source whose targets could not follow stays on record, so it is also reported as gone. Its targets are not removed: the next look
   * at all files finds the move again.
   */
  async #isStuck({ project }: ProjectContext, before: SourceRecord): Promise<boolean> {
    const to = this.#stuckMoves.get(before.id);
    const isThere = to !== undefined && (await statOf(join(project.root, to))) !== undefined;
    if (isThere) this.#known.get(project.name)?.set(before.path, before.stat);
    else this.#stuckMoves.delete(before.id);
    return isThere;
  }

  async #apply(
    changes: readonly Change[],
    where: { readonly context: ProjectContext; readonly lanes: ReadonlyMap<string, Lane> },
  ): Promise<SourceRecord[]> {
    const around = { ...where, pending: this.#pending, targets: this.#options.targets };
    const affected: SourceRecord[] = [];
    const records = new Map<SourceRecord['id'], SourceRecord>();
    const turns = turnsOf(TURN_MS);
    for (const change of changes) {
      if (turns.over()) await turns.next();
      const applied = await this.#followed(change, around);
      if (this.#maySaveAgain(change, where.context))
        this.#options.joined(applied.sources.map(idOf));
      else affected.push(...applied.sources);
      for (const record of applied.records) records.set(record.id, record);
    }
    const { ledger } = this.#options.workspace;
    const all = [...records.values()];
    for (let first = 0; first < all.length; first += PORTION) {
      const portion = all.slice(first, first + PORTION);
      await commitDecision(ledger, () =>
        portion.map((record): Fact => {
          const from = ledger.get('sources', record.id);
          return { table: 'sources', put: { ...record, ...knownLanguage(from, record) }, from };
        }),
      );
    }
    // Read again: a later change may have removed the source of an earlier one.
    const ids = new Set(affected.map(idOf));
    return [...ids].flatMap((id) => ledger.get('sources', id) ?? []);
  }

  /** Whether a person has saved into a large file, and may save into it again soon. */
  #maySaveAgain(change: Change, { project }: ProjectContext): boolean {
    if (change.kind !== 'target-edited' && change.kind !== 'edited') return false;
    const { file, hash } = change;
    if (file.size < LARGE_BYTES) return false;
    return this.#pending.savedHow(project.name, file.path, hash) !== undefined;
  }
}

/** The sources that leave their paths with a change, and where they arrive; `to` is absent: they are gone. */
function leavingBy(
  change: Change,
): readonly { readonly before: SourceRecord; readonly to?: string }[] {
  const changes = change.kind === 'exchanged' ? change.moves : [change];
  return changes.flatMap((each) => {
    if (each.kind === 'moved') return [{ before: each.before, to: each.file.path }];
    return each.kind === 'gone' ? [{ before: each.before }] : [];
  });
}

/** Whether the root of a project is an empty folder. */
async function isBare({ root }: ProjectContext['project']): Promise<boolean> {
  const names = await namesIn(root).catch(() => undefined);
  return names?.length === 0;
}

function idOf({ id }: SourceRecord): SourceId {
  return id;
}

/** Failures that come from one file, so that others can go on. */
const OF_ONE_FILE: ReadonlySet<Failure['kind']> = new Set([
  'unwritable',
  'unreadable',
  'disk-full',
  'changed-meanwhile',
]);
