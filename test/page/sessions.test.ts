/** Tokens, tickets and the sessions that they open. */
import { expect, test } from 'vitest';
import { Sessions } from '../../src/page/sessions.ts';
import { manualClock } from '../manual-clock.ts';

function start() {
  const clock = manualClock();
  return {
    clock,
    sessions: new Sessions({
      port: 9730,
      clock,
      reviewers: { find: () => undefined, of: () => undefined, subscribe: () => () => {} },
    }),
  };
}

const cookieOf = (header: string | undefined) => ({ cookie: header?.split(';')[0] ?? '' });

test('the token opens any number of sessions', () => {
  const { sessions } = start();
  const first = sessions.open(sessions.token);
  const second = sessions.open(sessions.token);
  expect([first, second].map((header) => sessions.visitor(cookieOf(header))?.kind)).toEqual([
    'owner',
    'owner',
  ]);
  expect(first).not.toBe(second);
});

test('a ticket opens one session', () => {
  const { sessions } = start();
  const ticket = sessions.ticket();
  expect(sessions.visitor(cookieOf(sessions.open(ticket)))).toEqual({ kind: 'owner' });
  expect(sessions.open(ticket)).toBeUndefined();
});

test('a ticket is good for a minute', async () => {
  const { clock, sessions } = start();
  const [early, late] = [sessions.ticket(), sessions.ticket()];
  await clock.pass(59_999);
  expect(sessions.open(early)).toBeDefined();
  await clock.pass(1);
  expect(sessions.open(late)).toBeUndefined();
});

test('a cookie among others is found, under its own name only', () => {
  const { sessions } = start();
  const { cookie } = cookieOf(sessions.open(sessions.token));
  expect(sessions.visitor({ cookie: `a=1; ${cookie}; b=2` })).toEqual({ kind: 'owner' });
  expect(sessions.visitor({ cookie: cookie.replace('9730', '9731') })).toBeUndefined();
  expect(sessions.visitor({})).toBeUndefined();
});

test('the thirty-third session ends the first', () => {
  const { sessions } = start();
  const headers = Array.from({ length: 33 }, () => sessions.open(sessions.token));
  expect(sessions.visitor(cookieOf(headers[0]))).toBeUndefined();
  expect(sessions.visitor(cookieOf(headers[1]))).toEqual({ kind: 'owner' });
});
