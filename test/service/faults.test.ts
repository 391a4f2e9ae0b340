import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { failureFrom, rig } from './real-server.ts';

const HELLO = { text: ['Hello'], source_lang: 'en', target_lang: 'de' };
const TRANSLATE = 'POST /v2/translate';

async function world() {
  const sandbox = await startSandbox({ timeScale: 1000 });
  const client = rig(sandbox.url, { key: sandbox.key });
  return {
    sandbox,
    ...client,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

test.for([
  ['no answer after the work', { kind: 'no_answer' }],
  ['an answer that is cut', { kind: 'cut_body', bytes: 10 }],
] as const)('%s is billed once: nothing is sent again', async ([, fault]) => {
  await using at = await world();
  at.sandbox.faults.add([{ ...fault, operation: TRANSLATE }]);
  expect(await failureFrom(at.service.text.translate(HELLO))).toMatchObject({
    kind: 'unanswered',
  });
  expect(at.sandbox.counters()).toMatchObject({ billed_characters: 5, asked_twice: [] });
});

test.for([429, 500, 503, 529])('three answers %d cost nothing but time', async (status) => {
  await using at = await world();
  at.sandbox.faults.add([{ kind: 'status', status, operation: TRANSLATE, times: 3 }]);
  await at.service.text.translate(HELLO);
  expect(at.sandbox.counters()).toMatchObject({ billed_characters: 5, asked_twice: [] });
  expect(at.clock.slept).toHaveLength(3);
});

test('an HTML page from a proxy in between is a refusal like any other', async () => {
  await using at = await world();
  at.sandbox.faults.add([{ kind: 'status', status: 413, format: 'html', operation: TRANSLATE }]);
  expect(await failureFrom(at.service.text.translate(HELLO))).toEqual({
    kind: 'too-large',
    operation: TRANSLATE,
    message: 'HTTP 413',
  });
});

test('a slow body is waited for', async () => {
  await using at = await world();
  at.sandbox.faults.add([{ kind: 'slow_body', ms: 300, operation: TRANSLATE }]);
  expect((await at.service.text.translate(HELLO)).billed_characters).toBe(5);
});

test('a quota that runs out stops paid work, and new quota resumes it', async () => {
  await using at = await world();
  const { key } = at.sandbox;
  at.sandbox.control.change({ key, key_limit: 7 });
  await at.service.text.translate(HELLO);
  expect(await failureFrom(at.service.text.translate(HELLO))).toMatchObject({
    kind: 'quota-exceeded',
    scope: 'account',
  });
  const calls = at.sandbox.counters().operations[TRANSLATE]?.calls;
  await failureFrom(at.service.text.translate(HELLO));
  expect(at.sandbox.counters().operations[TRANSLATE]?.calls).toBe(calls);
  at.sandbox.control.change({ key, key_limit: null });
  expect(await at.service.resume()).toEqual({ kind: 'running' });
  await at.service.text.translate(HELLO);
});

test.for([
  ['sandbox-free', 'rephrase'],
  ['sandbox-no-detection', 'detect'],
] as const)('%s may not %s, and goes on translating', async ([key, feature]) => {
  await using sandbox = await startSandbox();
  await using client = rig(sandbox.url, { key });
  const { writing, detection, text } = client.service;
  const refused =
    feature === 'detect' ? detection.detect(['a']) : writing.rephrase({ text: ['a'] });
  expect(await failureFrom(refused)).toMatchObject({ kind: 'forbidden' });
  expect((await text.translate(HELLO)).billed_characters).toBe(5);
});

test('a result whose body is cut is lost, never asked for again', async () => {
  await using at = await world();
  const file = join(await temporaryFolder(), 'a.txt');
  await writeFile(file, 'Hello world, this is a document.');
  const request = { file, filename: 'a.txt', source_lang: 'en', target_lang: 'de' };
  const handle = await at.service.documents.upload(request);
  while ((await at.service.documents.status(handle)).status !== 'done') {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const operation = 'POST /v2/document/{document_id}/result';
  at.sandbox.faults.add([{ kind: 'cut_body', bytes: 5, operation }]);
  const pieces: number[] = [];
  const sink = {
    headers: async () => undefined,
    write: async (chunk: Uint8Array) => void pieces.push(chunk.byteLength),
  };
  expect(await failureFrom(at.service.documents.result(handle, sink))).toMatchObject({
    kind: 'unanswered',
  });
  expect(at.sandbox.counters().operations[operation]?.calls).toBe(1);
});
