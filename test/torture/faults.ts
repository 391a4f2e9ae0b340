/** Faults of the service, drawn at random: every one passes, so that all targets can be right at the end. */
import type { FaultEffect, FaultKind, FaultOf, SimulatedFault } from '../../src/sandbox/fault.ts';
import type { Seeded } from '../seeded.ts';

const TEXTS = 'POST /v2/translate';
const OPERATIONS = [
  undefined,
  TEXTS,
  'POST /v2/document',
  'POST /v2/document/{document_id}',
  'POST /v2/document/{document_id}/result',
  'POST /v1/jobs/voice/translate',
  'GET /v1/jobs/voice/translate/{job_id}',
  'PUT /assets/{job_id}',
  'GET /assets/{job_id}/{index}',
  'GET /v2/usage',
  'GET /v3/languages',
  'POST /v3/glossaries',
  'GET /v3/glossaries',
  'GET /v3/glossaries/{glossary_id}',
  'PATCH /v3/glossaries/{glossary_id}',
];

const STATUSES = [400, 404, 408, 413, 429, 456, 500, 502, 503, 504, 529];
const DAMAGES = ['drop', 'duplicate', 'empty_pair', 'eat_space', 'unescape'] as const;

/** A kind without an effect does not compile. Faults that would leave a wrong translation that looks right are left out. */
const EFFECTS_BY_KIND: { readonly [K in FaultKind]: readonly FaultOf<K>[] } = {
  status: [
    ...STATUSES.map((status) => ({ kind: 'status', status }) as const),
    { kind: 'status', status: 503, retry_after: 1 },
    { kind: 'status', status: 502, format: 'html' },
  ],
  latency: [{ kind: 'latency', ms: 400 }],
  reset: [{ kind: 'reset' }],
  quota: [{ kind: 'quota', characters: 50 }],
  no_answer: [
    { kind: 'no_answer', how: 'reset' },
    { kind: 'no_answer', how: 'silence' },
  ],
  slow_headers: [{ kind: 'slow_headers', ms: 300 }],
  slow_body: [{ kind: 'slow_body', ms: 300 }],
  cut_body: [{ kind: 'cut_body', bytes: 20 }],
  empty: [{ kind: 'empty' }],
  damage: DAMAGES.map((how) => ({ kind: 'damage', how }) as const),
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
const KINDS = Object.values(EFFECTS_BY_KIND);

export function randomFaults(random: Seeded): SimulatedFault[] {
  return Array.from({ length: random.below(4) }, () => {
    const drawn = random.pick(OPERATIONS);
    const effect = random.pick(random.pick<readonly FaultEffect[]>(KINDS));
    // A transcript with another line break looks as right as one without it.
    const operation = effect.kind === 'newlines' ? TEXTS : drawn;
    return {
      ...effect,
      times: 1 + random.below(3),
      skip: random.below(4),
      ...(operation === undefined ? {} : { operation }),
    };
  });
}
