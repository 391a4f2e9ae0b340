/** Every command reports a file or folder that the config names and that does not exist; no run ends with 0 then. */

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requests } from '../counts.ts';
import { execFileSync } from '../in-time.ts';
import { Rig } from '../rig.ts';
import { FILES, start } from './workplace.ts';

const config = (route: string) => `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
      - ${route}
`;
const GOOD = { 'locales/en/good.json': '{"hello":"Hello"}\n' };

test('a folder that a route names and that is not there is an error with the nearest name that is', async () => {
  await using rig = await Rig.start({
    ...{ config: config('{ from: "dcos/{locale}/**/*.md" }'), folders: 'as given' },
    files: { ...GOOD, 'docs/en/a.md': 'Hello\n' },
  });
  const line = { code: 'missing-place', state: 'failed', source: 'dcos/en' };
  expect(await rig.once()).toMatchObject({ code: 1, delivered: 1, failed: [line] });
  for (const command of ['plan', 'check']) {
    const { code, stdout } = await rig.run(command);
    expect(stdout).toContain('there is no folder dcos/en, but there is docs/en');
    expect(code).toBe(1);
  }
});

test('an alternative of a route whose folder or file is misspelled is an error in every command', async () => {
  for (const [from, words] of [
    ['"{locales,dcos}/{locale}/*.md"', 'there is no folder dcos/en, but there is docs/en'],
    ['"{docs,wbe}/{locale}/*.md"', 'there is no folder wbe/en, but there is web/en'],
    ['"{README,CHANGLOG}.md", to: "{name}.{locale}.md"', 'but there is CHANGELOG.md'],
  ] as const) {
    const texts = ['docs/en/a.md', 'README.md', 'CHANGELOG.md', 'locales/en/a.md', 'web/en/a.md'];
    await using rig = await Rig.start({
      ...{ config: config(`{ from: ${from} }`), folders: 'as given' },
      files: { ...GOOD, ...Object.fromEntries(texts.map((path) => [path, 'Hello\n'])) },
    });
    for (const command of ['once', 'once --frozen', 'plan', 'check', 'status']) {
      const { code, stdout } = await rig.run(...command.split(' '));
      const expected = command === 'status' ? 0 : 1;
      expect.soft({ from, command, code }).toEqual({ from, command, code: expected });
      expect.soft(stdout, command).toContain(words);
    }
  }
});

test.each([
  ['"{a,b}/{c,d}/*.md"', undefined],
  ['"{public/,}docs/{locale}/*.md"', undefined],
  ['"{docs,mobile,desktop}/{locale}/*.md"', 'no folder mobile/en (and 1 more)'],
])('a folder in braces need not be there without a similar one: %s', async (from, note) => {
  const texts = ['docs/en/a.md', 'a/c/x.md', 'b/d/x.md'];
  await using rig = await Rig.start({
    ...{ config: config(`{ from: ${from}, to: "out/{locale}/{dir}/{name}.md" }`) },
    ...{ folders: 'as given' as const },
    files: { ...GOOD, ...Object.fromEntries(texts.map((path) => [path, 'Hello\n'])) },
  });
  const { code, stdout } = await rig.run('once', '--json');
  expect(code).toBe(0);
  const { notes } = JSON.parse(stdout) as { notes: string[] };
  expect(notes).toEqual(note === undefined ? [] : [expect.stringContaining(note)]);
  for (const command of ['once --frozen', 'plan', 'check']) {
    expect(await rig.run(...command.split(' '))).toMatchObject({ code: 0 });
  }
});

test('files that a route lists need not all be there, and another spelling of one is not missing', async () => {
  const route = (names: string) =>
    `{ from: "notes/{${names}}.{md,mdx}", to: "out/{locale}/{name}.{ext}" }`;
  await using rig = await Rig.start({
    config: config(route('name,subtitle,keywords')),
    files: { ...GOOD, 'notes/name.md': 'Hello\n' },
  });
  const { code, stdout } = await rig.run('once', '--json');
  expect(code).toBe(0);
  const [note, ...more] = (JSON.parse(stdout) as { notes: string[] }).notes;
  expect([note, more]).toEqual([
    expect.stringContaining('no file notes/subtitle.md (and 1 more)'),
    [],
  ]);
  for (const command of ['once --frozen', 'plan', 'check']) {
    expect(await rig.run(...command.split(' '))).toMatchObject({ code: 0 });
  }
  rig.write(
    'dragoman.yaml',
    rig.read('dragoman.yaml').replace('name,subtitle,keywords', 'name,Name'),
  );
  expect(JSON.parse((await rig.run('once', '--json')).stdout)).toMatchObject({ notes: [] });
});

