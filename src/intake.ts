/** Takes in what the watch settled: hashes it, reconciles it with the ledger, and writes down what follows. */
import { join } from 'node:path';
import type { Change } from './change.ts';
import type { Project } from './config.ts';
import { hashFile } from './disk.ts';
import { describeFailure, failureOf } from './failure.ts';
import { contentLane } from './intake/content-lane.ts';
import { applyGone } from './intake/gone.ts';
import { type FollowUp, followUps, type Leaving } from './intake/leaving.ts';
import { applyMove } from './intake/move.ts';
import type { Place } from './intake/place.ts';
import { Inventory, inventoriesOf, type OwnWrite } from './inventory.ts';
import { type Hash, type JobId, type JobState, type Lane, type SourceId, sourceId } from './job.ts';
import { KnownFiles, knownFilesOf } from './known.ts';
import type { Fact, SourceRecord } from './ledger.ts';
import type { FoundFile } from './listing.ts';
import type { TargetState } from './plan.ts';
import type { Setup } from './planner.ts';
import { reconcile, toHash } from './reconcile.ts';
import type { Settled, WatchEvent } from './watch/event.ts';
import type { WatchedRoot } from './watch/observed-root.ts';
import type { Workspace, World } from './workspace.ts';

export interface IntakeOptions {
  readonly setup: Setup;
  readonly workspace: Pick<Workspace, 'ledger' | 'bases' | 'trash'>;
  readonly world: Pick<World, 'clock' | 'events'>;
  /** What becomes of targets whose source moved or went: a dry run only notes it. */
  readonly targets: TargetsOfLeaving;
}

export type TargetsOfLeaving = 'follow' | 'stay';

/** Sources that vanished together, and that a person must confirm. */
export interface MassDeletion {
  readonly project: string;
  readonly gone: readonly SourceRecord[];
  readonly of: number;
}

/** Files hashed at a time: more only makes the disk seek. */
const HASHES = 16;

