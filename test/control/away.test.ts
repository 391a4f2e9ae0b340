/** Reports and work while the database of a team does not answer. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { treeLines } from '../../src/cli/tree-lines.ts';
import type { TeamReport } from '../../src/control/report.ts';
import { describeTeam } from '../../src/control/team-report.ts';
import { whileAnswered } from '../../src/control/tree-control.ts';
import { teamFamilies } from '../../src/observe/metrics/from-team.ts';
import { treeFamilies } from '../../src/observe/metrics/from-tree.ts';
import { LastAnswerOf } from '../../src/state/last-answer.ts';
import { Administration } from '../../src/state/postgres/administer.ts';
import { Database } from '../../src/state/postgres/database.ts';
import { Silence } from '../../src/state/postgres/silence.ts';
import type { TeamStatus } from '../../src/state/team.ts';
import { manualClock } from '../manual-clock.ts';
import { waitingClock } from '../waiting-clock.ts';

const NOON = '2026-11-01T12:00:00.000Z';
const AWAY: TeamReport = {
  ...{ host: 'db.acme', away_since: NOON, away_because: 'nobody answers there', as_of: null },
  ...{ waiting_answers: 3, runners: [], billed_characters: 0, possibly_billed_twice: 0 },
  open: { requests: 0, characters: 0 },
};
const TREE = { name: 'website', as_of: null, leader: null, daemons: [] };

test('figures that the database has not sent are unknown: neither words nor metrics show 0', () => {
  expect(describeTeam(AWAY)).toBe(
    'db.acme has not answered yet: who works and what was billed is not known',
  );
  expect(treeLines(TREE, AWAY)).toEqual(['tree website: its daemons are not known']);
  const told = [...teamFamilies(AWAY), ...treeFamilies(TREE)].filter(
    ({ samples }) => samples.length > 0,
  );
  expect(told.map(({ name }) => name)).toEqual([
    'dragoman_team_up',
    'dragoman_team_waiting_answers',
  ]);
});

test('figures from before the database went away have their time', () => {
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
  const retold = new LastAnswerOf(clock, 0, () => answer());
  expect(await retold.ask()).toEqual({ value: 0, asOf: null });
  answer = async () => 7;
  const last = { value: 7, asOf: new Date(clock.now()).toISOString() };
  expect(await retold.ask()).toEqual(last);
  answer = () => Promise.reject(new Error('away'));
  expect(await retold.ask()).toEqual(last);
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

const NEVER = new Promise<never>(() => {});

test('a question to a silent server ends soon, and so does each later one until the server answers again', async () => {
  const clock = manualClock();
  const said: string[] = [];
  let probe: () => Promise<string | undefined> = async () => undefined;
  const silence = new Silence({
    ...{ clock, closed: new AbortController().signal, probe: () => probe() },
    onSilent: (trouble) => void said.push(trouble),
    onHeard: () => void said.push('heard'),
  });
  const large = Promise.withResolvers<string>();
  const asked = silence.during(() => large.promise);
  await clock.pass(60_000);
  large.resolve('an answer that takes long');
  expect(await asked).toBe('an answer that takes long');
  probe = () => NEVER;
  const ended = expect(silence.during(() => NEVER)).rejects.toThrow('it answers too slowly');
  await clock.pass(3000);
  await ended;
  await expect(silence.during(async () => 'not asked')).rejects.toThrow('too slowly');
  probe = async () => undefined;
  await clock.pass(3000);
  expect(await silence.during(async () => 'an answer')).toBe('an answer');
  expect(said).toEqual(['it answers too slowly', 'heard']);
});

test('a database that takes connections and never answers is away for a report', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const url = `postgres://runner@127.0.0.1:${port}/team`;
  const said: string[] = [];
  const database = new Database({
    ...{ url, schema: 'team', clock: waitingClock(), patienceMs: Number.POSITIVE_INFINITY },
    onAway: (reason) => void said.push(reason),
    onBack: () => {},
  });
  const away = { failure: { kind: 'team-state', problem: 'away' } };
  await expect(database.query('select 1')).rejects.toMatchObject(away);
  await expect(database.query('select 1')).rejects.toMatchObject(away);
  expect(said).toEqual(['it answers too slowly']);
  for (const socket of sockets) socket.destroy();
  await database[Symbol.asyncDispose]();
  server.close();
});

test('a command that manages a database does not wait for one that is away at its start', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  const clock = { ...manualClock(), now: () => 0 };
  const url = `postgres://owner@127.0.0.1:${port}/team`;
  const patience = { patienceMs: 10_000, firstPatienceMs: 0 };
  const state = new Administration({ url, schema: 'team', clock, ...patience });
  await expect(state.report()).rejects.toMatchObject({ failure: { problem: 'away' } });
});
