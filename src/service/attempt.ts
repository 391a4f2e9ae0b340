/** One attempt of a call: key, request, answer, and the conclusion for the whole key when it is refused. */
import type { Clock } from '../clock.ts';
import type { Listener } from '../event.ts';
import { type Failure, JobFailure } from '../failure.ts';
import { hasQuotaLeft, readUsage } from './account.ts';
import { AnswerTime } from './answer-time.ts';
import type { Auth, Call, Upload } from './call.ts';
import type { ServiceContact } from './contact.ts';
import type { HttpAnswer, Transport } from './http.ts';
import type { KeyRing } from './key-ring.ts';
import type { Pace } from './pace.ts';
import { failureOfRefusal, readRefusal } from './refusal.ts';

export interface AttemptParts {
  /** Base address, without a trailing slash. */
  readonly url: string;
  /** By lower-case name. Sent with every request to the API, never to asset hosts. */
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly pace: Pace;
  readonly keys: KeyRing;
  readonly contact: ServiceContact;
  readonly clock: Clock;
  readonly emit: Listener;
}

const ANSWER_TIMEOUT_MS = 120_000;
const NEVER = new AbortController().signal;

/** @throws JobFailure for everything that is not a valid answer */
export async function attemptOnce<T>(
  parts: AttemptParts,
  call: Call<T>,
  signal: AbortSignal,
): Promise<T> {
  if (call.traffic === 'paid') parts.keys.throwIfStopped();
  const upload = call.upload?.();
  try {
    const answer = await exchange(parts, call, { upload, signal });
    if (answer.status >= 300) return await refuse(parts, call, answer);
    const result = await call.read(answer);
    parts.pace.succeeded(call.traffic);
    return result;
  } catch (error) {
    throw upload === undefined ? error : judgeLostUpload(error, upload);
  }
}

interface Sending {
  readonly upload: Upload | undefined;
  readonly signal: AbortSignal;
}

async function exchange<T>(
  parts: AttemptParts,
  call: Call<T>,
  sending: Sending,
): Promise<HttpAnswer> {
  const { transport, contact, clock, emit } = parts;
  const { operation } = call;
  const started = clock.now();
  const body = call.json === undefined ? sending.upload?.body : JSON.stringify(call.json);
  const request = {
    operation,
    method: operation.slice(0, operation.indexOf(' ')),
    url: addressOf(call, parts.url),
    headers: await headersOf(parts, call, sending.upload),
    ...(body === undefined ? {} : { body }),
    signal: sending.signal,
    time: new AnswerTime(clock, call.length === 'unlimited' ? Infinity : ANSWER_TIMEOUT_MS),
  };
  let answer: HttpAnswer | undefined;
  try {
    answer = await transport.send(request);
    return answer;
  } finally {
    const status = answer?.status ?? 'lost';
    contact.ended(status);
    emit({
      kind: 'request',
      operation,
      status,
      durationMs: clock.now() - started,
      ...(answer?.traceId === undefined ? {} : { traceId: answer.traceId }),
    });
  }
}

async function headersOf(
  parts: AttemptParts,
  { auth = { kind: 'key' }, headers, json }: Call<unknown>,
  upload: Upload | undefined,
): Promise<Record<string, string>> {
  const toService = auth.kind === 'key' || auth.kind === 'admin';
  return {
    ...(toService ? parts.headers : {}),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...upload?.headers,
    ...headers,
    ...(await parts.keys.authorize(auth)),
  };
}

async function refuse<T>(parts: AttemptParts, call: Call<T>, answer: HttpAnswer): Promise<T> {
  const { keys, clock } = parts;
  const auth = call.auth ?? { kind: 'key' };
  const secrets = [...keys.secretsOf(auth), ...(call.secrets ?? [])];
  const refusal = await readRefusal(answer, { now: clock.now(), secrets });
  const accepted = call.onRefusal?.(refusal);
  if (accepted !== undefined) return accepted;
  const failure = await judgeFailure(parts, failureOfRefusal(refusal, call), auth);
  if (auth.kind === 'key') keys.learn(failure, call.traffic);
  throw new JobFailure(failure, traceOf(answer));
}

