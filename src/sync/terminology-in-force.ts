/**
 * The glossaries and style lists in force: loads their files, watches them while a daemon runs, and makes the service equal to
 * them.
 */
import { isDeepStrictEqual } from 'node:util';
import { OnwardTime } from '../clock.ts';
import { faultLine } from '../config/fault.ts';
import type { Config } from '../config.ts';
import { describeFailure, type Failure, failureOf } from '../failure.ts';
import { statOf } from '../files/disk.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import { type Terminology, terminologyFiles } from '../terminology/project-terms.ts';
import type { SyncKey } from './records.ts';
import {
  projectsWith,
  Remote,
  type RemoteOptions,
  type TerminologyFile,
  type TerminologyNeed,
} from './remote.ts';

/** Milliseconds between two looks at the files. They are few and small, and may be on a network folder, which gives no events. */
const LOOK_MS = 1000;

type TerminologyInForceOptions = Omit<RemoteOptions, 'terminology'>;

/** A glossary or style list, as the config names it. */
interface NamedTerminology {
  readonly what: SyncKey['kind'];
  /** The file or pattern of files in the config; for style lists relative to the folder of the config. */
  readonly file: string;
  readonly projects: readonly string[];
}

/** One that cannot be used, because its file has a fault. */
export interface RefusedTerminology extends NamedTerminology {
  /** With file, line and column. */
  readonly fault: string;
}

/** One whose file the service does not have in its present version. */
export interface OutdatedTerminology extends NamedTerminology {
  /** The failure of the last try. */
  readonly failure?: Failure;
}

/** What tells whether a file has changed, by path; undefined: the file cannot be seen. */
type FileStats = Readonly<Record<string, string | undefined>>;

/**
 * Takes what changed files hold.
 * @param putInForce to be called once; until then jobs use the earlier files
 */
export type TakeTerminology = (changed: Terminology, putInForce: () => void) => Promise<void>;

export class TerminologyInForce {
  readonly remote: Remote;
  readonly #options: TerminologyInForceOptions;
  #terminology: Terminology;
  #refused: readonly RefusedTerminology[];

  /** @param terminology what the files hold. A fault in a file is not thrown here: a job that needs the file fails with it. */
  constructor(options: TerminologyInForceOptions, terminology: Terminology) {
    this.#options = options;
    this.#terminology = terminology;
    this.#refused = refusedIn(terminology, this.config);
    this.remote = new Remote({ ...options, terminology: this });
  }

  get files(): Terminology {
    return this.#terminology;
  }

  get config(): Config {
    return this.#options.inForce.config;
  }

  /** Files with faults as they are on the disk now, each with its faults. */
  get refused(): readonly RefusedTerminology[] {
    return this.#refused;
  }

  /** What is wrong with the files as they are on the disk now. Their earlier content stays in force. */
  get faults(): readonly string[] {
    return this.#refused.map(({ fault }) => fault);
  }

  /** Files that changed since the service was made equal to them, or that it has refused. */
  behind(): OutdatedTerminology[] {
    return this.remote.needs().flatMap(({ need: { key, isBehind }, projects }) => {
      const failure = this.remote.failureOf(key);
      if (!isBehind && failure === undefined) return [];
      const rules = { what: key.kind, file: key.file, projects };
      return [failure === undefined ? rules : { ...rules, failure }];
    });
  }

  /** Files that changed since the service was made equal to them, while `sync: off` keeps the change from it. */
  unsent(): NamedTerminology[] {
    if (this.config.sync === 'on') return [];
    const { records } = this.remote;
    const isUnsent = ({ key, version, readVersion }: TerminologyFile) =>
      this.remote.isDifferent(key) === true ||
      [version, readVersion].every((each) => records.isBehind(key, each));
    return this.remote
      .files()
      .filter(isUnsent)
      .map(({ key, projects }) => ({ what: key.kind, file: key.file, projects }));
  }

