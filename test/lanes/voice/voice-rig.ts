/** A project with recordings, a sandbox, and a time that both share and that runs faster than ours. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { CORPUS } from '../../corpus.ts';
import { HURRIED_MAIN } from '../../main.ts';
import { type Finished, type OnceJson, Rig } from '../../rig.ts';
import { runHere } from '../../run-here.ts';
import { HurriedTime } from './hurried-time.ts';

const AUDIO = join(CORPUS, 'audio');

/** How many times as fast as ours. An answer has 120 s (service/attempt.ts), which are four seconds then. */
const SCALE = 30;

export const CREATE = 'POST /v1/jobs/voice/translate';
export const POLL = 'GET /v1/jobs/voice/translate/{job_id}';
export const UPLOAD = 'PUT /assets/{job_id}';
export const DOWNLOAD = 'GET /assets/{job_id}/{index}';

export interface StudioOptions {
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  readonly targets?: string;
  /** The outputs of the route, in flow style. */
  readonly to?: string;
  /** More of the project, and of the route. */
  readonly project?: string;
  readonly route?: string;
  /** Lines before `projects:`. */
  readonly head?: string;
  readonly service?: string;
  readonly sandbox?: Partial<SandboxOptions>;
  /** The folders for programs, instead of the usual ones. */
  readonly path?: string;
}

export interface Run extends OnceJson {
  readonly code: number | null;
  readonly stderr: string;
}

export class Studio implements AsyncDisposable {
  readonly rig: Rig;
  readonly #time: HurriedTime;
  #env: Readonly<Record<string, string>>;

  private constructor(rig: Rig, time: HurriedTime, path: string | undefined) {
    this.rig = rig;
    this.#time = time;
    this.#env = path === undefined ? {} : { PATH: path };
  }

  static async open(options: StudioOptions): Promise<Studio> {
    const time = new HurriedTime(SCALE);
    const { service, sandbox, files } = options;
    const rig = await Rig.start({
      config: configOf(options),
      files,
      sandbox: { clock: time.clock, ...sandbox },
      ...(service === undefined ? {} : { service }),
    });
    return new Studio(rig, time, options.path);
  }

  now(): number {
    return this.#time.clock.now();
  }

  /** Hours pass at once, for the service and for the runs that come. */
  pass(hours: number): void {
    this.#time.pass(hours * 3_600_000);
  }

  /** What `path` hid is found from now on. */
  install(): void {
    this.#env = {};
  }

  async once(...args: readonly string[]): Promise<Run> {
    const { code, stdout, stderr } = await this.run('once', '--json', ...args);
    try {
      return { ...(JSON.parse(stdout) as OnceJson), code, stderr };
    } catch {
      throw new Error(`once printed no JSON (exit code ${code}): ${stdout}\n${stderr}`);
    }
  }

  async json<T>(...args: readonly string[]): Promise<T> {
    const { stdout } = await this.run(...args, '--json');
    return JSON.parse(stdout) as T;
  }

  async run(...args: readonly string[]): Promise<Finished> {
    const world = { cwd: this.rig.root, env: this.#environment, clock: this.#time.clock };
    return await runHere([...args, '--no-input'], world);
  }

  /** A process that runs until it is disposed of. */
  start(...args: readonly string[]): AsyncDisposable {
    const child = this.#spawn(args, {});
    child.stdout.resume();
    child.stderr.resume();
    const closed = once(child, 'close');
    return {
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL');
        await closed;
      },
    };
  }

  /** Runs until the process kills itself there. */
  async die(point: string): Promise<NodeJS.Signals | null> {
    const child = this.#spawn(['once', '--json'], { POINT: point });
    child.stdout.resume();
    child.stderr.resume();
    const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return signal;
  }

  /** Calls of an operation that the service answered so. */
  answered(operation: string, status: number): number {
    return this.rig.sandbox.counters().operations[operation]?.statuses[status] ?? 0;
  }

  /** Seconds of audio in the ledger's snapshot, which a run writes when it ends. */
  bookedSeconds(): number {
    const { charges } = JSON.parse(this.rig.read('.dragoman/db.json')) as {
      charges: Record<string, { seconds?: number }>;
    };
    return Object.values(charges).reduce((sum, { seconds = 0 }) => sum + seconds, 0);
  }

  async books() {
    return await this.json<{ voice_seconds: number; voice_storage_bytes: number }>('usage');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rig[Symbol.asyncDispose]();
  }

  get #environment() {
    return { ...process.env, NO_COLOR: '1', DRAGOMAN_KEY: this.rig.sandbox.key, ...this.#env };
  }

  #spawn(args: readonly string[], env: Readonly<Record<string, string>>) {
    return spawn(process.execPath, [HURRIED_MAIN, ...args, '--no-input'], {
      cwd: this.rig.root,
      env: { ...this.#environment, ...this.#time.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

/** A recording of the corpus; undefined where the corpus is absent. */
export function recording(name: string): Uint8Array | undefined {
  try {
    return readFileSync(join(AUDIO, name));
  } catch {
    return undefined;
  }
}

/** Silence as a WAV file of 8 kHz: a recording that is the same everywhere. */
export function silence(seconds: number, seed = 0): Uint8Array {
  const samples = seconds * 8000;
  const wav = Buffer.alloc(44 + samples * 2, seed);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + samples * 2, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(16_000, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples * 2, 40);
  return wav;
}

const ALL =
  '{ transcript: "out/{locale}/{dir}/{name}.txt", subtitles: "out/{locale}/{dir}/{name}.srt", speech: "out/{locale}/{dir}/{name}.wav" }';

function configOf({
  targets = 'de',
  to = ALL,
  project = '',
  route = '',
  head = '',
}: StudioOptions) {
  return `
defaults: { settle_ms: 0 }
${head}
projects:
  academy:
    source: en
    targets: [${targets}]
    ${project}
    routes:
      - { from: "in/**/*.{wav,mp3,m4a,ogg,opus,flac,webm,mp4,amr}", to: ${to}${route} }
`;
}
