/** A tree that several daemons work on: real processes with a state folder and a config file each, and one service that counts. */
import { once } from 'node:events';
import type { SimulatedFault } from '../src/sandbox/faults.ts';
import type { Postgres } from './postgres.ts';
import type { StartedCommand } from './run-here.ts';
import { type Member, type ProcessTime, type SpawnOptions, Team } from './shared-team.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

const RECORDINGS = ', { from: "spoken/*.wav", to: { transcript: "heard/{locale}/{name}.txt" } }';

export interface TreeOptions {
  /** The number of files, with ten texts each. */
  readonly files: number;
  readonly slowMs?: number;
  readonly faults?: readonly SimulatedFault[];
  /** `here`: in the process of the test, where nothing else is said (`startApart`). Absent: `process`, each has one of its own. */
  readonly daemons?: 'here' | 'process';
}

type Change = (yaml: string) => string;
type ProcessOptions = Pick<SpawnOptions, 'time' | 'preload'>;

export interface StartedDaemon extends StartedCommand {
  readonly config: string;
  readonly pid: number | undefined;
}

export async function startTree(
  postgres: Postgres,
  { files, daemons: place, ...options }: TreeOptions,
) {
  const texts = files * 10;
  const team = await Team.start(postgres, { members: 1, texts, tree: 'website', ...options });
  const [member] = team.members as [Member];
  let daemons = 0;
  /** @returns its name */
  const configure = async (change: Change = (yaml) => yaml) => {
    daemons += 1;
    member.configure(team.schema, 'lock: dragoman.lock', {
      state: `, folder: "${await temporaryFolder()}", key: { env: STATE_KEY }, tree: website`,
      routes: RECORDINGS,
    });
    const config = `daemon-${daemons}.yaml`;
    member.write(config, change(member.read('dragoman.yaml')));
    return config;
  };
  const startProcess = (config: string, role: string, options: ProcessOptions): StartedDaemon => {
    const daemon = member.spawn('run', options, '--config', config, '--role', role);
    let said = '';
    for (const stream of [daemon.stdout, daemon.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    const code = once(daemon, 'close').then(([each]) => each as number | null);
    const kill = (signal: NodeJS.Signals) => void daemon.kill(signal);
    return { config, pid: daemon.pid, code, said: () => said, kill };
  };
  /** A daemon with a config that is there, and so with its state folder. */
  const startWith = (config: string, role: string, options: ProcessOptions = {}): StartedDaemon => {
    const isPlain = options.time === undefined && options.preload === undefined;
    if (place !== 'here' || !isPlain) return startProcess(config, role, options);
    const started = member.start('run', '--config', config, '--role', role);
    return { ...started, config, pid: process.pid };
  };
  /** A daemon with a process of its own: one that is killed or suspended. */
  const startApart = async (role: string, change?: Change) =>
    startProcess(await configure(change), role, {});
  /** @param change of its config @param time absent: that of the wall */
  const start = async (role: string, change?: Change, time?: ProcessTime, preload?: string) =>
    startWith(await configure(change), role, { time, preload });
  const ended = async ({ code }: StartedDaemon) => await code;
  const end = async (started: StartedDaemon, signal: NodeJS.Signals) => {
    const code = ended(started);
    started.kill(signal);
    return await code;
  };
  /** The address of a daemon's page. */
  const pageOf = async ({ said }: StartedDaemon) => {
    const address = /http:\/\/127\.0\.0\.1:\d+/;
    await until(() => address.test(said()));
    return address.exec(said())?.[0] ?? '';
  };
  const targets = Array.from({ length: files }, (_, n) => `de/file_${n * 10}.json`);
  const has = (path: string) => member.has(path);
  const count = () => targets.filter(has).length;
  return {
    ...{ team, member, configure, start, startApart, startWith, ended, end, pageOf },
    ...{ targets, has, count },
  };
}
