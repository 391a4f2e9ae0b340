/** Runs a command in the process of the test: the bundle that users run, with a folder, an environment and output of its own. */
import { EventEmitter } from 'node:events';
import { createRequire, enableCompileCache } from 'node:module';
import { Readable, Writable } from 'node:stream';
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
  const host = Object.assign(new EventEmitter(), {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: world.env,
    cwd: () => world.cwd,
    ...(world.clock === undefined ? {} : { clock: world.clock }),
  });
  world.onHost?.(host);
  const code = await commandLine.runCommandLine(argv, host as unknown as Host);
  return { code, stdout: stdout.text, stderr: stderr.text, printed: screen.text };
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
    this.#also?.write(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
