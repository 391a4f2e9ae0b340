/** The programs of docs/library.md: the page shows the files of `test/library/`, and each is run against the sandbox. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../src/sandbox/server.ts';
import { connect } from '../src/service/client.ts';
import { silence } from './sandbox/voice-calls.ts';
import { temporaryFolder } from './temporary-folder.ts';

const PROGRAMS = join(import.meta.dirname, 'library');
const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'library.md'), 'utf8');

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ engine: 'plain', timeScale: 50 });
});
afterEach(() => sandbox.control.reset('everything'));
afterAll(() => sandbox[Symbol.asyncDispose]());

interface Ended {
  readonly output: string[];
  readonly folder: string;
}

/** Runs a program in a folder of its own, with the package's own files in place of `dragoman`. */
async function run(name: string, files: Record<string, string | Uint8Array> = {}): Promise<Ended> {
  const folder = await temporaryFolder();
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
  const env = { ...process.env, DRAGOMAN_URL: sandbox.url, DRAGOMAN_KEY: sandbox.key };
  const { stdout } = await promisify(execFile)(process.execPath, [join(PROGRAMS, name)], {
    cwd: folder,
    env,
    timeout: 150_000,
  });
  return { output: stdout.trimEnd().split('\n'), folder };
}

test('the page shows every program as it is run, and no other', () => {
  const shown = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  const programs = readdirSync(PROGRAMS).map((file) =>
    readFileSync(join(PROGRAMS, file), 'utf8').replace('../../src/service/client.ts', 'dragoman'),
  );
  expect(new Set(shown)).toEqual(new Set(programs));
});

/** The first two cells of each row of the table with this heading, as the names in them. */
function tableOf(heading: string): Map<string, string[]> {
  const table = page.slice(page.indexOf(`| ${heading} |`)).split('\n\n')[0] ?? '';
  const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
  return new Map(
    table.split('\n').flatMap((row) => {
      const [, first, second] = row.split('|');
      return namesIn(first).map((name) => [name, namesIn(second)] as const);
    }),
  );
}

test('the page names every member of the client and every call of its resources, and no others', async () => {
  await using service = connect({ url: sandbox.url, key: sandbox.key });
  const callsOf = (member: unknown) =>
    typeof member === 'object'
      ? Object.entries(member ?? {}).flatMap(([name, call]) =>
          typeof call === 'function' ? name : [],
        )
      : [];
  const members = Object.entries(service).map(([name, member]) => [name, callsOf(member).sort()]);
  const named = [...tableOf('member')].map(([name, calls]) => [name, calls.toSorted()]);
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(members));
});

test('the page names every option of connect, and no other', () => {
  const contract = readFileSync(join(PROGRAMS, '..', '..', 'src', 'service', 'client.ts'), 'utf8');
  const [, body = ''] = /^export interface ConnectOptions {\n([\s\S]*?)^}/m.exec(contract) ?? [];
  const options = [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, name = '']) => name);
  expect(options.length).toBeGreaterThan(0);
  expect(new Set(tableOf('option').keys())).toEqual(new Set(options));
});

test('loading the library loads no parser of the daemon, and undici only when something is asked', async () => {
  const { metafile } = await build({
    absWorkingDir: join(import.meta.dirname, '..'),
    entryPoints: ['src/service/client.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    write: false,
    metafile: true,
  });
  const loaded = new Set<string>();
  const load = (output: string) => {
    if (loaded.has(output)) return;
    loaded.add(output);
    for (const { path, kind } of metafile.outputs[output]?.imports ?? []) {
      if (kind === 'import-statement' && path in metafile.outputs) load(path);
    }
  };
  load('dist/client.js');
  const inputs = [...loaded].flatMap((output) =>
    Object.keys(metafile.outputs[output]?.inputs ?? {}),
  );
  const packages = inputs.flatMap((file) => /^node_modules\/([^/]+)/.exec(file)?.[1] ?? []);
  expect(new Set(packages)).toEqual(new Set(['p-queue', 'zod']));
  const rooms = inputs.flatMap((file) => /^src\/([^/]+)/.exec(file)?.[1] ?? []);
  expect(new Set(rooms)).toEqual(
    new Set(['clock.ts', 'failure.ts', 'language.ts', 'parsing', 'service']),
  );
});

test('texts', async () => {
  const { output } = await run('text.ts');
  expect(output).toEqual(['EN Ħḗŀŀǿ, ẇǿřŀḓ', 'EN Ɠǿǿḓ ḿǿřƞīƞɠ', '24 characters']);
});

test('errors', async () => {
  sandbox.faults.add([{ kind: 'quota', characters: 260 }]);
  const { output } = await run('errors.ts');
  expect(output).toEqual([
    'text must hold at least one text',
    expect.stringContaining("'target_lang' has an unsupported value"),
    '50 texts were translated and billed before it failed',
    'no characters left',
  ]);
});

test('retries and aborting', async () => {
  const operation = 'POST /v2/translate';
  sandbox.faults.add([
    { kind: 'status', status: 503, retry_after: 0.1, operation },
    { kind: 'no_answer', how: 'silence', skip: 2, operation },
  ]);
  const { output } = await run('retries.ts');
  expect(output).toEqual(['again in 100 ms', 'Ħḗŀŀǿ', 'unanswered']);
});

test('documents', async () => {
  const { output, folder } = await run('documents.ts', { 'letter.txt': 'Hello\n' });
  expect(readFileSync(join(folder, 'letter.de.txt'), 'utf8')).toBe('Ħḗŀŀǿ\n');
  expect(output).toEqual(
    expect.arrayContaining(['done', '12 bytes', '6 characters', '12 bytes to come', 'Ħḗŀŀǿ']),
  );
});

test('glossaries', async () => {
  const { output } = await run('glossaries.ts');
  expect(output).toEqual([
    'Ḓḗŀḗŧḗ ŧħḗ Konto',
    'account\tKonto',
    'user\tNutzer',
    'password\tKennwort',
  ]);
});

test('voice', async () => {
  const { output, folder } = await run('voice.ts', { 'talk.wav': silence(3000) });
  expect(new Set(output)).toEqual(new Set(['talk.de.srt', 'talk.de.txt']));
  expect(readFileSync(join(folder, 'talk.de.srt'), 'utf8')).toContain('-->');
});
