import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { execFileSync } from '../in-time.ts';
import { MAIN } from '../main.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function start(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [MAIN, 'sandbox', ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The first output, which comes when it listens. */
async function announcement(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  return String(chunk);
}

async function failure(...args: readonly string[]) {
  const child = start(...args);
  const message = text(child.stderr as NodeJS.ReadableStream);
  const [code] = await once(child, 'close');
  return { code, message: await message };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'it prints its address and key, serves, and ends cleanly on %s',
  async (signal) => {
    const child = start('--json', '--key', 'mine', '--dialect', 'deployed');
    const shown = JSON.parse(await announcement(child));
    expect(shown).toMatchObject({ key: 'mine', admin_key: 'mine-admin' });
    const headers = { authorization: 'Service-Auth-Key mine' };
    expect((await fetch(`${shown.url}/v2/usage`, { headers })).status).toBe(200);
    expect((await fetch(`${shown.second_url}/v2/usage`)).status).toBe(403);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
  },
);

test('it takes the tokens of another deployment before key and signature', async () => {
  const child = start('--json', '--scheme', 'Brand-Key', '--signature-scheme', 'Brand-Signature');
  const { url } = JSON.parse(await announcement(child));
  const ask = async (authorization: string) =>
    (await fetch(`${url}/v2/usage`, { headers: { authorization } })).status;
  expect(await ask('Brand-Key sandbox')).toBe(200);
  expect(await ask('Service-Auth-Key sandbox')).toBe(401);
  expect(await failure('--scheme', 'two words')).toMatchObject({ code: 64 });
});

test('its help names the accounts that refusals can be tried with', async () => {
  const child = start('--help');
  const help = await text(child.stdout as NodeJS.ReadableStream);
  for (const account of ['free', 'classic', 'no-detection', 'no-voice', 'no-styles', 'limited']) {
    expect(help).toContain(`<key>-${account}`);
  }
});

test('without --json it prints lines for people', async () => {
  const shown = await announcement(start('--port', '0'));
  expect(shown).toMatch(/^address +http:\/\/127\.0\.0\.1:\d+\n/u);
});

test('faults and limits are read from files', async () => {
  const folder = await temporaryFolder();
  const [faults, limits] = [join(folder, 'faults.json'), join(folder, 'limits.json')];
  await writeFile(faults, '[{"kind":"status","status":529}]');
  await writeFile(limits, '{"texts":1}');
  const child = start('--json', '--faults', faults, '--limits', limits);
  const { url } = JSON.parse(await announcement(child));
  const translate = async () =>
    (
      await fetch(`${url}/v2/translate`, {
        method: 'POST',
        headers: { authorization: 'Service-Auth-Key sandbox', 'content-type': 'application/json' },
        body: JSON.stringify({ text: ['a', 'b'], target_lang: 'de' }),
      })
    ).status;
  expect([await translate(), await translate()]).toEqual([529, 400]);
});

test('wrong calls are refused with what is wrong', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'file.json');
  await writeFile(file, '{"kind":"explosion"}');
  const pipe = join(folder, 'pipe');
  execFileSync('/usr/bin/mkfifo', [pipe]);
  const refused = await Promise.all([
    failure('--port', 'many'),
    failure('--time-scale', '0'),
    failure('--dialect', 'other'),
    failure('--faults', file),
    failure('--limits', file),
    failure('--faults', join(folder, 'missing.json')),
    failure('--engine', `phrasebook:${pipe}`),
    failure('--engine', 'magic'),
  ]);
  expect(refused.map(({ code }) => code)).toEqual([64, 64, 64, 64, 64, 64, 69, 69]);
  expect(refused.at(-1)?.message).toContain("no engine 'magic'");
});

test('a port that is taken is reported', async () => {
  const first = start('--json');
  const { url } = JSON.parse(await announcement(first));
  const { code, message } = await failure('--port', new URL(url).port);
  expect(code).toBe(69);
  expect(message).toContain('EADDRINUSE');
});
