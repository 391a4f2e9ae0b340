/** What a client knows of the answers of the service. */
import { expect, test } from 'vitest';
import { ServiceContact } from '../../src/service/contact.ts';
import { manualClock } from '../manual-clock.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const FAILURE = {
  kind: 'unreachable',
  operation: 'POST /v2/translate',
  message: 'refused',
} as const;

function contactAt() {
  const clock = manualClock(START);
  return { clock, contact: new ServiceContact(clock) };
}

test('the last request is answered, also with a refusal, or lost; a gateway that puts it off says nothing', () => {
  const { contact } = contactAt();
  for (const status of [503, 429]) contact.ended(status);
  expect(contact.lastRequest).toBe('none');
  contact.ended(403);
  expect(contact.lastRequest).toBe('answered');
  contact.ended('lost');
  expect(contact.lastRequest).toBe('lost');
});

test('requests are repeated since the first of them, until one is answered', async () => {
  const { clock, contact } = contactAt();
  expect(contact.repeated).toBeUndefined();
  contact.repeats(FAILURE);
  await clock.pass(60_000);
  const failure = { ...FAILURE, message: 'no answer' };
  contact.repeats(failure);
  for (const status of ['lost', 500] as const) contact.ended(status);
  expect(contact.repeated).toEqual({ since: START, ago: 60_000, failure });
  contact.ended(200);
  expect(contact.repeated).toBeUndefined();
});

test('requests are no longer repeated when nobody has asked for long, and a later one begins anew', async () => {
  const { clock, contact } = contactAt();
  contact.repeats(FAILURE);
  await clock.pass(21 * 60_000);
  expect(contact.repeated).toBeUndefined();
  contact.repeats(FAILURE);
  expect(contact.repeated).toEqual({ since: START + 21 * 60_000, ago: 0, failure: FAILURE });
});
