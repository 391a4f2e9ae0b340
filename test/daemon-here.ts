/** The daemon of a rig in this process, so that files and records change at exact moments of its work. */
import { type Clock, systemClock } from '../src/clock.ts';
import { parseConfig } from '../src/config/parse.ts';
import { Daemon } from '../src/daemon.ts';
import { type Event, Events } from '../src/event.ts';
import type { Rig } from './rig.ts';

export interface DaemonHere {
  readonly daemon: Daemon;
  readonly events: Events;
  /** All that was told so far. */
  readonly heard: readonly Event['kind'][];
}

export async function daemonHere(rig: Rig, clock: Clock = systemClock): Promise<DaemonHere> {
  const env = { DRAGOMAN_KEY: rig.sandbox.key };
  const file = rig.path('dragoman.yaml');
  const setup = parseConfig(rig.read('dragoman.yaml'), { file, env });
  if (setup.faults !== undefined) throw new Error('the config is refused');
  const events = new Events();
  const heard: Event['kind'][] = [];
  events.subscribe(({ kind }) => void heard.push(kind));
  const world = { clock, events, random: Math.random, secrets: { env } };
  return { daemon: await Daemon.open({ setup, targets: 'follow', world }), events, heard };
}
