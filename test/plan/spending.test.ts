/** The amounts that may be spent: budgets, approvals and reservations, with the books of a ledger. */
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { type Event, Events } from '../../src/event.ts';
import type { Charge, JobRecord, LedgerTables, LedgerView } from '../../src/ledger.ts';
import { Spending } from '../../src/plan/spending.ts';
import type { Route } from '../../src/project.ts';
import { charge, jobRecord } from '../contracts/ledger.ts';
import { type MoneyBackend, moneyContract } from '../contracts/money.ts';
import { manualClock } from '../manual-clock.ts';

function configOf(budget: string) {
  const text = `version: 1
service: { url: "http://127.0.0.1:1" }
budget: { ${budget} }
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`;
  const { config } = parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
  if (config === undefined) throw new Error('the config is refused');
  return config;
}

interface Books {
  readonly jobs?: readonly JobRecord[];
  readonly charges?: readonly Charge[];
}

function viewOf({ jobs = [], charges = [] }: Books): LedgerView {
  const tables = { jobs, charges } as unknown as Record<string, readonly { id: string }[]>;
  return {
    condition: 'intact',
    get: (table, id) =>
      tables[table]?.find((record) => record.id === id) as LedgerTables[typeof table] | undefined,
    all: (table) =>
      (tables[table] ?? [])[Symbol.iterator]() as IterableIterator<LedgerTables[typeof table]>,
    size: (table) => tables[table]?.length ?? 0,
  };
}

interface Given extends Books {
  readonly budget?: string;
  readonly maxCharacters?: number;
  readonly approveOver?: number;
}

function spendingOf({ budget = '', approveOver, maxCharacters, ...books }: Given = {}) {
  const events = new Events();
  const heard: Event[] = [];
  events.subscribe((event) => void heard.push(event));
  const clock = manualClock();
  const config = configOf(budget);
  const spending = new Spending({
    ledger: viewOf(books),
    clock,
    events,
    inForce: { config, planner: { routeOf: () => ({ approveOver }) as Route } },
    ...(maxCharacters === undefined ? {} : { maxCharacters }),
  });
  return { spending, heard, clock };
}

const released = (kind: 'approve' | 'human', fingerprint = jobRecord('a').fingerprint) =>
  jobRecord('a', { release: { kind, fingerprint, at: '2026-10-19T10:00:00.000Z' } });

moneyContract(async (month) => ({
  async offer(jobs) {
    const records = jobs.map(({ job, isApproved }) => {
      const { fingerprint } = jobRecord(job);
      const release = { kind: 'approve', fingerprint, at: '2026-10-19T10:00:00.000Z' } as const;
      return jobRecord(job, isApproved === true ? { release } : {});
    });
    const { spending } = spendingOf({ budget: `month: ${month}`, jobs: records });
    const told: Awaited<ReturnType<MoneyBackend['offer']>>[number][] = [];
    for (const [index, record] of records.entries()) {
      const answer = await spending.allow(record, jobs[index]?.characters ?? 0);
      if (answer.kind === 'allowed') told.push('bought');
      else if (answer.hold.kind !== 'budget') throw new Error(answer.hold.kind);
      else told.push({ needs: answer.hold.needs, left: answer.hold.left });
    }
    return told;
  },
  async [Symbol.asyncDispose]() {},
}));

test('a reserved price counts until it is given back', async () => {
  const { spending } = spendingOf({ budget: 'run: 100' });
  const first = await spending.allow(jobRecord('a'), 60);
  expect(first.kind).toBe('allowed');
  expect(await spending.allow(jobRecord('b'), 60)).toMatchObject({
    kind: 'held',
    hold: { kind: 'budget', scope: 'run' },
  });
  if (first.kind === 'allowed') first[Symbol.dispose]();
  expect((await spending.allow(jobRecord('b'), 60)).kind).toBe('allowed');
});

test('a job that asks again replaces its reserved price', async () => {
  const { spending } = spendingOf({ budget: 'run: 100' });
  await spending.allow(jobRecord('a'), 60);
  expect((await spending.allow(jobRecord('a'), 90)).kind).toBe('allowed');
});

test('two purchases of one job are reserved beside each other', async () => {
  const { spending } = spendingOf({ budget: 'run: 100' });
  await spending.allow({ ...jobRecord('a'), purchase: 'first' }, 60);
  const second = await spending.allow({ ...jobRecord('a'), purchase: 'second' }, 60);
  expect(second.kind).toBe('held');
});

