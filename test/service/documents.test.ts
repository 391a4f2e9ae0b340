import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { appendFile, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import {
  close,
  failureFrom,
  json,
  listen,
  type Respond,
  reset,
  rig,
  serve,
} from './real-server.ts';

const HANDLE = { document_id: 'd1', document_key: 'secret-key' };
const BIG = 1_000_000;

async function fileOf(content: string | Uint8Array, name = 'a.html') {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, content);
  return { file, request: { file, filename: name, source_lang: 'en', target_lang: 'de' } };
}

/** A server that reads request bodies only as bytes: how much arrived, and whether a request was ever complete. */
async function countingServer(respond?: Respond) {
  const state = { bytes: 0, promised: 0, complete: 0, requests: 0 };
  const server = createServer((request, response) => {
    state.requests += 1;
    state.bytes = 0;
    state.promised = Number(request.headers['content-length']);
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => {
      state.bytes += chunk.byteLength;
    });
    request.on('end', () => {
      state.complete += 1;
      (respond ?? json(HANDLE))(response, {} as never);
    });
  });
  return { url: await listen(server), state, [Symbol.asyncDispose]: () => close(server) };
}

function counter() {
  const state = {
    total: 0,
    async count() {
      state.total += 1;
    },
  };
  return state;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setImmediate();
}

