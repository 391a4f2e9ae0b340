import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { MAIN } from '../main.ts';
import { Rig } from '../rig.ts';

const CONFIG = `projects:
  app:
    root: .
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.json" }`;

let rig: Rig;

beforeAll(async () => {
  rig = await Rig.start({
    config: CONFIG,
    service: '  admin_key: { env: DRAGOMAN_ADMIN_KEY }',
    sandbox: { engine: 'echo', timeScale: 1000 },
  });
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(() => void vi.stubEnv('DRAGOMAN_ADMIN_KEY', rig.sandbox.adminKey));

/** Runs a command with something on its standard input. */
async function pipe(input: string, ...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args, '--no-input'], {
    cwd: rig.root,
    env: { ...process.env, DRAGOMAN_KEY: rig.sandbox.key },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(input);
  const [stdout] = await Promise.all([child.stdout.toArray(), once(child, 'close')]);
  return Buffer.concat(stdout as Buffer[]).toString();
}

test('translate prints one line for each text', async () => {
  const { code, stdout } = await rig.run('translate', '--to', 'de', 'Hello', 'Bye');
  expect([code, stdout]).toEqual([0, 'Hello\nBye\n']);
});

test('translate reads standard input as one text, without its last line end', async () => {
  const stdout = await pipe('two\nlines\n', 'translate', '--to', 'de', '--json', '-');
  expect(JSON.parse(stdout)).toMatchObject({
    translations: [{ text: 'two\nlines' }],
    billed_characters: 9,
  });
});

test('translate sends more than 50 texts in several requests', async () => {
  const texts = Array.from({ length: 120 }, (_, index) => `text ${index}`);
  const { stdout } = await rig.run('translate', '--to', 'de', ...texts);
  expect(stdout.trimEnd().split('\n')).toEqual(texts);
});

test('translate and improve spread texts over requests that the service takes', async () => {
  const long = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(4000)}`);
  const translated = await rig.run('translate', '--to', 'de', ...long);
  expect(translated).toMatchObject({ code: 0, stdout: `${long.join('\n')}\n` });
  const short = Array.from({ length: 40 }, (_, index) => `${index} ${'"'.repeat(200)}`);
  const improved = await rig.run('improve', '--to', 'en-US', '--json', ...short);
  expect(improved.code).toBe(0);
  expect(JSON.parse(improved.stdout).improvements).toHaveLength(40);
  expect(await rig.run('improve', 'x'.repeat(10_240))).toMatchObject({ code: 1 });
});

test.each([
  ['translate', 'POST /v2/translate', ['--to', 'de']],
  ['improve', 'POST /v2/write/rephrase', []],
])('%s prints what was bought before a request failed', async (command, operation, options) => {
  rig.sandbox.faults.add([{ kind: 'status', status: 400, operation, skip: 1 }]);
  const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`);
  const { code, stdout, stderr } = await rig.run(command, ...options, ...texts);
  expect(code).toBe(1);
  expect(stdout.trimEnd().split('\n')).toHaveLength(50);
  expect(stderr).toContain('400');
});

test('translate without a target language, or without a text, is a usage error', async () => {
  expect(await rig.run('translate', 'Hello')).toMatchObject({ code: 64 });
  expect(await rig.run('translate', '--to', 'de')).toMatchObject({ code: 64 });
});

test('translate names the rule that a request breaks', async () => {
  const { code, stderr } = await rig.run(
    'translate',
    '--to',
    'tr',
    '--from',
    'english please',
    'Hi',
  );
  expect(code).toBe(1);
  expect(stderr).toContain('POST /v2/translate was not sent: source_lang');
});

