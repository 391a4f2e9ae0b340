/** Each kind of failure: its own sentence, its own advice, whether it is tried again, and the exit code of a run. */
import { expect, test } from 'vitest';
import { exitCodeOfFailure } from '../src/cli/exit-code.ts';
import { adviceFor, describeFailure, type Failure, isPassing, JobFailure } from '../src/failure.ts';
import { MAX_ATTEMPTS, retryDelay } from '../src/service/retry.ts';

const call = { repeat: 'safe' } as const;
const operation = 'GET /v3/glossaries';
const paid = 'POST /v2/translate';
const message = 'why';
const file = 'a.json';

/** A kind without a row does not compile. `again`: tried by the next run, without a person's word. */
const TABLE: {
  readonly [K in Failure['kind']]: {
    readonly failure: Extract<Failure, { kind: K }>;
    readonly again: boolean;
    readonly code: number;
  };
} = {
  'key-refused': row({ kind: 'key-refused', status: 401, operation }, true, 77),
  'key-missing': row({ kind: 'key-missing', message }, true, 77),
  forbidden: row({ kind: 'forbidden', operation, message }, false, 1),
  'quota-exceeded': row({ kind: 'quota-exceeded', scope: 'account', operation }, true, 75),
  throttled: row({ kind: 'throttled', status: 429, operation }, true, 69),
  'server-error': row({ kind: 'server-error', status: 500, operation, message }, true, 1),
  rejected: row({ kind: 'rejected', status: 400, operation, message }, false, 1),
  'too-large': row({ kind: 'too-large', operation, message }, false, 1),
  'not-found': row({ kind: 'not-found', operation, message }, false, 1),
  'bad-answer': row({ kind: 'bad-answer', operation: paid, message }, false, 1),
  unreachable: row({ kind: 'unreachable', operation, message }, true, 69),
  unanswered: row({ kind: 'unanswered', operation: paid, message }, false, 1),
  'invalid-request': row(
    { kind: 'invalid-request', operation, parameter: 'text', rule: 'is empty' },
    false,
    1,
  ),
  unsupported: row({ kind: 'unsupported', what: 'no', advice: 'do it otherwise' }, false, 1),
  malformed: row({ kind: 'malformed', where: { file }, message }, false, 1),
  unreadable: row({ kind: 'unreadable', file, code: 'EACCES' }, true, 1),
  unwritable: row({ kind: 'unwritable', file, code: 'EACCES' }, true, 1),
  'disk-full': row({ kind: 'disk-full', file }, true, 1),
  'changed-meanwhile': row({ kind: 'changed-meanwhile', file }, true, 1),
  'damaged-state': row({ kind: 'damaged-state', file, message }, false, 78),
  'state-unwritable': row(
    { kind: 'state-unwritable', folder: '/var/lib/dragoman', code: 'ENOSPC' },
    true,
    74,
  ),
  'team-state': row({ kind: 'team-state', problem: 'away', host: 'db.acme', message }, true, 75),
  'program-silent': row({ kind: 'program-silent', command: 'git log', seconds: 120 }, true, 1),
  stopped: row({ kind: 'stopped' }, true, 1),
  internal: row({ kind: 'internal', message }, false, 1),
};

function row<F extends Failure>(failure: F, again: boolean, code: number) {
  return { failure, again, code };
}

const ROWS: readonly {
  readonly failure: Failure;
  readonly again: boolean;
  readonly code: number;
}[] = Object.values(TABLE);

test.each(ROWS)(
  '$failure.kind has a sentence, advice, a rule and a code',
  ({ failure, ...row }) => {
    expect(describeFailure(failure)).not.toBe('');
    expect(adviceFor(failure)).not.toBe('');
    expect({ again: isPassing(failure), code: exitCodeOfFailure(failure) }).toEqual(row);
  },
);

test('without a daemon, a failure says what a person can do', () => {
  const states = TABLE['state-unwritable'].failure;
  for (const { failure } of ROWS.filter(({ again }) => again)) {
    expect(adviceFor(failure)).not.toMatch(/nothing to do/i);
    if (failure !== states) {
      expect(adviceFor(failure)).toMatch(/"dragoman (once|retry)"|start again|tried again/);
    }
  }
  const scope = 'glossaries';
  expect(adviceFor({ kind: 'quota-exceeded', scope, operation })).toContain('"dragoman once"');
});