export class Intake {
  readonly #options: IntakeOptions;
  // Built when the first change comes: a run with nothing to do does without.
  #inventories: Map<string, Inventory> | undefined;
  readonly #deviations = new Map<string, Exclude<TargetState, 'as-left'>>();
  readonly #skipped = new Map<string, string>();
  readonly #lanes = new Map<string, Lane>();
  readonly #deletions = new Map<string, MassDeletion>();
  readonly #leaving = new Map<SourceId, Leaving>();

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** What to watch; files on record are told only when they differ from it. */
  roots(): WatchedRoot[] {
    const { config, router } = this.#options.setup;
    const known = knownFilesOf(this.#options.workspace.ledger);
    return config.projects.map(({ name, root }) => ({
      project: name,
      path: root,
      wants: (file) => router.wants(name, file),
      enters: (folder) => router.enters(name, folder),
      known: known.get(name) ?? new KnownFiles(),
    }));
  }

  /** How a target deviates from what we left; undefined when it does not. */
  deviation(project: string, path: string): Exclude<TargetState, 'as-left'> | undefined {
    return this.#deviations.get(targetKey(project, path));
  }

  /** Files that are not taken, with the reasons. */
  skipped(): { path: string; reason: string }[] {
    return [...this.#skipped].map(([path, reason]) => ({ path, reason }));
  }

  /** Whether a source on record has moved or gone and its targets stay for now. */
  isLeaving({ id }: SourceRecord): boolean {
    return this.#leaving.has(id);
  }

  /** What would become of the targets of sources that moved or went. */
  followUps(): FollowUp[] {
    return [...this.#leaving.values()].flatMap((leaving) =>
      followUps(this.#place(leaving.before.project), leaving),
    );
  }

  massDeletions(): MassDeletion[] {
    return [...this.#deletions.values()];
  }

  /** What a job left is no longer news. */
  delivered(id: JobId): void {
    const job = this.#options.workspace.ledger.get('jobs', id);
    if (job === undefined) return;
    for (const { path } of job.wrote) this.#deviations.delete(targetKey(job.project, path));
    this.#inventory(job.project).putJob(job);
  }

  /** @returns the sources that have something to do now */
  async take(event: WatchEvent): Promise<SourceRecord[]> {
    switch (event.kind) {
      case 'settled':
        return await this.#takeSettled(event);
      case 'skipped':
      case 'incomplete':
        this.#skip(join(this.#project(event.project).root, event.path), event.reason);
        return [];
      case 'scanned':
      case 'offline':
      case 'online':
      case 'degraded':
      case 'recovered':
        return [];
    }
  }

  /** A person says that the vanished sources are meant to be gone. */
  async confirmDeletions(): Promise<void> {
    for (const { project, gone } of this.#deletions.values()) {
      for (const before of gone) await applyGone(this.#place(project), before);
    }
    this.#deletions.clear();
  }

  async #takeSettled(observed: Settled): Promise<SourceRecord[]> {
    const { router } = this.#options.setup;
    const project = this.#project(observed.project);
    const inventory = this.#inventory(project.name);
    const mine = observed.files.filter(({ path }) => this.#isTaken(project, path));
    const reconciling = {
      observed: { ...observed, files: mine },
      inventory,
      isSource: (path: string) => router.claim(project.name, path).kind === 'source',
    };
    const hashes = await this.#hash(project, toHash(reconciling));
    return await this.#apply(project, reconcile(reconciling, hashes));
  }

  /** Routes may reach a file and refuse it: that is worth a line in the plan. */
  #isTaken(project: Project, path: string): boolean {
    const claim = this.#options.setup.router.claim(project.name, path);
    const file = join(project.root, path);
    if (claim.kind !== 'skipped') this.#skipped.delete(file);
    else if (claim.because !== 'no-route' && claim.because !== 'state')
      this.#skip(file, claim.reason);
    return claim.kind !== 'skipped';
  }

  async #hash(project: Project, files: readonly FoundFile[]): Promise<Map<string, Hash>> {
    const hashes = new Map<string, Hash>();
    const rest = files.values();
    const hashNext = async () => {
      for (const file of rest) {
        try {
          hashes.set(file.path, await hashFile(join(project.root, file.raw)));
          const lane = await contentLane(this.#options.setup.router, project, file);
          if (lane !== undefined) this.#lanes.set(targetKey(project.name, file.path), lane);
        } catch (error) {
          this.#skip(join(project.root, file.path), describeFailure(failureOf(error)));
        }
      }
    };
    await Promise.all(Array.from({ length: HASHES }, hashNext));
    return hashes;
  }

  async #apply(project: Project, changes: readonly Change[]): Promise<SourceRecord[]> {
    const affected: SourceRecord[] = [];
    const facts: Fact[] = [];
    for (const change of changes) {
      const { sources, records } = await this.#applyOne(project, change);
      affected.push(...sources);
      facts.push(...records.map((put): Fact => ({ table: 'sources', put })));
    }
    await this.#options.workspace.ledger.commit(facts);
    return affected;
  }

  async #applyOne(project: Project, change: Change): Promise<Applied> {
    const { events } = this.#options.world;
    switch (change.kind) {
      case 'new':
      case 'edited': {
        const record = this.#record(project, change);
        events.emit({
          kind: 'source-changed',
          project: project.name,
          path: record.path,
          change: change.kind,
        });
        return { sources: [record], records: [record] };
      }
      case 'touched':
        return { sources: [], records: [this.#record(project, change)] };
      case 'moved': {
        if (this.#options.targets === 'stay') return this.#leaves(change.before, change.file.path);
        const record = this.#record(project, change);
        await applyMove(this.#place(project.name), change.before, record);
        return { sources: [record], records: [record] };
      }
      case 'gone':
        if (this.#options.targets === 'stay') return this.#leaves(change.before);
        await applyGone(this.#place(project.name), change.before);
        return NOTHING;
      case 'mass-deletion':
        this.#deletions.set(project.name, { project: project.name, ...change });
        events.emit({
          kind: 'mass-deletion',
          project: project.name,
          files: change.gone.length,
          of: change.of,
        });
        return NOTHING;
      case 'skipped':
        this.#skip(join(project.root, change.path), change.reason);
        return NOTHING;
      case 'target-edited':
        return this.#deviates(project, change.file.path, {
          writes: change.writes,
          hash: change.hash,
        });
      case 'target-missing':
        return this.#deviates(project, change.path, { writes: change.writes, hash: null });
      case 'target-touched':
        await this.#renewStat(change);
        return NOTHING;
    }
  }

  #leaves(before: SourceRecord, after?: string): Applied {
    // Still on record where it was, a source that moved is told as gone as well.
    if (after !== undefined || !this.#leaving.has(before.id)) {
      this.#leaving.set(before.id, { before, after });
    }
    return NOTHING;
  }

  #record(
    project: Project,
    { file, hash, ...change }: { file: FoundFile; hash: Hash; before?: SourceRecord },
  ): SourceRecord {
    const lane = this.#lanes.get(targetKey(project.name, file.path));
    const record: SourceRecord = {
      id: sourceId(project.name, file.path),
      project: project.name,
      path: file.path,
      ...(file.raw === file.path ? {} : { raw: file.raw }),
      hash,
      stat: file.stat,
      ...(lane === undefined ? {} : { lane }),
      ...languageOf(change.before, hash),
      since: change.before?.since ?? new Date(this.#options.world.clock.now()).toISOString(),
    };
    this.#inventory(project.name).putSource(record);
    return record;
  }

  #deviates(
    project: Project,
    path: string,
    { writes, hash }: { writes: readonly OwnWrite[]; hash: Hash | null },
  ): Applied {
    const { ledger } = this.#options.workspace;
    const others = writes.filter(
      ({ job }) => !isPublishing(ledger.get('jobs', job.id)?.state, hash),
    );
    if (others.length === 0) return NOTHING;
    this.#deviations.set(targetKey(project.name, path), hash === null ? 'missing' : 'edited');
    if (hash !== null) {
      this.#options.world.events.emit({ kind: 'target-edited', project: project.name, path });
    }
    const inventory = this.#inventory(project.name);
    return {
      sources: others.flatMap(({ job }) => inventory.source(job.source) ?? []),
      records: [],
    };
  }

  async #renewStat({ file, writes }: Extract<Change, { kind: 'target-touched' }>): Promise<void> {
    const { ledger } = this.#options.workspace;
    const puts = writes.flatMap(({ job }) => {
      const record = ledger.get('jobs', job.id);
      if (record === undefined) return [];
      const wrote = record.wrote.map((written) =>
        written.path === file.path ? { ...written, stat: file.stat } : written,
      );
      return [{ ...record, wrote }];
    });
    await ledger.commit(puts.map((put): Fact => ({ table: 'jobs', put })));
    for (const job of puts) this.#inventory(job.project).putJob(job);
  }

  #skip(path: string, reason: string): void {
    if (this.#skipped.get(path) === reason) return;
    this.#skipped.set(path, reason);
    this.#options.world.events.emit({ kind: 'source-skipped', path, reason });
  }

  #place(name: string): Place {
    const { setup, workspace, world } = this.#options;
    const project = setup.config.projects.find((each) => each.name === name);
    if (project === undefined) throw new RangeError(`no project is named ${name}`);
    return {
      project,
      router: setup.router,
      inventory: this.#inventory(name),
      ...workspace,
      ...world,
    };
  }

  #project(name: string): Project {
    const project = this.#options.setup.config.projects.find((each) => each.name === name);
    if (project === undefined) throw new RangeError(`no project is named ${name}`);
    return project;
  }

  #inventory(project: string): Inventory {
    this.#inventories ??= inventoriesOf(this.#options.workspace.ledger);
    const known = this.#inventories.get(project) ?? new Inventory();
    this.#inventories.set(project, known);
    return known;
  }
}

/** What a change leads to: sources to plan, and records to write. */
interface Applied {
  readonly sources: readonly SourceRecord[];
  readonly records: readonly SourceRecord[];
}

const NOTHING: Applied = { sources: [], records: [] };

/** The rename of our own writing may be seen before the ledger hears of it. */
function isPublishing(state: JobState | undefined, hash: Hash | null): boolean {
  return state?.kind === 'running' && state.step.kind === 'publishing' && state.step.hash === hash;
}

function targetKey(project: string, path: string): string {
  return `${project}/${path}`;
}

/** What the service said of a content holds as long as the content does. */
function languageOf(before: SourceRecord | undefined, hash: Hash): Pick<SourceRecord, 'language'> {
  return before?.language === undefined || before.hash !== hash
    ? {}
    : { language: before.language };
}
