/** Targets that are no longer the files that dragoman wrote: every command says so, and a run writes them again where it can. */

import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { execFileSync } from '../in-time.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 20 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "l/{locale}/**/*.{json,md,srt,properties}" }
      - { from: "in/*.html", to: "out/{locale}/{name}.{ext}", lane: document }
`;
const SOURCE = '{"a": "One thing", "b": "Two things"}\n';
const FILES = { 'l/en/app.json': SOURCE };
const TARGET = 'l/de/app.json';

interface Answers {
  readonly jobs: readonly object[];
  readonly attention: readonly object[];
}

async function delivered(files: Readonly<Record<string, string>>): Promise<Rig> {
  const rig = await Rig.start({ config: CONFIG, files });
  const { code } = await rig.once();
  expect(code).toBe(0);
  return rig;
}

async function frozen(rig: Rig): Promise<number | null> {
  const { code, stdout } = await rig.run('once', '--frozen', '--json');
  const { jobs, attention } = JSON.parse(stdout) as Answers;
  expect(jobs.length + attention.length > 0).toBe(code !== 0);
  return code;
}

const REPLACEMENTS = {
  'a folder': (path: string) => mkdirSync(path),
  'a folder with files': (path: string) => mkdirSync(`${path}/inside`, { recursive: true }),
  'a pipe': (path: string) => execFileSync('/usr/bin/mkfifo', [path]),
  'a link in a loop': (path: string) => symlinkSync('app.json', path),
  'a link to nowhere': (path: string) => symlinkSync('nowhere.json', path),
} as const;

test.each(Object.entries(REPLACEMENTS))(
  '%s in the place of a target ends a run with 1 until it is gone',
  async (_, put) => {
    await using rig = await delivered(FILES);
    rig.remove(TARGET);
    put(rig.path(TARGET));
    expect(await frozen(rig)).toBe(1);
    expect((await rig.run('plan')).code).toBe(1);
    const run = await rig.once();
    expect(run).toMatchObject({ code: 1, delivered: 0, failed: [{ source: 'l/en/app.json' }] });
    rmSync(rig.path(TARGET), { recursive: true });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: 0 });
    expect(await frozen(rig)).toBe(0);
  },
);

const EMPTIED = {
  'l/de/app.json': FILES,
  'l/de/page.md': { 'l/en/page.md': '# A title\n\nA paragraph.\n' },
  'l/de/app.properties': { 'l/en/app.properties': 'a=One thing\n' },
  'l/de/film.srt': { 'l/en/film.srt': '1\n00:00:01,000 --> 00:00:03,000\nA sentence.\n' },
  'out/de/a.html': { 'in/a.html': '<!doctype html><html><body><p>Words.</p></body></html>\n' },
} as const;

test.each(Object.entries(EMPTIED))(
  '%s, emptied, is missing, and is written again without a bill',
  async (target, files) => {
    await using rig = await delivered(files);
    const before = rig.read(target);
    rig.write(target, '');
    expect(await frozen(rig)).toBe(1);
    expect((await rig.run('check')).stdout).toContain(target);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: 0 });
    expect(rig.read(target)).toBe(before);
    expect(await frozen(rig)).toBe(0);
  },
);

test.each(Object.entries(EMPTIED))(
  '%s, empty before the first run, is filled',
  async (target, files) => {
    await using rig = await Rig.start({ config: CONFIG, files: { ...files, [target]: '' } });
    expect(await frozen(rig)).toBe(1);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    expect(rig.read(target)).not.toBe('');
  },
);

test('targets behind a link to a folder are there for every command', async () => {
  await using rig = await delivered(FILES);
  renameSync(rig.path('l/de'), rig.path('elsewhere'));
  symlinkSync('../elsewhere', rig.path('l/de'));
  expect(await frozen(rig)).toBe(0);
  expect((await rig.run('check')).stdout).not.toContain(TARGET);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, billed_characters: 0 });
  rig.remove('elsewhere/app.json');
  expect(await frozen(rig)).toBe(1);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: 0 });
});

test('an edit of a person in a target behind a link is kept', async () => {
  await using rig = await delivered(FILES);
  cpSync(rig.path(TARGET), rig.path('other.json'));
  rig.remove(TARGET);
  symlinkSync('../../other.json', rig.path(TARGET));
  rig.write('other.json', '{"a": "Von Hand", "b": "Auch"}\n');
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
  rig.write('l/en/app.json', '{"a": "One thing", "b": "Two things", "c": "Three things"}\n');
  await rig.once();
  expect(rig.json('other.json')).toMatchObject({ a: 'Von Hand', b: 'Auch', c: expect.any(String) });
});

test.each(['l/de/app.json', 'l/de'])(
  'a link at %s to the source fails by name, and the source stays',
  async (link) => {
    await using rig = await Rig.start({ config: CONFIG, files: FILES, folders: 'as given' });
    mkdirSync(rig.path('in'));
    if (link === TARGET) mkdirSync(rig.path('l/de'));
    symlinkSync(link === TARGET ? '../en/app.json' : 'en', rig.path(link));
    expect(await frozen(rig)).toBe(1);
    expect((await rig.run('plan')).code).toBe(1);
    expect(await rig.once()).toMatchObject({ code: 1, delivered: 0, billed_characters: 0 });
    expect(rig.read('l/en/app.json')).toBe(SOURCE);
  },
);

test('a loop of links in the place of a target folder fails only its own files', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { ...FILES, 'in/a.html': '<p>Words.</p>' },
  });
  symlinkSync('de', rig.path('l/de'));
  expect(await frozen(rig)).toBe(1);
  expect(await rig.once()).toMatchObject({ code: 1, delivered: 1 });
});

test('without a daemon, status counts what a run would begin', async () => {
  await using rig = await delivered(FILES);
  const toDo = async () =>
    (JSON.parse((await rig.run('status', '--json')).stdout) as { to_do: number }).to_do;
  expect(await toDo()).toBe(0);
  rig.write('l/en/app.json', '{"a": "One other thing"}\n');
  expect(await toDo()).toBe(1);
  expect((await rig.run('status')).stdout).toContain('A run would begin 1 job');
});

test('status does not end with "Nothing needs you." under a note', async () => {
  await using rig = await delivered({ ...FILES, 'l/en/new.json': '' });
  const { stdout, stderr } = await rig.run('status');
  expect(stderr).toContain('l/en/new.json');
  expect(stdout).not.toContain('Nothing needs you.');
});
