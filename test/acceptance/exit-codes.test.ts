/** All commands agree on the exit code, whatever a run has to do: before the run, in it and after it. */
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { canStartAsNobody, giveToNobody, runInTurnAsNobody } from '../as-nobody.ts';
import { keptFiles } from '../kept-files.ts';
import { Rig } from '../rig.ts';

const configOf = (lock: string) => `${lock}
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.json" }
      - { from: "pages/{locale}/*.md" }
      - { from: "notes/{locale}/*.txt", lane: document }
      - { from: "subs/{locale}/*.srt" }
`;
/** A second project, for work on its glossary. */
const TERMS = `  terms:
    source: en
    targets: [de]
    glossary: { name: terms, csv: terms.csv }
    routes: [{ from: "terms/{locale}/*.json" }]
`;
const FILES = {
  'locales/en/a.json': '{"hello":"Hello","bye":"Bye now"}\n',
  'pages/en/p.md': '# A title\n\nThe first words.\n\nThe last words.\n',
  'notes/en/n.txt': 'A note about it.\n',
  'terms.csv': 'en,de\nword,Wort\n',
  'terms/en/t.json': '{"word":"A word"}\n',
  'subs/en/s.srt': '1\n00:00:01,000 --> 00:00:03,000\nHello there.\n',
};

interface Work {
  readonly act: (rig: Rig) => void;
  /** The config of a second project. */
  readonly project?: string;
  /** What a run ends with, and what `plan` says before it. */
  readonly ends: 0 | 1 | 2;
  /** Whether a run has something to do: `once --frozen` ends with 1 then. Only the lock can say that a person has to decide first. */
  readonly isOpen: boolean | 'without a lock';
  /** What `check` ends with after the run, where that is not `ends`: it reads the files, and takes no conflict for a wait. */
  readonly check?: { readonly locked: 0 | 1; readonly unlocked: 0 | 1 };
}

const WORK: Readonly<Record<string, Work>> = {
  nothing: { act: () => {}, ends: 0, isOpen: false },
  'a text to buy': {
    act: (rig) => rig.write('locales/en/b.json', '{"new":"New"}\n'),
    ...{ ends: 0, isOpen: true },
  },
  'a changed text': {
    act: (rig) => rig.write('locales/en/a.json', '{"hello":"Hello there","bye":"Bye now"}\n'),
    ...{ ends: 0, isOpen: true },
  },
  'a translation to take': {
    act(rig) {
      rig.write('locales/en/b.json', '{"new":"New"}\n');
      rig.write('locales/de/b.json', '{"new":"Neu"}\n');
    },
    ...{ ends: 0, isOpen: false },
  },
  'a correction': {
    act(rig) {
      const text = rig.read('locales/de/a.json');
      rig.write('locales/de/a.json', text.replace(/("hello":\s*")[^"]*/, '$1Servus'));
    },
    ...{ ends: 0, isOpen: 'without a lock' },
  },
  'a moved source': {
    act: (rig) => renameSync(rig.path('locales/en/a.json'), rig.path('locales/en/z.json')),
    ...{ ends: 0, isOpen: true },
  },
  'a renamed key': {
    act(rig) {
      for (const language of ['en', 'de']) {
        const path = `locales/${language}/a.json`;
        rig.write(path, rig.read(path).replace('"hello"', '"greeting"'));
      }
    },
    ...{ ends: 0, isOpen: 'without a lock' },
  },
  'a removed key': {
    act: (rig) => rig.write('locales/en/a.json', '{"bye":"Bye now"}\n'),
    ...{ ends: 0, isOpen: true },
  },
  'a removed source': {
    act: (rig) => rmSync(rig.path('locales/en/a.json')),
    ...{ ends: 0, isOpen: true },
  },
  'a translation that is gone': {
    act: (rig) => rmSync(rig.path('locales/de/a.json')),
    ...{ ends: 0, isOpen: true },
  },
  'a paragraph that a person took out': {
    act: (rig) => {
      const page = rig.read('pages/de/p.md');
      rig.write('pages/de/p.md', page.slice(0, page.trimEnd().lastIndexOf('\n\n') + 1));
    },
    ...{ ends: 0, isOpen: 'without a lock' },
  },
  'a text that is held': {
    act: (rig) => rig.write('locales/en/b.json', '{"half":"a \\ud800 b"}\n'),
    ...{ ends: 2, isOpen: true },
    check: { locked: 0, unlocked: 0 },
  },
  'a text in conflict': {
    act(rig) {
      const text = rig.read('locales/de/a.json');
      rig.write('locales/de/a.json', text.replace(/("hello":\s*")[^"]*/, '$1Servus'));
      rig.write('locales/en/a.json', '{"hello":"Hello there","bye":"Bye now"}\n');
    },
    ...{ ends: 2, isOpen: 'without a lock' },
    check: { locked: 1, unlocked: 1 },
  },
  'a document in conflict': {
    act(rig) {
      rig.write('notes/de/n.txt', 'Von Hand.\n');
      rig.write('notes/en/n.txt', 'Another note about it.\n');
    },
    ...{ ends: 2, isOpen: 'without a lock' },
    check: { locked: 1, unlocked: 0 },
  },
  'a subtitle in conflict': {
    act(rig) {
      for (const language of ['en', 'de']) {
        const path = `subs/${language}/s.srt`;
        rig.write(path, rig.read(path).replace(/[^\n]+\n$/, 'Another line.\n'));
      }
    },
    ...{ ends: 2, isOpen: 'without a lock' },
    check: { locked: 1, unlocked: 0 },
  },
  'a text over the budget': {
    act(rig) {
      rig.write('dragoman.yaml', `${rig.read('dragoman.yaml')}budget: { month: 70 }\n`);
      rig.write('locales/en/b.json', `{"new":"${'A long text. '.repeat(9)}"}\n`);
    },
    ...{ ends: 2, isOpen: false },
    check: { locked: 0, unlocked: 0 },
  },
  'a changed glossary': {
    act: (rig) => rig.write('terms.csv', 'en,de\nanother,weiter\n'),
    project: TERMS,
    ...{ ends: 0, isOpen: true },
  },
  'a glossary that cannot be read, and a text of another project': {
    act(rig) {
      rig.write('terms.csv', 'en,de\nanother\n');
      rig.write('locales/en/b.json', '{"new":"New"}\n');
    },
    project: TERMS,
    ...{ ends: 1, isOpen: true },
  },
  'a source that cannot be read': {
    act: (rig) => rig.write('locales/en/b.json', '{"broken":\n'),
    ...{ ends: 1, isOpen: true },
  },
  'a translation that cannot be read': {
    act(rig) {
      rig.write('locales/en/a.json', '{"hello":"Hello there","bye":"Bye now"}\n');
      rig.write('locales/de/a.json', '{"broken":\n');
    },
    ...{ ends: 1, isOpen: true },
  },
  'conflict markers in a source': {
    act: (rig) =>
      rig.write(
        'locales/en/a.json',
        '{\n<<<<<<< a\n"hello":"Hi"\n=======\n"hello":"Ho"\n>>>>>>> b\n}\n',
      ),
    ...{ ends: 2, isOpen: 'without a lock' },
    check: { locked: 1, unlocked: 1 },
  },
};

