/** Hooks: tells commands and addresses of the config what happened; tries again, gives up in time, and never blocks the work. */
import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../clock.ts';
import type { SecretPlaces } from '../config/load-secret.ts';
import type { Config, Hook } from '../config.ts';
import type { Event, Listener } from '../event.ts';
import { type ProxySettings, Transport } from '../service/http.ts';
import { runCommand } from './hooks/command.ts';
import { commandEnvironment } from './hooks/environment.ts';
import { type HookMessage, messageFor } from './hooks/message.ts';
import type { HookOutcome } from './hooks/outcome.ts';
import { post } from './hooks/post.ts';
import { Receiver } from './hooks/receiver.ts';

export interface HookOptions {
  /** The config in force; commands run in its folder. */
  config(): Pick<Config, 'on' | 'service' | 'team' | 'base'>;
  readonly clock: Clock;
  readonly secrets: SecretPlaces;
  readonly proxy?: ProxySettings;
  readonly onEvent: Listener;
  /** Somebody is in a hurry: what waits is not told any more. */
  readonly abort: AbortSignal;
}

/** How long messages that wait are still sent when the work is done: less than `TimeoutStopSec` leaves after the drain. */
const GRACE_MS = 15_000;

/** @returns a listener; disposing it sends what still waits, within a time limit */
export function openHooks(options: HookOptions): Listener & AsyncDisposable {
  const transport = new Transport(options.proxy === undefined ? {} : { proxy: options.proxy });
  const receivers = new Map<string, Receiver>();
  const receiverOf = (hook: Hook) => {
    const key = JSON.stringify(hook);
    const receiver = receivers.get(key) ?? openReceiver(options, { hook, transport });
    receivers.set(key, receiver);
    return receiver;
  };
  const listener = (event: Event) => {
    const stamp = { id: randomUUID(), at: isoTime(options.clock) };
    const message = messageFor(event, stamp);
    if (message === undefined) return;
    for (const hook of options.config().on[message.event]) receiverOf(hook).take(message);
  };
  return Object.assign(listener, {
    async [Symbol.asyncDispose]() {
      const open = [...receivers.values()];
      await grace(options, Promise.all(open.map((receiver) => receiver.idle())));
      await Promise.all(open.map((receiver) => receiver.stop()));
      await transport[Symbol.asyncDispose]();
    },
  });
}

interface Told {
  readonly hook: Hook;
  readonly transport: Transport;
}

function openReceiver(options: HookOptions, { hook, transport }: Told): Receiver {
  const { clock, onEvent, secrets } = options;
  return new Receiver({
    clock,
    tell: (message, signal) =>
      'run' in hook
        ? run(options, { hook, message, signal })
        : post({ hook, message, transport, clock, secrets, signal }),
    onLost: (reason) => onEvent({ kind: 'hook-failed', hook: nameOf(hook), reason }),
  });
}

interface Telling {
  readonly hook: Extract<Hook, { run: string }>;
  readonly message: HookMessage;
  readonly signal: AbortSignal;
}

async function run(
  { config, clock, secrets }: HookOptions,
  { hook, message, signal }: Telling,
): Promise<HookOutcome> {
  const env = await commandEnvironment(secrets, config(), hook.env);
  return await runCommand({
    ...{ command: hook.run, folder: config().base, clock, signal },
    env: { ...env, DRAGOMAN_EVENT: message.event },
    input: `${JSON.stringify(message)}\n`,
  });
}

/** Resolves when all is told, when time is up, or when somebody is in a hurry. */
async function grace({ clock, abort }: HookOptions, told: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const timeUp = clock.sleep(GRACE_MS, AbortSignal.any([abort, over.signal])).catch(() => {});
  await Promise.race([told, timeUp]);
  over.abort();
}

/** Arguments and addresses may hold a password: the first word and the host do not. */
function nameOf(hook: Hook): string {
  return 'run' in hook ? (/^\S+/.exec(hook.run)?.[0] ?? hook.run) : new URL(hook.post).host;
}
