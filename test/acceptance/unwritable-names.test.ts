/** A target that can never be written is found before anything is bought, and every command says why. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requests } from '../counts.ts';
import { spawnSync } from '../in-time.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "in/**/*.json", to: "out/{lang}/{dir}/{name}-{lang}.{ext}" }
      - { from: "docs/*.docx", to: "out/{lang}/{name}-{lang}.{ext}" }
`;
const LONG = 'n'.repeat(250);
/** The target of each source, and the reason. */
const REASONS: Readonly<Record<string, string>> = {
  'out/de/fifo-de.json': 'there is a pipe, a socket or a device at its path',
  'out/de/folder-de.json': 'there is a folder at its path',
  'out/de/link-de.json': 'a symbolic link to nowhere',
  'out/de/loop-de.json': 'a symbolic link in a loop',
  'out/de/par/x-de.json': 'out/de/par is a file, and would have to be a folder',
  [`out/de/${LONG}-de.json`]: 'its name has 258 bytes; a file name may have 255',
  [`out/de/new/${LONG}-de.json`]: 'its name has 258 bytes; a file name may have 255',
};

const byText = (a: string, b: string) => a.localeCompare(b);

async function start(): Promise<Rig> {
  const names = ['good', 'fifo', 'folder', 'link', 'loop', 'par/x', LONG, `new/${LONG}`];
  const sources = names.map((name) => [`in/${name}.json`, `{"key": "Hello ${name.slice(0, 9)}"}`]);
  const rig = await Rig.start({
    config: CONFIG,
    files: { ...Object.fromEntries(sources), 'out/de/par': 'a file' },
  });
  mkdirSync(rig.path('out/de/folder-de.json'), { recursive: true });
  symlinkSync('nowhere', rig.path('out/de/link-de.json'));
  symlinkSync('loop-de.json', rig.path('out/de/loop-de.json'));
  spawnSync('mkfifo', [rig.path('out/de/fifo-de.json')]);
  return rig;
}

test('plan, check and once name each of them with its reason, and buy the others', async () => {
  await using rig = await start();
  const expected = Object.entries(REASONS).map(([target, reason]) => [target, reason]);
  const sorted = (pairs: readonly (readonly string[])[]) =>
    pairs.map((pair) => pair.join(': ')).toSorted(byText);

  const planned = await rig.run('plan', '--json');
  const { jobs } = JSON.parse(planned.stdout) as {
    jobs: { would_fail?: string }[];
  };
  const failing = jobs.filter(({ would_fail }) => would_fail !== undefined);
  expect(planned.code).toBe(1);
  expect(failing.map(({ would_fail = '' }) => would_fail).toSorted(byText)).toEqual(
    sorted(expected).map((line) => line.replace(/: (.*)$/, ' cannot be written ($1)')),
  );

  const checked = await rig.run('check', '--json');
  expect(checked.code).toBe(1);
  const { faults } = JSON.parse(checked.stdout) as {
    faults: { file: string; message: string }[];
  };
  expect(
    faults
      .map(({ file, message }) => `${file.slice(rig.root.length + 1)}: ${message}`)
      .toSorted(byText),
  ).toEqual(sorted(expected).map((line) => line.replace(': ', ': cannot be written: ')));

  const { code, delivered, failed } = await rig.once();
  expect([code, delivered]).toEqual([1, 1]);
  expect(failed.map(({ reason }) => reason).toSorted(byText)).toEqual(
    failing.map(({ would_fail = '' }) => would_fail).toSorted(byText),
  );
});

test('a document whose target is a pipe is not bought', async () => {
  await using rig = await start();
  const letter = join(import.meta.dirname, '../upgrade/sources/settled/docs/office/en/letter.docx');
  rig.write('docs/letter.docx', readFileSync(letter));
  spawnSync('mkfifo', [rig.path('out/de/letter-de.docx')]);
  const { failed } = await rig.once('docs/letter.docx');
  expect(failed).toMatchObject([
    { reason: expect.stringContaining('there is a pipe, a socket or a device at its path') },
  ]);
  expect(requests(rig, 'POST /v2/document')).toBe(0);
});