/**
 * The meaning of 401 and 403 depends on the authentication: an expired signature says nothing about the key. 456 for a glossary or
 * style request means too many requests, or that the account's characters are used up.
 */
async function judgeFailure(parts: AttemptParts, failure: Failure, auth: Auth): Promise<Failure> {
  const { kind } = failure;
  if (kind === 'quota-exceeded' && failure.scope === 'glossaries') {
    return (await isUsedUp(parts)) ? { ...failure, scope: 'account' } : failure;
  }
  if (kind !== 'key-refused' && kind !== 'forbidden') return failure;
  const { operation } = failure;
  switch (auth.kind) {
    case 'key':
      return kind === 'forbidden' && (await keyIsRefused(parts))
        ? { kind: 'key-refused', status: 403, operation }
        : failure;
    case 'admin':
      return failure;
    case 'signature':
    case 'signed-url':
      return { kind: 'forbidden', operation, message: 'the signature is wrong or has run out' };
  }
}

function traceOf({ traceId }: HttpAnswer): { traceId?: string } {
  return traceId === undefined ? {} : { traceId };
}

/** After a 403, the key itself is refused only if `/v2/usage` is refused too; otherwise one feature is missing. */
function keyIsRefused(parts: AttemptParts): Promise<boolean> {
  return parts.keys.probe('refused', async () => {
    const answer = await askUsage(parts);
    await answer.discard();
    return answer.status === 401 || answer.status === 403;
  });
}

/** Whether the characters of account or key are used up; false when the answer does not say it. */
function isUsedUp(parts: AttemptParts): Promise<boolean> {
  return parts.keys.probe('used-up', async () => {
    const answer = await askUsage(parts);
    if (answer.status === 200) return !hasQuotaLeft(await readUsage(answer));
    await answer.discard();
    // This request is not about glossaries, so 456 can only be the quota.
    return answer.status === 456;
  });
}

async function askUsage({ keys, transport, url, headers, clock }: AttemptParts) {
  return await transport.send({
    operation: 'GET /v2/usage',
    method: 'GET',
    url: new URL(`${url}/v2/usage`),
    headers: { ...headers, ...(await keys.authorize({ kind: 'key' })) },
    signal: NEVER,
    time: new AnswerTime(clock, ANSWER_TIMEOUT_MS),
  });
}

/** If the last bytes of the upload were not sent, the request was never complete and nothing was billed: it counts as not sent. */
function judgeLostUpload(error: unknown, upload: Upload): unknown {
  if (!(error instanceof JobFailure) || error.failure.kind !== 'unanswered') return error;
  if (upload.completed()) return error;
  const { operation, message } = error.failure;
  return new JobFailure(
    { kind: 'unreachable', operation, message: `the upload broke off: ${message}` },
    { cause: error },
  );
}

// Builds addresses: fills path templates, writes queries, checks asset addresses.

/**
 * The address of a call: below the base address, or the asset host's own.
 * @throws JobFailure `invalid-request` for an id that would change the path. `bad-answer` for an invalid asset address, or one that would
 * send a signature unencrypted while the API itself is encrypted
 */
function addressOf(call: Call<unknown>, base: string): URL {
  const { auth, operation, params = {}, query = {} } = call;
  if (auth?.kind === 'signature' || auth?.kind === 'signed-url') {
    return assetAddress(auth.url, { operation, base });
  }
  const template = operation.slice(operation.indexOf(' ') + 1);
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = params[name];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw invalidId(operation, name);
    return encodeURIComponent(value);
  });
  const url = new URL(base + path);
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat())
      if (one !== undefined) url.searchParams.append(name, `${one}`);
  }
  return url;
}

function assetAddress(
  address: string,
  { operation, base }: { operation: string; base: string },
): URL {
  const url = URL.parse(address);
  const schemes = base.startsWith('https:') ? ['https:'] : ['https:', 'http:'];
  if (url !== null && schemes.includes(url.protocol)) return url;
  throw new JobFailure({
    kind: 'bad-answer',
    operation,
    message: `the asset address is not an ${schemes.join(' or ')} address`,
  });
}

function invalidId(operation: string, parameter: string): JobFailure {
  return new JobFailure({
    kind: 'invalid-request',
    operation,
    parameter,
    rule: 'must be an id that the service gave out',
  });
}