  /**
   * Makes the service equal to files that changed. When none did, no request is sent.
   * @param projects names of the projects; empty: all
   */
  async syncChanged(projects: readonly string[]): Promise<void> {
    const isMeant = (own: readonly string[]) =>
      projects.length === 0 || own.some((project) => projects.includes(project));
    const rules = this.remote.needs();
    await this.#makeEqual(rules.filter(({ need, projects: own }) => need.isBehind && isMeant(own)));
  }

  /** Makes the service equal to all files. */
  async sync(): Promise<void> {
    await this.#makeEqual(this.remote.needs());
  }

  /** Takes the files of another config, which is in force now. */
  replace(terminology: Terminology): void {
    this.#terminology = terminology;
    this.#refused = refusedIn(terminology, this.config);
    this.remote.forgetFailures();
  }

  /**
   * Until the signal: loads the files when they have changed and stopped changing, also when that was before the watch began. When a
   * file has faults, the old files stay in force, and an event has the faults.
   */
  async watch(take: TakeTerminology, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let taken: FileStats | undefined;
    let seen = await this.#stats();
    const time = new OnwardTime(clock);
    let since = time.now();
    while (!signal.aborted) {
      await clock.sleep(LOOK_MS, signal).catch(() => {});
      const stats = await this.#stats();
      if (!isDeepStrictEqual(stats, seen)) since = time.now();
      seen = stats;
      if (isDeepStrictEqual(seen, taken) || time.now() - since < this.#settleMs()) continue;
      const before = this.#refused;
      const changed = await this.#load();
      if (changed !== undefined) await take(changed, () => this.#putInForce(changed));
      // The faults of the first look are those of the start, if nothing changed in between.
      else if (taken !== undefined || !isDeepStrictEqual(before, this.#refused))
        this.#reportFaults();
      taken = seen;
    }
  }

  /** @returns undefined when the files have faults, or are as before */
  async #load(): Promise<Terminology | undefined> {
    const terminology = await loadTerminology(this.config);
    this.#refused = refusedIn(terminology, this.config);
    const isOther = terminology.version !== this.#terminology.version;
    return isOther && terminology.faults.length === 0 ? terminology : undefined;
  }

  #putInForce(terminology: Terminology): void {
    this.#terminology = terminology;
    this.#options.events.emit({
      kind: 'rules-changed',
      files: terminologyFiles(terminology),
    });
  }

  #reportFaults(): void {
    const { faults } = this;
    if (faults.length > 0) this.#options.events.emit({ kind: 'rules-refused', faults });
  }

  /** `behind` returns what the service refused. The next job that needs it tries again, and so does the next call. */
  async #makeEqual(rules: readonly TerminologyNeed[]): Promise<void> {
    await Promise.all(
      rules.map(async ({ need }) => {
        try {
          await this.remote.makeEqual(need);
        } catch (error) {
          const faults = [describeFailure(failureOf(error))];
          this.#options.events.emit({ kind: 'rules-refused', faults });
        }
      }),
    );
  }

  async #stats(): Promise<FileStats> {
    const files = terminologyFiles(this.#terminology);
    const stats = await Promise.all(
      files.map(async (file) => [file, await statOf(file).catch(() => undefined)] as const),
    );
    return Object.fromEntries(stats);
  }

  #settleMs(): number {
    return Math.max(...this.config.projects.map(({ policies }) => policies.settleMs));
  }
}

function refusedIn(
  { glossaries, styles }: Terminology,
  { base, projects }: Config,
): RefusedTerminology[] {
  return [
    ...[...glossaries.values()].flatMap(({ csv: file, projects: own, faults }) =>
      faults.map((fault) => ({ what: 'glossary' as const, file, projects: own, fault })),
    ),
    ...[...styles.values()].flatMap(({ file: absolute, path: file, faults }) =>
      faults.map((fault) => {
        return { what: 'style' as const, file, projects: projectsWith(absolute, projects), fault };
      }),
    ),
  ].map(({ fault, ...rules }) => ({ ...rules, fault: faultLine(fault, base) }));
}
