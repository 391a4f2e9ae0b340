/** The contract of a command: `describe` adds its arguments and help, `run` ends with an exit code. */
import type { Command } from 'commander';
import type { Clock } from '../clock.ts';
import type { Fault } from '../config/fault.ts';
import type { Config } from '../config.ts';
import type { Terminal } from './terminal.ts';

/**
 * - 0 everything is done
 * - 1 some jobs failed
 * - 2 something is held
 * - 64 wrong usage
 * - 69 the API is unreachable
 * - 74 the state folder cannot be written or read
 * - 75 try again later: the quota is used up, another process has the state or does not answer, or the team's database is away
 * - 77 the key is refused
 * - 78 a fault in the config, or damaged state
 */
export type ExitCode = 0 | 1 | 2 | 64 | 69 | 74 | 75 | 77 | 78;

/** Options that every command takes. */
export interface GlobalOptions {
  readonly config?: string;
  readonly json?: boolean;
  /** False with `--no-input`: never ask. */
  readonly input: boolean;
  readonly verbose?: boolean;
}

/** One call of a command: the typed arguments and options, and its access to terminal, environment, clock and signals. */
export interface CommandCall<Options = GlobalOptions> {
  readonly args: readonly string[];
  readonly options: Options & GlobalOptions;
  readonly terminal: Terminal;
  /** Where a daemon logs. */
  readonly stderr: NodeJS.Process['stderr'];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly signals: Signals;
  /** Tells the config of the call, once it is read: a failure of its state folder ends every command in the same way. */
  readonly noteConfig?: (config: Config) => void;
  /** Tells the paid work of the call, once there may be some: the second signal waits for its answers and for nothing else. */
  readonly notePaidWork?: (work: PaidWork) => void;
}

export interface PaidWork {
  /** From now on nothing more is sent. Resolves when the requests that were sent have their answers. */
  answered(): Promise<void>;
}

export interface Signals {
  /** First Ctrl-C or SIGTERM: finish running jobs, start no new ones. */
  readonly drain: AbortSignal;
  /** Second one: send nothing more. Soon after the last answer that is paid, the process ends, whatever else it does. */
  readonly abort: AbortSignal;
  /** SIGHUP. @returns a function that ends the subscription */
  onReload(listener: () => void): () => void;
}

export interface CliCommand<Options = GlobalOptions> {
  /**
   * It goes on until it is stopped and only shows something. Its output is printed at once, and it ends when nobody reads that any more.
   */
  readonly endsUnread?: true;
  /** It has paid work under way when the first signal comes, and says itself what it waits for. All others end soon (`cli/ending.ts`). */
  readonly endsPaidWork?: true;
  /** Adds arguments, options and examples; `--config --json --no-input --verbose` are there already. */
  describe(command: Command): void;
  run(call: CommandCall<Options>): Promise<ExitCode>;
}

/** A line of the table of commands. */
export interface CommandEntry {
  readonly summary: string;
  /** Not listed in the help. */
  readonly hidden?: true;
  load(): Promise<CliCommand<never>>;
}

/** Wrong arguments or options: printed with the usage, exit code 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ends the command with a message for people and the given exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;
  /** Faults of config, glossary and style files; each is shown below the message. */
  readonly faults: readonly Fault[];

  constructor(
    exitCode: ExitCode,
    message: string,
    { faults = [], ...options }: { cause?: unknown; faults?: readonly Fault[] } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
    this.faults = faults;
  }
}
