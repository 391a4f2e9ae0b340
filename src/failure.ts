/** Everything that can go wrong, as data, with a message and an advice for people. */
import { inEnglish } from './language.ts';

/** The place of a fault in a file. Line and column count from 1; a column is a UTF-16 unit, as in editors. */
export interface Location {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Every failure. Each has its `kind`, and every switch over it is exhaustive.
 * `operation` is `METHOD path-template`; it never contains an id, a key or a signature. `isLock`: a file of the lock of the team.
 */
export type Failure =
  // The service answered:
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
  // With `isPage`, a page for people came, from a proxy or a login page.
  | { kind: 'bad-answer'; operation: string; message: string; isPage?: true }
  // The service did not answer. Unreachable: nothing was sent; with `isElsewhere`, something in front of the service answered.
  // Unanswered: the request was sent, and is perhaps received and billed.
  | { kind: 'unreachable'; operation: string; message: string; isElsewhere?: true }
  | { kind: 'unanswered'; operation: string; message: string }
  // Known before sending:
  | { kind: 'key-missing'; message: string }
  | { kind: 'invalid-request'; operation: string; parameter: string; rule: string }
  | { kind: 'unsupported'; what: string; advice: string }
  // Files. `needs`: bytes, where the free space was checked before writing.
  | { kind: 'malformed'; where: Location; message: string }
  | { kind: 'unreadable'; file: string; code: string }
  | { kind: 'unwritable'; file: string; code: string; isLock?: true }
  | { kind: 'disk-full'; file: string; needs?: number; isLock?: true }
  | { kind: 'changed-meanwhile'; file: string }
  // `isNewer`: a newer version of the program wrote it. `isMisplaced`: it is sound, and the config names another place for it.
  | {
      kind: 'damaged-state';
      file: string;
      message: string;
      isNewer?: true;
      isLock?: true;
      isMisplaced?: true;
    }
  // `unread`: a file of the state folder that this user may not read. `isSpool`: the folder that all daemons of a tree share.
  | { kind: 'state-unwritable'; folder: string; code: string; unread?: string; isSpool?: true }
  // A program on this machine, such as git or ffmpeg:
  | { kind: 'program-silent'; command: string; seconds: number; folder?: string }
  // The team's database. The problem `away` passes by itself; the others need a person.
  | { kind: 'team-state'; problem: TeamStateProblem; host: string; message: string }
  // The program itself:
  | { kind: 'stopped' }
  | { kind: 'internal'; message: string };

/** The error class of dragoman: a Failure with its facts, and the `X-Trace-ID` of the API where there is one. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly failure: Failure;
  readonly traceId: string | undefined;

  constructor(failure: Failure, options: { cause?: unknown; traceId?: string } = {}) {
    const bounded = withShortMessage(failure);
    super(
      describeFailure(bounded),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.failure = bounded;
    this.traceId = options.traceId;
  }
}

/** UTF-16 units; what a service or a parser says is much shorter. */
const LONGEST_MESSAGE = 1000;

/** Some parsers quote the whole content, which would fill the ledger, the log and the screen. */
function withShortMessage(failure: Failure): Failure {
  if (failure.kind !== 'malformed' || failure.message.length <= LONGEST_MESSAGE) return failure;
  const shown = failure.message.slice(0, LONGEST_MESSAGE).replace(/[\uD800-\uDBFF]$/, '');
  return { ...failure, message: `${shown}…` };
}

/** @param source of a job, relative to the root of its project */
export function unrouted(source: string): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `no route matches ${source} any more`,
    advice: 'Nothing to do, unless the route was taken out by mistake.',
  });
}

/** The Failure of anything that was thrown. An unknown error is `internal`, with its message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof JobFailure) return error.failure;
  if (error instanceof DOMException && error.name === 'AbortError') return { kind: 'stopped' };
  const missing = missingModule(error);
  if (missing !== undefined) return { kind: 'unreadable', file: missing, code: 'ENOENT' };
  return { kind: 'internal', message: error instanceof Error ? error.message : String(error) };
}

/** Of a part of the program, and of the program of a thread. */
const MODULE_IS_MISSING: ReadonlySet<unknown> = new Set([
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
]);

/** The part of the program that is gone, because another version was installed over it. No job is at fault. */
function missingModule(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && MODULE_IS_MISSING.has(error.code))) return;
  if ('url' in error && typeof error.url === 'string') return error.url;
  return /'(?<module>[^']+)'/.exec(error.message)?.groups?.['module'] ?? error.message;
}

