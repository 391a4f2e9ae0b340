/**
 * Intake, plan, queue, execution, text lane and ledger on a real folder, in steps that a test chooses. The test lets the watch report, jobs
 * stop at fixed points, and the clock does not move.
 */

import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Baselines } from '../../src/baseline.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { Events } from '../../src/event.ts';
import { type Failure, JobFailure } from '../../src/failure.ts';
import { formatStat } from '../../src/files/disk.ts';
import type { FoundFile } from '../../src/files/listing.ts';
import { Mutex } from '../../src/files/mutex.ts';
import { UNSHARED } from '../../src/files/reservations.ts';
import { ALONE } from '../../src/files/right.ts';
import { type Part, partsText } from '../../src/format.ts';
import { Intake } from '../../src/intake/intake.ts';
import type { Job } from '../../src/job.ts';
import { Execution } from '../../src/jobs/execution.ts';
import { inProcessQueue } from '../../src/jobs/in-process-queue.ts';
import { Offers } from '../../src/jobs/offers.ts';
import type { Queue } from '../../src/jobs/queue.ts';
import { RunState } from '../../src/jobs/run-state.ts';
import { textLane } from '../../src/lanes/text/lane.ts';
import type { Ledger, SourceRecord } from '../../src/ledger.ts';
import { Planner } from '../../src/plan/planner.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { BookedLedger } from '../../src/state/booked-ledger.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { LeftTexts } from '../../src/state/left-texts.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { TreeLedger } from '../../src/state/postgres/tree-ledger.ts';
import { Trash } from '../../src/state/trash.ts';
import { Drafts } from '../../src/translate/drafts.ts';
import type { TextPortions } from '../../src/translate/order.ts';
import { textCase } from '../../src/translate/text-case.ts';
import type { KnownFiles } from '../../src/watch/known.ts';
import { type ManualClock, manualClock } from '../manual-clock.ts';

const PROJECT = 'app';
const WINDOWS = { text: 100, subtitle: 1, document: 1, voice: 1 };

/**
 * The points where a job stops until the test lets it go on. They are before it reads, while it buys, and before and after it puts its
 * target in place.
 */
export type Gate = 'read' | 'buy' | 'publish' | 'settle';

/** The parts that a model shares with others on the same folder; all other parts are in a folder of its own. */
export interface Shared {
  readonly ledger: Ledger;
  readonly baselines: Baselines;
  readonly state: string;
}

export class WorkModel implements AsyncDisposable {
  readonly root: string;
  readonly clock: ManualClock;
  readonly ledger: Ledger;
  readonly offers: Offers;
  readonly queue: Queue;
  readonly #intake: Intake;
  readonly #planner: Planner;
  readonly #memories: FolderMemories;
  readonly #gates: { readonly gate: Gate; readonly open: (failure?: Failure) => void }[] = [];
  readonly #execution: Execution;
  readonly #runState: RunState;
  readonly #events: Events;
  readonly #baselines: Baselines;
  readonly #known: KnownFiles;
  readonly #wants: (file: string) => boolean;
  /** Not there at the last look. */
  #absent: ReadonlySet<string> = new Set();
  #taking: Promise<void> = Promise.resolve();
  #told = 0;
  #areGatesOpen = false;
  #broken: { readonly cause: unknown } | undefined;

  /** Texts that were bought. */
  bought = 0;

  static async open(root: string, shared?: Shared): Promise<WorkModel> {
    await mkdir(join(root, 'en'), { recursive: true });
    const clock = manualClock();
    if (shared !== undefined) return new WorkModel(root, clock, shared);
    const state = join(root, '.dragoman');
    const ledger = await openLedger({ folder: state, clock });
    return new WorkModel(root, clock, {
      ledger,
      baselines: openBaselines(join(state, 'base')),
      state,
    });
  }

