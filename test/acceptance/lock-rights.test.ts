/** A lock that cannot be written, whatever the reason: nothing is bought, and all commands agree until it can be. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { asNobody, canStartAsNobody, giveToNobody, runInTurnAsNobody } from '../as-nobody.ts';
import { billed } from '../counts.ts';
import { type Finished, Rig } from '../rig.ts';

const configOf = (lock: string) => `
lock: ${lock}
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;
const CONFIG = configOf('dragoman.lock');
const SOURCES = {
  'locales/en/a.json': '{"hello":"Hello"}\n',
  'locales/en/b.json': '{"bye":"Bye"}\n',
};
const TRANSLATIONS = {
  'locales/de/a.json': '{"hello":"Hallo"}\n',
  'locales/de/b.json': '{"bye":"Tschüss"}\n',
};
const ASKING = ['plan', 'once --frozen', 'check'];

beforeAll(async () => {
  // The modules of a command are in a folder of root, so they are loaded before.
  await using first = await Rig.start({ config: CONFIG, files: SOURCES });
  for (const command of [...ASKING, 'once', 'status', 'doctor', 'lock']) {
    await first.run(...command.split(' '));
  }
});

/** Runs commands one after the other. */
type Run = (commands: readonly string[]) => Promise<readonly Finished[]>;

function hereIn(rig: Rig): Run {
  return async (commands) => {
    const ended: Finished[] = [];
    for (const command of commands) ended.push(await rig.run(...command.split(' ')));
    return ended;
  };
}

async function answersOf(run: Run, commands: readonly string[]) {
  return (await run(commands)).map(({ code, stdout, stderr }, index) => {
    return { command: commands[index], code, stdout, said: `${stdout}${stderr}` };
  });
}

async function answerOf(run: Run, command: string) {
  return (await answersOf(run, [command]))[0];
}

interface Expected {
  readonly code: number;
  readonly said?: string;
}

async function expectAll(run: Run, { code, said = '' }: Expected) {
  const answers = await answersOf(run, [...ASKING, 'status --json']);
  for (const told of answers.slice(0, -1)) {
    expect.soft(told).toMatchObject({ code, said: expect.stringContaining(said) });
    expect.soft(told.said).not.toMatch(/ENOTDIR|EACCES/);
  }
  const { attention } = JSON.parse(answers.at(-1)?.stdout ?? '');
  const one = [{ code: 'lock-behind', state: 'failed' }];
  expect.soft(attention, 'status').toMatchObject(code === 0 ? [] : one);
}

const STRANGERS = [
  { lock: 'dragoman.lock', file: 'dragoman.lock' },
  { lock: 'dragoman.lock', file: 'dragoman.lock/app' },
  { lock: 'sub/dragoman.lock', file: 'sub' },
];

test.each(STRANGERS)(
  'the file $file in the place of a folder of the lock $lock ends every command with 78, and nothing is bought',
  async ({ lock, file }) => {
    await using rig = await Rig.start({ config: configOf(lock), files: SOURCES });
    const run = hereIn(rig);
    rig.write(file, 'no folder\n');
    const said = expect.stringContaining(
      `${file} is damaged: a file is in the place of a folder of the lock`,
    );
    for (const command of [...ASKING, 'once', 'status', 'lock']) {
      expect.soft(await answerOf(run, command)).toMatchObject({ command, code: 78, said });
    }
    const daemon = rig.spawn('run');
    expect(await once(daemon, 'close')).toEqual([78, null]);
    expect(await answerOf(run, 'doctor')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^fail {2}lock .*a file is in the place/m),
    });
    expect(billed(rig)).toBe(0);
    rmSync(rig.path(file));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
    rmSync(rig.path(lock), { recursive: true });
    rig.write(lock, 'no folder\n');
    for (const command of [...ASKING, 'once', 'status']) {
      expect.soft(await answerOf(run, command)).toMatchObject({ command, code: 78 });
    }
  },
);

test('folders and links in the folder of the lock are left alone, and every command goes on', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: SOURCES });
  const run = hereIn(rig);
  expect(await rig.once()).toMatchObject({ code: 0 });
  mkdirSync(rig.path('dragoman.lock/app/backup'));
  const links = { 'dragoman.lock/app/zz': 'nowhere', 'dragoman.lock/more': rig.path('locales') };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, rig.path(path));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  await expectAll(run, { code: 0 });
  rig.write('locales/en/a.json', '{"hello":"Hello there"}\n');
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  await expectAll(run, { code: 0 });
  expect(rig.exists('dragoman.lock/app/backup')).toBe(true);
  for (const [path, target] of Object.entries(links)) {
    expect(readlinkSync(rig.path(path))).toBe(target);
  }
});