/** Requests that the service may have billed although its answer did not arrive or is not valid. */
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
  return failureWords(failure.kind).says(failure);
}

/** The next step of a person after a failure, in one sentence. */
export function adviceFor(failure: Failure): string {
  return failureWords(failure.kind).advice(failure);
}

type FailureOfKind<Kind extends Failure['kind']> = Extract<Failure, { kind: Kind }>;

interface Words<Each extends Failure> {
  says(failure: Each): string;
  advice(failure: Each): string;
}

function failureWords<Kind extends Failure['kind']>(kind: Kind): Words<FailureOfKind<Kind>> {
  return WORDS_FOR[kind];
}

const AGAIN = 'A daemon tries it again; without one, run "dragoman once".';
const GOES_ON = 'a daemon then continues without a command; where none runs, run "dragoman once"';
const CHECK_KEY = 'Check service.key in dragoman.yaml, then send SIGHUP or start again.';
const CORRECT = 'See the message; correct the source or the config, then "dragoman retry".';
const CHECK_WAY =
  'Correct service.url in dragoman.yaml, or the proxy; log in where the network asks for it.';
const CHECK_FILE = 'Check that it exists and its permissions; then "dragoman retry".';
/** For a path where no file can be, whatever the permissions are. */
const MOVE_AWAY =
  'Move away what is there, or change the route; a running daemon or the next "dragoman once" then writes the file.';
const CHECK_LOCK =
  'Make sure that this user can write the folder of the lock; a running daemon or the next "dragoman once" then goes on.';
const DISK_WORDS: ReadonlyMap<string, string> = new Map([
  ['EROFS', 'the disk is read-only'],
  ['ENOTDIR', 'a file is in the place of one of its folders'],
]);

