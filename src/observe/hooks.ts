/** Hooks: sends events to the commands and URLs of the config. Tries again, gives up after a time, and never blocks the work. */
import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../clock.ts';
import type { SecretStores } from '../config/load-secret.ts';
import type { Config, Hook } from '../config.ts';
import type { Event, Listener } from '../event.ts';
import { Transport } from '../service/http.ts';
import type { ProxySettings } from '../service/transport-options.ts';
import { runCommand } from './hooks/command.ts';
import { commandEnvironment } from './hooks/environment.ts';
import { type HookMessage, messageFor } from './hooks/message.ts';
import type { HookOutcome } from './hooks/outcome.ts';
import { postEvent } from './hooks/post.ts';
import { Receiver } from './hooks/receiver.ts';

export interface HookOptions {
  /** A reload replaces its setup. Commands run in the folder of the config. */
  readonly inForce: {
    readonly setup: { readonly config: Pick<Config, 'on' | 'service' | 'team' | 'base'> };
  };
  readonly clock: Clock;
  readonly secrets: SecretStores;
  readonly proxy?: ProxySettings;
  readonly onEvent: Listener;
  /** A second Ctrl-C: waiting messages are no longer sent. */
  readonly abort: AbortSignal;
}

/** The variable that each command of a hook has. A dragoman that it starts runs no hooks: they could start themselves for ever. */
export const STARTED_BY_HOOK = 'DRAGOMAN_HOOK';

/** Milliseconds after the end of the work in which waiting messages are still sent: less than `TimeoutStopSec` leaves after the drain. */
const GRACE_MS = 15_000;

/** @returns a listener for events; disposing it sends the waiting messages, within a time limit */
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
    const content = messageFor(event);
    const hooks = content === undefined ? [] : options.inForce.setup.config.on[content.event];
    if (content === undefined || hooks.length === 0) return;
    const stamp = { id: randomUUID(), at: isoTime(options.clock) };
    const { event: name, ...about } = content;
    const message = { event: name, ...stamp, ...about };
    for (const hook of hooks) receiverOf(hook).take(message);
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

interface HookTransport {
  readonly hook: Hook;
  readonly transport: Transport;
}

function openReceiver(options: HookOptions, { hook, transport }: HookTransport): Receiver {
  const { clock, onEvent, secrets } = options;
  return new Receiver({
    clock,
    deliver: (message, signal) =>
      'run' in hook
        ? run(options, { hook, message, signal })
        : postEvent({ hook, message, transport, clock, secrets, signal }),
    onLost: (reason) => onEvent({ kind: 'hook-failed', hook: shownName(hook), reason }),
  });
}

interface HookCall {
  readonly hook: Extract<Hook, { run: string }>;
  readonly message: HookMessage;
  readonly signal: AbortSignal;
}

async function run(
  { inForce, clock, secrets }: HookOptions,
  { hook, message, signal }: HookCall,
): Promise<HookOutcome> {
  const { config } = inForce.setup;
  const env = await commandEnvironment(secrets, config, hook.env);
  return await runCommand({
    ...{ command: hook.run, folder: config.base, clock, signal },
    env: { ...env, DRAGOMAN_EVENT: message.event, [STARTED_BY_HOOK]: '1' },
    input: `${JSON.stringify(message)}\n`,
  });
}

/** Resolves when all messages are sent, when the time is over, or on abort. */
async function grace({ clock, abort }: HookOptions, sent: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const timeUp = clock.sleep(GRACE_MS, AbortSignal.any([abort, over.signal])).catch(() => {});
  await Promise.race([sent, timeUp]);
  over.abort();
}

/** The name of a hook in messages: the first word of the command or the host. Arguments and the rest of a URL may hold a password. */
function shownName(hook: Hook): string {
  return 'run' in hook ? (/^\S+/.exec(hook.run)?.[0] ?? hook.run) : new URL(hook.post).host;
}
