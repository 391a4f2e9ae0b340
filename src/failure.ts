/** What can go wrong, as data; what a person should do about it; and the whole retry policy. Pure. */

/** Where in a file a fault sits: 1-based line and column (columns count UTF-16 units, as editors do). */
export interface Location {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Every failure of the product. `kind` tells them apart; every switch over it is exhaustive.
 * `operation` is `METHOD path-template`, never with ids, keys or signatures in it.
 */
export type Failure =
  // the service answered
  | { kind: 'key-refused'; status: 401 | 403; operation: string }
  | { kind: 'forbidden'; operation: string; message: string }
  | {
      kind: 'quota-exceeded';
      scope: 'account' | 'glossaries';
      operation: string;
      retryAfterMs?: number;
    }
  | { kind: 'throttled'; status: 429 | 503 | 529; operation: string; retryAfterMs?: number }
  | {
      kind: 'server-error';
      status: number;
      operation: string;
      message: string;
      retryAfterMs?: number;
    }
  | { kind: 'rejected'; status: number; operation: string; message: string; detail?: string }
  | { kind: 'too-large'; operation: string; message: string }
  | { kind: 'not-found'; operation: string; message: string }
  | { kind: 'bad-answer'; operation: string; message: string }
  // the service did not answer
  | { kind: 'unreachable'; operation: string; message: string } // the connection never opened: nothing was sent
  | { kind: 'unanswered'; operation: string; message: string } // sent, perhaps received, perhaps billed
  // known before sending
  | { kind: 'key-missing'; message: string }
  | { kind: 'invalid-request'; operation: string; parameter: string; rule: string }
  | { kind: 'unsupported'; what: string; advice: string }
  // files
  | { kind: 'malformed'; where: Location; message: string }
  | { kind: 'unreadable'; file: string; code: string }
  | { kind: 'unwritable'; file: string; code: string }
  | { kind: 'disk-full'; file: string; needs?: number } // `needs`: bytes, where they were looked for before writing
  | { kind: 'changed-meanwhile'; file: string }
  /** `isNewer`: a newer version of the program wrote it. */
  | { kind: 'damaged-state'; file: string; message: string; isNewer?: true }
  // `unread`: the file in it that this user may not read
  | { kind: 'state-unwritable'; folder: string; code: string; unread?: string }
  // the team's database; `away` passes, the others wait for a person
  | { kind: 'team-state'; problem: TeamStateProblem; host: string; message: string }
  // ourselves
  | { kind: 'stopped' }
  | { kind: 'internal'; message: string };

/** The one error class that is thrown: a Failure with its facts, and the API's `X-Trace-ID` when there was one. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly failure: Failure;
  readonly traceId: string | undefined;

  constructor(failure: Failure, options: { cause?: unknown; traceId?: string } = {}) {
    super(
      describeFailure(failure),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.failure = failure;
    this.traceId = options.traceId;
  }
}

/** Turns whatever was thrown into a Failure; an error that is none of ours is `internal`, with its message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof JobFailure) return error.failure;
  if (error instanceof DOMException && error.name === 'AbortError') return { kind: 'stopped' };
  return { kind: 'internal', message: error instanceof Error ? error.message : String(error) };
}

/** Calls after which the service may have billed something although its answer did not arrive, or is not valid. */
const BILLING: ReadonlySet<string> = new Set([
  'POST /v2/translate',
  'POST /v2/write/rephrase',
  'POST /v2/document',
  'POST /v3/detect/language',
  'PUT {upload_url}',
]);

function mayBill({ operation }: { readonly operation: string }): boolean {
  return BILLING.has(operation);
}

/** One line for people: what happened and to which file or operation. */
export function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'key-refused':
      return `the service refused the key (${failure.status} on ${failure.operation})`;
    case 'key-missing':
      return `no key: ${failure.message}`;
    case 'forbidden':
      return `this key may not use ${failure.operation}: ${failure.message}`;
    case 'quota-exceeded':
      return failure.scope === 'account'
        ? 'the character quota of the account or key is used up (456)'
        : `the service wants fewer glossary and style requests (456 on ${failure.operation})`;
    case 'throttled':
      return `the service asked to wait (${failure.status} on ${failure.operation})`;
    case 'server-error':
      return `the service failed (${failure.status} on ${failure.operation}): ${failure.message}`;
    case 'rejected':
      return `${rejectedBy(failure)}: ${failure.message}${failure.detail ? ` (${failure.detail})` : ''}`;
    case 'too-large':
      return `too large for ${failure.operation}: ${failure.message}`;
    case 'not-found':
      return `not found on the service (${failure.operation}): ${failure.message}`;
    case 'bad-answer':
      return `the answer to ${failure.operation} is not valid: ${failure.message}`;
    case 'unreachable':
      return `the service cannot be reached (${failure.operation}): ${failure.message}`;
    case 'unanswered':
      return `no answer to ${failure.operation}: ${failure.message}`;
    case 'invalid-request':
      return `${failure.operation} was not sent: ${failure.parameter} ${failure.rule}`;
    case 'unsupported':
      return failure.what;
    case 'malformed':
      return `${formatLocation(failure.where)}: ${failure.message}`;
    case 'unreadable':
      return `${failure.file} cannot be read (${failure.code})`;
    case 'unwritable':
      return `${failure.file} cannot be written (${failure.code === 'EROFS' ? 'the disk is read-only' : failure.code})`;
    case 'disk-full':
      return failure.needs === undefined
        ? `the disk is full: ${failure.file} was not written`
        : `the disk is too full: ${failure.file} needs ${failure.needs.toLocaleString('en-US')} bytes`;
    case 'changed-meanwhile':
      return `${failure.file} changed while it was read`;
    case 'damaged-state':
      return failure.isNewer
        ? `${failure.file}: ${failure.message}`
        : `${failure.file} is damaged: ${failure.message}`;
    case 'state-unwritable':
      return stateUnwritable(failure);
    case 'team-state':
      return `${TEAM_STATE[failure.problem].says(failure.host)}: ${failure.message}`;
    case 'stopped':
      return 'stopped before it was done';
    case 'internal':
      return failure.message;
  }
}

