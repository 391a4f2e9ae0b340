/**
 * Every fault of the service at every operation. The exit code is right, each line has advice, the run ends, and the books agree with the
 * service. `npm test` takes two faults for each operation; `DRAGOMAN_FAULTS=all` takes them all (half an
 * hour), `DRAGOMAN_FAULTS=silence` those of a service that does not answer (an hour).
 */
import { expect, test } from 'vitest';
import type { FaultEffect, FaultKind, FaultOf } from '../../src/sandbox/fault.ts';
import { billed, requests, wrongBooks } from '../counts.ts';
import type { OnceJson, Rig } from '../rig.ts';
import { waitingClock } from '../waiting-clock.ts';
import { openPlace, PLACES, type Place } from './service-places.ts';

const QUOTA = { kind: 'status', status: 456 } as const;
/** A request waits a minute of the machine for an answer, so these rows are run alone. */
const SILENCE = { kind: 'no_answer', how: 'silence' } as const;
const KEY = { kind: 'status', status: 401 } as const;
const STATUSES = [400, 403, 404, 408, 413, 429, 500, 502, 503, 504, 529];
const OTHERS: readonly FaultEffect[] = [
  KEY,
  ...STATUSES.map((status) => ({ kind: 'status', status }) as const),
  // Garbled: a page instead of an answer.
  { kind: 'status', status: 200, format: 'html' },
  { kind: 'reset' },
  { kind: 'no_answer', how: 'reset' },
  { kind: 'cut_body', bytes: 5 },
];

/** Every kind of the sandbox: one without a row does not compile. Most change the answers of one operation, and are harmless elsewhere. */
const OTHER_KINDS: {
  readonly [K in Exclude<FaultKind, 'status' | 'reset' | 'cut_body'>]: readonly FaultOf<K>[];
} = {
  latency: [{ kind: 'latency', ms: 400 }],
  quota: [{ kind: 'quota', characters: 0 }],
  no_answer: [SILENCE],
  slow_headers: [{ kind: 'slow_headers', ms: 400 }],
  slow_body: [{ kind: 'slow_body', ms: 400 }],
  empty: [{ kind: 'empty' }],
  damage: [
    { kind: 'damage', how: 'drop' },
    { kind: 'damage', how: 'duplicate' },
  ],
  newlines: [
    { kind: 'newlines', how: 'add' },
    { kind: 'newlines', how: 'lose' },
  ],
  delete_glossary: [{ kind: 'delete_glossary' }],
  not_ready: [{ kind: 'not_ready' }],
  seconds_remaining: [{ kind: 'seconds_remaining', seconds: 2147483647 }],
  unknown_state: [{ kind: 'unknown_state', state: 'thinking' }],
  lost_job: [{ kind: 'lost_job' }],
  keep_result: [{ kind: 'keep_result' }],
  wrong_result: [{ kind: 'wrong_result', text: '' }],
  failed_job: [{ kind: 'failed_job', message: 'Something went wrong' }],
  out_of_step: [{ kind: 'out_of_step' }],
  expired_signature: [{ kind: 'expired_signature' }],
};

const wanted = process.env['DRAGOMAN_FAULTS'];
const isAll = wanted === 'all' || wanted === 'silence';
/** Recordings wait for windows of minutes and of an hour. */
const SHORT = isAll ? PLACES : PLACES.filter(({ kind }) => kind !== 'voice');
const ROWS = SHORT.flatMap((place, n) => {
  if (wanted === 'silence') return [{ place, effect: SILENCE, operation: place.operation }];
  const others = Object.values(OTHER_KINDS).flat();
  const some = isAll
    ? [...OTHERS, ...others.filter((effect) => effect !== SILENCE)]
    : OTHERS.filter((_, index) => index === n % OTHERS.length);
  return [QUOTA, ...some].map((effect) => ({ place, effect, operation: place.operation }));
});