test('something else at the fixed path of a route is a fault with its name, in every command', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "docs/{locale}/**/*.md" }'),
    files: { ...GOOD, 'shared/a.md': 'Hello\n', 'inside/a.json': '{}', 'file.md': 'Hello\n' },
  });
  const inPlace: readonly [string, () => void, string][] = [
    ['docs', () => symlinkSync('docs', rig.path('docs')), 'docs is a symbolic link'],
    ['docs', () => symlinkSync('shared', rig.path('docs')), 'docs is a symbolic link'],
    ['docs/en', () => symlinkSync('../shared', rig.path('docs/en')), 'docs/en is a symbolic link'],
    ['docs', () => writeFileSync(rig.path('docs'), 'Hello\n'), 'docs is a file'],
    ['docs/en', () => writeFileSync(rig.path('docs/en'), 'Hello\n'), 'docs/en is a file'],
    [
      'docs/en',
      () => execFileSync('mkfifo', [rig.path('docs/en')]),
      'docs/en is neither file nor folder',
    ],
  ];
  for (const [path, make, words] of inPlace) {
    rmSync(rig.path('docs'), { recursive: true, force: true });
    if (path === 'docs/en') mkdirSync(rig.path('docs'));
    make();
    for (const command of ['once', 'once --frozen', 'plan', 'check', 'status']) {
      const { code, stdout } = await rig.run(...command.split(' '));
      const expected = command === 'status' ? 0 : 1;
      expect.soft({ words, command, code }).toEqual({ words, command, code: expected });
      expect.soft(stdout, command).toContain(words);
    }
  }
});

test('a folder or a link where a route names one file is a fault', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "docs/en.md", to: "docs/{locale}.md" }'),
    files: { ...GOOD, 'docs/en.md/a.md': 'Hello\n', 'docs/other.md': 'Hello\n' },
  });
  expect(await rig.once()).toMatchObject({
    code: 1,
    failed: [{ reason: expect.stringContaining('docs/en.md is a folder') }],
  });
  rmSync(rig.path('docs/en.md'), { recursive: true });
  symlinkSync('other.md', rig.path('docs/en.md'));
  expect(await rig.once()).toMatchObject({
    code: 1,
    failed: [{ reason: expect.stringContaining('docs/en.md is a symbolic link') }],
  });
});

test('a source without any text is nothing to do for a fresh checkout, in every command', async () => {
  for (const lock of ['', 'lock: dragoman.lock\n']) {
    await using rig = await Rig.start({
      config: `${lock}${config('{ from: "docs/{locale}/**/*.md" }')}`,
      files: { ...GOOD, 'locales/en/none.json': '{}\n', 'docs/en/a.md': 'Hello\n' },
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
    rmSync(rig.path('.dragoman'), { recursive: true });
    for (const command of ['once --frozen', 'plan', 'check', 'once', 'once --frozen']) {
      const { code, stdout } = await rig.run(...command.split(' '));
      expect.soft({ lock, command, code, stdout }).toMatchObject({ lock, command, code: 0 });
    }
  }
});

test('an existing folder that has no source yet is reported as a note', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "docs/{locale}/**/*.md" }'),
    files: GOOD,
  });
  const { code, stdout } = await rig.run('once', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).notes).toEqual([expect.stringContaining('matches no file yet')]);
});

test('a route whose only source is not complete is not said to match no file', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "docs/{locale}/*.pdf" }'),
    files: { ...GOOD, 'docs/en/a.pdf': '%PDF-1.7\n' },
  });
  const { code, stdout } = await rig.run('once', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    2,
    { held: [{ code: 'incomplete' }], notes: [] },
  ]);
});