type StateUnwritable = Extract<Failure, { kind: 'state-unwritable' }>;

function stateUnwritable({ folder, code, unread }: StateUnwritable): string {
  if (unread !== undefined) return `${unread} in the state folder cannot be read (${code})`;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk of the state folder ${folder} is full: nothing more is bought or written`;
    case 'EROFS':
      return `the state folder ${folder} is on a read-only disk`;
    default:
      return `the state folder ${folder} cannot be written (${code})`;
  }
}

/** An answer with status 200 may say that the work failed (`error_message` of a document). */
function rejectedBy({ status, operation }: Extract<Failure, { kind: 'rejected' }>): string {
  return status < 300
    ? `the service failed to do it (${operation})`
    : `the service rejected ${operation} (${status})`;
}

/** Why the team's database does not serve. */
type TeamStateProblem =
  | 'away'
  | 'taken'
  | 'refused'
  | 'insecure'
  | 'unfit'
  | 'older'
  | 'unshared'
  | 'key';

const TEAM_STATE: Readonly<
  Record<TeamStateProblem, { says(host: string): string; readonly advice: string }>
> = {
  away: {
    says: (host) => `the team's state at ${host} is away`,
    advice: 'Nothing new is bought meanwhile, and nothing is lost; it is tried again.',
  },
  taken: {
    says: (host) => `the tree is taken in the team's state at ${host}`,
    advice:
      'One daemon leads a tree at a time: give the command where that one runs. When it ends or dies, another one may go on.',
  },
  refused: {
    says: (host) => `the team's state at ${host} refuses this login`,
    advice:
      'Check the address and the password that state.url names, and that its login is a member of the runner role.',
  },
  insecure: {
    says: (host) => `the connection to the team's state at ${host} is not safe`,
    advice:
      'The database must offer TLS with a certificate that fits its name; "?sslrootcert=/path/ca.pem" in the address names an authority of your own.',
  },
  unfit: {
    says: (host) => `the team's state at ${host} cannot be used`,
    advice: 'Let the owner of the database run "dragoman state migrate", or update dragoman.',
  },
  key: {
    says: (host) => `${host} is no key`,
    advice: 'Give all runners of the team one key of 32 bytes: openssl rand -base64 32',
  },
  unshared: {
    says: (host) => `the team's state at ${host} does not know what was bought here`,
    advice: 'Run "dragoman state push" once: without it, the same texts are bought again.',
  },
  older: {
    says: (host) => `the team's state at ${host} is older than what was seen here before`,
    advice:
      'A backup was restored: run "dragoman state push" where a state folder has what is missing.',
  },
};

const AGAIN = 'Nothing to do: it is tried again.';

/** Nothing listens at a port of this machine: a sandbox that has ended, in most cases. */
function adviceOnLocal(message: string): string | undefined {
  const port = /ECONNREFUSED (?:127\.0\.0\.1|::1):(\d+)/.exec(message)?.[1];
  return port && `Start what listens there; a sandbox: dragoman sandbox --port ${port}`;
}

