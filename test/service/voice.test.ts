import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { close, failureFrom, json, listen, reset, rig, serve } from './real-server.ts';

const SIGNATURE = 'upload-signature';
const NO_API = 'http://127.0.0.1:1';
const SINK = { headers: async () => undefined, write: async () => undefined };

async function audio(bytes = 600_000): Promise<string> {
  const file = join(await temporaryFolder(), 'a.wav');
  await writeFile(file, Buffer.alloc(bytes, 7));
  return file;
}

function ticketAt(url: string) {
  return {
    upload_url: `${url}/assets/1?part=1`,
    signature: SIGNATURE,
    signed_upload_url: undefined,
  };
}

test('the upload carries the signature and never the key or configured headers', async () => {
  await using assets = await serve((response) => response.writeHead(204).end());
  await using client = rig(NO_API, { signatureScheme: 'Acme-Sig', headers: { 'x-team': 'l10n' } });
  await client.service.voice.upload(ticketAt(assets.url), await audio());
  const [seen] = assets.seen;
  expect(seen).toMatchObject({ method: 'PUT', url: '/assets/1?part=1' });
  expect(seen?.headers).toMatchObject({
    authorization: `Acme-Sig ${SIGNATURE}`,
    'content-type': 'application/octet-stream',
    'content-length': '600000',
  });
  expect(seen?.headers['x-team']).toBeUndefined();
  expect(seen?.body.equals(Buffer.alloc(600_000, 7))).toBe(true);
});

test('a signed address needs no header at all', async () => {
  await using assets = await serve((response) => response.writeHead(204).end());
  await using client = rig(NO_API);
  const signed_upload_url = `${assets.url}/signed?token=secret`;
  await client.service.voice.upload({ ...ticketAt(assets.url), signed_upload_url }, await audio());
  expect(assets.seen[0]).toMatchObject({ url: '/signed?token=secret' });
  expect(assets.seen[0]?.headers.authorization).toBeUndefined();
});

test('the last chunk waits for onClosing', async () => {
  let received = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.byteLength;
    });
    request.on('end', () => response.writeHead(204).end());
  });
  await using client = rig(NO_API);
  const url = await listen(server);
  const seen: number[] = [];
  await client.service.voice.upload(ticketAt(url), await audio(), {
    async onClosing() {
      while (received < 2 * 262_144) await new Promise(setImmediate);
      seen.push(received);
    },
  });
  await close(server);
  expect(seen).toEqual([2 * 262_144]);
  expect(received).toBe(600_000);
});

test('an answer lost after the last chunk is in doubt, and not sent again', async () => {
  await using assets = await serve(reset);
  await using client = rig(NO_API);
  const upload = client.service.voice.upload(ticketAt(assets.url), await audio(100));
  expect(await failureFrom(upload)).toMatchObject({
    kind: 'unanswered',
    operation: 'PUT {upload_url}',
  });
  expect(assets.seen).toHaveLength(1);
});

test('an expired signature says nothing about the key, and is in no message', async () => {
  await using assets = await serve(json({ message: `bad ${SIGNATURE}` }, 403));
  await using client = rig(NO_API);
  const failure = await failureFrom(
    client.service.voice.upload(ticketAt(assets.url), await audio(100)),
  );
  expect(failure).toMatchObject({ kind: 'forbidden' });
  expect(JSON.stringify(failure)).not.toContain(SIGNATURE);
  expect(client.service.state).toEqual({ kind: 'running' });
});

test('a busy asset host holds back only its own calls', async () => {
  await using assets = await serve(json({}, 429, { 'retry-after': '9' }), (response) =>
    response.writeHead(204).end(),
  );
  await using client = rig(NO_API);
  await client.service.voice.upload(ticketAt(assets.url), await audio(100));
  expect(client.clock.slept).toEqual([9000]);
  expect(client.service.state).toEqual({ kind: 'running' });
});

test('an asset address without encryption is refused where the API has it', async () => {
  await using client = rig('https://api.invalid');
  const upload = client.service.voice.upload(ticketAt('http://assets.invalid'), await audio(100));
  expect(await failureFrom(upload)).toMatchObject({ kind: 'bad-answer' });
});

test('how large a recording may be is for the service to say', async () => {
  const ticket = { job_id: 'j', upload_url: 'http://assets.invalid', signature: SIGNATURE };
  await using server = await serve(json(ticket));
  await using client = rig(server.url);
  const source_file = { name: 'a.wav', content_type: 'audio/wav', content_length: 2 ** 32 };
  const targets = [{ language: 'de', type: 'text/plain' }];
  expect(await client.service.voice.create({ source_file, targets })).toMatchObject(ticket);
});

test('a target that is not complete cannot be downloaded', async () => {
  await using client = rig(NO_API);
  expect(await failureFrom(client.service.voice.download({}, SINK))).toMatchObject({
    kind: 'invalid-request',
    parameter: 'download_url',
  });
});

test('unknown states of targets come through, but not another number of results', async () => {
  const job = {
    job_id: 'j',
    targets: [{ language: 'de', type: 'text/plain' }],
    results: [{ status: 'uploaded' }],
  };
  await using server = await serve(json(job), json({ ...job, results: [] }));
  await using client = rig(server.url);
  expect((await client.service.voice.get('j')).results).toEqual([{ status: 'uploaded' }]);
  expect(await failureFrom(client.service.voice.get('j'))).toMatchObject({ kind: 'bad-answer' });
});

test.for([
  ['source_file.name', { name: '' }],
  ['source_file.content_type', { content_type: 'text/plain' }],
  ['source_file.content_length', { content_length: 0.5 }],
] as const)('a fault in %s is refused without a request', async ([parameter, change]) => {
  await using client = rig(NO_API);
  const source_file = { name: 'a.wav', content_type: 'audio/wav', content_length: 1, ...change };
  const targets = [{ language: 'de', type: 'text/plain' }];
  expect(await failureFrom(client.service.voice.create({ source_file, targets }))).toMatchObject({
    kind: 'invalid-request',
    parameter,
  });
});