test('a run that takes what is there, and cannot write the lock, is known until a run writes it', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { ...SOURCES, ...TRANSLATIONS } });
  const run: Run = (commands) => asNobody(() => hereIn(rig)(commands));
  mkdirSync(rig.path('dragoman.lock'));
  giveToNobody(rig.root);
  chmodSync(rig.path('dragoman.lock'), 0o555);
  for (let round = 0; round < 2; round += 1) {
    const ended = await answerOf(run, 'once');
    expect(ended?.code).toBe(1);
    expect(ended?.said).toContain('this user may not write there');
    expect(ended?.said).toContain('2 unchanged');
    await expectAll(run, { code: 1, said: 'the lock does not have the lines of 2' });
  }
  chmodSync(rig.path('dragoman.lock'), 0o755);
  await expectAll(run, { code: 1, said: 'the lock does not have the lines of 2' });
  expect(await answerOf(run, 'once')).toMatchObject({ code: 0 });
  await expectAll(run, { code: 0 });
  expect(rig.read('dragoman.lock/app/de')).toContain('locales/en/b.json');
});

test('a complete lock that this user may only read is no fault, until a run has something to write there', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: SOURCES });
  const run: Run = (commands) => asNobody(() => hereIn(rig)(commands));
  expect((await rig.run('once')).code).toBe(0);
  giveToNobody(rig.root);
  const folders = [rig.path('dragoman.lock/app'), rig.path('dragoman.lock')];
  for (const folder of folders) chmodSync(folder, 0o555);
  await expectAll(run, { code: 0 });
  expect(await answerOf(run, 'once')).toMatchObject({ code: 0 });

  rmSync(rig.path('locales/en/b.json'));
  rmSync(rig.path('locales/de/b.json'));
  for (let round = 0; round < 2; round += 1) {
    expect(await answerOf(run, 'once')).toMatchObject({ code: 1 });
    await expectAll(run, { code: 1, said: 'the lock is not up to date' });
  }
  for (const folder of folders) chmodSync(folder, 0o755);
  expect(await answerOf(run, 'once')).toMatchObject({ code: 0 });
  await expectAll(run, { code: 0 });
  expect(rig.read('dragoman.lock/app/de')).not.toContain('locales/en/b.json');
});

describe.runIf(canStartAsNobody())('as a user without rights', () => {
  test('where the lock may not be written, nothing is bought, and every command says why', async () => {
    await using rig = await Rig.start({ config: CONFIG, files: SOURCES });
    const run: Run = (commands) => runInTurnAsNobody(rig, commands);
    mkdirSync(rig.path('dragoman.lock'));
    giveToNobody(rig.root);
    chmodSync(rig.path('dragoman.lock'), 0o555);
    const said = 'dragoman.lock/app/de cannot be written (this user may not write there)';
    await expectAll(run, { code: 1, said });
    const failed = { code: 1, said: expect.stringContaining(said) };
    expect(await answersOf(run, ['doctor', 'once'])).toMatchObject([failed, failed]);
    expect(billed(rig)).toBe(0);
    chmodSync(rig.path('dragoman.lock'), 0o755);
    expect(await answerOf(run, 'once')).toMatchObject({ code: 0 });
  });

  test('translations that are there, and whose lock may not be written, are said before a run', async () => {
    await using rig = await Rig.start({ config: CONFIG, files: { ...SOURCES, ...TRANSLATIONS } });
    mkdirSync(rig.path('dragoman.lock'));
    giveToNobody(rig.root);
    chmodSync(rig.path('dragoman.lock'), 0o555);
    const run: Run = (commands) => runInTurnAsNobody(rig, commands);
    await expectAll(run, { code: 1, said: 'this user may not write there' });
  });

  test('a lock that is lost and may not be written again is no note', async () => {
    await using rig = await Rig.start({ config: CONFIG, files: SOURCES });
    expect((await rig.run('once')).code).toBe(0);
    rmSync(rig.path('dragoman.lock'), { recursive: true });
    mkdirSync(rig.path('dragoman.lock'));
    giveToNobody(rig.root);
    chmodSync(rig.path('dragoman.lock'), 0o555);
    const run: Run = (commands) => runInTurnAsNobody(rig, commands);
    await expectAll(run, { code: 1, said: 'this user may not write there' });
  });
});

test.each(['dragoman.lock/app/de', 'dragoman.lock/app', 'dragoman.lock'])(
  'a lock that this user may not read ends every command with 78: %s',
  async (place) => {
    await using rig = await Rig.start({ config: CONFIG, files: SOURCES });
    const run: Run = (commands) => asNobody(() => hereIn(rig)(commands));
    expect((await rig.run('once')).code).toBe(0);
    giveToNobody(rig.root);
    writeFileSync(rig.path('locales/en/a.json'), '{"hello":"Hello again"}\n');
    chmodSync(rig.path(place), 0);
    try {
      for (const command of [...ASKING, 'once', 'status']) {
        const told = await answerOf(run, command);
        expect.soft(told).toMatchObject({ command, code: 78 });
        expect.soft(told?.said).toContain('this user may not read it');
        expect.soft(told?.said).not.toMatch(/dragoman retry|EACCES/);
      }
      expect(await answerOf(run, 'doctor')).toMatchObject({ code: 1 });
    } finally {
      chmodSync(rig.path(place), 0o755);
    }
    expect(await answerOf(run, 'once')).toMatchObject({ code: 0 });
  },
);
