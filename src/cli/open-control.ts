/** Finds who answers a command: an active daemon or run, else the command itself, which then holds the lock. There are never two writers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OnwardTime, untilAborted } from '../clock.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Config } from '../config.ts';
import type { Control } from '../control/control.ts';
import { Daemon, type DaemonOptions } from '../daemon.ts';
import { failureOf, JobFailure } from '../failure.ts';
import { endHashingAt } from '../files/disk.ts';
import { DaemonOfOtherConfig, StateLocked } from '../files/exclusive.ts';
import { connectControl, controlSocketPath } from '../page/control-socket.ts';
import { threads } from '../parsing/parse.ts';
import { asStateFailure } from '../state/state-disk.ts';
import type { Extent } from '../state/tree.ts';
import { type CommandCall, CommandFailure } from './command.ts';
import { configFile, openConfig, readConfigFile } from './open-config.ts';
import { refuseOtherState } from './state-of-config.ts';
import { worldOf } from './world.ts';

/** Milliseconds that a command waits for a service that cannot be reached. */
const SERVICE_PATIENCE_MS = 10_000;

/** Milliseconds that a command waits for a process that holds the state and does not answer yet. */
const LOCK_PATIENCE_MS = 5000;
/** Milliseconds between two tries. */
const LOCK_RETRY_MS = 100;

/**
 * Whether a command changes something or only asks. In a tree that daemons share, every machine can answer a question. A function says
 * which records of the tree the question needs; `asks`: everything.
 */
type CommandPurpose = 'acts' | 'asks' | ((setup: SoundConfig) => Extent);

/** Calls `use` with a control. @throws StateLocked when another process holds the state and does not answer */
export async function withControl<T>(
  call: CommandCall,
  use: (control: Control, setup: SoundConfig) => Promise<T>,
  purpose: CommandPurpose = 'acts',
): Promise<T> {
  const setup = await openConfig(call);
  if (purpose === 'acts') return await withOne(call, { setup }, use);
  const { drain } = call.signals;
  using _ = endHashingAt(drain);
  const asked: typeof use = (control, found) => untilStopped(use(control, found), drain);
  if (setup.config.team?.tree === undefined)
    return await withOne(call, { setup, ending: drain }, asked);
  const looksAt: Extent = purpose === 'asks' ? { of: 'everything' } : purpose(setup);
  return await withReader(call, { setup, looksAt }, asked);
}

/** A question changes nothing, so the first signal ends it, whatever it waits for. @throws JobFailure `stopped` */
async function untilStopped<T>(answer: Promise<T>, drain: AbortSignal): Promise<T> {
  try {
    return await untilAborted(answer, drain);
  } catch (error) {
    if (!drain.aborted) throw error;
    await threads.stop();
    throw new JobFailure({ kind: 'stopped' }, { cause: error });
  }
}

interface AskedSetup {
  readonly setup: SoundConfig;
  /** Ends the wait for an answer of the daemon. */
  readonly ending?: AbortSignal;
}

/** By the daemon or run of this state, else by the command itself. */
async function withOne<T>(
  call: CommandCall,
  { setup, ending }: AskedSetup,
  use: (control: Control, setup: SoundConfig) => Promise<T>,
): Promise<T> {
  const { clock, signals } = call;
  const time = new OnwardTime(clock);
  let until: number | undefined;
  for (;;) {
    const daemon = await daemonOf(setup.config, ending);
    if (daemon !== undefined) return await use(daemon, setup);
    await refuseOtherState(setup.config);
    try {
      return await withOwn(call, setup, use);
    } catch (error) {
      until ??= time.now() + LOCK_PATIENCE_MS;
      if (!(error instanceof StateLocked) || time.now() >= until) {
        throw asStateFailure(error, setup.config);
      }
      await clock.sleep(LOCK_RETRY_MS, signals.drain);
    }
  }
}

/** Answers a question: by the daemon of this machine where it leads the tree, else from the database. */
async function withReader<T>(
  call: CommandCall,
  { setup, looksAt }: { readonly setup: SoundConfig; readonly looksAt: Extent },
  use: (control: Control, setup: SoundConfig) => Promise<T>,
): Promise<T> {
  const { drain: signal } = call.signals;
  try {
    const daemon = await daemonOf(setup.config, signal);
    if (daemon !== undefined) return await use(daemon, setup);
  } catch (error) {
    const failure = failureOf(error);
    const isElsewhere =
      error instanceof DaemonOfOtherConfig ||
      (failure.kind === 'team-state' && ['taken', 'unled'].includes(failure.problem));
    if (!isElsewhere) throw error;
  }
  await using own = await openOwn(call, setup, { looksAt });
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

/** A question about a checkout without a state, which gets none by it: what is noted for the answer is in a temporary folder. */
export async function withPassingState<T>(
  call: CommandCall,
  { config: { team: _team, ...config }, ...setup }: SoundConfig,
  use: (control: Control) => Promise<T>,
): Promise<T> {
  const state = await mkdtemp(join(tmpdir(), 'dragoman-'));
  try {
    return await withOwn(call, { ...setup, config: { ...config, state } }, use);
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}

async function openOwn(
  call: CommandCall,
  setup: SoundConfig,
  more: Pick<DaemonOptions, 'looksAt'> = {},
): Promise<Daemon> {
  return await Daemon.open({
    ...more,
    setup,
    targets: 'stay',
    isCommand: true,
    world: worldOf(call),
    ending: call.signals.drain,
    patienceMs: SERVICE_PATIENCE_MS,
    withoutTeam: 'looks',
  });
}

/** The control of the process that works for a config. @throws DaemonOfOtherConfig; DaemonSilent */
export async function daemonOf(
  { state, file }: Pick<Config, 'state' | 'file'>,
  signal?: AbortSignal,
): Promise<Control | undefined> {
  return await connectControl(controlSocketPath(state), { file, ...(signal && { signal }) });
}

/** The daemon of this config. @throws CommandFailure 69 when none runs */
export async function requireDaemon(call: CommandCall): Promise<Control> {
  const withEarlierConfig = await daemonOfRefused(call);
  if (withEarlierConfig !== undefined) return withEarlierConfig;
  const { config } = await openConfig(call);
  const daemon = await daemonOf(config);
  if (daemon !== undefined) return daemon;
  await refuseOtherState(config);
  throw new CommandFailure(69, 'no daemon runs for this config; "dragoman run" starts one');
}

/** The daemon of a config that has faults now: it goes on with the earlier config. Undefined when the config is sound or no daemon runs. */
export async function daemonOfRefused(call: CommandCall): Promise<Control | undefined> {
  const parsed = await readConfigFile(call);
  if (parsed.faults === undefined) return undefined;
  const own = { state: parsed.state, file: configFile(call) };
  const daemon = await daemonOf(own).catch((error: unknown) => {
    // What is wrong with this config is said first.
    if (error instanceof DaemonOfOtherConfig) return undefined;
    throw error;
  });
  if (daemon === undefined) return undefined;
  call.terminal.note(
    'the config is refused ("dragoman check" says why); the daemon still uses the previous one',
  );
  return daemon;
}