test('check names a file that is not complete once, whatever the state knows of it', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "docs/{locale}/*.pdf" }'),
    files: { ...GOOD, 'docs/en/a.pdf': '%PDF-1.7\n' },
  });
  await rig.once();
  const { stdout, stderr } = await rig.run('check');
  expect(`${stdout}${stderr}`.match(/a\.pdf:1:1/g)).toHaveLength(2);
  expect(`${stdout}${stderr}`.match(/docs\/en\/a\.pdf:1:1/g)).toHaveLength(1);
});

test('every output gives the number of files that nothing translates', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "notes/{locale}/*" }'),
    files: { ...GOOD, 'notes/en/a.xyz': 'a', 'notes/en/b.xyz': 'b', 'notes/en/c.abc': 'c' },
  });
  const told = [
    expect.stringContaining('notes/en/a.xyz and 1 more left out: no lane for .xyz'),
    expect.stringContaining('notes/en/c.abc left out: no lane for .abc'),
  ];
  for (const args of [['once'], ['once', '--frozen'], ['status'], ['plan']]) {
    const { code, stdout } = await rig.run(...args, '--json');
    const { notes } = JSON.parse(stdout) as { notes: string[] };
    expect(notes.filter((note) => note.includes('left out'))).toEqual(told);
    expect(code).toBe(0);
  }
  const { stdout, stderr } = await rig.run('plan');
  expect(`${stdout}${stderr}`).toContain('skipped: notes/en/b.xyz: no lane for .xyz');
  expect(`${stdout}${stderr}`).not.toContain('left out');
});

test('a run says once which files it leaves out, and what to do about it', async () => {
  const more = `  other:
    source: en
    targets: [de]
    root: other
    routes: [{ from: "{locale}/*.json" }]`;
  await using rig = await Rig.start({
    config: `${config('{ from: "notes/{locale}/*" }')}\n${more}`,
    files: { ...GOOD, 'notes/en/a.xyz': 'a', 'notes/en/i.docx': '', 'other/en/o.json': '{}' },
  });
  symlinkSync('a.xyz', rig.path('notes/en/link.json'));
  rmSync(rig.path('other'), { recursive: true });
  const { code, stdout, stderr } = await rig.run('once');
  expect(code).toBe(1);
  for (const name of ['a.xyz', 'i.docx', 'link.json', 'is not there']) {
    expect(`${stdout}${stderr}`.split(name), name).toHaveLength(2);
  }
});

test('a file that a route names and that is not there is an error', async () => {
  await using rig = await Rig.start({
    config: config('{ from: res/values/strings.xml, to: "res/values-{android}/strings.xml" }'),
    files: { ...GOOD, 'res/values/string.xml': '<resources/>' },
  });
  expect(await rig.once()).toMatchObject({
    code: 1,
    failed: [{ reason: expect.stringContaining('but there is res/values/string.xml') }],
  });
});

test('every command names a source whose name is refused, and none does after it was renamed', async () => {
  const twins = ['locales/en/cafe\u0301.json', 'locales/en/caf\u00e9.json'] as const;
  await using rig = await Rig.start({
    config: config('{ from: "docs/{locale}/**/*.md" }'),
    files: { ...GOOD, [twins[0]]: '{"a":"One"}\n', [twins[1]]: '{"a":"Two"}\n' },
  });
  const latin1 = Buffer.from(`${rig.root}/locales/en/na\u00efve.json`, 'latin1');
  writeFileSync(latin1, '{"a":"Three"}\n');
  // A file of this kind beside the translations is nothing that is missed.
  mkdirSync(rig.path('locales/de'));
  writeFileSync(Buffer.from(`${rig.root}/locales/de/na\u00efve.json`, 'latin1'), '{}\n');
  const line = { code: 'unreadable', state: 'failed' };
  expect(await rig.once()).toMatchObject({
    ...{ code: 1, delivered: 1 },
    failed: [
      { ...line, source: twins[1], next_step: expect.stringContaining('rename or delete one') },
      { ...line, source: 'locales/en/na\ufffdve.json' },
    ],
  });
  for (const command of ['plan', 'check', 'status', 'once --frozen']) {
    const { code, stdout } = await rig.run(...command.split(' '));
    expect(stdout).toContain('NFC and NFD');
    expect(stdout).toContain('not UTF-8');
    expect(code).toBe(command === 'status' ? 0 : 1);
  }
  rmSync(latin1);
  rmSync(rig.path(twins[0]));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, failed: [] });
});

