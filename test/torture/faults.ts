/** Faults of the service, drawn at random: every one passes, so that all targets can be right at the end. */
import type { Fault, FaultEffect } from '../../src/sandbox/fault.ts';
import type { Seeded } from '../seeded.ts';

const OPERATIONS = [
  undefined,
  'POST /v2/translate',
  'POST /v2/document',
  'POST /v2/document/{document_id}',
  'POST /v2/document/{document_id}/result',
  'POST /v1/jobs/voice/translate',
  'GET /v1/jobs/voice/translate/{job_id}',
  'PUT /assets/{job_id}',
  'GET /assets/{job_id}/{index}',
  'GET /v2/usage',
  'GET /v3/languages',
];

const EFFECTS: readonly FaultEffect[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, retry_after: 1 },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 502, format: 'html' },
  { kind: 'latency', ms: 400 },
  { kind: 'reset' },
  { kind: 'no_answer', how: 'reset' },
  { kind: 'slow_headers', ms: 300 },
  { kind: 'slow_body', ms: 300 },
  { kind: 'cut_body', bytes: 20 },
  { kind: 'damage', how: 'drop' },
  { kind: 'newlines', how: 'add' },
  { kind: 'failed_job', message: 'Something went wrong' },
  { kind: 'lost_job' },
];

export function randomFaults(random: Seeded): Fault[] {
  return Array.from({ length: random.below(4) }, () => {
    const operation = random.pick(OPERATIONS);
    return {
      ...random.pick(EFFECTS),
      times: 1 + random.below(3),
      skip: random.below(4),
      ...(operation === undefined ? {} : { operation }),
    };
  });
}
