/** Composition root: says the sentence for one config, once or for ever. */
import { Assembly, type AssemblyOptions } from './control/assembly.ts';
import { blockersOf } from './control/blockers.ts';
import type { Control, Entrance, Scope } from './control/control.ts';
import { openLocalControl } from './control/open-local-control.ts';
import type { AttentionLine } from './control/report.ts';
import type { Failure } from './failure.ts';
import type { FollowUp } from './intake/leaving.ts';
import type { Job } from './job.ts';
import type { Stop } from './jobs/execution.ts';
import { applyRetention } from './jobs/retention.ts';
import type { JobRunner } from './jobs/runner.ts';
import type { LanguageTag } from './language.ts';
import type { JobRecord, LedgerView } from './ledger.ts';
import type { PlannedJob } from './plan/plan.ts';
import type { Setup } from './plan/planner.ts';

/** Milliseconds between looks at what only time changes: stopped work, old trash. */
const RETENTION_MS = 10 * 60_000;

/** How often a single run tries a job whose source is other content at each try, and then the planned content again. */
const MAX_TRIES = 5;

export interface StopSignals {
  /** Finish what runs, start nothing new. */
  readonly drain: AbortSignal;
  /** Stop at once. */
  readonly abort: AbortSignal;
}

export class Daemon implements AsyncDisposable {
  readonly control: Control;
  readonly #assembly: Assembly;
  #page: Entrance | undefined;

  /** @throws StateLocked; JobFailure `damaged-state` */
  static async open(options: AssemblyOptions): Promise<Daemon> {
    return new Daemon(await Assembly.open(options));
  }

  private constructor(assembly: Assembly) {
    this.#assembly = assembly;
    this.control = openLocalControl(assembly, () => this.#page);
  }

  /**
   * Plans and works until nothing is left to do, also of what changed meanwhile. Jobs outside of the scope are left as they are.
   * @param beforeWork asked once, before the first job begins; what it throws ends the run with nothing begun
   * @returns jobs that are left queued because their sources changed during every try
   */
  async workToIdle(
    scope: Scope,
    signals: StopSignals,
    beforeWork?: () => Promise<void>,
  ): Promise<readonly JobRecord[]> {
    const { runner, fatal } = this.#assembly;
    runner.begin();
    const tries = new Map<string, number>();
    let left: readonly JobRecord[] = [];
    while (!signals.drain.aborted && runner.stop === undefined) {
      const isFirst = tries.size === 0;
      const pending = await this.pending(scope);
      const fresh = this.#untried(pending, tries);
      if (fresh.length === 0) {
        left = pending.flatMap(({ job }) => this.#queued(job) ?? []);
        await this.#conclude(scope);
        break;
      }
      if (isFirst) await beforeWork?.();
      await runner.enqueue(fresh);
      await Promise.race([runner.idle(), fatal, aborted(signals.drain)]);
    }
    await this.#drain(signals.abort);
    return left;
  }

  /**
   * What a run has not tried for the same content: what a job became is its answer. A job that is queued again met other
   * content at its source's path, and has no answer yet.
   */
  #untried(pending: readonly PlannedJob[], tries: Map<string, number>): readonly PlannedJob[] {
    return pending.filter(({ job }) => {
      const attempt = `${job.id} ${job.fingerprint}`;
      const count = tries.get(attempt) ?? 0;
      const isAgain = count < MAX_TRIES && this.#queued(job) !== undefined;
      if (count > 0 && !isAgain) return false;
      tries.set(attempt, count + 1);
      return true;
    });
  }

  #queued({ id }: Job): JobRecord | undefined {
    const job = this.ledger.get('jobs', id);
    return job?.state.kind === 'queued' ? job : undefined;
  }

  /** What is to be done now. */
  pending(scope: Scope): Promise<readonly PlannedJob[]> {
    return this.#assembly.pending(scope);
  }