const WORDS_FOR: { readonly [Kind in Failure['kind']]: Words<FailureOfKind<Kind>> } = {
  'key-refused': {
    says: ({ status, operation }) => `the service refused the key (${status} on ${operation})`,
    advice: () => CHECK_KEY,
  },
  'key-missing': { says: ({ message }) => `no key: ${message}`, advice: () => CHECK_KEY },
  forbidden: {
    says: ({ operation, message }) => `this key may not use ${operation}: ${message}`,
    advice: () =>
      'Ask for access to this feature for the account, or take the setting out of dragoman.yaml.',
  },
  'quota-exceeded': {
    says: ({ scope, operation }) =>
      scope === 'account'
        ? 'the character quota of the account or key is used up (456)'
        : `the service wants fewer glossary and style requests (456 on ${operation})`,
    advice: ({ scope }) =>
      scope === 'account'
        ? `Wait for the next billing period or raise the limit; ${GOES_ON}.`
        : `Wait some minutes; ${GOES_ON}.`,
  },
  throttled: {
    says: ({ status, operation }) => `the service asked to wait (${status} on ${operation})`,
    advice: () => AGAIN,
  },
  'server-error': {
    says: ({ status, operation, message }) =>
      `the service failed (${status} on ${operation}): ${message}`,
    advice: () => AGAIN,
  },
  rejected: {
    says: (failure) =>
      `${rejectedBy(failure)}: ${failure.message}${failure.detail ? ` (${failure.detail})` : ''}`,
    advice: () => CORRECT,
  },
  'too-large': {
    says: ({ operation, message }) => `too large for ${operation}: ${message}`,
    advice: () => 'Split the file, or raise service.limits if the account allows more.',
  },
  'not-found': {
    says: ({ operation, message }) => `not found on the service (${operation}): ${message}`,
    advice: () => CORRECT,
  },
  'bad-answer': {
    says: ({ operation, message }) => `the answer to ${operation} is not valid: ${message}`,
    advice: (failure) =>
      mayBill(failure)
        ? 'It may have been billed; run "dragoman retry" to buy it again, and if it happens again, tell the operator of the service, or of a proxy in front of it.'
        : failure.isPage
          ? `${CHECK_WAY} ${AGAIN}`
          : `${AGAIN} If it happens again, tell the operator of the service, or of a proxy in front of it.`,
  },
  unreachable: {
    says: ({ operation, message }) => `the service cannot be reached (${operation}): ${message}`,
    advice: ({ message, isElsewhere }) =>
      isElsewhere ? `${CHECK_WAY} ${AGAIN}` : (adviceOnLocal(message) ?? AGAIN),
  },
  unanswered: {
    says: ({ operation, message }) => `no answer to ${operation}: ${message}`,
    advice: (failure) =>
      mayBill(failure) ? 'It may have been billed; run "dragoman retry" to buy it again.' : AGAIN,
  },
  'invalid-request': {
    says: ({ operation, parameter, rule }) => `${operation} was not sent: ${parameter} ${rule}`,
    advice: ({ parameter }) => `Change ${parameter} in dragoman.yaml or in the source.`,
  },
  unsupported: { says: ({ what }) => what, advice: ({ advice }) => advice },
  malformed: {
    says: ({ where, message }) => `${formatLocation(where)}: ${message}`,
    advice: () => 'Correct the file; a running daemon or the next run then continues.',
  },
  unreadable: {
    says: ({ file, code }) => `${file} cannot be read (${code})`,
    advice: () => CHECK_FILE,
  },
  unwritable: {
    says: ({ file, code }) => `${file} cannot be written (${DISK_WORDS.get(code) ?? code})`,
    advice: ({ code, isLock }) =>
      isLock ? CHECK_LOCK : /^[A-Z]+$/.test(code) ? CHECK_FILE : MOVE_AWAY,
  },
  'disk-full': {
    says: ({ file, needs }) =>
      needs === undefined
        ? `the disk is full: ${file} was not written`
        : `the disk is too full: ${file} needs ${inEnglish(needs)} bytes`,
    advice: () => `Free some space; ${GOES_ON}.`,
  },
  'changed-meanwhile': {
    says: ({ file }) => `${file} changed while it was read`,
    advice: () => AGAIN,
  },
  'damaged-state': {
    says: ({ file, message, isNewer, isMisplaced }) =>
      isNewer || isMisplaced ? `${file}: ${message}` : `${file} is damaged: ${message}`,
    advice: ({ isNewer, isLock, isMisplaced }) =>
      isMisplaced
        ? 'Nothing was changed, and nothing is bought before that.'
        : isNewer
          ? 'Install the version of dragoman that the others use; nothing was changed.'
          : isLock
            ? 'The lock was not changed, and nothing is bought before it can be read. "dragoman doctor" checks its rights.'
            : 'The file was not changed. "dragoman doctor" checks disk and permissions, "dragoman restore --list" names copies of the ledger.',
  },
  'state-unwritable': {
    says: stateUnwritable,
    advice: stateAdvice,
  },
  'team-state': {
    says: ({ problem, host, message }) => `${TEAM_STATE[problem].says(host)}: ${message}`,
    advice: ({ problem }) => TEAM_STATE[problem].advice,
  },
  'program-silent': {
    says: ({ command, seconds, folder }) =>
      // The "/" keeps the name of the folder: a person in it would read "in .".
      `"${command}"${folder === undefined ? '' : ` in ${folder}/`} gave no answer within ${seconds} s, and was ended`,
    advice: () =>
      'Run the command yourself to see what it waits for (a password, a lock, a network folder). A working daemon tries it again; otherwise start again, or run "dragoman once".',
  },
  stopped: { says: () => 'stopped before it was done', advice: () => AGAIN },
  internal: {
    says: ({ message }) => message,
    advice: () => 'Run again with --verbose and report it.',
  },
};

type StateUnwritable = Extract<Failure, { kind: 'state-unwritable' }>;