/** A result of a recording is asked for every few seconds, for an hour; more calls than these are a hot loop. */
const MOST_CALLS = 400;
/** A result of a recording is asked for as long as the service keeps it, which is an hour. */
const LONGEST_MS = 75 * 60_000;
const INTERNALS = /undefined|\[object|Unexpected token|SyntaxError|TypeError|\n|at \w+ \(/;

test.each(ROWS)('$operation and $effect', async ({ place, effect, operation }) => {
  const clock = waitingClock();
  await using rig = await openPlace(place, clock);
  const [began, before] = [clock.now(), requests(rig, operation)];
  rig.sandbox.faults.add([{ ...effect, operation, times: 'always' }]);
  const { code, report } = await onceOf(rig);
  if (isTimedByClock(effect)) expect(clock.now() - began).toBeLessThan(LONGEST_MS);
  expect(requests(rig, operation) - before).toBeGreaterThan(0);
  expect(requests(rig, operation) - before).toBeLessThan(MOST_CALLS);
  expect(codesFor(place, effect)).toContain(code);
  for (const { reason, next_step } of [...report.failed, ...report.held]) {
    for (const said of [reason, next_step]) {
      expect(said).not.toBe('');
      expect(said).not.toMatch(INTERNALS);
    }
  }
  if (code !== 0) {
    expect([...report.failed, ...report.held].length > 0 || report.stopped_by !== null).toBe(true);
  }
  // The bill of a document is told by the very question that fails here.
  const isBillOpen = operation === 'POST /v2/document/{document_id}';
  if (!isBillOpen) expect(await disagreement(rig, place)).toBeUndefined();
  rig.sandbox.faults.clear();
  if (code === 0) expect(await rig.run('once', '--frozen')).toMatchObject({ code: 0 });
  await rig.run('retry', '--all', '--yes');
  expect(await onceOf(rig)).toMatchObject({ code: 0, report: { failed: [], held: [] } });
  expect(await disagreement(rig, place)).toBeUndefined();
  const done = billed(rig);
  expect(await onceOf(rig)).toMatchObject({ code: 0, report: { delivered: 0 } });
  expect(billed(rig)).toBe(done);
});

/**
 * While the machine waits for a silent service, this clock runs a hundred times as fast. A document that is never done is given up after
 * some number of looks, which count as calls.
 */
function isTimedByClock(effect: FaultEffect): boolean {
  return effect !== SILENCE && !['seconds_remaining', 'unknown_state'].includes(effect.kind);
}

/** The answer to a detection has no bill: the characters that dragoman counts are not in the count of the sandbox. */
async function disagreement(rig: Rig, { kind }: Place): Promise<string | undefined> {
  return kind === 'detection' ? undefined : await wrongBooks(rig);
}

interface Report extends OnceJson {
  readonly stopped_by: string | null;
  readonly failed: readonly (OnceJson['failed'][number] & { readonly next_step: string })[];
  readonly held: readonly (OnceJson['held'][number] & { readonly next_step: string })[];
}

async function onceOf(
  rig: Rig,
): Promise<{ readonly code: number | null; readonly report: Report }> {
  const { code, stdout } = await rig.run('once', '--json');
  return { code, report: JSON.parse(stdout) as Report };
}

/** Nothing is missing where a run only asks what it can do without. */
const SPARED = ['GET /v2/usage', 'GET /v3/languages'];
/** A refused signature says nothing about the key. */
const SIGNED = ['PUT /assets/{job_id}', 'GET /assets/{job_id}/{index}'];

function codesFor({ operation, kind }: Place, effect: FaultEffect): readonly number[] {
  if (SPARED.includes(operation)) return [0];
  if (effect === KEY) return SIGNED.includes(operation) ? [2] : [77];
  if (effect.kind === 'quota') return [0, 75];
  if (effect === QUOTA) return kind === 'glossary' || kind === 'style' ? [1] : [75];
  // 0 if the run repaired the loss, which the test checks; never a code for key, quota or config.
  return [0, 1, 2, 69];
}