/** What a person should do next about a failure, in one sentence. */
export function adviceFor(failure: Failure): string {
  switch (failure.kind) {
    case 'key-missing':
    case 'key-refused':
      return 'Check service.key in dragoman.yaml, then send SIGHUP or start again.';
    case 'forbidden':
      return 'Ask for access to this feature for the account, or take the setting out of dragoman.yaml.';
    case 'quota-exceeded':
      return failure.scope === 'account'
        ? 'Wait for the next billing period or raise the limit; work goes on by itself then.'
        : 'Nothing to do: these requests slow down by themselves.';
    case 'unreachable':
      return adviceOnLocal(failure.message) ?? AGAIN;
    case 'throttled':
    case 'server-error':
    case 'changed-meanwhile':
    case 'stopped':
      return AGAIN;
    case 'unanswered':
      return mayBill(failure)
        ? 'It may have been billed; run "dragoman retry" to buy it again.'
        : AGAIN;
    case 'bad-answer':
      return mayBill(failure)
        ? 'It may have been billed; run "dragoman retry" to buy it again, and if it happens again, tell whoever runs the service or a proxy in front of it.'
        : 'It is tried again. If it happens again, tell whoever runs the service or a proxy in front of it.';
    case 'rejected':
    case 'not-found':
      return 'See the message; correct the source or the config, then "dragoman retry".';
    case 'too-large':
      return 'Split the file, or raise service.limits if the account allows more.';
    case 'invalid-request':
      return `Change ${failure.parameter} in dragoman.yaml or in the source.`;
    case 'unsupported':
      return failure.advice;
    case 'malformed':
      return 'Correct the file; it is picked up by itself.';
    case 'unreadable':
    case 'unwritable':
      return 'Check that it exists and its permissions; then "dragoman retry".';
    case 'disk-full':
      return 'Free some space; work goes on by itself.';
    case 'damaged-state':
      return failure.isNewer
        ? 'Install the version of dragoman that the others use; nothing was changed.'
        : 'It stands where it stood: "dragoman doctor" looks at disk and rights, "dragoman restore --list" names copies of the ledger.';
    case 'state-unwritable':
      if (failure.unread !== undefined) {
        return 'Give the state folder back to this user: a run as another user may have made files there. Then start again: what was paid for is kept.';
      }
      return 'Free some space or make it writable, or name another folder as "state" in dragoman.yaml; then start again: what was paid for is kept.';
    case 'team-state':
      return TEAM_STATE[failure.problem].advice;
    case 'internal':
      return 'Run again with --verbose and report it.';
  }
}

/** The folder in which there is no room. */
export function fullFolder({ file, needs }: Extract<Failure, { kind: 'disk-full' }>): string {
  return needs === undefined ? file.replace(/(?!^)[/\\][^/\\]*$/, '') : file;
}

/** `file:line:column`, with what is known of it. */
export function formatLocation(where: Location): string {
  return [where.file, where.line, where.column].filter((part) => part !== undefined).join(':');
}

/** How many times the same work is tried before a job fails; waiting for an unreachable service is not counted. */
export const MAX_ATTEMPTS = 5;
const MAX_RETRY_AFTER_MS = 120_000;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/**
 * The whole retry policy: milliseconds until the next attempt, or undefined when the failure is final.
 * Retry-After wins, capped at 120 s; else full jitter over an exponential ceiling.
 * An unanswered billing call is not retried here: who pays decides.
 * @param attempt 1 after the first failure
 * @param random in [0, 1)
 */
export function retryDelay(failure: Failure, attempt: number, random: number): number | undefined {
  switch (failure.kind) {
    case 'throttled':
    case 'server-error':
    case 'quota-exceeded': {
      if (failure.kind === 'quota-exceeded' && failure.scope === 'account') return undefined;
      if (failure.kind === 'server-error' && attempt >= MAX_ATTEMPTS) return undefined;
      if (failure.retryAfterMs !== undefined) {
        return Math.min(failure.retryAfterMs, MAX_RETRY_AFTER_MS);
      }
      return jitter(attempt, random);
    }
    case 'team-state':
      return failure.problem === 'away' ? jitter(attempt, random) : undefined;
    case 'unreachable':
    case 'changed-meanwhile':
      return jitter(attempt, random);
    // It waits for a person, not for another attempt: see `execution`.
    case 'disk-full':
      return undefined;
    case 'key-missing':
    case 'key-refused':
    case 'forbidden':
    case 'rejected':
    case 'too-large':
    case 'not-found':
    case 'bad-answer':
    case 'unanswered':
    case 'invalid-request':
    case 'unsupported':
    case 'malformed':
    case 'unreadable':
    case 'unwritable':
    case 'damaged-state':
    case 'state-unwritable':
    case 'stopped':
    case 'internal':
      return undefined;
  }
}

function jitter(attempt: number, random: number): number {
  return Math.ceil(random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt));
}

/** Whether a failed job is worth another try in a later run without a person's word. */
export function isPassing(failure: Failure): boolean {
  switch (failure.kind) {
    case 'throttled':
    case 'server-error':
    case 'unreachable':
    case 'changed-meanwhile':
    case 'disk-full':
    case 'state-unwritable':
    case 'key-missing':
    case 'key-refused':
    case 'quota-exceeded':
    case 'stopped':
    case 'unreadable':
    case 'unwritable':
    case 'team-state':
      return true;
    case 'bad-answer':
    case 'unanswered':
      return !mayBill(failure);
    case 'forbidden':
    case 'rejected':
    case 'too-large':
    case 'not-found':
    case 'invalid-request':
    case 'unsupported':
    case 'malformed':
    case 'damaged-state':
    case 'internal':
      return false;
  }
}

/** Whether a free request was not answered: the service counts as not reached. */
export function isFreeSilence(failure: Failure): boolean {
  return failure.kind === 'unanswered' && !mayBill(failure);
}

/** Whether a failure came from files or from ourselves, before anything was sent: trying again costs nothing. */
export function isLocal({ kind }: Failure): boolean {
  return kind === 'malformed' || kind === 'unsupported' || kind === 'internal';
}