describe('upload', () => {
  test('sends the fields and the file as multipart of known length, with the key', async () => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url);
    const source = await fileOf('<p>Grüße</p>', 'a "b".html');
    const handle = await client.service.documents.upload({
      ...source.request,
      formality: 'prefer_more',
    });
    expect(handle).toEqual(HANDLE);
    const [seen] = server.seen;
    expect(seen?.headers['content-length']).toBe(String(seen?.body.byteLength));
    expect(seen?.headers.authorization).toBe('Service-Auth-Key test-key');
    const boundary = /boundary=(.+)$/.exec(seen?.headers['content-type'] ?? '')?.[1];
    expect(String(seen?.body).split(`--${boundary}`)).toEqual([
      '',
      '\r\nContent-Disposition: form-data; name="source_lang"\r\n\r\nen\r\n',
      '\r\nContent-Disposition: form-data; name="target_lang"\r\n\r\nde\r\n',
      '\r\nContent-Disposition: form-data; name="formality"\r\n\r\nprefer_more\r\n',
      '\r\nContent-Disposition: form-data; name="file"; filename="a %22b%22.html"\r\nContent-Type: application/octet-stream\r\n\r\n<p>Grüße</p>\r\n',
      '--\r\n',
    ]);
  });

  test('the closing boundary waits until onClosing has resolved', async () => {
    await using server = await countingServer();
    await using client = rig(server.url);
    const source = await fileOf(Buffer.alloc(BIG, 'a'));
    const missing: number[] = [];
    await client.service.documents.upload(source.request, {
      async onClosing() {
        await until(() => server.state.promised - server.state.bytes < 100);
        for (let turn = 0; turn < 20; turn += 1) await setImmediate();
        missing.push(server.state.promised - server.state.bytes);
        expect(server.state.complete).toBe(0);
      },
    });
    expect(missing).toHaveLength(1);
    expect(missing[0]).toBeGreaterThan(40);
    expect(server.state.complete).toBe(1);
  });

  test('when onClosing fails, its error comes through and no request was complete', async () => {
    await using server = await countingServer();
    await using client = rig(server.url);
    const source = await fileOf(Buffer.alloc(BIG, 'a'));
    const full = new JobFailure({ kind: 'disk-full', file: 'db.json' });
    const upload = client.service.documents.upload(source.request, {
      onClosing: () => Promise.reject(full),
    });
    expect(await failureFrom(upload)).toEqual(full.failure);
    expect(server.state).toMatchObject({ requests: 1, complete: 0 });
  });

  test('a connection that breaks before the end is harmless and tried again', async () => {
    let broken = 0;
    const server = createServer((request, response) => {
      request.on('error', () => undefined);
      if (broken === 0) {
        request.once('data', () => {
          broken += 1;
          request.socket.resetAndDestroy();
        });
        return;
      }
      request.resume().on('end', () => json(HANDLE)(response, {} as never));
    });
    await using client = rig(await listen(server));
    const source = await fileOf(Buffer.alloc(BIG, 'a'));
    const closings = counter();
    const handle = await client.service.documents.upload(source.request, {
      onClosing: closings.count,
    });
    await close(server);
    expect(handle).toEqual(HANDLE);
    expect([broken, closings.total]).toEqual([1, 1]);
  });

  test('a connection that breaks after the end is in doubt and never tried again', async () => {
    await using server = await countingServer(reset);
    await using client = rig(server.url);
    const source = await fileOf('<p>x</p>');
    expect(await failureFrom(client.service.documents.upload(source.request))).toMatchObject({
      kind: 'unanswered',
      operation: 'POST /v2/document',
    });
    expect(server.state).toMatchObject({ requests: 1, complete: 1 });
  });

  test('a refusal is retried with a fresh body and asks onClosing again', async () => {
    await using server = await serve(json({}, 429), json(HANDLE));
    await using client = rig(server.url);
    const source = await fileOf('<p>x</p>');
    const closings = counter();
    await client.service.documents.upload(source.request, {
      onClosing: closings.count,
    });
    expect(closings.total).toBe(2);
    expect(server.seen[1]?.body.byteLength).toBe(server.seen[0]?.body.byteLength);
  });

  test.for([
    ['grows', (file: string) => appendFile(file, 'more')],
    ['shrinks', (file: string) => truncate(file, 10)],
  ] as const)('a file that %s while it is sent is refused before its end', async ([, change]) => {
    const server = createServer((request) => request.on('error', () => undefined));
    await using client = rig(await listen(server));
    const source = await fileOf(Buffer.alloc(4 * BIG, 'a'));
    const closings = counter();
    server.once('request', async (request) => {
      await once(request, 'readable');
      await change(source.file);
      request.resume();
    });
    const upload = client.service.documents.upload(source.request, {
      onClosing: closings.count,
    });
    expect(await failureFrom(upload)).toEqual({ kind: 'changed-meanwhile', file: source.file });
    expect(closings.total).toBe(0);
    await close(server);
  });

  test('a 413 in the middle of the upload is too large, not a broken connection', async () => {
    const server = createServer((request, response) => {
      request.once('data', () => {
        response.writeHead(413, { 'content-type': 'text/html' });
        response.end('<html>Request Entity Too Large</html>');
      });
      request.on('error', () => undefined);
    });
    await using client = rig(await listen(server));
    const source = await fileOf(Buffer.alloc(4 * BIG, 'a'));
    expect(await failureFrom(client.service.documents.upload(source.request))).toEqual({
      kind: 'too-large',
      operation: 'POST /v2/document',
      message: 'HTTP 413',
    });
    await close(server);
  });

  test('an aborted upload leaves no file open', async () => {
    const server = createServer(() => undefined);
    await using client = rig(await listen(server));
    const source = await fileOf(Buffer.alloc(4 * BIG, 'a'));
    const stop = new AbortController();
    server.once('request', () => stop.abort());
    const upload = client.service.documents.upload(source.request, { signal: stop.signal });
    expect(await failureFrom(upload)).toEqual({ kind: 'stopped' });
    await close(server);
    // It may be opened and closed again after the abort.
    await expect.poll(openFiles).not.toContain(source.file);
  });

  test.for([
    ['filename', { filename: 'a.exe' }],
    ['filename', { filename: 'a.constructor' }],
    ['target_lang', { target_lang: 'en-GB' }],
    ['glossary_id', { source_lang: undefined, glossary_id: 'g' }],
    ['output_format', { output_format: 'docx' }],
    ['style_id', { style_id: 's' }],
    ['translation_memory_id', { translation_memory_id: 'm' }],
  ] as const)('a fault in %s is refused without a request: %j', async ([parameter, change]) => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url);
    const source = await fileOf('<p>x</p>');
    const request = { ...source.request, ...change } as typeof source.request;
    expect(await failureFrom(client.service.documents.upload(request))).toMatchObject({
      kind: 'invalid-request',
      parameter,
    });
    expect(server.seen).toHaveLength(0);
  });

  test.for([
    ['a.pdf', 'docx'],
    ['a.doc', 'docx'],
    ['a.html', 'html'],
  ] as const)('%s may become %s', async ([name, output_format]) => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url);
    const source = await fileOf('x', name);
    expect(await client.service.documents.upload({ ...source.request, output_format })).toEqual(
      HANDLE,
    );
  });

  test('a file over its limit is too large, and config can raise the limit', async () => {
    await using server = await serve(json(HANDLE));
    const source = await fileOf(Buffer.alloc(150_001), 'a.srt');
    await using strict = rig(server.url);
    expect(await failureFrom(strict.service.documents.upload(source.request))).toMatchObject({
      kind: 'too-large',
    });
    await using roomy = rig(server.url, { limits: { srt: 200_000 } });
    expect(await roomy.service.documents.upload(source.request)).toEqual(HANDLE);
  });

  test('XLIFF other than 2.1 is refused by the document and left to deployments', async () => {
    await using server = await serve(json(HANDLE));
    const source = await fileOf(
      '<?xml version="1.0"?><xliff note="a > b, version=\'2.1\'" version="1.2"/>',
      'a.xlf',
    );
    await using strict = rig(server.url);
    expect(await failureFrom(strict.service.documents.upload(source.request))).toMatchObject({
      kind: 'invalid-request',
      parameter: 'file',
      rule: 'must be XLIFF 2.1, this is 1.2',
    });
    await using deployed = rig(server.url, { dialect: 'deployed' });
    expect(await deployed.service.documents.upload(source.request)).toEqual(HANDLE);
  });

  test('a style is sent where the capability is configured', async () => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url, { capabilities: ['document_style'] });
    const source = await fileOf('<p>x</p>');
    await client.service.documents.upload({ ...source.request, style_id: 'my-style' });
    expect(String(server.seen[0]?.body)).toContain('name="style_id"\r\n\r\nmy-style\r\n');
  });
});

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

