/** Sends a hook's message by POST, signed when the hook has a secret. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { readSecret, type SecretStores } from '../../config/load-secret.ts';
import type { Hook } from '../../config.ts';
import { JobFailure } from '../../failure.ts';
import type { Transport } from '../../service/http.ts';
import type { HookMessage } from './message.ts';
import { type HookOutcome, TIME_LIMIT_MS } from './outcome.ts';

export interface PostTask {
  readonly hook: Extract<Hook, { post: string }>;
  readonly message: HookMessage;
  readonly transport: Pick<Transport, 'send'>;
  readonly clock: Clock;
  readonly secrets: SecretStores;
  /** Ends the request early. */
  readonly signal: AbortSignal;
}

/** Statuses for which the same request may succeed later (RFC 9110, 15.5.9; RFC 8470, 5.2; RFC 6585, 4). */
const PASSING = [408, 425, 429];

/**
 * Sends one message. With a secret, `X-Dragoman-Signature: sha256=<hex>` is the HMAC (RFC 2104) of
 * `<X-Dragoman-Time>.<body>`, so that a receiver recognizes forged and old messages.
 */
export async function postEvent(task: PostTask): Promise<HookOutcome> {
  const { transport, hook, clock, signal } = task;
  const limit = new AbortController();
  const timer = clock.sleep(TIME_LIMIT_MS, AbortSignal.any([signal, limit.signal]));
  const late = timer.then(
    () => limit.abort(new Error(`no answer within ${TIME_LIMIT_MS / 1000} s`)),
    () => {},
  );
  try {
    const answer = await transport.send({
      ...{ operation: 'POST of a hook', method: 'POST', url: new URL(hook.post) },
      ...(await signed(task)),
      signal: AbortSignal.any([signal, limit.signal]),
    });
    await answer.discard();
    return outcomeOfStatus(answer.status);
  } catch (error) {
    return { kind: 'passing', reason: postFailureWords(error, limit.signal) };
  } finally {
    limit.abort();
    await late;
  }
}

async function signed({ hook, message, clock, secrets }: PostTask) {
  const body = JSON.stringify(message);
  const time = String(Math.floor(clock.now() / 1000));
  const key = hook.secret === undefined ? undefined : await readSecret(hook.secret, secrets);
  return {
    headers: {
      'content-type': 'application/json',
      'x-dragoman-id': message.id,
      'x-dragoman-time': time,
      ...(key === undefined ? {} : { 'x-dragoman-signature': signature(key, `${time}.${body}`) }),
      ...basicAuthorization(new URL(hook.post)),
    },
    body,
  };
}

function signature(key: string, text: string): string {
  return `sha256=${createHmac('sha256', key).update(text).digest('hex')}`;
}

/** The header for a name and a password in the URL (RFC 7617). */
function basicAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The outcome of a status. Redirects are not followed, since the message must not go to another address. */
function outcomeOfStatus(status: number): HookOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const kind = status >= 500 || PASSING.includes(status) ? 'passing' : 'permanent';
  return { kind, reason: `answered ${status}` };
}

function postFailureWords(error: unknown, limit: AbortSignal): string {
  if (limit.aborted && limit.reason instanceof Error) return limit.reason.message;
  if (error instanceof JobFailure && 'message' in error.failure) return error.failure.message;
  return error instanceof Error ? error.message : String(error);
}
