/** A copy of a folder with a config at a date of its own. Commands run there, against a sandbox of the same date. */

import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { DATED, KILLED, MAIN } from '../main.ts';
import { type Finished, Rig } from '../rig.ts';
import { runHere } from '../run-here.ts';
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

  /** Runs a command to its end, in the process of the test. */
  async run(...args: readonly string[]): Promise<Finished> {
    const clock = args[0] === 'plan' ? this.#clock.patient() : this.#clock;
    return await runHere([...args, '--no-input'], { cwd: this.rig.root, env: this.#env, clock });
  }

  /** A process of its own: a daemon, or one that is killed. */
  spawn(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const options = ['--import', DATED, '--import', KILLED];
    return spawn(process.execPath, [...options, MAIN, ...args, '--no-input'], {
      cwd: this.rig.root,
      env: { ...this.#env, TEST_NOW: String(this.#clock.now()), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  get #env() {
    return {
      ...process.env,
      NO_COLOR: '1',
      TZ: 'UTC',
      DRAGOMAN_KEY: this.rig.sandbox.key,
      http_proxy: this.gateway.url,
      no_proxy: '',
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway[Symbol.asyncDispose]();
    await this.rig[Symbol.asyncDispose]();
  }
}

/** Runs as fast as ours, from another moment on. */
class Clock {
  #ahead = 0;
  readonly #patience: number;

  constructor(start: number, patience = 1) {
    this.#patience = patience;
    this.set(start);
  }

  /** It waits 30 times as long for what does not come: on a busy machine, an answer that is late is not silence. */
  patient(): Clock {
    return new Clock(this.now(), 30);
  }

  set(moment: number): void {
    this.#ahead = moment - Date.now();
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await wait(
      ms < 1000 ? ms : ms * this.#patience,
      undefined,
      signal === undefined ? {} : { signal },
    );
  }
}