test.each([
  [['--to', 'de', '--from', 'de'], '--from de --to de is one language'],
  [['--to', 'de-CH', '--from', 'de'], '--from de --to de-CH is one language'],
  [['--to', 'en-GB', '--from', 'en'], 'dragoman improve --to en-GB converts texts into en-GB'],
  [
    ['--to', 'de', '--from', 'de', '--file', 'self.txt'],
    'the request would be billed and change nothing',
  ],
  [['--to', 'tr', '--formality', 'more'], 'prefer_more is, and falls back to the default there'],
  [['--to', 'tr', '--formality', 'less', '--file', 'self.txt'], 'not supported for tr'],
])('translate %s is refused before anything is billed', async (options, message) => {
  rig.write('self.txt', 'Guten Morgen.\n');
  const before = rig.sandbox.counters().billed_characters;
  const texts = options.includes('--file') ? [] : ['Guten Morgen'];
  const { code, stderr } = await rig.run('translate', ...options, ...texts);
  expect([code, stderr]).toEqual([64, expect.stringContaining(message)]);
  expect(rig.sandbox.counters().billed_characters).toBe(before);
  rig.remove('self.txt');
});

test('translate sends a formality that the language has, and one that falls back', async () => {
  for (const [to, formality] of [
    ['pt-BR', 'less'],
    ['tr', 'prefer_more'],
  ] as const) {
    const { code } = await rig.run('translate', '--to', to, '--formality', formality, 'Hello');
    expect([to, code]).toEqual([to, 0]);
  }
});

test('memory list --service names the ids that config wants', async () => {
  const { code, stdout } = await rig.run('memory', 'list', '--service');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^id +name +source +targets +segments\n6f1d2c3a-\S+ +Product texts +en /);
  const { memories } = JSON.parse((await rig.run('memory', 'list', '--service', '--json')).stdout);
  expect(memories).toHaveLength(2);
  expect(await rig.run('memory', 'export', '--service', 'a.tmx')).toMatchObject({ code: 64 });
  expect(await rig.run('memory', 'list', 'a.tmx')).toMatchObject({ code: 64 });
});

test('an empty translation is an error that names the text', async () => {
  rig.sandbox.faults.add([{ kind: 'empty', matches: 'vanish' }]);
  const { code, stderr } = await rig.run('translate', '--to', 'de', 'stay', 'please vanish');
  expect(code).toBe(1);
  expect(stderr).toContain('empty translation');
});

test.each([
  [['translate', '--to', 'de', '--file', 'nofile'], 64, 'nofile does not exist'],
  [['memory', 'export', 'nowhere/all.tmx'], 1, 'nowhere/all.tmx cannot be written (ENOENT)'],
])('%j names the file that is not there', async (command, exit, message) => {
  const { code, stderr } = await rig.run(...command);
  expect([code, stderr]).toEqual([exit, expect.stringContaining(message)]);
});

test('a document is translated beside its source, and never over a file', async () => {
  rig.write('letter.txt', 'Hello world.\n');
  const { code, stdout } = await rig.run(
    ...['translate', '--to', 'de', '--from', 'en', '--file', 'letter.txt', '--json'],
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    output: rig.path('letter.de.txt'),
    billed_characters: expect.any(Number),
  });
  expect(rig.read('letter.de.txt')).toBe('Hello world.\n');
  expect(rig.exists('letter.de.txt.part')).toBe(false);
  const again = await rig.run('translate', '--to', 'de', '--file', 'letter.txt');
  expect(again).toMatchObject({ code: 64 });
});

test('a document that costs 50,000 characters is not bought unasked', async () => {
  rig.write('letter.docx', 'x');
  const { code, stderr } = await rig.run('translate', '--to', 'de', '--file', 'letter.docx');
  expect(code).toBe(2);
  expect(stderr).toContain('--yes');
});

test('improve takes a style or a tone, not both', async () => {
  const both = ['--style', 'business', '--tone', 'friendly'];
  expect(await rig.run('improve', '--to', 'en-US', ...both, 'x')).toMatchObject({ code: 64 });
  const { code, stdout } = await rig.run('improve', '--to', 'en-US', '--json', 'Hello');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    improvements: [{ text: expect.any(String) }],
    counted_characters: 5,
  });
});

test('detect names each language, and ends with 1 when one is unknown', async () => {
  const german = 'Der schnelle braune Fuchs springt über den faulen Hund und läuft nach Hause.';
  expect(await rig.run('detect', german)).toMatchObject({ code: 0, stdout: 'de\n' });
  const { code, stdout } = await rig.run('detect', '--json', '12345');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({ results: [{ detection_status: expect.any(String) }] });
});

