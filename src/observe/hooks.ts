/** Hooks: tells commands and addresses of the config what happened; tries again, gives up in time, and never blocks the work. */
import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../clock.ts';
import type { SecretPlaces } from '../config/load-secret.ts';
import type { Environment } from '../config/variables.ts';
import type { Config, Hook } from '../config.ts';
import type { Event, Listener } from '../event.ts';
import { type ProxySettings, Transport } from '../service/http.ts';
import type { SecretReference } from '../setting.ts';
import { runCommand } from './hooks/command.ts';
import { type HookMessage, messageFor } from './hooks/message.ts';
import type { Outcome } from './hooks/outcome.ts';
import { post } from './hooks/post.ts';
import { Receiver } from './hooks/receiver.ts';

export interface HookOptions {
  /** The config in force; commands run in its folder. */
  config(): Pick<Config, 'on' | 'service' | 'base'>;
  readonly clock: Clock;
  readonly secrets: SecretPlaces;
  readonly proxy?: ProxySettings;
  readonly onEvent: Listener;
  /** Somebody is in a hurry: what waits is not told any more. */
  readonly abort: AbortSignal;
}

/** What waits when the work is done may take so long: less than what `TimeoutStopSec` leaves after the drain. */
const GRACE_MS = 15_000;

/** @returns a listener; disposing it tells what still waits, as far as that is quick */
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

function run(
  { config, clock, secrets }: HookOptions,
  { hook, message, signal }: Telling,
): Promise<Outcome> {
  const env = commandEnvironment(secrets.env, config(), hook.env);
  return runCommand({
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

// What a hook's command inherits: everything but secrets, and what systemd meant for the daemon alone.

/** With them a command could speak to systemd in the daemon's name, or read its credentials. */
const OF_THE_DAEMON = [
  'CREDENTIALS_DIRECTORY',
  'JOURNAL_STREAM',
  'LISTEN_FDNAMES',
  'LISTEN_FDS',
  'LISTEN_PID',
  'NOTIFY_SOCKET',
  'WATCHDOG_PID',
  'WATCHDOG_USEC',
];

/** `MAIL_TOKEN`, `APIKEY`, `AWS_ACCESS_KEY_ID`. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?(_|$)/i;

/** @param allowed what a hook's `env` names: it is handed on unless it holds a key of the service */
function commandEnvironment(
  env: Environment,
  config: Pick<Config, 'service' | 'on'>,
  allowed: readonly string[] = [],
): Environment {
  const named = secretVariables(config);
  const values = new Set(named.map((name) => env[name]).filter((value) => value));
  const isHidden = (name: string, value: string | undefined) =>
    OF_THE_DAEMON.includes(name) ||
    named.includes(name) ||
    // The same key under a second name.
    values.has(value) ||
    (SECRET_NAME.test(name) && !allowed.includes(name));
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isHidden(name, value)));
}

function secretVariables({ service, on }: Pick<Config, 'service' | 'on'>): string[] {
  const hooks = Object.values(on).flat();
  const secrets: readonly (SecretReference | undefined)[] = [
    service.key,
    service.adminKey,
    ...hooks.map((hook) => ('post' in hook ? hook.secret : undefined)),
  ];
  return secrets.flatMap((secret) => (secret !== undefined && 'env' in secret ? secret.env : []));
}
