/** Ctrl-C: sent requests are paid, so they are finished, booked and reported, also when a person presses twice. */
import { type EventEmitter, once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { GRACE_MS } from '../../src/cli/ending.ts';
import { type Clock, systemClock } from '../../src/clock.ts';
import { controlSocketPath } from '../../src/page/control-socket.ts';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';
import { runHere } from '../run-here.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

/** Ten requests, one at a time. */
const ONE_BY_ONE = {
  config: CONFIG.replace('[de, fr]', '[de]'),
  service: '  concurrency: 1',
  files: {
    'locales/en/app.json': JSON.stringify(
      Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, `Text number ${at}`])),
    ),
  },
};

const TRANSLATE = 'POST /v2/translate';
const STOPPING = 'Ctrl-C again ends at once';
const ENDING = 'nothing more is sent';

/** The clock of a service whose late answers come when the test says so, and how many requests wait for one. */
function lateAnswers() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  const sleep = async () => {
    waiting += 1;
    await promise;
  };
  const clock: Clock = { now: () => Date.now(), sleep };
  return { clock, waiting: () => waiting, allow: resolve };
}

/** It waits as long as a slow machine needs to end by itself after the second Ctrl-C. */
const PATIENT: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => await systemClock.sleep(ms === GRACE_MS ? 3_600_000 : ms, signal),
};

/** A `once --json` in this process. */
function startHere(rig: Rig) {
  const host = Promise.withResolvers<EventEmitter>();
  const closed = runHere(['once', '--json', '--no-input'], {
    cwd: rig.root,
    env: { HOME: rig.root, PATH: process.env['PATH'], DRAGOMAN_KEY: rig.sandbox.key },
    clock: PATIENT,
    onHost: host.resolve,
  });
  const interrupt = async () => (await host.promise).emit('SIGINT', 'SIGINT');
  return { interrupt, closed };
}

test.each([1, 2])(
  'the report of a run after %i Ctrl-C counts what was still on its way',
  async (times) => {
    const service = lateAnswers();
    await using rig = await Rig.start({
      config: CONFIG,
      files: { 'locales/en/app.json': '{ "hello": "Hello" }\n' },
      sandbox: {
        clock: service.clock,
        faults: [{ kind: 'latency', ms: 1, target_lang: 'fr', times: 1 }],
      },
    });
    const { interrupt, closed } = startHere(rig);
    await expect
      .poll(() => [service.waiting(), rig.exists('locales/de/app.json')])
      .toEqual([1, true]);
    const said = [STOPPING, ENDING].slice(0, times);
    for (const _ of said) await interrupt();
    service.allow();
    const { code, stdout, stderr } = await closed;
    expect(code).toBe(1);
    for (const answer of said) expect(stderr).toContain(answer);
    expect(billed(rig)).toBe(2 * 'Hello'.length);
    expect(JSON.parse(stdout)).toMatchObject({ delivered: 2, billed_characters: 10, requests: 2 });
  },
);

test('a second Ctrl-C sends nothing more: only what is on its way is waited for and paid', async () => {
  const service = lateAnswers();
  await using rig = await Rig.start({
    ...ONE_BY_ONE,
    sandbox: {
      clock: service.clock,
      faults: [{ kind: 'latency', ms: 1, operation: TRANSLATE, times: 'always' }],
    },
  });
  const { interrupt, closed } = startHere(rig);
  await expect.poll(service.waiting).toBe(1);
  await interrupt();
  await interrupt();
  service.allow();
  const { stdout } = await closed;
  expect(requests(rig, TRANSLATE)).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    stopped_by: 'interrupted: 1 job left undone, for the next run',
  });
});

test('a run that is stopped before it has looked at all files says of no route that it has none', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': '{ "hello": "Hello" }\n' },
  });
  const { code, printed } = await runHere(['once'], {
    cwd: rig.root,
    env: { HOME: rig.root, PATH: process.env['PATH'] },
    onHost: (host) =>
      host.on('newListener', (name) => {
        // The last signal that a command listens for.
        if (name === 'SIGHUP') queueMicrotask(() => host.emit('SIGTERM', 'SIGTERM'));
      }),
  });
  expect([code, printed]).toEqual([1, expect.not.stringContaining('matches no file yet')]);
});

const ASKING = ['plan', 'once --frozen', 'status'];

test.each(ASKING)(
  'the first Ctrl-C ends %s, which waits for a daemon that does not answer',
  async (typed) => {
    await using rig = await Rig.start({ config: CONFIG });
    const asked = Promise.withResolvers<void>();
    await using server = silentDaemon(rig, asked.resolve);
    await once(server, 'listening');
    const child = rig.spawn(...typed.split(' '));
    const notes = text(child.stderr);
    const closed = once(child, 'close');
    await asked.promise;
    child.kill('SIGINT');
    expect((await closed)[0]).toBe(1);
    expect(await notes).toContain('stopped before it was done');
  },
);

/** It says that it is there, and answers no question. */
function silentDaemon(rig: Rig, onQuestion: () => void): Server {
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'GET') outgoing.end();
    else onQuestion();
  });
  const path = controlSocketPath(rig.path('.dragoman'));
  mkdirSync(dirname(path), { recursive: true });
  return server.listen(path);
}

test('Ctrl-C ends a plan that waits for the service', async () => {
  const service = lateAnswers();
  await using rig = await Rig.start({
    config: CONFIG.replace('    routes:', '    glossary: { name: g, csv: g.csv }\n    routes:'),
    files: { 'g.csv': 'en,de,fr\na,b,c\n', 'locales/en/app.json': '{ "hello": "Hello" }\n' },
    sandbox: {
      clock: service.clock,
      faults: [{ kind: 'latency', ms: 1, operation: 'GET /v3/glossaries', times: 'always' }],
    },
  });
  const child = rig.spawn('plan');
  const output = text(child.stdout);
  const closed = once(child, 'close');
  await expect.poll(service.waiting).toBe(1);
  child.kill('SIGTERM');
  expect([(await closed)[0], await output]).toEqual([1, '']);
  service.allow();
});

test('after a kill, only texts on their way count as possibly billed, and waiting texts do not', async () => {
  const service = lateAnswers();
  await using rig = await Rig.start({
    ...ONE_BY_ONE,
    sandbox: {
      clock: service.clock,
      faults: [{ kind: 'latency', ms: 1, operation: TRANSLATE, times: 'always' }],
    },
  });
  const child = rig.spawn('once', '--json');
  const closed = once(child, 'exit');
  await expect.poll(service.waiting).toBe(1);
  child.kill('SIGKILL');
  await closed;
  service.allow();
  const { stdout } = await rig.run('usage', '--json');
  const { possibly_billed_twice } = JSON.parse(stdout) as { possibly_billed_twice: number };
  expect(possibly_billed_twice).toBeGreaterThan(0);
  // One on its way, and the next one; the others wait.
  expect(possibly_billed_twice).toBeLessThanOrEqual(2 * 50 * 'Text number 499'.length);
});