test('where a folder is at the path of a target, no permission helps', () => {
  const unwritable = { kind: 'unwritable', file } as const;
  expect(adviceFor({ ...unwritable, code: 'there is a folder at its path' })).toContain(
    'Move away what is there',
  );
  expect(adviceFor({ ...unwritable, code: 'EACCES' })).toContain('permissions');
});

test('no two kinds have the same words', () => {
  expect(new Set(ROWS.map(({ failure }) => describeFailure(failure))).size).toBe(ROWS.length);
});

test.each([
  'GET /v3/glossaries',
  'POST /v3/glossaries',
  'POST /v2/document/{document_id}',
  'POST /v2/document/{document_id}/result',
  'GET /v1/jobs/voice/translate/{job_id}',
])('%s costs nothing: a lost answer passes, and was never billed', (free) => {
  for (const kind of ['unanswered', 'bad-answer'] as const) {
    const failure: Failure = { kind, operation: free, message };
    expect(isPassing(failure)).toBe(true);
    expect(adviceFor(failure)).not.toContain('billed');
  }
  expect(exitCodeOfFailure({ kind: 'unanswered', operation: free, message })).toBe(69);
});

test.each([
  'POST /v2/translate',
  'POST /v2/write/rephrase',
  'POST /v2/document',
  'POST /v3/detect/language',
  'PUT {upload_url}',
])('%s may have been billed: a person decides who pays for another try', (paid) => {
  for (const kind of ['unanswered', 'bad-answer'] as const) {
    const failure: Failure = { kind, operation: paid, message };
    expect(isPassing(failure)).toBe(false);
    expect(adviceFor(failure)).toContain('may have been billed');
  }
});

test('an error in a successful answer is described without the status', () => {
  const failure: Failure = { kind: 'rejected', status: 200, operation: paid, message: 'too long' };
  expect(describeFailure(failure)).toBe(
    'the service failed to do it (POST /v2/translate): too long',
  );
});

test('a port of this machine where nothing listens says how the sandbox is started again', () => {
  const of = (address: string): Failure => ({
    kind: 'unreachable',
    operation: 'POST /v2/translate',
    message: `connect ECONNREFUSED ${address}`,
  });
  expect(adviceFor(of('127.0.0.1:4711'))).toContain('dragoman sandbox --port 4711');
  expect(adviceFor(of('10.0.0.7:4711'))).not.toContain('sandbox');
});

test.each([
  [
    'doubles from attempt to attempt',
    throttled(),
    [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000],
  ],
  [
    'follows Retry-After, which a service may say for two minutes at most',
    throttled(7000),
    [7000, 7000],
  ],
  ['is two minutes for a longer Retry-After', throttled(3_600_000), [120_000, 120_000]],
])('the time until the next attempt %s', (_, failure, delays) => {
  // The largest time of the jitter.
  const found = delays.map((__, at) => retryDelay(failure, { attempt: at + 1, random: 1, call }));
  expect(found).toEqual(delays);
});

test('a fault of the service is tried a few times; a connection that never opened, as long as it takes', () => {
  const fault: Failure = { kind: 'server-error', status: 500, operation, message };
  expect(retryDelay(fault, { attempt: MAX_ATTEMPTS - 1, random: 0.5, call })).toBeGreaterThan(0);
  expect(retryDelay(fault, { attempt: MAX_ATTEMPTS, random: 0.5, call })).toBeUndefined();
  const away: Failure = { kind: 'unreachable', operation, message };
  expect(retryDelay(away, { attempt: 1000, random: 0.5, call })).toBe(15_000);
});

test('a request that may have been billed, and one of an account without quota, are never tried again by themselves', () => {
  const unanswered: Failure = { kind: 'unanswered', operation: paid, message };
  expect(
    retryDelay(unanswered, { attempt: 1, random: 0.5, call: { repeat: 'once' } }),
  ).toBeUndefined();
  const spent: Failure = { kind: 'quota-exceeded', scope: 'account', operation };
  expect(retryDelay(spent, { attempt: 1, random: 0.5, call })).toBeUndefined();
});

test('a parser that quotes the whole content fills neither the ledger nor the screen', () => {
  const quoted = `unknown tag ${'!'.repeat(60_000)}`;
  const error = new JobFailure({ kind: 'malformed', where: { file }, message: quoted });
  expect(error.failure).toEqual({
    ...{ kind: 'malformed', where: { file } },
    message: `${quoted.slice(0, 1000)}…`,
  });
  expect(error.message).toBe(describeFailure(error.failure));
});

function throttled(retryAfterMs?: number): Failure {
  const said = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { kind: 'throttled', status: 429, operation, ...said };
}
