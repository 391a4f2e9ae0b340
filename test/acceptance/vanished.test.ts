/** Sources that vanish together while their jobs run: the jobs wait until the files are back, or a person confirms the deletion. */
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { Daemon } from '../../src/daemon.ts';
import { LOOK_MS } from '../../src/jobs/offers.ts';
import { requests } from '../counts.ts';
import { type DaemonHere, daemonHere } from '../daemon-here.ts';
import { silence } from '../lanes/voice/voice-rig.ts';
import { Rig } from '../rig.ts';
import { until } from '../until.ts';

const CONFIG = `
defaults: { settle_ms: 50 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "in/*.json", to: "{locale}/{name}.json" }
      - { from: "in/*.srt", to: "{locale}/{name}.srt" }
      - { from: "in/*.html", to: "{locale}/{name}.html", lane: document }
      - { from: "in/*.wav", to: { transcript: "{locale}/{name}.txt" } }
`;
const TEXTS = 24;
const FILES = {
  ...Object.fromEntries(
    Array.from({ length: TEXTS }, (_, n) => [
      `in/f${n}.json`,
      `{ "hello": "The words of ${n}" }\n`,
    ]),
  ),
  'in/film.srt': '1\n00:00:01,000 --> 00:00:03,000\nThe words of the film.\n',
  'in/page.html': '<!doctype html><html><body><p>The words of the page.</p></body></html>\n',
  'in/talk.wav': silence(3),
};
const JOBS = Object.keys(FILES).length;

/** A service that gives no answer before the gate is open. */
async function start() {
  const gate = Promise.withResolvers<void>();
  const asked: string[] = [];
  const engine = {
    name: 'gated',
    translate: async (texts: readonly string[]) => {
      asked.push(...texts);
      await gate.promise;
      return texts.map((text) => `Deutsch: ${text}`);
    },
  };
  const rig = await Rig.start({ config: CONFIG, files: FILES, sandbox: { engine } });
  return { rig, gate, asked };
}

type Service = Awaited<ReturnType<typeof start>>;

/** Half a minute and more take until `scanSoon`, and then pass at once. `looks` counts the looks for jobs without an offer. */
function stoppedClock() {
  const hurried = Promise.withResolvers<void>();
  const clock = {
    looks: 0,
    hurry: () => hurried.resolve(),
    now: () => systemClock.now(),
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (ms === LOOK_MS) clock.looks += 1;
      if (ms < LOOK_MS) return await systemClock.sleep(ms, signal);
      await Promise.race([hurried.promise, systemClock.sleep(ms, signal)]);
      await systemClock.sleep(20, signal);
    },
  };
  return clock satisfies Clock;
}

async function run(rig: Rig) {
  const clock = stoppedClock();
  const here = await daemonHere(rig, clock);
  const ending = new AbortController();
  const ended = here.daemon.run({ drain: ending.signal, abort: new AbortController().signal });
  const end = async () => {
    ending.abort(new Error('the test ends'));
    await ended;
    await here.daemon[Symbol.asyncDispose]();
  };
  return { ...here, clock, [Symbol.asyncDispose]: end };
}

const statesOf = (daemon: Daemon) => [...daemon.ledger.all('jobs')].map(({ state }) => state.kind);

/** All jobs wait, and the daemon has looked at them several times. */
async function allWait({ daemon, heard, clock }: Awaited<ReturnType<typeof run>>) {
  const sources = () => [...daemon.ledger.all('sources')];
  await until(() => heard.includes('mass-deletion') && sources().every((each) => each.vanished));
  await until(() => statesOf(daemon).every((kind) => kind === 'queued'));
  clock.hurry();
  const before = clock.looks;
  await until(() => clock.looks > before + 4);
  expect(statesOf(daemon)).toEqual(Array(JOBS).fill('queued'));
  for (const fault of ['jobs-not-offered', 'job-failed']) expect(heard).not.toContain(fault);
}

/** All sources vanish while their texts and a document are at the service. */
async function vanish(rig: Rig, { daemon, heard }: DaemonHere, { gate, asked }: Service) {
  const isAsked = (words: string) => asked.some((text) => text.includes(words));
  await until(() => isAsked('The words of 0') && isAsked('The words of the page'));
  expect(statesOf(daemon)).toHaveLength(JOBS);
  renameSync(rig.path('in'), rig.path('away'));
  await until(() => heard.includes('mass-deletion'));
  gate.resolve();
}

test('jobs whose sources vanish during their requests wait, and are done when the files are back: all is bought once', async () => {
  const service = await start();
  const { rig, asked } = service;
  await using _ = rig;
  await using running = await run(rig);
  const { daemon, heard } = running;
  await vanish(rig, running, service);
  await allWait(running);
  renameSync(rig.path('away'), rig.path('in'));
  await until(() => statesOf(daemon).every((kind) => kind === 'done'));
  expect(heard).not.toContain('job-failed');
  expect(new Set(asked).size).toBe(asked.length);
  expect(requests(rig, 'POST /v2/document')).toBe(1);
  expect(rig.json('de/f0.json')).toEqual({ hello: 'Deutsch: The words of 0' });
});

test('they wait in the next process, too; when a person confirms the deletion, only what is paid and not delivered is left', async () => {
  const service = await start();
  const { rig } = service;
  await using _ = rig;
  {
    await using first = await run(rig);
    await vanish(rig, first, service);
    await allWait(first);
  }
  await using next = await run(rig);
  await allWait(next);
  const scope = { projects: [], languages: [], paths: [] };
  const asking = { verb: 'approve', act: 'release', which: 'all', scope } as const;
  const released = await next.daemon.answers.control.release(asking);
  expect(released).toMatchObject({ jobs: [], deletions: JOBS });
  expect(next.daemon.ledger.size('sources')).toBe(0);
  // The document is paid: its translation is kept.
  expect([...next.daemon.ledger.all('jobs')]).toMatchObject([
    { source: 'in/page.html', state: { kind: 'held', hold: { kind: 'source-gone' } } },
  ]);
});

test('they are done when the files are back before the next process begins', async () => {
  const service = await start();
  const { rig, asked } = service;
  await using _ = rig;
  {
    await using first = await run(rig);
    await vanish(rig, first, service);
    await allWait(first);
  }
  renameSync(rig.path('away'), rig.path('in'));
  expect(await rig.once()).toMatchObject({ code: 0, failed: [], held: [] });
  expect(new Set(asked).size).toBe(asked.length);
});
