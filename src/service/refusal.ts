/** Turns an unsuccessful answer into a Failure, from the status, Retry-After and the few reliable fields of an error body. */
import { type Failure, JobFailure } from '../failure.ts';
import { readAnswerText } from './answer.ts';
import { isForeignStatus, leadsElsewhere } from './foreign-answer.ts';
import type { HttpAnswer } from './http.ts';
import type { Traffic } from './pace.ts';

/** The facts of a refused request. */
export interface Refusal {
  readonly operation: string;
  readonly origin: string;
  readonly status: number;
  readonly message: string;
  readonly detail?: string;
  readonly retryAfterMs?: number;
  readonly traceId?: string;
  /** The address that a redirect names. */
  readonly location?: string;
}

const MAX_ERROR_BODY_BYTES = 65_536;
const MAX_MESSAGE_CHARACTERS = 500;

/**
 * Reads the rest of a refused answer. Secrets that the service quotes are kept out of messages, logs and the ledger. Proxies answer 413,
 * 429 and 502 with HTML (docs/design/api.md, "What is not documented"): for a body that is not `{message, detail?}`, the message is the status.
 * @param now milliseconds since the epoch, for a Retry-After that is a date, where the answer has no Date
 */
export async function readRefusal(
  answer: HttpAnswer,
  { now, secrets }: { now: number; secrets: readonly string[] },
): Promise<Refusal> {
  const { operation, origin, status, traceId } = answer;
  const location = answer.header('location');
  const { message, detail } = errorFields(hide(await errorText(answer), secrets));
  // A date of the service is read by the service's own clock: the one here may be wrong.
  const answered = Date.parse(answer.header('date') ?? '');
  const time = Number.isNaN(answered) ? now : answered;
  const retryAfterMs = parseRetryAfter(answer.header('retry-after'), time);
  return {
    operation,
    origin,
    status,
    message: message ?? `HTTP ${status}`,
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(location === undefined ? {} : { location: hide(location, secrets) }),
  };
}

/**
 * The failure of a refusal (docs/design/api.md, "Errors"). 403 is `forbidden` here; the caller asks `/v2/usage` whether the key itself is
 * refused.
 */
export function failureOfRefusal(
  refusal: Refusal,
  { traffic, repeat }: { traffic: Traffic; repeat: 'safe' | 'once' },
): Failure {
  const { operation, status, message, detail, retryAfterMs } = refusal;
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  switch (status) {
    case 401:
      return { kind: 'key-refused', status, operation };
    case 403:
      return { kind: 'forbidden', operation, message };
    case 404:
    case 410:
      return { kind: 'not-found', operation, message };
    case 413:
      return { kind: 'too-large', operation, message };
    case 429:
    case 503:
    case 529:
      return { kind: 'throttled', status, operation, ...later };
    case 456:
      return {
        kind: 'quota-exceeded',
        scope: traffic === 'glossaries' ? 'glossaries' : 'account',
        operation,
        ...later,
      };
  }
  if (isForeignStatus(status)) return leadsElsewhere(refusal, refusal.location);
  // From a gateway: the service behind it may have received and billed the request.
  if ((status === 502 || status === 504) && repeat === 'once') {
    return { kind: 'unanswered', operation, message };
  }
  // 408: the server gave up before it had the whole request.
  if (status >= 500 || status === 408) {
    return { kind: 'server-error', status, operation, message, ...later };
  }
  return {
    kind: 'rejected',
    status,
    operation,
    message,
    ...(detail === undefined ? {} : { detail }),
  };
}

/**
 * Retry-After in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). A blank or unreadable value counts as absent, not as 0, which
 * would repeat requests without a pause. A date in the past is 0.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse reads "-5" and "1.5s" as years; an HTTP date always has the name of its month.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '***')),
    text,
  );
}

async function errorText(answer: HttpAnswer): Promise<string> {
  try {
    return await readAnswerText(answer, MAX_ERROR_BODY_BYTES);
  } catch (error) {
    // The status alone says what happened, also when the body is cut off or endless.
    if (error instanceof JobFailure) return '';
    throw error;
  }
}

function errorFields(text: string): { message?: string; detail?: string } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return {};
  }
  if (typeof body !== 'object' || body === null) return {};
  const { message, detail } = body as { message?: unknown; detail?: unknown };
  return {
    ...(typeof message === 'string' && message !== '' ? { message: short(message) } : {}),
    ...(typeof detail === 'string' ? { detail: short(detail) } : {}),
  };
}

function short(text: string): string {
  if (text.length <= MAX_MESSAGE_CHARACTERS) return text;
  // Never half of a surrogate pair, which no output can show.
  return `${text.slice(0, MAX_MESSAGE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
