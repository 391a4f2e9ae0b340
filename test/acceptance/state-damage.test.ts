/** Damage of each file of the state folder: every command says it, and none takes it for nothing. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { stateFileAt } from '../../src/state/state-files.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;
const COMMANDS = ['check', 'status', 'plan', 'once', 'check', 'status'];

/** A state with a file of each kind. */
async function worked(): Promise<Rig> {
  const text = '{"hello":"Hello","bye":"Bye"}\n';
  const rig = await Rig.start({ config: CONFIG, files: { 'locales/en/a.json': text } });
  await rig.once();
  rig.write('locales/en/a.json', text.replace('Bye', 'Farewell'));
  await rig.once();
  const marked = await rig.run('review', 'mark', 'locales/de/a.json', '--reviewed');
  expect(marked.code).toBe(0);
  rig.write(
    '.dragoman/review-links.json',
    `${JSON.stringify({ links: [] })}\n${' '.repeat(100)}\n`,
  );
  await rig.once();
  return rig;
}

/** All files, relative to the state folder. */
function stateFiles(rig: Rig): string[] {
  const folder = rig.path('.dragoman');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !statSync(join(folder, path)).isDirectory())
    .map((path) => path.split(sep).join('/'))
    .sort();
}

/** The ledger tells its own damage: `test/acceptance/state.test.ts`. */
const toldFiles = (rig: Rig) =>
  stateFiles(rig).filter((path) => {
    const told = stateFileAt(path)?.told;
    return told !== undefined && told.content !== 'ledger';
  });

test('each file of the state folder is known, with what its damage means', async () => {
  await using rig = await worked();
  const unknown = stateFiles(rig).filter((path) => stateFileAt(path) === undefined);
  expect(unknown).toEqual([]);
  const kinds = new Set(toldFiles(rig).map((path) => path.split('/')[0]));
  const told = ['backup', 'base', 'edits.jsonl', 'lock-seen.json', 'memory'];
  expect([...kinds]).toEqual([...told, 'review-links.json', 'undo']);
});

const HARMS: readonly {
  readonly words: string;
  readonly by: string;
  readonly harm: (file: string) => void;
}[] = [
  {
    words: 'was cut off',
    by: 'at its half',
    harm: (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  },
  { words: 'was emptied', by: 'by another program', harm: (file) => truncateSync(file, 0) },
  {
    words: 'was damaged',
    by: 'from its first byte to its last',
    harm: (file) =>
      writeFileSync(file, Buffer.alloc(statSync(file).size, 'a line of no meaning\n')),
  },
  {
    words: 'was damaged',
    by: 'by four zero bytes in its middle',
    harm: (file) => {
      const bytes = readFileSync(file);
      const middle = Math.floor(bytes.length / 2);
      writeFileSync(file, bytes.fill(0, middle, middle + 4));
    },
  },
  { words: 'was removed', by: 'by another program', harm: (file) => rmSync(file) },
];

test.each(HARMS)(
  'a file of the state that $words $by is said by every command, in text and in JSON',
  async ({ words, harm }) => {
    await using rig = await worked();
    const damaged = toldFiles(rig);
    for (const path of damaged) harm(rig.path(`.dragoman/${path}`));
    for (const command of COMMANDS) {
      for (const more of [[], ['--json']]) {
        const { stdout, stderr, code } = await rig.run(command, ...more);
        expect.soft([command, code]).toEqual([command, 0]);
        const said = more.length === 0 ? `${stdout}${stderr}` : stdout;
        const silent = damaged.filter(
          (path) => !said.includes(`${path} in the state folder ${words}`),
        );
        expect.soft({ command, more, silent }).toEqual({ command, more, silent: [] });
      }
    }
  },
);

test('a folder in the place of a file of the state ends every command with 78 and says what to do', async () => {
  await using rig = await worked();
  for (const path of toldFiles(rig)) {
    const file = rig.path(`.dragoman/${path}`);
    rmSync(file);
    mkdirSync(file);
    for (const command of ['check', 'once']) {
      const { code, stdout, stderr } = await rig.run(command);
      expect.soft({ path, command, code }).toEqual({ path, command, code: 78 });
      expect.soft(`${stdout}${stderr}`).toContain('a folder is in the place of this file');
    }
    rmSync(file, { recursive: true });
  }
});

test('a run that is killed, and each later one, says nothing of damage', async () => {
  await using rig = await worked();
  const daemon = await rig.daemonApart();
  rig.write('locales/en/b.json', '{"one":"One"}\n');
  await daemon.logged(({ kind }) => kind === 'job-delivered');
  await daemon.stop('SIGKILL');
  for (const command of ['status', 'once', 'check', 'status']) {
    const { stdout, stderr } = await rig.run(command, '--json');
    expect.soft(`${stdout}${stderr}`).not.toContain('in the state folder was');
  }
});