  private constructor(root: string, clock: ManualClock, { ledger, baselines, state }: Shared) {
    this.root = root;
    this.clock = clock;
    this.ledger = ledger;
    const events = new Events();
    this.#events = events;
    this.#baselines = baselines;
    this.#memories = new FolderMemories({ folder: join(state, 'memory') });
    const left = new LeftTexts(this.#memories, clock);
    const publications = new Mutex();
    const setup = setupOf(root);
    this.#intake = new Intake({
      setup,
      workspace: {
        ...{ ledger, baselines, publications, right: ALONE, left },
        trash: new Trash(join(state, 'trash'), clock, ALONE),
      },
      world: { clock, events },
      targets: 'follow',
      joined: () => {},
    });
    this.#planner = new Planner({
      setup,
      ledger,
      languageSupport: {
        needsDocument: () => false,
        isUntagged: () => false,
        lack: () => undefined,
        lackingIn: () => [],
      },
      terminology: { files: NO_TERMINOLOGY },
      monitor: { intake: this.#intake },
      serviceDigest: '',
    });
    const inForce = { ...setup, planner: this.#planner, serviceDigest: '' };
    const lane = textLane({
      translator: {
        join: () => ({
          translate: (wanted) => this.#buy(wanted),
          translateInPortions: (wanted) => this.#buyInPortions(wanted),
          ...NOTHING,
        }),
      },
      drafts: new Drafts(),
      left,
      writers: new Mutex(),
      reservations: UNSHARED,
      clock,
      caseOf: async (job: Job) => {
        await this.#pass('read');
        return await textCase(job, this.#planner, { ledger, baselines, memories: this.#memories });
      },
      allow: async () => ({ kind: 'allowed', ...NOTHING }),
      isLimited: () => false,
      onTermsMissing: () => {},
      onRemoved: () => {},
      onDamage: () => {},
    });
    this.#runState = new RunState({ inForce, events, service: { state: { kind: 'running' } } });
    this.#runState.begin('watching');
    this.#execution = new Execution({
      ...{ ledger: this.#stopping(ledger), events, clock, inForce, publications, lanes: [lane] },
      random: () => 0.5,
      runState: this.#runState,
      sharesJobs: false,
      undo: { record: () => this.#pass('publish') },
      replan: () => {},
      delivered: (job) => this.#intake.delivered(job),
    });
    this.queue = inProcessQueue({ worker: this.#execution.work, windows: WINDOWS, clock });
    const offering = { ledger, publications, queue: this.queue, inForce, events, clock };
    this.offers = new Offers({ ...offering, spending: { bills: 0 } });
    const [watched] = this.#intake.roots();
    if (watched?.known === undefined) throw new Error('there is no project');
    this.#known = watched.known;
    this.#wants = watched.wants;
  }

  /** Puts content in place as `git checkout` does it: another file takes the path. */
  async write(path: string, content: string): Promise<void> {
    const aside = join(this.root, '.aside');
    await writeFile(aside, content);
    await rename(aside, join(this.root, path));
  }

  async touch(path: string): Promise<void> {
    const time = this.#told + 1_700_000_000;
    await utimes(join(this.root, path), time, time).catch(ignoreAbsent);
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.root, path), { force: true });
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(join(this.root, from), join(this.root, to)).catch(ignoreAbsent);
  }

  async exchange(one: string, other: string): Promise<void> {
    await this.rename(one, '.aside');
    await this.rename(other, one);
    await this.rename('.aside', other);
  }

  /** The watch reports the changes, except this share of them (of four); the intake applies them at its next step. */
  async tell(share: number): Promise<void> {
    this.#told += 1;
    const found = await this.#find();
    const isIn = (_: unknown, at: number) => at % 4 >= share;
    const files = [...found.values()]
      .filter(({ path, stat }) => {
        const known = this.#known.get(path);
        return known !== stat && (known !== undefined || this.#wants(path));
      })
      .filter(isIn);
    const away = [...this.#known.paths()].filter((path) => !found.has(path)).filter(isIn);
    const gone = away.filter((path) => this.#absent.has(path));
    const missing = new Set(away.filter((path) => !this.#absent.has(path)));
    this.#absent = new Set(away);
    for (const { path, stat } of files) this.#known.set(path, stat);
    for (const path of gone) this.#known.delete(path);
    if (files.length + gone.length + missing.size === 0) return;
    const settled = { kind: 'settled', project: PROJECT, files, gone, missing } as const;
    this.#taking = this.#taking.then(async () => {
      try {
        await this.#enter(await this.#intake.take(settled));
      } catch (cause) {
        this.#broken ??= { cause };
      }
    });
  }

  /** Lets the jobs go on that have stopped, one gate after the other, until one has come to that gate. */
  async goOnTo(gate: Gate): Promise<void> {
    for (await this.quiet(); !this.#gates.some((each) => each.gate === gate); await this.quiet()) {
      if (this.#gates.length === 0) throw new Error(`no job comes to ${gate}`);
      this.letOneGoOn(0);
    }
  }

  /** No job stops any more. */
  openGates(): void {
    this.#areGatesOpen = true;
    for (const { open } of this.#gates.splice(0)) open();
  }

  /** Lets one of the jobs that have stopped go on to its next gate, or to its end; or has it fail where it buys. */
  letOneGoOn(which: number, failure?: Failure): void {
    const [stopped] = this.#gates.splice(which % Math.max(1, this.#gates.length), 1);
    stopped?.open(stopped.gate === 'buy' ? failure : undefined);
  }

  /** Jobs that a refused key or a spent quota stopped go on. */
  resume(): void {
    this.#runState.endStop();
    this.offers.offer(this.#execution.unpark());
  }

  /** Calls `resume` at the next stop, before the ledger has the stop. */
  resumeAtStop(): void {
    const off = this.#events.subscribe(({ kind }) => {
      if (kind !== 'paid-work-stopped') return;
      off();
      queueMicrotask(() => this.resume());
    });
  }

  /** Resolves when the intake has nothing to take in, and every job that runs has stopped at a gate. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 3; ) {
      const told = this.#told;
      await this.#taking;
      await new Promise((resolve) => setImmediate(resolve));
      const isQuiet = this.queue.running === this.#gates.length && told === this.#told;
      turns = isQuiet ? turns + 1 : 0;
    }
    if (this.#broken !== undefined) throw this.#broken.cause;
  }

  /** Everything is told, no job stops any more, and time passes until nothing is left to do. */
  async settle(): Promise<void> {
    this.#areGatesOpen = true;
    for (let rounds = 0; rounds < 40; rounds++) {
      for (const { open } of this.#gates.splice(0)) open();
      this.resume();
      const before = this.#told;
      await this.quiet();
      await this.tell(0);
      await this.quiet();
      const due = this.queue.nextDue;
      if (due !== undefined) await this.clock.pass(Math.max(0, due - this.clock.now()));
      const isAtRest = this.queue.running + this.queue.waiting === 0;
      const isOver = isAtRest && this.#runState.stop === undefined;
      if (isOver && this.#told > before && (await this.#isAllTold())) return;
    }
    throw new Error('it does not come to rest');
  }

  /** The files of a folder by name. */
  async files(folder: 'en' | 'de'): Promise<Record<string, string>> {
    const names = (await readdir(join(this.root, folder)).catch(ignoreAbsent)) ?? [];
    const entries = names
      .filter((name) => name.endsWith('.json'))
      .sort((a, b) => a.localeCompare(b))
      .map(async (name) => [name, await readFile(join(this.root, folder, name), 'utf8')] as const);
    return Object.fromEntries(await Promise.all(entries));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.openGates();
    await this.#taking;
    await this.queue[Symbol.asyncDispose]();
    await this.#memories[Symbol.asyncDispose]();
    await this.#baselines[Symbol.asyncDispose]();
    await this.ledger[Symbol.asyncDispose]();
  }

  async #enter(sources: readonly SourceRecord[]): Promise<void> {
    if (sources.length > 0) await this.offers.enter(this.#planner.plan('none', sources).work);
  }

  /** The same, but for the gate; where jobs are alone, it would come too often. */
  #stopping(ledger: Ledger): Ledger {
    const pass = () => this.#pass('settle');
    if (!(ledger instanceof TreeLedger)) return ledger;
    return new (class extends BookedLedger {
      override async settle(...args: Parameters<Ledger['settle']>) {
        await pass();
        await super.settle(...args);
      }
    })(ledger, async () => {});
  }

  async #pass(gate: Gate): Promise<void> {
    if (this.#areGatesOpen) return;
    const failure = await new Promise<Failure | undefined>((open) =>
      this.#gates.push({ gate, open }),
    );
    if (failure !== undefined) throw new JobFailure(failure);
  }

  async #buy(wanted: readonly { readonly parts: readonly Part[] }[]) {
    this.bought += wanted.length;
    await this.#pass('buy');
    return wanted.map(({ parts }) => ({
      kind: 'translated' as const,
      parts: [translated(partsText(parts))],
    }));
  }

  async *#buyInPortions(portions: TextPortions) {
    for await (const wanted of portions) yield await this.#buy(wanted);
  }

  async #isAllTold(): Promise<boolean> {
    const found = await this.#find();
    const isKnown = ({ path, stat }: FoundFile) =>
      this.#known.get(path) === stat || (this.#known.get(path) === undefined && !this.#wants(path));
    return (
      [...found.values()].every(isKnown) &&
      [...this.#known.paths()].every((path) => found.has(path))
    );
  }

  async #find(): Promise<Map<string, FoundFile>> {
    const found = new Map<string, FoundFile>();
    for (const folder of ['en', 'de']) {
      for (const name of (await readdir(join(this.root, folder)).catch(ignoreAbsent)) ?? []) {
        const path = `${folder}/${name}`;
        const stats = await lstat(join(this.root, path), { bigint: true }).catch(ignoreAbsent);
        if (stats === undefined || name.startsWith('.')) continue;
        found.set(path, { path, raw: path, stat: formatStat(stats), size: Number(stats.size) });
      }
    }
    return found;
  }
}

export function translated(text: string): string {
  return text.toUpperCase();
}

const NOTHING: Disposable = { [Symbol.dispose]() {} };

const NO_TERMINOLOGY = {
  ...{ glossaries: new Map(), styles: new Map() },
  ...{ faults: [], warnings: [], notes: [], version: '' },
};

function setupOf(root: string) {
  const setup = parseConfig(
    JSON.stringify({
      version: 1,
      service: { url: 'http://127.0.0.1:1' },
      projects: {
        [PROJECT]: { source: 'en', targets: ['de'], routes: [{ from: '{locale}/*.json' }] },
      },
    }),
    { file: join(root, 'dragoman.yaml'), env: {} },
  );
  if (setup.faults !== undefined) throw new Error('the config is refused');
  return setup;
}

function ignoreAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
