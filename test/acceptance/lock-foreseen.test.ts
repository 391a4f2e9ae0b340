/** A run that would change the lock, and cannot write it: every command says so before the run, whatever the run has to do. */
import { chmodSync, copyFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canStartAsNobody, giveToNobody, runInTurnAsNobody } from '../as-nobody.ts';
import { keptFiles } from '../kept-files.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.json" }
      - { from: "notes/{locale}/*.txt", lane: document }
`;
const FILES = {
  'locales/en/a.json': '{"hello":"Hello","bye":"Bye now"}\n',
  'locales/en/b.json': '{"more":"More","less":"Less"}\n',
  'notes/en/n.txt': 'A note about it.\n',
};

/** What somebody does to a translated checkout, without dragoman. */
const WORK: Readonly<Record<string, (rig: Rig) => void>> = {
  nothing: () => {},
  'a new text that is to be bought': (rig) => {
    rig.write('locales/en/c.json', '{"new":"New"}\n');
  },
  'a new source with its translation': (rig) => {
    rig.write('locales/en/c.json', '{"new":"New"}\n');
    rig.write('locales/de/c.json', '{"new":"Neu"}\n');
  },
  'a new text with its translation': (rig) => {
    for (const [language, text] of Object.entries({ en: 'New', de: 'Neu' })) {
      const path = `locales/${language}/a.json`;
      rig.write(path, `${JSON.stringify({ ...rig.json(path), new: text })}\n`);
    }
  },
  'a correction': (rig) => {
    const text = rig.read('locales/de/a.json');
    rig.write('locales/de/a.json', text.replace(/("hello":\s*")[^"]*/, '$1Servus'));
  },
  'a key that is renamed in both files': (rig) => {
    for (const language of ['en', 'de']) {
      const path = `locales/${language}/a.json`;
      rig.write(path, rig.read(path).replace('"hello"', '"greeting"'));
    }
  },
  'a key that is removed from both files': (rig) => {
    for (const language of ['en', 'de']) {
      const path = `locales/${language}/a.json`;
      const { hello: _hello, ...rest } = rig.json(path);
      rig.write(path, `${JSON.stringify(rest)}\n`);
    }
  },
  'a source that is moved with its translation': (rig) => {
    for (const language of ['en', 'de']) {
      renameSync(rig.path(`locales/${language}/a.json`), rig.path(`locales/${language}/z.json`));
    }
  },
  'a source that is moved': (rig) => {
    renameSync(rig.path('locales/en/a.json'), rig.path('locales/en/z.json'));
  },
  'a source that is removed with its translation': (rig) => {
    for (const language of ['en', 'de']) rmSync(rig.path(`locales/${language}/a.json`));
  },
  'a source that is removed': (rig) => rmSync(rig.path('locales/en/a.json')),
  'a document that is moved with its translation': (rig) => {
    for (const language of ['en', 'de']) {
      renameSync(rig.path(`notes/${language}/n.txt`), rig.path(`notes/${language}/z.txt`));
    }
  },
  'a new document with its translation': (rig) => {
    rig.write('notes/en/m.txt', 'Another note.\n');
    rig.write('notes/de/m.txt', 'Eine andere Notiz.\n');
  },
  'conflict markers of git in the lock': (rig) => {
    const lock = rig.read('dragoman.lock/app/de');
    rig.write('dragoman.lock/app/de', `<<<<<<< HEAD\n${lock}=======\n${lock}>>>>>>> other\n`);
  },
};

/** A link out of the folder of the lock: nobody may write behind it, root included. */
function forbidLock(rig: Rig): void {
  const folder = rig.path('dragoman.lock/app');
  renameSync(folder, rig.path('elsewhere'));
  symlinkSync('../elsewhere', folder);
}

const CHECKOUTS = ['with the state of the last run', 'in a fresh checkout'] as const;

test.each(CHECKOUTS)(
  'where the lock cannot be written, all commands end as the run does, %s',
  async (checkout) => {
    await using rig = await translated(checkout);
    using kept = keptFiles(rig);
    for (const [work, act] of Object.entries(WORK)) {
      kept.restore();
      act(rig);
      forbidLock(rig);
      const ends = { check: 0, plan: 0, 'once --frozen': 0, once: 0 };
      for (const command of Object.keys(ends)) {
        const { code } = await rig.run(...command.split(' '));
        Object.assign(ends, { [command]: code });
      }
      const code = work === 'nothing' ? 0 : 1;
      const all = { check: code, plan: code, 'once --frozen': code, once: code };
      expect.soft({ work, ...ends }).toEqual({ work, ...all });
    }
  },
);

test('the lock that cannot be written is one finding', async () => {
  for (const checkout of CHECKOUTS) {
    await using rig = await translated(checkout);
    WORK['a new source with its translation']?.(rig);
    forbidLock(rig);
    const { stdout } = await rig.run('check', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      faults: [{ file: rig.path('dragoman.lock'), message: expect.stringContaining('leads out') }],
      warnings: [],
    });
    expect(rig.exists('.dragoman')).toBe(checkout !== 'in a fresh checkout');
  }
});

describe.runIf(canStartAsNobody())('as a user without rights', () => {
  test('a file of the lock that cannot be removed ends every command with 1', async () => {
    await using rig = await translated('in a fresh checkout');
    copyFileSync(rig.path('dragoman.lock/app/de'), rig.path('dragoman.lock/app/fr'));
    giveToNobody(rig.root);
    chmodSync(rig.path('dragoman.lock/app'), 0o555);
    const commands = ['check', 'plan', 'once --frozen', 'once'];
    for (const [nth, ended] of (await runInTurnAsNobody(rig, commands)).entries()) {
      expect.soft({ command: commands[nth], ...ended }).toMatchObject({
        ...{ command: commands[nth], code: 1 },
        stdout: expect.stringContaining('dragoman.lock/app/fr'),
      });
    }
    chmodSync(rig.path('dragoman.lock/app'), 0o755);
  });
});

async function translated(checkout: (typeof CHECKOUTS)[number]): Promise<Rig> {
  const rig = await Rig.start({ config: CONFIG, files: FILES });
  expect(await rig.once()).toMatchObject({ code: 0 });
  if (checkout === 'in a fresh checkout') rmSync(rig.path('.dragoman'), { recursive: true });
  return rig;
}
