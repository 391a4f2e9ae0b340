/** Files and folders that this user may not open: every command names them, and a command that needs them does not end with 0. */
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asNobody, canStartAsNobody, giveToNobody, runInTurnAsNobody } from '../as-nobody.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/**/*.json" }]
  site:
    root: site
    source: en
    targets: [de]
    routes: [{ from: "{locale}/**/*.json" }]
`;
const COMMANDS = [['once'], ['check'], ['plan'], ['once', '--frozen'], ['status']] as const;

let rig: Rig;

beforeAll(async () => {
  // The modules of a command are in a folder of root, so they are loaded before.
  const files = { 'locales/en/a.json': '{}\n', 'site/en/s.json': '{}\n' };
  await using first = await Rig.start({ config: CONFIG, files });
  for (const args of COMMANDS) await first.run(...args);
  rig = await Rig.start({
    config: CONFIG,
    files: {
      'locales/en/a.json': '{"a":"Hello"}\n',
      'locales/en/sub/b.json': '{"b":"World"}\n',
      'site/en/s.json': '{"s":"A site"}\n',
    },
  });
  giveToNobody(rig.root);
  expect((await run('once')).code).toBe(0);
});

afterAll(async () => await rig[Symbol.asyncDispose]());

function run(...args: readonly string[]) {
  return asNobody(() => rig.run(...args));
}

/** The answer of each command while the place cannot be used; `status` ends with 0 if it can open config and state. */
const PLACES = [
  { place: 'locales/en/a.json', mode: 0, said: 'locales/en/a.json', code: 1, status: 0 },
  { place: 'locales/en/sub', mode: 0, said: 'locales/en/sub', code: 1, status: 0 },
  { place: 'locales/en/sub', mode: 0o444, said: 'locales/en/sub/b.json', code: 1, status: 0 },
  { place: 'locales/de/sub', mode: 0o444, said: 'locales/de/sub/b.json', code: 1, status: 0 },
  { place: 'dragoman.yaml', mode: 0, said: 'may not be read by this user', code: 78, status: 78 },
  { place: '.dragoman', mode: 0o500, said: 'the state folder .dragoman', code: 74, status: 74 },
  { place: '.dragoman/db.json', mode: 0, said: '.dragoman/db.json', code: 74, status: 74 },
];

test.each(PLACES)('$place with the rights $mode', async ({ place, mode, said, code, status }) => {
  rig.write('locales/en/c.json', '{"c":"Something new"}\n');
  giveToNobody(rig.root);
  chmodSync(rig.path(place), mode);
  try {
    for (const args of COMMANDS) {
      const { stdout, stderr, code: ended } = await run(...args);
      expect({ args, stderr, code: ended }).toMatchObject({
        args,
        code: args[0] === 'status' ? status : code,
      });
      expect(`${stdout}${stderr}`).toContain(said);
      expect(`${stdout}${stderr}`).not.toMatch(/ is gone|EACCES: /);
      expect(`${stdout}${stderr}`).not.toContain(rig.root);
    }
  } finally {
    chmodSync(rig.path(place), 0o700);
  }
  expect((await run('once')).code).toBe(0);
});

describe.runIf(canStartAsNobody())('files of the state of another user', () => {
  test.each(['.dragoman/base/', '.dragoman/base/log.1', '.dragoman/memory/app/de.journal'])(
    '%s ends every command with 74, and its name is said',
    async (place) => {
      giveToNobody(rig.root);
      chmodSync(rig.path(place), 0);
      try {
        const ended = await runInTurnAsNobody(
          rig,
          COMMANDS.map((args) => args.join(' ')),
        );
        expect(ended).toHaveLength(COMMANDS.length);
        for (const [nth, { stdout, stderr, code }] of ended.entries()) {
          const args = COMMANDS[nth];
          expect.soft({ args, stderr, code }).toMatchObject({ args, code: 74 });
          expect
            .soft(`${stdout}${stderr}`)
            .toContain(`${place} in the state folder cannot be read`);
          expect.soft(`${stdout}${stderr}`).toContain('Give the state folder back to this user');
        }
      } finally {
        chmodSync(rig.path(place), 0o700);
      }
    },
  );
});

test('a root that may not be read', async () => {
  giveToNobody(rig.root);
  chmodSync(rig.path('site'), 0);
  try {
    for (const args of COMMANDS.filter(([name]) => name !== 'check')) {
      const { stdout, stderr, code } = await run(...args);
      expect({ args, stderr, code }).toMatchObject({ args, code: args[0] === 'status' ? 0 : 1 });
      expect(`${stdout}${stderr}`).toContain('site');
      expect(`${stdout}${stderr}`).not.toMatch(/ is gone|EACCES: /);
    }
  } finally {
    chmodSync(rig.path('site'), 0o700);
  }
});

test('when a folder of targets cannot be written, its jobs fail with its name, and the bought texts are kept', async () => {
  rig.write('locales/en/a.json', '{"a":"Hello","d":"One more"}\n');
  giveToNobody(rig.root);
  const folder = dirname(rig.path('locales/de/a.json'));
  chmodSync(folder, 0o500);
  try {
    const { code, stdout } = await run('once');
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('locales/de/a.json cannot be written (EACCES)'),
    });
    expect((await run('once', '--frozen')).code).toBe(1);
    expect((await run('status')).stdout).toContain('cannot be written');
  } finally {
    chmodSync(folder, 0o700);
  }
  await run('retry', '--all', '--yes');
  const { code, stdout } = await run('once', '--json');
  expect({ code, billed: JSON.parse(stdout).billed_characters }).toEqual({ code: 0, billed: 0 });
});