function stateUnwritable({ folder, code, unread, isSpool }: StateUnwritable): string {
  const what = isSpool ? 'spool of the tree' : 'state folder';
  if (unread !== undefined) return `${unread} in the ${what} cannot be read (${code})`;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk of the ${what} ${folder} is full: nothing more is bought or written`;
    case 'EROFS':
      return `the ${what} ${folder} is on a read-only disk`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `the state folder ${folder} is not a folder: a file, a link that leads nowhere or something else has its name`;
    case 'ENOENT':
      return `the ${what} ${folder}, or a part of it, was removed during the work: nothing more is bought or written`;
    default:
      return `the ${what} ${folder} cannot be written (${code})`;
  }
}

function stateAdvice({ code, unread, isSpool }: StateUnwritable): string {
  if (isSpool) {
    return 'All daemons of the tree share this folder: give it space, or make it writable for this user. Then start again: what was paid for is kept.';
  }
  if (unread !== undefined) {
    return 'Give the state folder back to this user: a run as another user may have made files there. Then start again: what was paid for is kept.';
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return 'Move it away, or name another folder as "state" in dragoman.yaml; then start again.';
  }
  return code === 'ENOENT'
    ? 'Put the folder back if you still have it, then start again. Without it, dragoman makes a new state from sources and targets.'
    : 'Free some space or make it writable, or name another folder as "state" in dragoman.yaml; then start again: what was paid for is kept.';
}

/** Also an answer with status 200 may say that the work failed (`error_message` of a document). */
function rejectedBy({ status, operation }: Extract<Failure, { kind: 'rejected' }>): string {
  return status < 300
    ? `the service failed to do it (${operation})`
    : `the service rejected ${operation} (${status})`;
}

/** Why the team's database cannot be used. */
type TeamStateProblem =
  | 'away'
  | 'taken'
  | 'unled'
  | 'refused'
  | 'insecure'
  | 'unfit'
  | 'older'
  | 'unshared'
  | 'partial'
  | 'spool'
  | 'absent'
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
      'One daemon leads a tree at a time: run the command on the machine of that daemon. When it ends or dies, another one may go on.',
  },
  unled: {
    says: (host) => `the tree in the team's state at ${host} has no leader`,
    advice:
      'A daemon that may lead takes over within ten seconds. If there is none, start "dragoman run" without "--role worker"; then give the command where it runs.',
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
    says: (host) => `${host} cannot be used`,
    advice:
      'All runners of a team, and all daemons of a tree, have one key of 32 bytes: give this one the key of the others; "openssl rand -base64 32" makes the first.',
  },
  absent: {
    says: (host) => `the files of the tree "${host}" are not on this machine`,
    advice: 'Mount the volume, then start again; another daemon of the tree leads meanwhile.',
  },
  unshared: {
    says: (host) => `the team's state at ${host} does not know what was bought here`,
    advice: 'Run "dragoman state push" once: without it, the same texts are bought again.',
  },
  partial: {
    says: (host) => `${host} is not complete`,
    advice:
      'Nothing works on it before the copy has ended. Without the records, texts of people would count as those of dragoman.',
  },
  spool: {
    says: (host) => `${host} cannot be used`,
    advice: 'Each tree has a spool of its own: name another folder as "spool" in "state".',
  },
  older: {
    says: (host) => `the team's state at ${host} is older than what was seen here before`,
    advice:
      'A backup was restored: run "dragoman state push" where a state folder has what is missing.',
  },
};

/** For a port of this machine where no program listens: in most cases a sandbox that has ended. */
function adviceOnLocal(message: string): string | undefined {
  const port = /ECONNREFUSED (?:127\.0\.0\.1|::1):(\d+)/.exec(message)?.[1];
  return port && `Start what listens there; a sandbox: dragoman sandbox --port ${port}`;
}

/** The folder whose disk is full. */
export function fullFolder({ file, needs }: Extract<Failure, { kind: 'disk-full' }>): string {
  return needs === undefined ? file.replace(/(?!^)[/\\][^/\\]*$/, '') : file;
}

/** `file:line:column`, or less where less is known. */
export function formatLocation(where: Location): string {
  return [where.file, where.line, where.column].filter((part) => part !== undefined).join(':');
}

/** Whether a later run tries a failed job again without a person's command. */
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
    case 'program-silent':
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
    case 'internal':
      return false;
    // A person restores the lock with git; then the job is tried again.
    case 'damaged-state':
      return failure.isLock === true;
  }
}

/** Whether it is about a file of the lock: the work is done, and only its lines are missing. */
export function isOfLock(failure: Failure): boolean {
  return 'isLock' in failure && failure.isLock === true;
}

/** Whether a request that bills nothing got no answer, or a page of something else: it counts as if the service was not reached. */
export function isFreeSilence(failure: Failure): boolean {
  const isSilent = failure.kind === 'unanswered' || 'isPage' in failure;
  return isSilent && 'operation' in failure && !mayBill(failure);
}

/** Whether a failure came from a file or from dragoman itself, before anything was sent: another try costs nothing. */
export function isFreeToRetry({ kind }: Failure): boolean {
  return kind === 'malformed' || kind === 'unsupported' || kind === 'internal';
}