test('a missing file, or a folder, is unreadable and sends nothing', async () => {
  await using server = await serve(json(HANDLE));
  await using client = rig(server.url);
  const folder = await temporaryFolder();
  const request = { filename: 'a.txt', target_lang: 'de' };
  const missing = { ...request, file: join(folder, 'a.txt') };
  expect(await failureFrom(client.service.documents.upload(missing))).toMatchObject({
    kind: 'unreadable',
    code: 'ENOENT',
  });
  expect(await failureFrom(client.service.documents.upload({ ...request, file: folder }))).toEqual({
    kind: 'unreadable',
    file: folder,
    code: 'EISDIR',
  });
  expect(server.seen).toHaveLength(0);
});

test('a file that is replaced between two attempts is not sent', async () => {
  await using server = await serve(json({}, 429), json(HANDLE));
  await using client = rig(server.url);
  const source = await fileOf('<p>old</p>');
  const upload = client.service.documents.upload(source.request, {
    onClosing: () => writeFile(source.file, '<p>new</p>'),
  });
  expect(await failureFrom(upload)).toEqual({ kind: 'changed-meanwhile', file: source.file });
  expect(server.seen).toHaveLength(1);
});

describe('status', () => {
  test('an unknown state comes through, and a stuck estimate too', async () => {
    const status = { document_id: 'd1', status: 'warming_up', seconds_remaining: 2_147_483_647 };
    await using server = await serve(json(status));
    await using client = rig(server.url);
    expect(await client.service.documents.status(HANDLE)).toEqual(status);
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/v2/document/d1' });
    expect(JSON.parse(String(server.seen[0]?.body))).toEqual({ document_key: 'secret-key' });
  });

  test.for([
    [404, 'Not found'],
    [503, 'Document already downloaded'],
  ] as const)('%d %s means that the result is gone', async ([status, message]) => {
    await using server = await serve(json({ message }, status, { 'x-trace-id': 't9' }));
    await using client = rig(server.url);
    const error = await client.service.documents.status(HANDLE).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ traceId: 't9', failure: { kind: 'not-found', message } });
    expect(client.clock.slept).toEqual([]);
  });

  test('the reason of a failure is read where deployments put it', async () => {
    const failed = { document_id: HANDLE.document_id, status: 'error' };
    await using server = await serve(json({ ...failed, error_message: 'too blurred' }));
    await using client = rig(server.url);
    expect(await client.service.documents.status(HANDLE)).toEqual({
      ...failed,
      message: 'too blurred',
    });
  });

  test('no message has the document key', async () => {
    await using server = await serve(json({ message: 'wrong key secret-key' }, 400));
    await using client = rig(server.url);
    expect(await failureFrom(client.service.documents.status(HANDLE))).toMatchObject({
      message: 'wrong key ***',
    });
  });

  test('an id that would change the path is refused', async () => {
    await using server = await serve(json({}));
    await using client = rig(server.url);
    const traversal = { ...HANDLE, document_id: '..' };
    expect(await failureFrom(client.service.documents.status(traversal))).toMatchObject({
      kind: 'invalid-request',
      parameter: 'document_id',
    });
  });
});
