/**
 * The text lane, killed again and again at any moment. No text is paid twice, and a text of dragoman never looks like a person's. After the
 * last run, every target is right. `KILLS=50` for a long loop.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { undoPseudo } from '../../src/sandbox/engines/pseudo.ts';
import { billed } from '../counts.ts';
import { DOCUMENT_VICTIM } from '../main.ts';
import { Rig } from '../rig.ts';

const KILLS = Number(process.env['KILLS'] ?? 6);
const FILES = 12;
const KEYS = 60;
const CONCURRENCY = 4;
const TEXTS_PER_REQUEST = 50;

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

/** Another content for every round, so that there is always something to buy. */
function texts(file: number, round: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: KEYS }, (_, key) => [
      `key${key}`,
      key % KILLS === round
        ? `Round ${round}, text ${key} of file ${file}`
        : `Text ${key} of file ${file}`,
    ]),
  );
}

test('a run that is killed at any moment buys nothing twice but what was in flight, and loses nothing', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    service: `  concurrency: ${CONCURRENCY}`,
    sandbox: { faults: [{ kind: 'latency', ms: 15, times: 'always' }] },
  });
  const wanted = new Set<string>();
  for (let round = 0; round < KILLS; round++) {
    for (let file = 0; file < FILES; file++) {
      const content = texts(file, round);
      rig.write(`locales/en/file${file}.json`, JSON.stringify(content, null, 2));
      for (const text of Object.values(content)) wanted.add(text);
    }
    const run = rig.spawn('once');
    const ended = new Promise((resolve) => run.once('close', resolve));
    // Seeded by the round: early, in the middle of the requests, between the writes.
    await wait(350 + ((round * 211) % 900));
    run.kill('SIGKILL');
    await ended;
  }
  const last = await rig.once();
  expect(last).toMatchObject({ code: 0, held: [], failed: [] });
  for (let file = 0; file < FILES; file++) {
    for (const language of ['de', 'fr']) {
      const written = rig.json(`locales/${language}/file${file}.json`) as Record<string, string>;
      const back = Object.fromEntries(
        Object.entries(written).map(([key, text]) => [key, undoPseudo(text)]),
      );
      expect(back).toEqual(texts(file, KILLS - 1));
    }
  }
  const longest = Math.max(...[...wanted].map((text) => text.length));
  const unique = 2 * [...wanted].reduce((sum, text) => sum + text.length, 0);
  const inFlight = KILLS * CONCURRENCY * TEXTS_PER_REQUEST * longest;
  expect(billed(rig)).toBeLessThanOrEqual(unique + inFlight);
  const twice = rig.sandbox.counters().asked_twice.reduce((sum, { times }) => sum + times - 1, 0);
  expect(twice).toBeLessThanOrEqual(KILLS * CONCURRENCY * TEXTS_PER_REQUEST);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
});

const IN_TO_OUT = CONFIG.replace(
  /from: .*/,
  'from: "in/*.json", to: "out/{locale}/{name}.json" }',
).replace('[de, fr]', '[de]');

/** A run that is killed right after the first target has its name. */
async function killedAfterTarget(rig: Rig): Promise<void> {
  const env = { ...process.env, NO_COLOR: '1', DRAGOMAN_KEY: rig.sandbox.key };
  const argv = [DOCUMENT_VICTIM, 'after the target is replaced', 'once', '--no-input'];
  const child = spawn(process.execPath, argv, { cwd: rig.root, env, stdio: 'ignore' });
  expect((await once(child, 'close'))[1]).toBe('SIGKILL');
}

test.each<[string, (rig: Rig) => void, readonly string[]]>([
  ['is removed', (rig) => rig.remove('in/a.json'), []],
  [
    'is moved',
    (rig) => renameSync(rig.path('in/a.json'), rig.path('in/b.json')),
    ['out/de/b.json'],
  ],
])(
  'a target that was put in place before the kill follows its source, when that %s before the next run',
  async (_how, change, targets) => {
    await using rig = await Rig.start({
      config: IN_TO_OUT,
      files: { 'in/a.json': '{ "a": "Save the boat" }' },
    });
    await killedAfterTarget(rig);
    expect(rig.exists('out/de/a.json')).toBe(true);
    change(rig);
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    const there = ['out/de/a.json', 'out/de/b.json'].filter((path) => rig.exists(path));
    expect(there).toEqual(targets);
  },
);

const SONG = (third: string) => ['Save the boat.', 'Close the door.', third];
const CUES = (texts: readonly string[]) =>
  texts.map((text, nth) => `${nth + 1}\n00:00:0${nth},000 --> 00:00:0${nth + 1},000\n${text}\n`);

const MACHINE_TEXT = /\\?\[de [^\]]*\]/;

function sourcesIn(target: string): string[] {
  const texts = target.match(new RegExp(MACHINE_TEXT, 'g')) ?? [];
  return texts.map((text) => undoPseudo(text.replaceAll('\\', '').replaceAll('\n', ' ')));
}

test.each<[string, (texts: readonly string[]) => string]>([
  ['json', (texts) => JSON.stringify({ ...texts })],
  ['md', (texts) => texts.join('\n\n')],
  ['srt', (texts) => CUES(texts).join('\n')],
])(
  'a person edits a target that a kill interrupted at a later delivery: nothing else in it counts as edited (%s)',
  async (extension, content) => {
    await using rig = await Rig.start({
      config: IN_TO_OUT.replaceAll('json', extension),
      files: { [`in/a.${extension}`]: content(SONG('Open the gate.')) },
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    rig.write(`in/a.${extension}`, content(SONG('Paint the wall.')));
    await killedAfterTarget(rig);
    const target = `out/de/a.${extension}`;
    expect(sourcesIn(rig.read(target))).toEqual(SONG('Paint the wall.'));
    rig.write(target, rig.read(target).replace(MACHINE_TEXT, 'By hand'));
    // The text that changes again is not the one of a person: it follows its source.
    rig.write(`in/a.${extension}`, content(SONG('Sweep the stairs.')));
    expect(await rig.once()).toMatchObject({ code: 0, held: [] });
    expect(sourcesIn(rig.read(target))).toEqual(SONG('Sweep the stairs.').slice(1));
    expect(rig.read(target)).toContain('By hand');
  },
);

test('a source that moves on after each kill, or back, takes its target with the text of a person along', async () => {
  await using rig = await Rig.start({
    config: IN_TO_OUT,
    files: { 'in/a.json': '{ "a": "Save the boat" }' },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  rig.write('out/de/a.json', '{ "a": "By hand" }');
  const moved = (from: string, to: string) =>
    renameSync(rig.path(`in/${from}.json`), rig.path(`in/${to}.json`));
  const targets = () => ['a', 'b', 'c', 'd'].filter((name) => rig.exists(`out/de/${name}.json`));
  moved('a', 'b');
  await killedAfterTarget(rig);
  expect(targets()).toEqual(['b']);
  moved('b', 'c');
  // The first rename of this run is the one that takes the target back.
  await killedAfterTarget(rig);
  expect(targets()).toEqual(['a']);
  moved('c', 'd');
  await killedAfterTarget(rig);
  expect(targets()).toEqual(['d']);
  moved('d', 'a');
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(targets()).toEqual(['a']);
  expect(rig.json('out/de/a.json')).toEqual({ a: 'By hand' });
});
