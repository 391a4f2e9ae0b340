/** Hooks: tells commands and addresses of the config what happened; tries again, gives up in time, and never blocks the work. */
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import PQueue from 'p-queue';
import type { Clock } from './clock.ts';
import { readSecret, type SecretPlaces } from './config/secret.ts';
import type { Config, Hook } from './config.ts';
import type { Event, Listener } from './event.ts';
import { adviceFor, describeFailure } from './failure.ts';
import { adviceForHold, describeHold } from './job.ts';

export type HookEvent = keyof Config['on'];

/** What a hook gets: one JSON object, on standard input or as the body. Never source text, never secrets. */
export interface HookMessage {
  readonly event: HookEvent;
  /** ISO 8601. */
  readonly at: string;
  readonly project?: string;
  readonly source?: string;
  readonly language?: string;
  readonly wrote?: readonly string[];
  readonly reason?: string;
  readonly next_step?: string;
  readonly scope?: string;
  readonly used?: number;
  readonly limit?: number;
}

export interface HookOptions {
  /** Those of the config in force. */
  hooks(): Config['on'];
  /** Where commands run: the folder of the config. */
  readonly folder: string;
  readonly clock: Clock;
  readonly secrets: SecretPlaces;
  readonly onEvent: Listener;
}

const AT_ONCE = 4;
/** More than this waits for nobody: a receiver that is down must not fill the memory. */
const MAX_WAITING = 1000;
const ATTEMPTS = 4;
const TIME_LIMIT_MS = 30_000;
const FIRST_RETRY_MS = 1000;

/** @returns a listener; disposing it lets what runs end and forgets the rest */
export function openHooks(options: HookOptions): Listener & AsyncDisposable {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const stopping = new AbortController();
  const listener = (event: Event) => {
    const message = messageFor(event, options.clock);
    if (message === undefined) return;
    for (const hook of options.hooks()[message.event]) {
      if (queue.size < MAX_WAITING)
        void queue.add(() => tell(options, { hook, message, signal: stopping.signal }));
      else
        options.onEvent({
          kind: 'hook-failed',
          hook: nameOf(hook),
          reason: 'too many are waiting',
        });
    }
  };
  return Object.assign(listener, {
    async [Symbol.asyncDispose]() {
      queue.clear();
      stopping.abort();
      await queue.onIdle();
    },
  });
}

interface Telling {
  readonly hook: Hook;
  readonly message: HookMessage;
  readonly signal: AbortSignal;
}

async function tell(options: HookOptions, telling: Telling): Promise<void> {
  const { clock, onEvent } = options;
  for (let attempt = 1; !telling.signal.aborted; attempt++) {
    try {
      const { hook } = telling;
      if ('run' in hook) await runCommand(options, hook.run, telling.message);
      else await post(options, hook, telling.message);
      return;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (attempt >= ATTEMPTS) {
        onEvent({ kind: 'hook-failed', hook: nameOf(telling.hook), reason });
        return;
      }
      await clock.sleep(FIRST_RETRY_MS * 4 ** (attempt - 1), telling.signal).catch(() => {});
    }
  }
}

async function runCommand({ folder, secrets }: HookOptions, command: string, message: HookMessage) {
  const child = spawn(command, {
    shell: true,
    cwd: folder,
    env: { ...secrets.env, DRAGOMAN_EVENT: message.event },
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: TIME_LIMIT_MS,
  });
  // A command that does not read its input is none the worse for it.
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(message)}\n`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('error', reject);
  child.once('close', (code, signal) => {
    if (code === 0) resolve();
    else reject(new Error(code === null ? `ended by ${signal}` : `exit code ${code}`));
  });
  await promise;
}

/**
 * Posts the message. With a secret it is signed as webhooks usually are: `X-Dragoman-Signature: sha256=<hex>` is the HMAC
 * (RFC 2104) of `<X-Dragoman-Time>.<body>`, so that a receiver can tell it from a forged or an old one.
 */
async function post(
  { secrets, clock }: HookOptions,
  { post: address, secret }: Extract<Hook, { post: string }>,
  message: HookMessage,
): Promise<void> {
  const body = JSON.stringify(message);
  const time = String(Math.floor(clock.now() / 1000));
  const key = secret === undefined ? undefined : await readSecret(secret, secrets);
  const answer = await fetch(address, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
    headers: {
      'content-type': 'application/json',
      'x-dragoman-time': time,
      ...(key === undefined ? {} : { 'x-dragoman-signature': sign(key, `${time}.${body}`) }),
    },
    body,
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}

function sign(key: string, text: string): string {
  return `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;
}

function messageFor(event: Event, clock: Clock): HookMessage | undefined {
  const at = new Date(clock.now()).toISOString();
  switch (event.kind) {
    case 'job-delivered': {
      if (event.wrote.length === 0) return undefined;
      const { project, source, language, wrote } = event;
      return { event: 'delivered', at, project, source, language, wrote };
    }
    case 'job-held': {
      const { project, source, language, hold } = event;
      const next_step = adviceForHold(hold, source);
      return {
        event: 'held',
        at,
        project,
        source,
        language,
        reason: describeHold(hold),
        next_step,
      };
    }
    case 'job-failed': {
      const { project, source, language, failure } = event;
      const reason = describeFailure(failure);
      return {
        event: 'failed',
        at,
        project,
        source,
        language,
        reason,
        next_step: adviceFor(failure),
      };
    }
    case 'budget-warning': {
      const { scope, used, limit } = event;
      return { event: 'budget', at, scope, used, limit };
    }
    default:
      return undefined;
  }
}

/** The address may hold a password. */
function nameOf(hook: Hook): string {
  return 'run' in hook ? hook.run : new URL(hook.post).host;
}
