/** Which limit the page measures against, and when the account is asked. */
import { expect, test } from 'vitest';
import type { Overview } from '../../src/control/report.ts';
import type { AccountUsage } from '../../src/control/usage.ts';
import { AccountFigures } from '../../src/page/account.ts';
import { makeSnapshot } from '../../src/page/snapshot.ts';
import { terminologyStates } from '../../src/page/terminology-states.ts';
import { manualClock } from '../manual-clock.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

const OVERVIEW: Overview = {
  state: 'running',
  stopped_by: null,
  jobs: { queued: 0, running: 0, done: 0, held: 0, failed: 0 },
  projects: [],
  attention: { lines: [], total: 0 },
  work: { lines: [], total: 0 },
  delivered: [],
  billed_characters: 700,
  days: [
    { day: '2026-10-31', billed_characters: 500 },
    { day: '2026-11-20', billed_characters: 200 },
  ],
  budget: [],
  rules: [],
  notes: [],
  team: null,
  tree: null,
};
const MONTH = [{ scope: 'month', limit: 5000, used: 150 }];

const usageOf = (account: AccountUsage | null, budget: Overview['budget'] = []) =>
  makeSnapshot({
    overview: { ...OVERVIEW, budget },
    account,
    configFaults: [],
    reviews: [],
    terminology: { faults: [], remote: { isDifferent: () => undefined } },
    sums: { since: (start) => (start <= Date.parse('2026-11-01') ? 200 : 0) },
    pace: { secondsFor: () => null },
    now: NOW,
  }).usage;

test('the limit of the account comes first, with what others used of it', () => {
  const account = { character_count: 900, character_limit: 1000 };
  expect(usageOf(account, MONTH)).toMatchObject({ used: 900, limit: 1000, limited_by: 'account' });
});

test('an account without a limit leaves the month budget', () => {
  const account = { character_count: 900, character_limit: null };
  expect(usageOf(account, MONTH)).toMatchObject({ used: 150, limit: 5000, limited_by: 'budget' });
});

test('without account and budget, what is in the books since the first of the month counts', () => {
  expect(usageOf(null)).toMatchObject({
    ...{ used: 200, limit: null, limited_by: null },
    ...{ from: 'calendar', end: '2026-12-01T00:00:00.000Z' },
  });
});

test('the period is that of the account when the account reports a present one', () => {
  const period = { start_time: '2026-11-05T00:00:00Z', end_time: '2026-12-05T00:00:00Z' };
  const account = { character_count: 1, character_limit: null, ...period };
  expect(usageOf(account)).toMatchObject({
    from: 'account',
    end: '2026-12-05T00:00:00.000Z',
  });
  const past = { ...account, start_time: '2026-10-05T00:00:00Z', end_time: '2026-11-05T00:00:00Z' };
  expect(usageOf(past)).toMatchObject({ from: 'account', end: '2026-12-05T00:00:00.000Z' });
});

function figures(answers: (AccountUsage | null)[]) {
  const clock = manualClock();
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return answers.shift() ?? null;
  };
  const account = new AccountFigures({
    control: { account: ask },
    clock,
    onChange: () => {},
  });
  return { account, clock, asked: () => asked };
}

test('the account is asked once, and again only after something was billed and five minutes passed', async () => {
  const one = { character_count: 1, character_limit: 10 };
  const two = { character_count: 2, character_limit: 10 };
  const { account, clock, asked } = figures([one, two]);
  expect(account.look()).toBeNull();
  await clock.pass(600_000);
  expect([account.look(), account.look(), asked()]).toEqual([one, one, 1]);
  account.listener({ kind: 'paid-work-resumed' });
  account.look();
  await clock.pass(1);
  expect([account.look(), asked()]).toEqual([two, 2]);
  account.listener({ kind: 'paid-work-resumed' });
  account.look();
  expect(asked()).toBe(2);
});

test('an account that could not be asked keeps the last figures, and is asked again later', async () => {
  const one = { character_count: 1, character_limit: 10 };
  const { account, clock, asked } = figures([null, one]);
  account.look();
  await clock.pass(1);
  expect([account.look(), asked()]).toEqual([null, 1]);
  await clock.pass(300_000);
  account.look();
  await clock.pass(1);
  expect([account.look(), asked()]).toEqual([one, 2]);
});

test('figures of a period that is over are not shown, and requested again', async () => {
  const end_time = new Date(manualClock().now() + 400_000).toISOString();
  const one = { character_count: 9, character_limit: 10, end_time };
  const two = { character_count: 0, character_limit: 10 };
  const { account, clock } = figures([one, two]);
  account.look();
  await clock.pass(1);
  expect(account.look()).toEqual(one);
  await clock.pass(500_000);
  expect(account.look()).toBeNull();
  await clock.pass(1);
  expect(account.look()).toEqual(two);
});

test('a glossary or style list is shown as it was last found: not compared, up to date, or different', () => {
  const style = { kind: 'style', project: 'app', languages: ['de'] } as const;
  const glossary = { ...style, kind: 'glossary', name: 'terms' } as const;
  const found = new Map([
    ['glossary terms.csv', true],
    ['style de.yaml', false],
  ]);
  const lines = terminologyStates(
    [
      { ...glossary, file: 'terms.csv' },
      { ...glossary, file: null },
      { ...style, name: 'de.yaml', file: 'de.yaml' },
      { ...style, name: 'fr.yaml', file: 'fr.yaml' },
    ],
    { isDifferent: ({ kind, file }) => found.get(`${kind} ${file}`) },
  );
  expect(lines.map(({ state }) => state)).toEqual(['differs', 'unknown', 'equal', 'unknown']);
});
