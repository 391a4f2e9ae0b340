/** A whole installation in a temp folder: config, files, a sandbox over a real socket, and the real binary. One disposable. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Clock } from '../src/clock.ts';
import { ANYTHING } from '../src/config/capabilities.ts';
import { loadConfig } from '../src/config/load.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../src/sandbox/server.ts';
import { MAIN } from './main.ts';
import { withQuickSettle } from './quick-settle.ts';
import { runHere, type StartedCommand, startHere } from './run-here.ts';

export interface RigOptions {
  /** The `projects:` part and all other parts behind `version` and `service`, with the indentation of the file. */
  readonly config: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly sandbox?: Partial<SandboxOptions>;
  /** `as given`: folders that routes name are not made; a route whose folder is not there ends a run with 1. */
  readonly folders?: 'as given';
  /** Lines under `service:`, beside url and key. */
  readonly service?: string;
  /** `here`: commands run in the process of the test. `process`: for behaviour that only a process of its own shows. */
  readonly commands?: 'here' | 'process';
  /** The clock of commands and daemons that run here, and of the sandbox. */
  readonly clock?: Clock;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The object that `once --json` prints. */
export interface OnceJson {
  readonly delivered: number;
  readonly unchanged: number;
  readonly held: readonly {
    readonly source: string;
    readonly language: string;
    readonly reason: string;
  }[];
  readonly failed: readonly {
    readonly source: string;
    readonly language: string;
    readonly reason: string;
  }[];
  readonly estimated_characters: number;
  readonly billed_characters: number;
  readonly requests: number;
}

interface ProjectFolders {
  /** The root of the project, relative to that of the rig. */
  readonly root: string;
  /** Relative to it. */
  readonly folders: readonly string[];
}

/** What configs spell out, by their text. The tests of a file have few of them, and to read one takes as long as a short command. */
const SPELLED_OUT = new Map<string, readonly ProjectFolders[]>();

/** Every folder that a route spells out: most tests have no file for some of their routes. */
async function makeFolders(rig: Rig, { config, service }: RigOptions): Promise<void> {
  const text = JSON.stringify([config, service]);
  const projects = SPELLED_OUT.get(text) ?? (await foldersSpelledOut(rig));
  SPELLED_OUT.set(text, projects);
  for (const { root, folders } of projects) {
    if (!rig.exists(root)) continue;
    for (const folder of folders) mkdirSync(rig.path(join(root, folder)), { recursive: true });
  }
}

async function foldersSpelledOut(rig: Rig): Promise<readonly ProjectFolders[]> {
  const options = { env: process.env, capabilitiesOf: () => ANYTHING };
  const loaded = await loadConfig(rig.path('dragoman.yaml'), options);
  if (loaded.faults !== undefined) return [];
  return loaded.config.projects.map(({ name, root }) => {
    const fixed = loaded.router.fixedPaths(name).flatMap(({ paths }) => paths);
    const folders = fixed.flatMap(({ kind, path }) => (kind === 'folder' ? [path] : []));
    return { root: relative(rig.root, root), folders };
  });
}

export class Rig implements AsyncDisposable {
  readonly root: string;
  #sandbox: Sandbox;
  readonly #commands: 'here' | 'process';
  readonly #clock: Clock | undefined;
  readonly #children = new Set<ChildProcess>();
  readonly #here = new Set<StartedCommand>();

  private constructor(root: string, sandbox: Sandbox, { commands, clock }: RigOptions) {
    this.root = root;
    this.#sandbox = sandbox;
    this.#commands = commands ?? 'here';
    this.#clock = clock;
  }

  static async start(options: RigOptions): Promise<Rig> {
    const root = mkdtempSync(join(tmpdir(), 'dragoman-rig-'));
    const { clock } = options;
    const sandbox = await startSandbox({ ...(clock && { clock }), ...options.sandbox });
    const rig = new Rig(root, sandbox, options);
    rig.write('dragoman.yaml', configText(sandbox, options));
    for (const [path, content] of Object.entries(options.files ?? {})) rig.write(path, content);
    if (options.folders !== 'as given') await makeFolders(rig, options);
    return rig;
  }

  get sandbox(): Sandbox {
    return this.#sandbox;
  }

  path(relative: string): string {
    return join(this.root, relative);
  }

