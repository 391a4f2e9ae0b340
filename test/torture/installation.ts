/** An installation under torture: the real command line, in a time that runs faster, beside a sandbox of the same time. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { canMount, SmallDisk } from '../faults/small-disk.ts';
import { HurriedTime } from '../lanes/voice/hurried-time.ts';
import { HURRIED_MAIN } from '../main.ts';
import { type OnceJson, Rig } from '../rig.ts';
import { CONFIG, TERMS } from './tree.ts';

/** How many times as fast as ours: recordings are asked for every five seconds. */
const SCALE = 20;
/** A command that still works after this time hangs: the longest commands take ten seconds, or minutes on a busy machine. */
const STANDS_MS = 600_000;

const MIB = 1024 * 1024;
const DISKS = [
  { path: '.dragoman', size: 96 * MIB },
  { path: 'locales/de', size: 4 * MIB },
] as const;
export const CAN_MOUNT = canMount();

export interface Usage {
  readonly billed_characters: number;
  readonly possibly_billed_twice: number;
  readonly voice_seconds: number;
}

/** A finding: a state that must never occur. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

export class Installation implements AsyncDisposable {
  readonly rig: Rig;
  /** Small disks for the state and for the targets of one language; none if mounting is not permitted. */
  readonly disks: readonly SmallDisk[];
  readonly #time: HurriedTime;
  readonly #children = new Set<ChildProcess>();

  private constructor(rig: Rig, time: HurriedTime, disks: readonly SmallDisk[]) {
    this.rig = rig;
    this.#time = time;
    this.disks = disks;
  }

  static async open(): Promise<Installation> {
    const time = new HurriedTime(SCALE);
    const files = { 'terms.csv': TERMS };
    const rig = await Rig.start({ config: CONFIG, files, sandbox: { clock: time.clock } });
    const disks = CAN_MOUNT
      ? DISKS.map(({ path, size }) => new SmallDisk(rig.path(path), size))
      : [];
    return new Installation(rig, time, disks);
  }

  /** They can be written, and have room. */
  healDisks(): void {
    for (const disk of this.disks) {
      disk.become('writable');
      disk.makeRoom();
    }
  }

  spawn(...args: readonly string[]) {
    const child = spawn(process.execPath, [HURRIED_MAIN, ...args, '--no-input'], {
      cwd: this.rig.root,
      env: {
        ...process.env,
        NO_COLOR: '1',
        DRAGOMAN_KEY: this.rig.sandbox.key,
        ...this.#time.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return child;
  }

  /** Runs a command to its end. @throws Broken when it does not end */
  async run(...args: readonly string[]) {
    const child = this.spawn(...args);
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const signal = AbortSignal.timeout(STANDS_MS);
    try {
      const [code] = (await once(child, 'close', { signal })) as [number | null];
      const [stdout, stderr] = await said;
      return { code, stdout, stderr };
    } catch (cause) {
      child.kill('SIGKILL');
      throw new Broken(`${args.join(' ')} did not end in ${STANDS_MS} ms`, { cause });
    }
  }

  async json<T>(...args: readonly string[]): Promise<T & { readonly code: number | null }> {
    const { code, stdout, stderr } = await this.run(...args, '--json');
    try {
      return { ...(JSON.parse(stdout) as T), code };
    } catch (cause) {
      const said = `${stdout}\n${stderr}`;
      throw new Broken(`${args.join(' ')} ended with ${code}, without JSON: ${said}`, { cause });
    }
  }

  /** @throws Broken when it ended without a report: then it printed an error */
  async once(): Promise<OnceJson & { readonly code: number | null }> {
    const printed = await this.json<OnceJson>('once');
    if (printed.held !== undefined) return printed;
    throw new Broken(`once ended with an error: ${JSON.stringify(printed)}`);
  }

  /** Calls of an operation that the service answered so. */
  answered(operation: string, status: number): number {
    return this.rig.sandbox.counters().operations[operation]?.statuses[status] ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    for (const disk of this.disks) disk[Symbol.dispose]();
    await this.rig[Symbol.asyncDispose]();
  }
}
