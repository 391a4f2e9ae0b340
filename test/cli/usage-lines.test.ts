/** `usage` on a terminal of 80 columns. */
import { expect, test } from 'vitest';
import { usageLines } from '../../src/cli/usage-lines.ts';
import type { UsageLine, UsageSummary } from '../../src/control/usage.ts';

const HUGE = 999_999_999_999;

const line = (day: string, rest: Partial<UsageLine> = {}): UsageLine => ({
  ...{ project: 'app', language: 'de', lane: 'text', day, billed_characters: 10 },
  ...rest,
});

const REPORT: UsageSummary = {
  billed_characters: 0,
  estimated_characters: 0,
  possibly_billed_twice: 0,
  voice_seconds: 0,
  voice_storage_bytes: 0,
  by: [],
  budget: [],
  period: {
    start: '2026-11-01T00:00:00.000Z',
    end: '2026-12-01T00:00:00.000Z',
    from: 'calendar',
    used: 0,
    limit: null,
    limited_by: null,
    forecast: 0,
  },
  account: null,
  comparison: null,
  notes: [],
};

test('books without an entry say so', () => {
  expect(usageLines(REPORT, 80)).toEqual([
    'Nothing was billed in this period.',
    '',
    'period    2026-11-01 to 2026-11-30 (calendar month, UTC)',
    "billed    0 characters in dragoman's ledger, estimated 0",
    'forecast  about 0 characters by 2026-11-30 at the pace of the last 7 days',
  ]);
});

test('the period is summed up by project, language and lane, and by day; earlier charges are one line', () => {
  const by = [
    line('2026-10-31', { billed_characters: 7 }),
    line('2026-11-02'),
    line('2026-11-02', { language: 'fr', billed_characters: 1000 }),
    line('2026-11-03'),
  ];
  expect(usageLines({ ...REPORT, by }, 80).slice(0, 10)).toEqual([
    'project  language  lane  characters',
    'app      de        text          20',
    'app      fr        text       1,000',
    '',
    'day         characters',
    '2026-11-02       1,010',
    '2026-11-03          10',
    '',
    'period    2026-11-01 to 2026-11-30 (calendar month, UTC)',
    'before    7 characters; --csv lists every day',
  ]);
});

test('the difference to the account comes with its reasons', () => {
  const lines = usageLines(
    {
      ...REPORT,
      account: { character_count: 1500, character_limit: 2000 },
      comparison: {
        ...{ own_characters: 1000, account_characters: 1500, difference: 500 },
        reasons: [
          { reason: 'billed to other keys of the account', characters: 480 },
          { reason: 'the account’s figures lag behind', characters: null },
        ],
      },
    },
    80,
  );
  expect(lines.slice(4, 8)).toEqual([
    'account   1,500 of 2,000 characters (75 %)',
    "          500 more than the 1,000 of dragoman's ledger for this period:",
    '          - 480: billed to other keys of the account',
    '          - the account’s figures lag behind',
  ]);
});

test('a forecast over the limit says which limit', () => {
  const period = { ...REPORT.period, limit: 100, limited_by: 'budget', forecast: 120 } as const;
  expect(usageLines({ ...REPORT, period }, 120).at(-1)).toMatch(/: over the month budget$/);
});

test('huge figures and long names fit 80 columns', () => {
  const by = [
    line('2026-11-02', {
      project: 'a-project-whose-name-somebody-made-very-long-indeed-without-thinking',
      language: 'zh-Hans',
      lane: 'subtitle',
      billed_characters: HUGE,
      voice_seconds: 1234567.8,
    }),
  ];
  const lines = usageLines(
    {
      ...{ ...REPORT, by, billed_characters: HUGE, estimated_characters: HUGE },
      ...{ possibly_billed_twice: HUGE, voice_seconds: HUGE, voice_storage_bytes: HUGE },
      budget: [{ scope: 'project handbook', used: HUGE, limit: HUGE }],
      period: { ...REPORT.period, forecast: HUGE, limit: HUGE, limited_by: 'account' },
      account: { character_count: HUGE, character_limit: HUGE },
    },
    80,
  );
  expect(lines.filter((each) => each.length > 80)).toEqual([]);
});