  write(relative: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(relative)), { recursive: true });
    writeFileSync(this.path(relative), content);
  }

  read(relative: string): string {
    return readFileSync(this.path(relative), 'utf8');
  }

  json(relative: string): Record<string, unknown> {
    return JSON.parse(this.read(relative)) as Record<string, unknown>;
  }

  exists(relative: string): boolean {
    return existsSync(this.path(relative));
  }

  remove(relative: string): void {
    // A program that works in the folder may make a file meanwhile.
    rmSync(this.path(relative), { recursive: true, maxRetries: 10, retryDelay: 20 });
  }

  modified(relative: string): bigint {
    return statSync(this.path(relative), { bigint: true }).mtimeNs;
  }

  /** Runs a command to its end. */
  async run(...args: readonly string[]): Promise<Finished> {
    if (this.#commands === 'here') {
      const world = { ...this.#world, clock: this.#clock };
      return await runHere([...args, '--no-input'], world);
    }
    const child = this.spawn(...args);
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout: await stdout, stderr: await stderr };
  }

  async once(...args: readonly string[]): Promise<OnceJson & { readonly code: number | null }> {
    const { code, stdout, stderr } = await this.run('once', '--json', ...args);
    try {
      return { ...(JSON.parse(stdout) as OnceJson), code };
    } catch {
      throw new Error(`once printed no JSON (exit code ${code}): ${stdout}\n${stderr}`);
    }
  }

  spawn(...args: readonly string[]): ChildProcess & Pipes {
    const child = spawn(process.execPath, [MAIN, ...args, '--no-input'], {
      ...this.#world,
      stdio: ['ignore', 'pipe', 'pipe'],
    }) as ChildProcess & Pipes;
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return child;
  }

  get #world() {
    const env = { ...process.env, NO_COLOR: '1', DRAGOMAN_KEY: this.sandbox.key };
    return { cwd: this.root, env };
  }

  /** The service goes away; what returns it, at the same address. */
  async stopService(): Promise<() => Promise<void>> {
    const { port } = new URL(this.sandbox.url);
    await this.sandbox[Symbol.asyncDispose]();
    return async () => {
      this.#sandbox = await startSandbox({ port: Number(port) });
    };
  }

  /** Starts the daemon, where commands run too; resolves when it watches. Its log is JSON, a line an event. */
  async daemon(...args: readonly string[]): Promise<Daemon> {
    if (this.#commands === 'process') return await this.daemonApart(...args);
    const started = startHere(['run', ...args, '--no-input'], {
      ...this.#world,
      clock: this.#clock,
    });
    this.#here.add(started);
    return await watching(new Daemon(started));
  }

  /** Starts a daemon that has a process of its own: one that is killed, or whose process is tested. */
  async daemonApart(...args: readonly string[]): Promise<Daemon> {
    return await watching(new Daemon(apart(this.spawn('run', ...args))));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    // The second signal ends also what is under way.
    for (const each of [...this.#here, ...this.#here]) each.kill('SIGTERM');
    await this.sandbox[Symbol.asyncDispose]();
    await Promise.all([...this.#here].map(({ code }) => code));
    rmSync(this.root, { recursive: true, force: true });
  }
}

interface Pipes {
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
}

export interface LogLine {
  readonly kind?: string;
  readonly msg?: string;
}

/** A daemon in a process of its own. */
export function apart(child: ChildProcess & Pipes): Logging {
  child.stdout.resume();
  return {
    code: once(child, 'close').then(([code]) => code as number | null),
    stderr: child.stderr,
    kill: (signal) => void child.kill(signal),
  };
}

interface Logging extends Pick<StartedCommand, 'code' | 'kill'> {
  readonly stderr: NodeJS.ReadableStream;
}

async function watching(daemon: Daemon): Promise<Daemon> {
  await daemon.logged((line) => line.kind === 'started');
  return daemon;
}

export class Daemon {
  readonly lines: LogLine[] = [];
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  readonly #started: Logging;
  readonly #waiting = new Set<() => void>();
  #hasEnded = false;

  constructor(started: Logging) {
    this.#started = started;
    createInterface({ input: started.stderr }).on('line', (line) => this.#take(line));
    this.ended = started.code.finally(() => {
      this.#hasEnded = true;
      this.#wake();
    });
  }

  /** Resolves with the first line, past or future, that fits; rejects when the daemon ends before. */
  async logged(fits: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found !== undefined) return found;
      if (this.#hasEnded) {
        throw new Error(`the daemon ended: ${this.lines.map((line) => line.msg).join('\n')}`);
      }
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Waits until a log line appears that makes `holds` true. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#hasEnded) throw new Error('the daemon ended');
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#started.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.kill(signal);
    return await this.ended;
  }

  #take(line: string): void {
    try {
      this.lines.push(JSON.parse(line) as LogLine);
    } catch {
      this.lines.push({ msg: line });
    }
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

function configText(sandbox: Sandbox, { config, service }: RigOptions): string {
  const extra = service === undefined ? '' : `\n${service}`;
  return `version: 1
service:
  url: ${sandbox.url}
  key: { env: DRAGOMAN_KEY }${extra}
${withQuickSettle(config)}
`;
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8');
}