test.each(['', 'lock: dragoman.lock\n'])(
  'before a run, in it and after it, all commands agree on the exit code (%j)',
  async (lock) => {
    const rows = Object.entries(WORK).filter(
      // The others are the same without a lock, and take their time.
      ([, { ends, isOpen }]) => lock !== '' || ends !== 0 || isOpen === 'without a lock',
    );
    await using rig = await translated(lock);
    using kept = keptFiles(rig);
    for (const [name, work] of rows) {
      if (work.project === undefined) {
        kept.restore();
        await expectAgreement(rig, { name, lock, ...work });
      } else {
        // The service has a glossary of it, which a run changes.
        await using own = await translated(lock, work.project);
        await expectAgreement(own, { name, lock, ...work });
      }
    }
  },
);

async function translated(lock: string, project = ''): Promise<Rig> {
  const rig = await Rig.start({ config: configOf(lock) + project, files: FILES });
  expect(await rig.once()).toMatchObject({ code: 0 });
  return rig;
}

async function expectAgreement(
  rig: Rig,
  { name, lock, act, ends, isOpen, check }: Work & { readonly name: string; readonly lock: string },
): Promise<void> {
  act(rig);
  const codesOf = async (...commands: readonly string[]) => {
    const codes: (number | null)[] = [];
    for (const command of commands) codes.push((await rig.run(...command.split(' '))).code);
    return codes;
  };
  const isWork = isOpen === true || (isOpen !== false && lock === '');
  const inspected = check?.[lock === '' ? 'unlocked' : 'locked'] ?? ends;
  const told = {
    before: await codesOf('plan', 'once --frozen'),
    run: await codesOf('once'),
    after: await codesOf('plan', 'once --frozen', 'check', 'once'),
    isAttended: await isAttended(rig),
  };
  expect.soft({ name, ...told }).toEqual({
    ...{ name, before: [ends, isWork ? 1 : ends], run: [ends] },
    ...{ after: [ends, ends, inspected, ends], isAttended: ends !== 0 },
  });
}

test.runIf(canStartAsNobody())(
  'a translation that can be neither moved nor removed fails every command by name, before the run and after it',
  async () => {
    const config = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de, fr], routes: [{ from: "locales/{locale}/*.json" }] }
`;
    const texts = ['gone', 'moved', 'kept'].map((name) => [
      `locales/en/${name}.json`,
      `{"${name}":"About ${name}"}\n`,
    ]);
    await using rig = await Rig.start({ config, files: Object.fromEntries(texts) });
    expect(await rig.once()).toMatchObject({ code: 0 });
    rmSync(rig.path('locales/en/gone.json'));
    renameSync(rig.path('locales/en/moved.json'), rig.path('locales/en/there.json'));
    giveToNobody(rig.root);
    chmodSync(rig.path('locales/de'), 0o500);
    const codes: (number | null)[] = [];
    const commands = ['plan', 'once --frozen', 'check', 'once', 'plan', 'status --json'];
    const ended = await runInTurnAsNobody(rig, commands);
    const status = ended.pop();
    for (const [nth, { code, stdout, stderr }] of ended.entries()) {
      codes.push(code);
      for (const name of ['gone', 'there']) {
        expect
          .soft(`${commands[nth]}: ${stdout}${stderr}`)
          .toContain(`locales/de/${name}.json cannot be written`);
      }
    }
    expect(codes).toEqual([1, 1, 1, 1, 1]);
    const { attention } = JSON.parse(status?.stdout ?? '');
    expect(attention).toMatchObject([{ code: 'not-followed' }, { code: 'not-followed' }]);
    expect(rig.exists('locales/fr/gone.json')).toBe(false);
    chmodSync(rig.path('locales/de'), 0o700);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0 });
    expect(rig.exists('locales/de/gone.json')).toBe(false);
    expect(rig.exists('locales/de/there.json')).toBe(true);
  },
);

async function isAttended(rig: Rig): Promise<boolean> {
  const { attention } = JSON.parse((await rig.run('status', '--json')).stdout);
  return attention.length > 0;
}