test('a job that bills nothing is allowed although nothing is left', async () => {
  const { spending } = spendingOf({ budget: 'month: 0' });
  expect((await spending.allow(jobRecord('a'), 0)).kind).toBe('allowed');
  expect((await spending.allow(jobRecord('a'), 1)).kind).toBe('held');
});

test('the approval of a person counts more than budget and limit, and only for the content that it was given for', async () => {
  const given = { budget: 'month: 10', approveOver: 5 };
  const allowed = async (job: JobRecord) => (await spendingOf(given).spending.allow(job, 60)).kind;
  expect(await allowed(released('approve'))).toBe('allowed');
  expect(await allowed(released('approve', 'other' as JobRecord['fingerprint']))).toBe('held');
  expect(await allowed(released('human'))).toBe('held');
});

test('a source that bills more than it may without approval is held with price and limit', async () => {
  const { spending } = spendingOf({ approveOver: 50 });
  expect((await spending.allow(jobRecord('a'), 50)).kind).toBe('allowed');
  const hold = { kind: 'approval', characters: 51, limit: 50 };
  expect(await spending.allow(jobRecord('b'), 51)).toEqual({ kind: 'held', hold });
});

test('the limit of one run is the smaller of config and command line', async () => {
  const { spending } = spendingOf({ budget: 'run: 100', maxCharacters: 40 });
  expect((await spending.allow(jobRecord('a'), 41)).kind).toBe('held');
  expect((await spending.allow(jobRecord('a'), 40)).kind).toBe('allowed');
});

test('the price of a request that was sent before a restart is reserved, whatever is left', async () => {
  const { spending } = spendingOf({ budget: 'month: 100' });
  using _ = spending.setAside(jobRecord('a'), 150);
  expect((await spending.allow(jobRecord('b'), 1)).kind).toBe('held');
});

test('a forecast adds up the allowed prices, and reserves nothing', async () => {
  const { spending } = spendingOf({ budget: 'month: 100' });
  const forecast = await spending.forecast();
  expect(forecast.wouldHold(jobRecord('a'), 60)).toBeUndefined();
  expect(forecast.wouldHold(jobRecord('b'), 60)).toMatchObject({ kind: 'budget', scope: 'month' });
  expect(forecast.wouldHold(jobRecord('c'), 40)).toBeUndefined();
  expect((await spending.allow(jobRecord('b'), 100)).kind).toBe('allowed');
});

test('a forecast knows the approvals that are on record', async () => {
  const { spending } = spendingOf({ budget: 'month: 10', jobs: [released('approve')] });
  const forecast = await spending.forecast();
  expect(forecast.wouldHold(jobRecord('a'), 60)).toBeUndefined();
  expect(forecast.wouldHold(jobRecord('b'), 60)).toMatchObject({ kind: 'budget' });
});

test('charges of the month in the books count, and 80 % and 100 % are reported once each', async () => {
  const { spending, heard } = spendingOf({ budget: 'month: 100', charges: [charge('old', 70)] });
  expect(await spending.budgets()).toMatchObject([{ scope: 'month', limit: 100, used: 70 }]);
  spending.book([charge('one', 15)]);
  spending.book([charge('two', 1)]);
  spending.book([charge('three', 20)]);
  expect(heard.map(({ kind }) => kind)).toEqual(['budget-warning', 'budget-warning']);
});

test('a new month begins with an empty budget', async () => {
  const { spending, clock } = spendingOf({ budget: 'month: 100', charges: [charge('old', 100)] });
  expect((await spending.allow(jobRecord('a'), 1)).kind).toBe('held');
  await clock.pass(13 * 86_400_000);
  expect((await spending.allow(jobRecord('a'), 1)).kind).toBe('allowed');
});

test('on_exceed: warn allows jobs over the budget', async () => {
  const { spending } = spendingOf({ budget: 'month: 10, on_exceed: warn' });
  expect((await spending.allow(jobRecord('a'), 60)).kind).toBe('allowed');
});

test.each([
  ['no limit', {}, false],
  ['a budget of voice minutes', { budget: 'voice_minutes: 5' }, false],
  ['a budget of a month', { budget: 'month: 10' }, true],
  ['a budget of a run, that a command sets', { maxCharacters: 10 }, true],
  ['an approval of large sources', { approveOver: 5 }, true],
])('with %s, the price of a job is wanted: %s', (_name, given, isLimited) => {
  expect(spendingOf(given).spending.isLimited(jobRecord('a'))).toBe(isLimited);
});
