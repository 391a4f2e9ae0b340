/** Files move, and are edited on the way: the texts of a person move with them, and nothing is bought twice. */
import { mkdirSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PlanReport } from '../../src/control/plan-report.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "l/{locale}/**/*.json" }
      - { from: "docs/{locale}/**/*.md" }
      - { from: "subs/{locale}/**/*.srt" }
`;

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;

const TEXTS = { title: 'Title', save: 'Save the file', quit: 'Leave the program' };

async function translated(files: Record<string, string>): Promise<Rig> {
  const rig = await Rig.start({ config: CONFIG, files });
  expect(await rig.once()).toMatchObject({ code: 0 });
  return rig;
}

async function planOf(rig: Rig): Promise<PlanReport> {
  return JSON.parse((await rig.run('plan', '--json')).stdout) as PlanReport;
}

test('a keyed file that is moved and edited keeps what a person wrote, buys what is new, and plan says so', async () => {
  await using rig = await translated({ 'l/en/old.json': json(TEXTS) });
  rig.write('l/de/old.json', json({ ...rig.json('l/de/old.json'), save: 'Von Hand' } as never));
  mkdirSync(rig.path('l/en/sub'));
  renameSync(rig.path('l/en/old.json'), rig.path('l/en/sub/new.json'));
  rig.write('l/en/sub/new.json', json({ ...TEXTS, title: 'Heading' }));

  const plan = await planOf(rig);
  expect(plan.jobs).toMatchObject([
    { target: 'l/de/sub/new.json', reason: 'source moved and edited', estimated_characters: 7 },
    { target: 'l/fr/sub/new.json', reason: 'source moved and edited', estimated_characters: 7 },
  ]);
  const frozen = await rig.run('once', '--frozen');
  expect(frozen).toMatchObject({ code: 1 });
  expect(frozen.stdout).toContain('l/en/sub/new.json -> de fr: source moved and edited');
  expect(rig.exists('l/de/old.json')).toBe(true);

  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 14 });
  expect(rig.json('l/de/sub/new.json')).toMatchObject({ save: 'Von Hand' });
  expect([rig.exists('l/de/old.json'), rig.exists('l/fr/old.json')]).toEqual([false, false]);
  expect((await rig.run('once', '--frozen')).code).toBe(0);
});

test('paragraphs and cues that a person corrected stay corrected in a file that was moved and edited', async () => {
  const cue = (n: number, text: string) => `${n}\n00:00:0${n},000 --> 00:00:0${n},900\n${text}\n`;
  const film = [cue(1, 'Good morning.'), cue(2, 'Who are you?'), cue(3, 'A friend.')];
  await using rig = await translated({
    'docs/en/guide.md': '# Guide\n\nThe first paragraph.\n\nThe second paragraph.\n',
    'subs/en/film.srt': film.join('\n'),
  });
  rig.write(
    'docs/de/guide.md',
    rig.read('docs/de/guide.md').replace(/^[^#\n].*$/m, 'Von Hand geschrieben.'),
  );
  const german = rig.read('subs/de/film.srt').split('\n');
  rig.write('subs/de/film.srt', german.with(2, 'Von Hand.').join('\n'));
  renameSync(rig.path('docs/en/guide.md'), rig.path('docs/en/manual.md'));
  renameSync(rig.path('subs/en/film.srt'), rig.path('subs/en/movie.srt'));
  rig.write('docs/en/manual.md', `${rig.read('docs/en/manual.md')}\nA third one.\n`);
  rig.write('subs/en/movie.srt', film.with(2, cue(3, 'An enemy.')).join('\n'));

  const { billed_characters, code } = await rig.once();
  expect(code).toBe(0);
  expect(billed_characters).toBe(2 * ('A third one.'.length + 'An enemy.'.length));
  expect(rig.read('docs/de/manual.md')).toContain('Von Hand geschrieben.');
  expect(rig.read('subs/de/movie.srt')).toContain('Von Hand.');
  expect([rig.exists('docs/de/guide.md'), rig.exists('subs/de/film.srt')]).toEqual([false, false]);
});

test('a whole folder that is renamed while every file in it is edited is followed, and not held as a mass deletion', async () => {
  const name = (at: number) => `f${at}.json`;
  const all = Array.from({ length: 30 }, (_, at) => at);
  const texts = (at: number) => ({ a: `Text ${at}`, b: `More ${at}`, c: 'Shared by all' });
  await using rig = await translated(
    Object.fromEntries(all.map((at) => [`l/en/old/${name(at)}`, json(texts(at))])),
  );
  for (const at of all) {
    const path = `l/de/old/${name(at)}`;
    rig.write(path, json({ ...rig.json(path), b: `Hand ${at}` } as never));
  }
  renameSync(rig.path('l/en/old'), rig.path('l/en/new'));
  for (const at of all) rig.write(`l/en/new/${name(at)}`, json({ ...texts(at), c: 'Edited' }));

  expect(await rig.once()).toMatchObject({ code: 0, held: [], billed_characters: 2 * 6 });
  for (const at of all) {
    expect(rig.json(`l/de/new/${name(at)}`)).toMatchObject({ b: `Hand ${at}` });
  }
});

test('two files that swap their names keep what a person wrote into each, and nothing is bought', async () => {
  const other = { title: 'Other title', save: 'Keep this', quit: 'Stop' };
  await using rig = await translated({ 'l/en/a.json': json(TEXTS), 'l/en/b.json': json(other) });
  rig.write('l/de/a.json', json({ ...rig.json('l/de/a.json'), save: 'Von Hand A' } as never));
  rig.write('l/de/b.json', json({ ...rig.json('l/de/b.json'), quit: 'Von Hand B' } as never));
  const [a, b] = [rig.read('l/de/a.json'), rig.read('l/de/b.json')];
  renameSync(rig.path('l/en/a.json'), rig.path('l/en/free.json'));
  renameSync(rig.path('l/en/b.json'), rig.path('l/en/a.json'));
  renameSync(rig.path('l/en/free.json'), rig.path('l/en/b.json'));

  const plan = await planOf(rig);
  expect(plan.jobs.map(({ reason }) => reason)).toEqual(Array(4).fill('source moved'));
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0, held: [] });
  expect([rig.read('l/de/a.json'), rig.read('l/de/b.json')]).toEqual([b, a]);
  expect((await rig.run('once', '--frozen')).code).toBe(0);
});

test('files that get new numbers take their translations along, also to a path that another file left', async () => {
  const name = (n: number) => `l/en/${n}.json`;
  const chapters = [1, 2, 3];
  await using rig = await translated(
    Object.fromEntries(chapters.map((n) => [name(n), json({ a: `Chapter ${n}`, b: `Text ${n}` })])),
  );
  for (const n of chapters)
    rig.write(`l/de/${n}.json`, json({ a: `Kapitel ${n}`, b: `Hand ${n}` }));
  for (const n of chapters.toReversed()) renameSync(rig.path(name(n)), rig.path(name(n + 1)));

  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0, held: [] });
  for (const n of chapters) {
    expect(rig.json(`l/de/${n + 1}.json`)).toEqual({ a: `Kapitel ${n}`, b: `Hand ${n}` });
  }
  expect(rig.exists('l/de/1.json')).toBe(false);
});

test('a removed target is written again when its source was renamed; a target that moved along is used', async () => {
  await using rig = await translated({ 'l/en/a.json': json(TEXTS), 'l/en/b.json': json(TEXTS) });
  for (const name of ['a', 'b']) {
    renameSync(rig.path(`l/en/${name}.json`), rig.path(`l/en/${name}2.json`));
  }
  rig.remove('l/de/a.json');
  renameSync(rig.path('l/de/b.json'), rig.path('l/de/b2.json'));
  const german = rig.read('l/de/b2.json');

  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
  expect(rig.json('l/de/a2.json')).toEqual(JSON.parse(german));
  rig.remove('l/de/b2.json');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: 0 });
  expect(rig.read('l/de/b2.json')).toBe(german);
});

test('a daemon follows a file that is moved and edited in one go', async () => {
  await using rig = await translated({ 'l/en/old.json': json(TEXTS) });
  rig.write('l/de/old.json', json({ ...rig.json('l/de/old.json'), save: 'Von Hand' } as never));
  await rig.once();
  const before = rig.sandbox.counters().billed_characters;
  const daemon = await rig.daemon();
  renameSync(rig.path('l/en/old.json'), rig.path('l/en/new.json'));
  rig.write('l/en/new.json', json({ ...TEXTS, title: 'Heading' }));

  await daemon.until(
    () => daemon.lines.filter(({ kind }) => kind === 'job-delivered').length === 2,
  );
  expect(rig.json('l/de/new.json')).toMatchObject({ save: 'Von Hand' });
  expect(rig.exists('l/de/old.json')).toBe(false);
  expect(rig.sandbox.counters().billed_characters - before).toBe(14);
  expect(await daemon.stop()).toBe(0);
});

test('a file that is copied and then removed counts as moved: its copy keeps what a person wrote', async () => {
  await using rig = await translated({ 'l/en/old.json': json(TEXTS) });
  rig.write('l/de/old.json', json({ ...rig.json('l/de/old.json'), save: 'Von Hand' } as never));
  const daemon = await rig.daemon();
  const before = rig.sandbox.counters().billed_characters;
  rig.write('l/en/new.json', rig.read('l/en/old.json'));
  await daemon.until(
    () => daemon.lines.filter(({ kind }) => kind === 'job-delivered').length === 2,
  );
  rig.remove('l/en/old.json');
  await daemon.logged(({ kind }) => kind === 'source-moved');

  expect(await daemon.stop()).toBe(0);
  expect(await rig.once()).toMatchObject({ code: 0, held: [] });
  expect(rig.json('l/de/new.json')).toMatchObject({ save: 'Von Hand' });
  expect([rig.exists('l/de/old.json'), rig.exists('l/fr/old.json')]).toEqual([false, false]);
  expect(rig.sandbox.counters().billed_characters).toBe(before);
});
