/** The glossaries and style lists of a daemon: their files as they are now, watched while it runs, and their names on the service. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { faultLine } from '../config/fault.ts';
import type { Config } from '../config.ts';
import type { Events } from '../event.ts';
import { describeFailure, failureOf } from '../failure.ts';
import { statOf } from '../files/disk.ts';
import type { Ledger } from '../ledger.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import { type Terminology, terminologyFiles } from '../terminology/project-terms.ts';
import type { GlossaryService } from './glossary-lookup.ts';
import { Remote } from './remote.ts';
import type { StyleService } from './style-sync.ts';

/** Milliseconds between two looks at the files: few, small and perhaps on a network folder, where no events come. */
const LOOK_MS = 1000;

export interface TerminologyInForceOptions {
  readonly config: Config;
  readonly service: GlossaryService & StyleService;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly events: Events;
}

export class TerminologyInForce {
  readonly remote: Remote;
  readonly #options: TerminologyInForceOptions;
  #config: Config;
  #terminology: Terminology;

  /** Reads the files. Never throws for what stands in them: what needs one at fault fails, with its line. */
  static async open(options: TerminologyInForceOptions): Promise<TerminologyInForce> {
    return new TerminologyInForce(options, await loadTerminology(options.config));
  }

  private constructor(options: TerminologyInForceOptions, terminology: Terminology) {
    this.#options = options;
    this.#config = options.config;
    this.#terminology = terminology;
    this.remote = new Remote({
      ...options,
      config: () => this.#config,
      terminology: () => this.#terminology,
    });
  }

  get files(): Terminology {
    return this.#terminology;
  }

  get config(): Config {
    return this.#config;
  }

  /** Another config is in force: its files are read anew. */
  async configure(config: Config): Promise<void> {
    const terminology = await loadTerminology(config);
    this.#config = config;
    this.#terminology = terminology;
  }

  /**
   * Takes settled changes of the files over and brings the service in step, until the signal. A file that became
   * nonsense changes nothing: the old one holds, and the log says what is wrong.
   */
  async watch(onChanged: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let taken = await this.#stats();
    let seen = taken;
    let since = clock.now();
    while (!signal.aborted) {
      await clock.sleep(LOOK_MS, signal).catch(() => {});
      const stats = await this.#stats();
      if (!isDeepStrictEqual(stats, seen)) since = clock.now();
      seen = stats;
      if (isDeepStrictEqual(seen, taken) || clock.now() - since < this.#settleMs()) continue;
      taken = seen;
      if (await this.#takeOver()) await Promise.all([this.#sync(), onChanged()]);
    }
  }

  async #takeOver(): Promise<boolean> {
    const { events } = this.#options;
    const terminology = await loadTerminology(this.#config);
    if (terminology.faults.length > 0) {
      const faults = terminology.faults.map((fault) => faultLine(fault, this.#config.base));
      events.emit({ kind: 'rules-refused', faults });
      return false;
    }
    if (terminology.version === this.#terminology.version) return false;
    this.#terminology = terminology;
    events.emit({ kind: 'rules-changed', files: terminologyFiles(terminology) });
    return true;
  }

  /** What the service refuses now, the next job that needs it tries again. */
  async #sync(): Promise<void> {
    try {
      await this.remote.bringAll();
    } catch (error) {
      this.#options.events.emit({
        kind: 'rules-refused',
        faults: [describeFailure(failureOf(error))],
      });
    }
  }

  async #stats(): Promise<Readonly<Record<string, string | undefined>>> {
    const files = terminologyFiles(this.#terminology);
    const stats = await Promise.all(
      files.map(async (file) => [file, await statOf(file).catch(() => undefined)] as const),
    );
    return Object.fromEntries(stats);
  }

  #settleMs(): number {
    return Math.max(...this.#config.projects.map(({ policies }) => policies.settleMs));
  }
}