test('a run that buys no text sends a changed glossary file to the service', async () => {
  await using rig = await start();
  expect((await rig.once()).code).toBe(0);
  const [file = ''] = Object.keys(FILES).filter((name) => name.endsWith('.csv'));
  rig.write(file, `${rig.read(file)}invoice,Rechnung\n`);
  const frozen = await rig.run('once', '--frozen', '--json');
  expect(frozen.code).toBe(1);
  expect(JSON.parse(frozen.stdout).attention).toMatchObject([{ code: 'terminology-behind' }]);
  const [translated, patched] = ['POST /v2/translate', 'PATCH /v3/glossaries/{glossary_id}'];
  const before = requests(rig, translated);
  expect(await rig.once()).toMatchObject({ code: 0, failed: [] });
  expect(requests(rig, patched)).toBe(1);
  expect(requests(rig, translated)).toBe(before);
  expect(await rig.once()).toMatchObject({ requests: 0 });
});

test('a run that may not send a changed glossary file says so', async () => {
  await using rig = await start();
  await rig.once();
  const notes = async () => {
    const { code, stdout } = await rig.run('once', '--no-sync', '--json');
    return [code, (JSON.parse(stdout) as { notes: string[] }).notes.join()];
  };
  expect(await notes()).toEqual([0, '']);
  rig.write('l10n/en-fr.csv', `${FILES['l10n/en-fr.csv']}unused,inutile\n`);
  expect(await notes()).toEqual([
    0,
    expect.stringContaining('glossary file l10n/{source}-{locale}.csv changed, and sync is off'),
  ]);
  expect(await rig.run('once', '--frozen')).toMatchObject({ code: 1 });
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(await notes()).toEqual([0, '']);
});

test('a ledger that was damaged and repaired is reported, by the run and after it', async () => {
  await using rig = await Rig.start({ config: config('{ from: "{locale}.json" }'), files: GOOD });
  await rig.once();
  rig.write('.dragoman/db.json', 'rotten');
  const said = [expect.stringContaining('was damaged and repaired')];
  const { notes } = (await rig.once()) as unknown as { notes: string[] };
  expect(notes).toEqual(expect.arrayContaining(said));
  expect((await rig.run('check')).stdout).toContain('was damaged and repaired');
});

test('plan says of a source without any text that it has none', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "docs/{locale}/*.txt" }'),
    files: { ...GOOD, 'locales/en/none.json': '{}\n' },
  });
  const { code, stdout } = await rig.run('plan', '--json');
  const { notes } = JSON.parse(stdout) as { notes: string[] };
  const note = 'locales/en/none.json: it has no text to translate, so no target is written';
  expect(notes).toContainEqual(note);
  expect(code).toBe(0);
});

test('every command ends with 74 where something that is no folder stands at the path of the state', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "docs/{locale}/**/*.md" }'),
    files: { ...GOOD, 'docs/en/a.md': 'Hello\n' },
  });
  const state = rig.path('.dragoman');
  const inPlace: Readonly<Record<string, () => void>> = {
    file: () => writeFileSync(state, ''),
    'link to nowhere': () => symlinkSync('nowhere', state),
    pipe: () => execFileSync('mkfifo', [state]),
  };
  for (const [what, make] of Object.entries(inPlace)) {
    rmSync(state, { recursive: true, force: true });
    make();
    for (const command of ['once', 'once --frozen', 'plan', 'check', 'status']) {
      const { code, stderr } = await rig.run(...command.split(' '));
      expect.soft({ what, command, code }).toEqual({ what, command, code: 74 });
      expect
        .soft(stderr, `${what}, ${command}`)
        .toContain(
          'is not a folder: a file, a link that leads nowhere or something else has its name',
        );
    }
  }
});
