/** Who answers a command: the daemon or the run that is at work, or the command itself, which then holds the lock. Never two writers. */
import type { SoundConfig } from '../config/parse.ts';
import type { Control } from '../control/control.ts';
import { Daemon, type DaemonOptions } from '../daemon.ts';
import { failureOf } from '../failure.ts';
import { StateLocked } from '../files/exclusive.ts';
import { connectControl, controlSocketPath } from '../page/control-socket.ts';
import { asStateFailure } from '../state/state-disk.ts';
import { type CommandCall, CommandFailure } from './command.ts';
import { openConfig, readConfig } from './open-config.ts';
import { worldOf } from './world.ts';

/** Milliseconds that a single command waits for a service that cannot be reached. */
const PATIENCE_MS = 10_000;

/** Milliseconds that a command waits for a daemon or a run which holds the state and does not answer yet. */
const LOCK_PATIENCE_MS = 5000;
const LOCK_LOOK_MS = 100;

/** What a command does with the answers: of a tree that daemons share, a question is answered wherever it is asked. */
type Purpose = 'acts' | 'asks';

/** @throws StateLocked for a state that another process holds without answering */
export async function withControl<T>(
  call: CommandCall,
  use: (control: Control, setup: SoundConfig) => Promise<T>,
  purpose: Purpose = 'acts',
): Promise<T> {
  const setup = await openConfig(call);
  if (purpose === 'asks' && setup.config.team?.tree !== undefined) {
    return await withLook(call, setup, use);
  }
  const { clock, signals } = call;
  let until: number | undefined;
  for (;;) {
    const daemon = await connectControl(controlSocketPath(setup.config.state));
    if (daemon !== undefined) return await use(daemon, setup);
    try {
      return await withOwn(call, setup, use);
    } catch (error) {
      until ??= clock.now() + LOCK_PATIENCE_MS;
      if (!(error instanceof StateLocked) || clock.now() >= until) {
        throw asStateFailure(error, setup.config.state);
      }
      await clock.sleep(LOCK_LOOK_MS, signals.drain);
    }
  }
}

/** By the daemon that leads, where it runs here; else from the database. */
async function withLook<T>(
  call: CommandCall,
  setup: SoundConfig,
  use: (control: Control, setup: SoundConfig) => Promise<T>,
): Promise<T> {
  const daemon = await connectControl(controlSocketPath(setup.config.state));
  try {
    if (daemon !== undefined) return await use(daemon, setup);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'team-state' || failure.problem !== 'taken') throw error;
  }
  await using own = await openOwn(call, setup, { isLooking: true });
  return await use(own.answers.control, setup);
}

async function withOwn<T>(
  call: CommandCall,
  setup: SoundConfig,
  use: (control: Control, setup: SoundConfig) => Promise<T>,
): Promise<T> {
  await using own = await openOwn(call, setup);
  return await use(own.answers.control, setup);
}

async function openOwn(
  call: CommandCall,
  setup: SoundConfig,
  more: Pick<DaemonOptions, 'isLooking'> = {},
): Promise<Daemon> {
  return await Daemon.open({
    ...more,
    setup,
    targets: 'stay',
    isCommand: true,
    world: worldOf(call),
    ending: call.signals.drain,
    patienceMs: PATIENCE_MS,
    withoutTeam: 'looks',
  });
}

/** @throws CommandFailure 69 when no daemon runs for this config */
export async function requireDaemon(call: CommandCall): Promise<Control> {
  const steadfast = await daemonOfRefused(call);
  if (steadfast !== undefined) return steadfast;
  const { config } = await openConfig(call);
  const daemon = await connectControl(controlSocketPath(config.state));
  if (daemon !== undefined) return daemon;
  throw new CommandFailure(69, 'no daemon runs for this config; "dragoman run" starts one');
}

/** The daemon of a config that is refused as it is now: it goes on with what the config was. Undefined in all other cases. */
export async function daemonOfRefused(call: CommandCall): Promise<Control | undefined> {
  const parsed = await readConfig(call);
  if (parsed.faults === undefined) return undefined;
  const daemon = await connectControl(controlSocketPath(parsed.state));
  if (daemon === undefined) return undefined;
  call.terminal.note(
    'the config is refused as it is now ("dragoman check" says why); the daemon goes on with what it was',
  );
  return daemon;
}
