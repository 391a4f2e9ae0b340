/** An output that nobody reads ends no work: what is under way is paid once, and the exit code says how the run ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { billed, requests } from '../counts.ts';
import { MAIN } from '../main.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const FILES = Object.fromEntries(
  NAMES.map((name) => [`locales/en/${name}.json`, `{ "text": "The words of ${name}" }\n`]),
);
const TEXT = 'The words of a'.length;
const TRANSLATE = 'POST /v2/translate';

/** Runs a line of a shell. Resolves with the code that the line wrote into the file "code". */
async function shell(rig: Rig, line: string): Promise<string> {
  const program = { NODE: process.execPath, MAIN, DRAGOMAN_KEY: rig.sandbox.key };
  const env = { ...process.env, NO_COLOR: '1', ...program };
  const child = spawn('sh', ['-c', line], { cwd: rig.root, env, stdio: 'ignore' });
  await once(child, 'close');
  return rig.read('code').trim();
}

test.each([
  ['once', '2>&1', 'true'],
  ['once --verbose', '2>&1', 'head -1'],
  ['once --json', '2>&1', 'true'],
  ['once', '2>&1 >/dev/null', 'true'],
])('%s %s | %s goes on to its end and buys everything once', async (command, output, reader) => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES, service: '  concurrency: 1' });
  const code = await shell(
    rig,
    `{ "$NODE" "$MAIN" ${command} ${output}; echo $? >code; } | ${reader}`,
  );
  expect(code).toBe('0');
  expect(billed(rig)).toBe(NAMES.length * 2 * TEXT);
  for (const name of NAMES) expect(rig.exists(`locales/fr/${name}.json`)).toBe(true);
  const bought = requests(rig, TRANSLATE);
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0, delivered: 0 });
  expect(requests(rig, TRANSLATE)).toBe(bought);
});

test('a run whose output is closed ends with the code of its work', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  rig.write('locales/en/broken.json', '{ "text": ');
  expect(await shell(rig, '{ "$NODE" "$MAIN" once 2>&1; echo $? >code; } | true')).toBe('1');
  expect(rig.exists('locales/fr/f.json')).toBe(true);
});

test('a daemon whose log is closed works on, and stops with 0', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  // The reader goes after the first line; a source comes only then.
  const line =
    '{ "$NODE" "$MAIN" run 2>&1 & echo $! >pid; wait $!; echo $? >code; } | { read first; echo gone >read; }';
  const ended = shell(rig, line);
  await expect.poll(() => rig.exists('read')).toBe(true);
  rig.write('locales/en/later.json', '{ "text": "Words that come later" }\n');
  try {
    await expect.poll(() => rig.exists('locales/fr/later.json')).toBe(true);
  } finally {
    process.kill(Number(rig.read('pid')), 'SIGTERM');
  }
  expect(await ended).toBe('0');
});

test.each([
  ['status --watch', 'EPIPE'],
  ['sandbox', 'SIGHUP'],
])('%s, which only shows something, ends at %s', async (command, end) => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  const env = { ...process.env, NO_COLOR: '1', DRAGOMAN_KEY: rig.sandbox.key };
  const child = spawn(process.execPath, [MAIN, ...command.split(' ')], { cwd: rig.root, env });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  if (end === 'SIGHUP') child.kill(end);
  else child.stdout.destroy();
  expect(await ended).toEqual([0, null]);
});

test.runIf(process.platform === 'linux')(
  'a result that a full disk did not take is no success',
  async () => {
    await using rig = await Rig.start({ config: CONFIG, files: FILES });
    expect(await shell(rig, '"$NODE" "$MAIN" plan >/dev/full 2>notes; echo $? >code')).toBe('1');
    expect(rig.read('notes')).toContain('the output could not be written: ENOSPC');
    expect(await shell(rig, '"$NODE" "$MAIN" once >/dev/full 2>/dev/full; echo $? >code')).toBe(
      '1',
    );
    expect(rig.exists('locales/fr/f.json')).toBe(true);
    rig.write('locales/en/broken.json', '{ "text": ');
    await shell(rig, '"$NODE" "$MAIN" once >/dev/full 2>notes; echo $? >code');
    expect(rig.read('notes')).toContain('the output could not be written: ENOSPC');
  },
);
