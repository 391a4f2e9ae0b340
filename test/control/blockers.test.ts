/** Each reason why something configured is missing, in each output: a reason that one of them leaves out is a gap. */
import { expect, test } from 'vitest';
import { attentionDigest, attentionLine } from '../../src/cli/attention-lines.ts';
import { findingOf } from '../../src/cli/check/blockers.ts';
import { exitCodeOfFrozen, exitCodeOfPlan, exitCodeOfRun } from '../../src/cli/exit-code.ts';
import { DEFAULT_POLICIES } from '../../src/config/policies.ts';
import { planReport } from '../../src/control/answer-plan.ts';
import { describeBlocker } from '../../src/control/blocker-words.ts';
import { type Blocker, blockersIn, type Gravity, gravityOf } from '../../src/control/blockers.ts';
import { frozenReport } from '../../src/control/frozen.ts';
import type { LocalControlOptions } from '../../src/control/options.ts';
import { RunTally } from '../../src/control/run-report.ts';
import { overview, type StatusOptions, statusReport } from '../../src/control/status.ts';
import { Events } from '../../src/event.ts';
import type { LanguageTag } from '../../src/language.ts';
import { Sums } from '../../src/state/books.ts';
import { manualClock } from '../manual-clock.ts';

type Kind = Blocker['kind'];

const route = { index: 0, from: 'locales/{locale}/*.json' };
const rules = { what: 'glossary', file: 'terms.csv', projects: ['app'] } as const;

/** A kind without a sample does not compile. */
const SAMPLES: { readonly [K in Kind]: Extract<Blocker, { kind: K }> } = {
  'missing-place': {
    ...{ kind: 'missing-place', project: 'app', route },
    ...{ what: 'folder', path: 'lcoales/en', nearest: 'locales/en' },
  },
  'unwritten-language': {
    ...{ kind: 'unwritten-language', project: 'app', source: 'de' },
    ...{ languages: ['de-CH'], lanes: 'all' },
  },
  contested: {
    ...{ kind: 'contested', project: 'app', path: 'en/a.json' },
    reason: 'matched by route 1 and route 2; exclude it from one of them',
  },
  'empty-route': { kind: 'empty-route', project: 'app', route },
  offline: { kind: 'offline', project: 'app', reason: 'it is not there' },
  unreadable: {
    ...{ kind: 'unreadable', project: 'app', path: 'en/a.json' },
    reason: 'it cannot be read (EACCES)',
  },
  'not-followed': {
    ...{ kind: 'not-followed', project: 'app', path: 'en/a.json' },
    reason: 'de/a.json cannot be written (EACCES)',
  },
  incomplete: { kind: 'incomplete', project: 'app', path: 'a.pdf', reason: 'its %%EOF is missing' },
  changing: {
    ...{ kind: 'changing', project: 'app', path: 'en/a.json' },
    reason: 'en/a.json keeps changing: it was never unchanged for 2000 ms',
  },
  'left-out': {
    ...{ kind: 'left-out', project: 'app', path: 'en/a.json', why: 'no-file', more: 2 },
    reason: 'it is a symbolic link; links are not followed',
  },
  'empty-source': { kind: 'empty-source', project: 'app', path: 'en/a.json' },
  collision: {
    ...{ kind: 'collision', project: 'app', source: 'en/a.doc', target: 'de/a.docx' },
    reason: 'en/a.doc and en/a.docx would both write de/a.docx',
  },
  'mass-deletion': { kind: 'mass-deletion', project: 'app', path: 'en/a.json', files: 30, of: 40 },
  'terminology-refused': { kind: 'terminology-refused', ...rules, fault: 'terms.csv:3:1 no term' },
  'terminology-behind': {
    ...{ kind: 'terminology-behind', ...rules },
    failure: { kind: 'unreachable', operation: 'GET /v3/glossaries', message: 'refused' },
  },
  'terminology-unsent': { kind: 'terminology-unsent', ...rules },
  'styles-forbidden': {
    ...{ kind: 'styles-forbidden', message: 'not in this plan', projects: ['app'] },
    languages: ['de'],
  },
  'disk-full': { kind: 'disk-full', project: 'app', folder: '/srv/app/de', jobs: 3 },
  'lacking-language': {
    ...{ kind: 'lacking-language', project: 'app', language: 'sq' as LanguageTag },
    ...{ what: 'the service does not translate into sq', advice: 'take sq out of "targets"' },
  },
  'paid-work-stopped': {
    kind: 'paid-work-stopped',
    failure: { kind: 'quota-exceeded', scope: 'account', operation: 'POST /v2/translate' },
  },
  'limit-near': { kind: 'limit-near', scope: 'key', used: 900, limit: 1000 },
  'config-not-reloaded': { kind: 'config-not-reloaded', isRefused: false },
  'git-busy': { kind: 'git-busy', operation: 'rebase' },
  'git-unfinished': { kind: 'git-unfinished', operation: 'merge' },
  'lock-lost': { kind: 'lock-lost', files: ['dragoman.lock/app/de'] },
  'lock-damaged': {
    kind: 'lock-damaged',
    failure: { kind: 'damaged-state', file: 'dragoman.lock/app/de', message: 'line 3' },
  },
  'lock-behind': {
    ...{ kind: 'lock-behind', jobs: 2 },
    failure: { kind: 'disk-full', file: '/repo/dragoman.lock/app/de' },
  },
  'state-new': { kind: 'state-new' },
  'state-damaged': {
    kind: 'state-damaged',
    message: 'the ledger was damaged and repaired',
    advice: 'remove the file',
  },
};

