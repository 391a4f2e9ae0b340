/** Runs a command in the process of the test: the bundle that users run, with a folder, an environment and output of its own. */
import { EventEmitter } from 'node:events';
import { createRequire, enableCompileCache } from 'node:module';
import { PassThrough, Readable, Writable } from 'node:stream';
import { keepEarlySignals } from '../src/cli/early-signals.ts';
import type { Host, runCommandLine } from '../src/cli/run-command-line.ts';
import type { Clock } from '../src/clock.ts';
import { COMMAND_LINE } from './main.ts';
import type { Finished } from './rig.ts';

export interface CommandWorld {
  readonly cwd: string;
  readonly env: Host['env'];
  /** The system's when absent. */
  readonly clock?: Clock | undefined;
  /** Gets the host, to which signals can be sent. */
  onHost?(host: EventEmitter): void;
  /** Gets what is printed. */
  onPrinted?(chunk: Buffer, stream: 'stdout' | 'stderr'): void;
}

/** Not by `import`, which vitest would compile again. */
const load = createRequire(import.meta.url);

export interface Printed extends Finished {
  /** Both in the order of their writing, as on a screen. */
  readonly printed: string;
}

export async function runHere(argv: readonly string[], world: CommandWorld): Promise<Printed> {
  enableCompileCache();
  const commandLine = load(COMMAND_LINE) as { runCommandLine: typeof runCommandLine };
  const screen = new Kept();
  const [stdout, stderr] = [new Kept(screen), new Kept(screen)];
  stdout.on('printed', (chunk: Buffer) => world.onPrinted?.(chunk, 'stdout'));
  stderr.on('printed', (chunk: Buffer) => world.onPrinted?.(chunk, 'stderr'));
  const host = Object.assign(new EventEmitter(), {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: world.env,
    cwd: () => world.cwd,
    ...(world.clock === undefined ? {} : { clock: world.clock }),
  });
  world.onHost?.(host);
  const early = keepEarlySignals(host as unknown as NodeJS.Process);
  const code = await commandLine.runCommandLine(argv, host as unknown as Host, early);
  return { code, stdout: stdout.text, stderr: stderr.text, printed: screen.text };
}

/** What a test needs of a daemon, in a process of its own or in that of the test. */
export interface StartedCommand {
  /** Its exit code; null: a signal ended it. */
  readonly code: Promise<number | null>;
  /** What it printed so far. */
  said(): string;
  kill(signal: NodeJS.Signals): void;
}

interface StartedHere extends StartedCommand {
  readonly stderr: Readable;
}

/** For daemons whose work is tested and not their process: to start takes a fifth of the time, and they share their threads. */
export function startHere(argv: readonly string[], world: CommandWorld): StartedHere {
  let host = new EventEmitter();
  let said = '';
  const log = new PassThrough();
  const ended = runHere(argv, {
    ...world,
    onHost: (each) => {
      host = each;
    },
    onPrinted: (chunk, stream) => {
      said += chunk;
      if (stream === 'stderr') log.write(chunk);
    },
  });
  return {
    code: ended.then(({ code }) => code).finally(() => log.end()),
    said: () => said,
    stderr: log,
    kill(signal) {
      if (signal === 'SIGKILL') throw new Error('only a process of its own can be killed');
      host.emit(signal, signal);
    },
  };
}

/** A stream that keeps what is written. */
class Kept extends Writable {
  readonly #chunks: Buffer[] = [];
  readonly #also: Writable | undefined;

  constructor(also?: Writable) {
    super();
    this.#also = also;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    this.emit('printed', chunk);
    this.#also?.write(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
