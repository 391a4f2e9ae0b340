/** Watches the sources of the config in force: the watch reports changes, and the intake applies them, one after the other. */

import { join } from 'node:path';
import { failureOf, JobFailure } from '../failure.ts';
import { statsAt } from '../files/disk.ts';
import type { SourceId } from '../job.ts';
import type { SourceRecord } from '../ledger.ts';
import type { Setup } from '../plan/planner.ts';
import type { WatchEvent } from '../watch/event.ts';
import type { SettlingFile } from '../watch/settling.ts';
import { openWatch, type Watch } from '../watch/watch.ts';
import { Intake, type IntakeOptions } from './intake.ts';
import { JoinedSaves } from './joined-saves.ts';

export interface SourceMonitorOptions extends Omit<IntakeOptions, 'joined' | 'setup'> {
  readonly inForce: Setup;
  /** Called with the sources whose jobs must be planned. */
  onChanged(sources: readonly SourceRecord[]): Promise<void>;
}

/** A file that cannot be translated. */
export interface BlockedFile {
  readonly project: string;
  /** Relative to the project's root. */
  readonly path: string;
  /** The reason, in words for people. */
  readonly reason: string;
  /** Advice for a person; absent: it follows from the reason. */
  readonly advice?: string;
}

export class SourceMonitor implements AsyncDisposable {
  readonly #options: SourceMonitorOptions;
  readonly #saves: JoinedSaves;
  #intake: Intake;
  readonly #broken = Promise.withResolvers<never>();
  #watch: Watch | undefined;
  #taking: Promise<void> = Promise.resolve();
  /** A command may ask for a scan while the daemon opens its watch: the calls follow each other, so that there is one watch. */
  #opening: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Sources whose jobs must be planned, since `lookAgain` began; undefined while nobody looks again. */
  #changed: SourceRecord[] | undefined;
  /** Files that stayed incomplete for too long, by project and path. */
  readonly #late = new Set<string>();