const KINDS = Object.keys(SAMPLES) as Kind[];
const EVERYTHING = { projects: [], languages: [], paths: [] };
const PROJECT = {
  name: 'app',
  root: '/repo',
  targets: ['de-CH'],
  policies: DEFAULT_POLICIES,
  routes: [{ line: 7, column: 9, policies: DEFAULT_POLICIES }],
};
const CONFIG = { projects: [{ ...PROJECT, rules: { styles: new Map() } }], base: '/repo' };
const FROM = { cwd: '/repo', roots: new Map([['app', '/repo']]) };

/** A control without jobs, which knows of one blocker. */
function controlWith(blocker: Blocker) {
  const planner = {
    project: (name: string) => (name === 'app' ? PROJECT : undefined),
    plan: () => ({ work: [], held: [], failed: [], unchanged: 0 }),
    isIntoItself: () => false,
  };
  const options = {
    ledger: { all: () => [].values(), size: () => 0, get: () => undefined },
    inForce: { config: CONFIG, planner },
    plan: async () => planner.plan(),
    terminology: { files: { glossaries: new Map(), styles: new Map() } },
    spending: { budgets: () => [], forecast: () => ({}) },
    clock: manualClock(),
    sums: new Sums(),
    budget: [],
    condition: { report: { state: 'running', stopped_by: null }, delays: [] },
    scan: async () => ({ skipped: [] }),
    followUps: () => [],
    whyLockStays: async () => undefined,
    jobsPutBack: async () => [],
    isUnsaid: async () => false,
    blockers: () => [blocker],
    treeReport: null,
  };
  const reviews = { options };
  return { ...options, reviews } as unknown as LocalControlOptions & StatusOptions;
}

const EXIT_CODES: Readonly<Record<Gravity, number>> = { failed: 1, held: 2, note: 0 };

test.each(KINDS)(
  'every output reports %s, with what to do, and the exit code says so',
  async (kind) => {
    const blocker = SAMPLES[kind];
    const { reason, next_step } = describeBlocker(blocker);
    const gravity = gravityOf(blocker);
    const control = controlWith(blocker);
    using tally = new RunTally(new Events());
    const run = tally.report([], [blocker]);
    const status = await statusReport(control, EVERYTHING);
    const page = overview(control);
    const frozen = await frozenReport(control, EVERYTHING);
    const plan = await planReport(control, EVERYTHING);
    const check = findingOf(
      { config: CONFIG, faultAt: () => ({ file: 'c', line: 1, column: 1 }) } as never,
      blocker,
    );
    // JSON, and the lines for people that are made of it
    for (const { attention, notes } of [
      { attention: [...run.failed, ...run.held], notes: run.notes },
      { attention: status.attention, notes: status.notes },
      { attention: status.tasks, notes: status.notes },
      { attention: page.attention.lines, notes: page.notes },
      { attention: frozen.attention, notes: frozen.notes },
      { attention: plan.attention, notes: plan.notes },
    ]) {
      if (gravity === 'note') {
        expect(attention).toEqual([]);
        expect(notes).toEqual([expect.stringContaining(reason)]);
        expect(notes[0]).toContain(next_step);
      } else {
        expect(notes).toEqual([]);
        expect(attention).toMatchObject([{ code: kind, state: gravity, next_step }]);
        expect(attention[0]?.reason).toContain(reason);
      }
    }
    const shown = [
      ...attentionDigest(status.tasks, FROM),
      ...frozen.attention.map((line) => attentionLine(line, FROM)),
    ];
    expect(shown).toHaveLength(gravity === 'note' ? 0 : 2);
    for (const { details } of shown) expect(details.join('\n')).toContain(next_step);
    expect(check).toMatchObject({ severity: gravity === 'note' ? 'warn' : 'hold' });
    expect(check.message).toContain(reason);
    expect(check.message).toContain(next_step);
    const code = EXIT_CODES[gravity];
    expect(exitCodeOfRun(run, { failures: [], isUndone: false })).toBe(code);
    expect(exitCodeOfFrozen(frozen)).toBe(code);
    expect(exitCodeOfPlan(plan)).toBe(code);
  },
);

test('the consequence of a glossary that could not be synchronized decides the exit code', () => {
  const { failure } = SAMPLES['terminology-behind'];
  if (failure === undefined) throw new Error('no failure');
  const run = { failed: [], held: [] };
  expect(exitCodeOfRun(run, { failures: [failure], isUndone: false })).toBe(69);
});

test('a command lists blockers of its paths, and of folders above them', () => {
  const rootOf = () => '/repo';
  const folder: Blocker = { ...SAMPLES.unreadable, path: 'en/closed' };
  const about = (scope: Partial<typeof EVERYTHING & { paths: string[] }>, blocker: Blocker) =>
    blockersIn({ ...EVERYTHING, ...scope } as never, [blocker], rootOf).length;
  expect(about({ paths: ['/repo/en'] } as never, folder)).toBe(1);
  expect(about({ paths: ['/repo/en/closed/a.json'] } as never, folder)).toBe(1);
  expect(about({ paths: ['/repo/de'] } as never, folder)).toBe(0);
  expect(about({ projects: ['other'] } as never, folder)).toBe(0);
  expect(about({ languages: ['fr'] } as never, SAMPLES['unwritten-language'])).toBe(0);
  expect(about({ languages: ['de-CH'] } as never, SAMPLES['unwritten-language'])).toBe(1);
  expect(about({ paths: ['/repo/de'] } as never, SAMPLES['state-damaged'])).toBe(1);
});
