/** What is told and done while the database of a team does not answer. */
import { expect, test } from 'vitest';
import { treeLines } from '../../src/cli/tree-lines.ts';
import type { TeamReport } from '../../src/control/report.ts';
import { describeTeam } from '../../src/control/team-report.ts';
import { whileAnswered } from '../../src/control/tree-control.ts';
import { teamFamilies } from '../../src/observe/metrics/from-team.ts';
import { treeFamilies } from '../../src/observe/metrics/from-tree.ts';
import { Retold } from '../../src/state/last-told.ts';
import type { TeamStatus } from '../../src/state/team.ts';
import { manualClock } from '../manual-clock.ts';

const NOON = '2026-11-01T12:00:00.000Z';
const AWAY: TeamReport = {
  ...{ host: 'db.acme', away_since: NOON, away_because: 'nobody answers there', as_of: null },
  ...{ waiting_answers: 3, runners: [], billed_characters: 0, possibly_billed_twice: 0 },
  open: { requests: 0, characters: 0 },
};
const TREE = { name: 'website', as_of: null, leader: null, daemons: [] };

test('what the database has not told is not known: it is neither 0 in words nor 0 in metrics', () => {
  expect(describeTeam(AWAY)).toBe('db.acme has not told yet who works and what was billed');
  expect(treeLines(TREE, AWAY)).toEqual(['tree website: its daemons are not known']);
  const told = [...teamFamilies(AWAY), ...treeFamilies(TREE)].filter(
    ({ samples }) => samples.length > 0,
  );
  expect(told.map(({ name }) => name)).toEqual([
    'dragoman_team_up',
    'dragoman_team_waiting_answers',
  ]);
});

test('what it told before it went away has the time of that', () => {
  const known = { ...AWAY, as_of: NOON, billed_characters: 1200 };
  expect(describeTeam(known)).toBe(
    'as of 2026-11-01T12:00:00Z: 0 runners at db.acme; 1,200 characters billed for all',
  );
  expect(treeLines({ ...TREE, as_of: NOON }, known)).toEqual([
    'tree website: as of 2026-11-01T12:00:00Z: 0 daemons',
  ]);
  const answers = { ...known, away_since: null };
  expect(describeTeam(answers)).toMatch(/^0 runners/);
});

test('the last answer counts while the database does not answer, with its time', async () => {
  const clock = manualClock();
  let answer: () => Promise<number> = () => Promise.reject(new Error('away'));
  const retold = new Retold(clock, 0, () => answer());
  expect(await retold.look()).toEqual({ told: 0, asOf: null });
  answer = async () => 7;
  const last = { told: 7, asOf: new Date(clock.now()).toISOString() };
  expect(await retold.look()).toEqual(last);
  answer = () => Promise.reject(new Error('away'));
  expect(await retold.look()).toEqual(last);
});

test('a command that waits for the database ends when it goes away, and is not begun while it is away', async () => {
  const clock = manualClock();
  let status: TeamStatus = { host: 'db.acme', waiting: 0 };
  const team = { status: () => status };
  const waiting = whileAnswered({ team, clock }, () => new Promise(() => {}));
  const ended = expect(waiting).rejects.toMatchObject({
    failure: { kind: 'team-state', problem: 'away', message: 'nobody answers there' },
  });
  status = { ...status, away: { since: NOON, reason: 'nobody answers there' } };
  await clock.pass(1000);
  await ended;
  const begun: string[] = [];
  const work = async () => void begun.push('work');
  await expect(whileAnswered({ team, clock }, work)).rejects.toThrow('is away');
  expect(begun).toEqual([]);
  // A restored backup answers.
  status = {
    host: 'db.acme',
    waiting: 0,
    away: { since: NOON, reason: 'lacks', isForgetful: true },
  };
  await whileAnswered({ team, clock }, work);
  expect(begun).toEqual(['work']);
});