  constructor(options: SourceMonitorOptions) {
    this.#options = options;
    const { clock } = options.world;
    this.#saves = new JoinedSaves({
      clock,
      ended: (id) => this.#inOrder(() => this.#savesEnded(id)),
    });
    this.#intake = this.#openIntake();
    this.#broken.promise.catch(() => {});
  }

  get intake(): Intake {
    return this.#intake;
  }

  /** Called when it is disposed: begins anew with what is in force. Its folders are watched from the next `open` on. */
  renew(): void {
    this.#isClosed = false;
    this.#watch = undefined;
    this.#late.clear();
    this.#intake = this.#openIntake();
  }

  #openIntake(): Intake {
    const { inForce, ...rest } = this.#options;
    const { config, router, text } = inForce;
    const setup = { config, router, text };
    return new Intake({ ...rest, setup, joined: (sources) => this.#saves.add(sources) });
  }

  /** Begins to watch. Resolves when all earlier changes are applied, except for files that are still changing. */
  open(hints: 'events' | 'none'): Promise<void> {
    return this.#inTurn(() => this.#open(hints));
  }

  /** Looks at all files of the projects. Resolves when they have stopped changing and all changes are applied. */
  async scan(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#watch === undefined) await this.#open('none');
      else await this.#watch.rescan();
    });
    await this.#applied();
  }

  /**
   * Like `scan`, a moment after it: looks only at the folders, where that serves (see `Observer`).
   * @returns the sources whose jobs must be planned; undefined when it was too late for that, and it has looked at nothing
   */
  async lookAgain(): Promise<readonly SourceRecord[] | undefined> {
    const watch = this.#watch;
    if (watch?.isFresh !== true) return undefined;
    const changed: SourceRecord[] = [];
    this.#changed = changed;
    try {
      await this.#inTurn(() => watch.lookAtFolders());
      await this.#applied();
      return changed;
    } finally {
      this.#changed = undefined;
    }
  }

  /**
   * Looks at these files: their content may be newer than their records, and a shared volume reports no changes of other machines. Resolves
   * when they have stopped changing, and changes are applied.
   */
  async lookAt(sources: readonly SourceRecord[]): Promise<void> {
    for (const { project, path, raw = path } of sources) this.#watch?.suspect({ project, raw });
    await this.#watch?.settle();
    await this.#taking;
  }

  /** Resolves when the suspects have stopped changing and all changes are applied. */
  async #applied(): Promise<void> {
    await this.#watch?.settle();
    // A single look does not wait ten minutes: it reports an incomplete file at once.
    for (const file of this.#watch?.unfinished() ?? [])
      this.#receive({ kind: 'incomplete', ...file });
    await this.#taking;
  }

  /** Files that are incomplete, have stopped changing, and were reported; without empty files, which have nothing to translate. */
  unfinished(): BlockedFile[] {
    const files = this.#watch?.unfinished() ?? [];
    return files.filter(
      ({ project, path, size }) => size > 0 && this.#late.has(qualifiedPath({ project, path })),
    );
  }

  /** Files that are written again and again, faster than `settle_ms`. They are translated as soon as that ends. */
  changing(): BlockedFile[] {
    const files = this.#watch?.changing() ?? [];
    return files.map(({ project, path }) => {
      const ms = settleTime(this.#options.inForce, { project, path, size: 0 });
      return {
        project,
        path,
        reason: `${path} keeps changing: it was never unchanged for ${ms} ms`,
      };
    });
  }

  /** Empty files: they are not translated, and their targets stay as they are. */
  empty(): { readonly project: string; readonly path: string }[] {
    const files = this.#watch?.unfinished() ?? [];
    return files.flatMap(({ project, path, size }) => (size > 0 ? [] : [{ project, path }]));
  }

  /**
   * Files and folders of the routes that this process may not read, or whose names are not supported. Also files that could not be
   * hashed.
   */
  unreadable(): BlockedFile[] {
    const unread = this.intake.skippedFor('unreadable').filter((file) => this.#isThere(file));
    return [...(this.#watch?.unreadable() ?? []), ...unread];
  }

  /** Sources that moved or are gone, and whose targets cannot follow. */
  notFollowed(): BlockedFile[] {
    return this.intake.skippedFor('not-followed').filter((file) => !this.#isThere(file));
  }

  /** Files that two routes match. */
  contested(): BlockedFile[] {
    return this.intake.skippedFor('contested').filter((file) => this.#isThere(file));
  }

  /** Links, pipes and the like where a route looks for sources, and files there that no lane translates. */
  leftOut(): (BlockedFile & { readonly why: 'no-file' | 'no-lane' })[] {
    return (['no-file', 'no-lane'] as const)
      .flatMap((why) => this.intake.skippedFor(why).map((file) => ({ ...file, why })))
      .filter((file) => this.#isThere(file));
  }

  /** Projects whose root is not there. */
  offline(): { readonly project: string; readonly reason: string }[] {
    return this.#watch?.offline() ?? [];
  }

  /** Whether the system gives no file events now, so that changes are found some seconds later. */
  get isDegraded(): boolean {
    return this.#watch?.isDegraded === true;
  }

  #isThere({ project, path }: BlockedFile): boolean {
    // Without following it: a link whose file is missing counts as present.
    const file = join(this.#rootOf(project), path);
    return statsAt(file) !== undefined;
  }

  /** Rejects with the error that broke the watch or the intake; never resolves. */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  /** Also ends a watch that is being opened: it would keep the process alive, or watch the folders of an earlier config. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#watch?.[Symbol.asyncDispose]();
    await this.#opening;
    await this.#taking;
    this.#saves.forget();
  }

  async #open(hints: 'events' | 'none'): Promise<void> {
    const { world } = this.#options;
    await this.#watch?.[Symbol.asyncDispose]();
    this.#requireOpen();
    const watch = await openWatch({
      roots: this.intake.roots(),
      clock: world.clock,
      settleOf: (file) => settleTime(this.#options.inForce, file),
      // A single look is not repeated: it does not wait for files that stay incomplete.
      ...(hints === 'none' ? { endPatience: 0 } : {}),
      onEvent: (event) => this.#receive(event),
      hints,
    });
    if (this.#isClosed) await watch[Symbol.asyncDispose]();
    this.#requireOpen();
    this.#watch = watch;
    watch.ended.catch((error: unknown) => this.#broken.reject(error));
    await this.#taking;
    await this.intake.forgetVanished();
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new JobFailure({ kind: 'stopped' });
  }

  async #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#opening.then(act);
    this.#opening = turn.catch(() => {});
    await turn;
  }

  #receive(event: WatchEvent): void {
    if (event.kind === 'incomplete') this.#late.add(qualifiedPath(event));
    this.#report(event);
    this.#inOrder(() => this.#take(event));
  }

  #inOrder(act: () => Promise<void>): void {
    this.#taking = this.#taking.then(act).catch((error: unknown) => {
      // The process ends, and its next look finds the same changes.
      if (failureOf(error).kind !== 'stopped') this.#broken.reject(error);
    });
  }

  async #savesEnded(id: SourceId): Promise<void> {
    const source = this.#options.workspace.ledger.get('sources', id);
    if (source !== undefined) await this.#options.onChanged([source]);
  }

  async #take(event: WatchEvent): Promise<void> {
    const sources = await this.intake.take(event);
    this.#changed?.push(...sources);
    if (sources.length > 0) await this.#options.onChanged(sources);
  }

  #report(event: WatchEvent): void {
    const { events } = this.#options.world;
    switch (event.kind) {
      case 'offline': {
        const { project, reason } = event;
        events.emit({ kind: 'root-offline', project, root: this.#rootOf(project), reason });
        break;
      }
      case 'online':
        events.emit({
          kind: 'root-online',
          project: event.project,
          root: this.#rootOf(event.project),
        });
        break;
      case 'degraded':
        events.emit({ kind: 'watcher-degraded', reason: event.reason });
        break;
      case 'scanned':
        events.emit({ kind: 'scanned', files: event.files, durationMs: event.durationMs });
        break;
      case 'settled':
      case 'skipped':
      case 'incomplete':
      case 'recovered':
        break;
    }
  }

  #rootOf(name: string): string {
    return this.#options.inForce.config.projects.find((each) => each.name === name)?.root ?? name;
  }
}

/** Bytes from which a file counts as large, and the least milliseconds that it must stay unchanged. */
const LARGE_BYTES = 20 * 1024 * 1024;
const LARGE_MS = 10_000;

/**
 * Milliseconds that a file must stay unchanged: the route decides; longer for recordings and large files, unless `settle_ms` is
 * given.
 */
function settleTime({ router }: Setup, { project, path, size }: SettlingFile): number {
  const match = router.match(project, path);
  if (match.kind === 'skipped') return 0;
  const { settleMs, settleIsExplicit } = match.route.policies;
  const isHeavy = (match.kind === 'source' && match.lane === 'voice') || size > LARGE_BYTES;
  return isHeavy && !settleIsExplicit ? Math.max(settleMs, LARGE_MS) : settleMs;
}

function qualifiedPath({
  project,
  path,
}: {
  readonly project: string;
  readonly path: string;
}): string {
  return `${project}/${path}`;
}
