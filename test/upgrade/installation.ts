/** A copy of a folder with a config at a date of its own. The real binary runs it against a sandbox of the same date. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { DATED, KILLED, MAIN } from '../main.ts';
import { type Finished, Rig } from '../rig.ts';
import { Gateway } from './gateway.ts';

export class Installation implements AsyncDisposable {
  readonly rig: Rig;
  readonly gateway: Gateway;
  readonly #clock: Clock;

  private constructor(parts: { rig: Rig; gateway: Gateway; clock: Clock }) {
    this.rig = parts.rig;
    this.gateway = parts.gateway;
    this.#clock = parts.clock;
  }

  /** @param date ISO 8601 */
  static async open(folder: string, date: string): Promise<Installation> {
    const clock = new Clock(Date.parse(date));
    const rig = await Rig.start({ config: '', sandbox: { clock, timeScale: 20 } });
    const gateway = await Gateway.open(rig.sandbox.url);
    cpSync(folder, rig.root, { recursive: true, force: true });
    return new Installation({ rig, gateway, clock });
  }

  /** It is another day. */
  travel(date: string): void {
    this.#clock.set(Date.parse(date));
  }

  /** Runs a command to its end. */
  async run(...args: readonly string[]): Promise<Finished> {
    const child = this.spawn(args[0] === 'plan' ? { TEST_PATIENT: 'yes' } : {}, ...args);
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await once(child, 'close')) as [number | null];
    const [stdout, stderr] = await said;
    return { code, stdout, stderr };
  }

  spawn(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const options = ['--import', DATED, '--import', KILLED];
    return spawn(process.execPath, [...options, MAIN, ...args, '--no-input'], {
      cwd: this.rig.root,
      env: {
        ...process.env,
        NO_COLOR: '1',
        TZ: 'UTC',
        DRAGOMAN_KEY: this.rig.sandbox.key,
        TEST_NOW: String(this.#clock.now()),
        http_proxy: this.gateway.url,
        no_proxy: '',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway[Symbol.asyncDispose]();
    await this.rig[Symbol.asyncDispose]();
  }
}

/** Runs as fast as ours, from another moment on. */
class Clock {
  #ahead = 0;

  constructor(start: number) {
    this.set(start);
  }

  set(moment: number): void {
    this.#ahead = moment - Date.now();
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  }
}