test('languages lists those of a resource', async () => {
  const { stdout } = await rig.run('languages', '--resource', 'write', '--json');
  const { resource, languages } = JSON.parse(stdout) as {
    resource: string;
    languages: { lang: string }[];
  };
  expect(resource).toBe('write');
  expect(languages.map(({ lang }) => lang)).toContain('de');
  expect(await rig.run('languages', '--resource', 'poems')).toMatchObject({ code: 64 });
});

test('keys are made, limited, named and, after a confirmation, deactivated', async () => {
  const made = await rig.run('keys', 'create', 'build server', '--json');
  const { key_id } = JSON.parse(made.stdout) as { key_id: string };
  expect((await rig.run('keys', 'limit', key_id, '5000')).stdout).toContain('5,000');
  expect((await rig.run('keys', 'label', key_id, 'other')).stdout).toContain('other');
  expect(await rig.run('keys', 'deactivate', key_id)).toMatchObject({ code: 2 });
  const gone = await rig.run('keys', 'deactivate', key_id, '--yes', '--json');
  expect(JSON.parse(gone.stdout)).toMatchObject({ key_id, is_deactivated: true });
  expect(await rig.run('keys', 'limit', key_id)).toMatchObject({ code: 64 });
  expect(await rig.run('keys', 'burn')).toMatchObject({ code: 64 });
});

test('analytics print one line in all, and need both dates', async () => {
  const range = ['--start', '2026-01-01', '--end', '2026-01-31'];
  const { code, stdout } = await rig.run('analytics', ...range);
  expect(code).toBe(0);
  expect(stdout).toContain('all keys');
  expect(await rig.run('analytics', '--start', '2026-01-01')).toMatchObject({ code: 64 });
});

test('administration without the admin key says where it should be', async () => {
  vi.stubEnv('DRAGOMAN_ADMIN_KEY', undefined);
  const { code, stderr } = await rig.run('keys', 'list');
  expect(code).toBe(77);
  expect(stderr).toContain('DRAGOMAN_ADMIN_KEY');
  expect(stderr).toContain('service.admin_key');
});

test('administration where the config names no admin key ends with 77', async () => {
  await using other = await Rig.start({ config: CONFIG });
  for (const args of [
    ['keys', 'list'],
    ['analytics', '--start', '2026-01-01', '--end', '2026-01-31'],
  ]) {
    const { code, stderr } = await other.run(...args);
    expect(code).toBe(77);
    expect(stderr).toContain('service.admin_key');
  }
});

test('a refused admin key is not taken for the key of the service', async () => {
  vi.stubEnv('DRAGOMAN_ADMIN_KEY', 'wrong');
  const range = ['--start', '2026-01-01', '--end', '2026-01-31'];
  const { code, stderr } = await rig.run('analytics', ...range);
  expect(code).toBe(77);
  expect(stderr).toContain('service.admin_key');
});

test('a wrong argument of a command is not blamed on the config, and no retry is advised', async () => {
  const answers = await Promise.all([
    rig.run('translate', '--to', 'xx', 'Hello'),
    rig.run('improve', '--to', 'nl', 'Hallo'),
    rig.run('keys', 'limit', 'bogus', '5'),
  ]);
  for (const { code, stderr } of answers) {
    expect(code).toBe(1);
    expect(stderr).not.toMatch(/dragoman retry|dragoman\.yaml/);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  }
});

test('a lost answer that may have been billed says what running it again may cost', async () => {
  rig.sandbox.faults.add([{ kind: 'no_answer', operation: 'POST /v2/translate' }]);
  const { code, stderr } = await rig.run('translate', '--to', 'de', 'Hello');
  expect(code).toBe(1);
  expect(stderr).toContain('running the command again may bill it again');
});

test('when the service asks to wait, the command waits and says so', async () => {
  rig.sandbox.faults.add([
    { kind: 'status', status: 503, retry_after: 1, operation: 'GET /v3/languages' },
  ]);
  const { code, stderr } = await rig.run('languages');
  expect(code).toBe(0);
  expect(stderr).toContain('asked to wait (503');
});