  /** What `once` would change: without what only waits to be known, translations that stand already and are as they shall be. */
  async remaining(scope: Scope): Promise<readonly PlannedJob[]> {
    const open: PlannedJob[] = [];
    for (const planned of await this.pending(scope)) {
      const isKnown = planned.reason !== 'new';
      if (isKnown || !(await this.#assembly.stands(planned.job))) open.push(planned);
    }
    return open;
  }

  /** What would become of targets whose source moved or went; for a dry run that has looked. */
  followUps(scope: Scope): FollowUp[] {
    return this.#assembly.followUps(scope);
  }

  /** Watches and works until the signal; resolves when running jobs have reached a safe step. */
  async run(signals: StopSignals): Promise<void> {
    const assembly = this.#assembly;
    const { runner, inForce, options, fatal } = assembly;
    const { events } = options.world;
    assembly.mode = 'watching';
    runner.begin();
    await assembly.monitor.open('events');
    await assembly.enqueue('passing');
    events.emit({ kind: 'started', projects: this.setup.config.projects.length });
    runner.idle().then(
      () => assembly.dealWithLoss(),
      () => {},
    );
    assembly.endWith(inForce.watch(() => assembly.enqueue('passing'), signals.drain));
    await Promise.race([fatal, this.#applyRetention(signals.drain)]);
    events.emit({ kind: 'stopping', signal: signalName(signals.drain) });
    await this.#drain(signals.abort);
  }

  /** Swaps the config; jobs that run go on as they began. */
  async reload(setup: Setup): Promise<void> {
    await this.#assembly.configure(setup);
    await this.#assembly.monitor.open('events');
    await this.#assembly.enqueue('passing');
    await this.#assembly.runner.resume();
  }

  get setup(): Setup {
    return this.#assembly.setup;
  }

  /** Why paid work stands still. */
  get stop(): Stop | undefined {
    return this.#assembly.runner.stop;
  }

  get queue(): JobRunner['queue'] {
    return this.#assembly.runner.queue;
  }

  get ledger(): LedgerView {
    return this.#assembly.workspace.ledger;
  }

  /** Where the page is served, for `status`. */
  showPage(page: Entrance): void {
    this.#page = page;
  }

  jobs(scope: Scope): JobRecord[] {
    return [...this.ledger.all('jobs')].filter((job) => this.#assembly.isWanted(job, scope));
  }

  /** What the jobs of this state ended with. */
  failures(): Failure[] {
    const failures: Failure[] = [];
    for (const { state } of this.ledger.all('jobs')) {
      if (state.kind === 'failed') failures.push(state.failure);
    }
    return failures;
  }

  /** What needs a person beside the jobs; it is about no language in particular. */
  blockers({ projects, paths }: Scope): AttentionLine[] {
    const { collisions, unfinished, deletions } = blockersOf(this.#assembly.blockers);
    const isWanted = ({ project, source, target, language }: AttentionLine) =>
      this.#assembly.isWanted(
        { project, source, targets: { file: target }, language: language as LanguageTag },
        { projects, languages: [], paths },
      );
    return [...collisions, ...unfinished.filter(isWanted), ...deletions];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#assembly[Symbol.asyncDispose]();
  }

  /** Nothing is left to do: what a run over everything settles. */
  async #conclude({ projects, languages, paths }: Scope): Promise<void> {
    if (projects.length + languages.length + paths.length > 0) return;
    await this.#assembly.dealWithLoss();
    await this.#keepOrder();
  }

  async #drain(abort: AbortSignal): Promise<void> {
    const { monitor, runner } = this.#assembly;
    await monitor[Symbol.asyncDispose]();
    await Promise.race([runner.drain(), aborted(abort)]);
    // What was sent is paid: whoever is in a hurry hears what became of it, too.
    if (abort.aborted) await runner[Symbol.asyncDispose]();
  }

  /** A quota that was used up or a key that was refused may be good again, and asking is free. Resolves with the signal. */
  async #applyRetention(signal: AbortSignal): Promise<void> {
    const { options, runner } = this.#assembly;
    while (!signal.aborted) {
      await this.#keepOrder();
      await options.world.clock.sleep(RETENTION_MS, signal).catch(() => {});
      if (signal.aborted || runner.stop === undefined) continue;
      await runner.resume().catch(() => {});
    }
  }

  async #keepOrder(): Promise<void> {
    const { workspace, options } = this.#assembly;
    await applyRetention(workspace, this.setup.config.keep, options.world);
  }
}

function signalName({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
