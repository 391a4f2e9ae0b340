/** Sources that change while their jobs run, and change back: as `git checkout` there and back does it. */
import { renameSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { Events } from '../../src/event.ts';
import { billed } from '../counts.ts';
import { daemonHere } from '../daemon-here.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 100 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
      - { from: "films/{locale}/*.srt" }
      - { from: "pages/{locale}/*.html", lane: document }
`;

const JSON_FILE = '{ "hello": "The first words" }\n';
const FILM = '1\n00:00:01,000 --> 00:00:03,000\nThe first words.\n';
const PAGE = '<!doctype html><html><body><p>The first words.</p></body></html>\n';
const second = (text: string) => text.replace('first', 'second');
const SOURCES = [
  ['locales/en/app.json', JSON_FILE],
  ['films/en/one.srt', FILM],
  ['pages/en/one.html', PAGE],
] as const;

/** Like `git checkout`: puts a new file in the place of the old one. */
function swap(rig: Rig, path: string, content: string): void {
  rig.write('aside', content);
  renameSync(rig.path('aside'), rig.path(path));
}

/** Other content as soon as a job begins, and the first one again as soon as the job has met that. */
function swapDuring(rig: Rig, events: Events, [path, content]: readonly [string, string]): void {
  let swaps = 0;
  events.subscribe(({ kind }) => {
    if (kind === 'job-started' && swaps++ === 0) swap(rig, path, second(content));
    if (kind === 'job-superseded' && swaps++ === 1) swap(rig, path, content);
  });
}

/** A clock that is a hundred times as fast as ours while `isFast`. */
function clockOf(pace: { isFast: boolean }): Clock {
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    async sleep(ms, signal) {
      if (!pace.isFast) return await systemClock.sleep(ms, signal);
      await systemClock.sleep(ms / 100, signal);
      ahead += ms - ms / 100;
    },
  };
}

const NEVER = { drain: new AbortController().signal, abort: new AbortController().signal };

test.each(SOURCES)(
  'a daemon delivers %s, which is swapped and swapped back while its job runs',
  async (path, content) => {
    // The job meets the other content before the watch tells of it. A thread that reads has to start first, which takes seconds on a busy
    // machine.
    const config = CONFIG.replace('settle_ms: 100', 'settle_ms: 60000');
    await using rig = await Rig.start({ config, files: { [path]: content } });
    const pace = { isFast: true };
    const { daemon, events, heard } = await daemonHere(rig, clockOf(pace));
    await using _ = daemon;
    events.subscribe(({ kind }) => {
      if (kind === 'job-started') pace.isFast = false;
      if (kind === 'job-superseded') pace.isFast = true;
    });
    swapDuring(rig, events, [path, content]);
    const ending = new AbortController();
    events.subscribe(({ kind }) => {
      if (kind === 'job-delivered') ending.abort(new Error('the test ends'));
    });
    await daemon.run({ ...NEVER, drain: ending.signal });
    expect(heard.filter((kind) => kind === 'job-superseded' || kind === 'job-delivered')).toEqual([
      'job-superseded',
      'job-delivered',
    ]);
  },
);

test.each(SOURCES)(
  'a single run delivers %s, which is swapped and swapped back while its job runs',
  async (path, content) => {
    await using rig = await Rig.start({ config: CONFIG, files: { [path]: content } });
    const { daemon, events } = await daemonHere(rig);
    await using _ = daemon;
    swapDuring(rig, events, [path, content]);
    expect(await daemon.workToIdle({ projects: [], languages: [], paths: [] }, NEVER)).toEqual([]);
    expect([...daemon.ledger.all('jobs')].map(({ state }) => state.kind)).toEqual(['done']);
  },
);

test('a single run says which jobs are left, where a source changes during every try', async () => {
  const path = 'locales/en/app.json';
  await using rig = await Rig.start({ config: CONFIG, files: { [path]: JSON_FILE } });
  const { daemon, events, heard } = await daemonHere(rig);
  await using _ = daemon;
  events.subscribe(({ kind }) => {
    if (kind === 'job-started') swap(rig, path, second(JSON_FILE));
    if (kind === 'job-superseded') swap(rig, path, JSON_FILE);
  });
  const left = await daemon.workToIdle({ projects: [], languages: [], paths: [] }, NEVER);
  expect(left).toMatchObject([{ id: 'app/de/locales/en/app.json', state: { kind: 'queued' } }]);
  expect(heard.filter((kind) => kind === 'job-started')).toHaveLength(5);
});

test.each(SOURCES.slice(0, 2))(
  '%s that is only touched while it is translated is delivered at the first try',
  async (path, content) => {
    await using rig = await Rig.start({ config: CONFIG, files: { [path]: content } });
    const { daemon, events, heard } = await daemonHere(rig);
    await using _ = daemon;
    events.subscribe(({ kind }) => {
      if (kind === 'billed') utimesSync(rig.path(path), 1, 1);
    });
    await daemon.workToIdle({ projects: [], languages: [], paths: [] }, NEVER);
    expect(heard).toContain('job-delivered');
    expect(heard).not.toContain('job-superseded');
    expect(billed(rig)).toBeLessThan(50);
  },
);
