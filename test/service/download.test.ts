import { expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import type { DownloadHead, DownloadSink } from '../../src/service/download.ts';
import { cut, failureFrom, json, reset, rig, serve } from './real-server.ts';

const HANDLE = { document_id: 'd1', document_key: 'k' };

class Spool implements DownloadSink {
  head: DownloadHead | undefined;
  readonly chunks: Uint8Array[] = [];

  async headers(head: DownloadHead): Promise<void> {
    this.head = head;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.chunks.push(chunk);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

test('the head comes first, then every byte', async () => {
  const content = Buffer.alloc(300_000, 'ä');
  await using server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': content.byteLength });
    response.end(content);
  });
  await using client = rig(server.url);
  const spool = new Spool();
  expect(await client.service.documents.result(HANDLE, spool)).toEqual({
    kind: 'downloaded',
    bytes: content.byteLength,
  });
  expect(spool.head).toEqual({ content_length: content.byteLength, content_type: 'text/html' });
  expect(spool.bytes.equals(content)).toBe(true);
});

test('a result that breaks off is lost after its head, and not asked for again', async () => {
  await using server = await serve(cut('half', 100));
  await using client = rig(server.url);
  const spool = new Spool();
  expect(await failureFrom(client.service.documents.result(HANDLE, spool))).toMatchObject({
    kind: 'unanswered',
  });
  expect(spool.head).toEqual({ content_length: 100 });
  expect(server.seen).toHaveLength(1);
});

test('an answer that never begins leaves the sink untouched', async () => {
  await using server = await serve(reset);
  await using client = rig(server.url);
  const spool = new Spool();
  expect(await failureFrom(client.service.documents.result(HANDLE, spool))).toMatchObject({
    kind: 'unanswered',
  });
  expect(spool.head).toBeUndefined();
  expect(server.seen).toHaveLength(1);
});

test('503 before the result is done means poll on, and delays no other call', async () => {
  await using server = await serve(json({ message: 'not ready' }, 503));
  await using client = rig(server.url);
  expect(await client.service.documents.result(HANDLE, new Spool())).toEqual({ kind: 'not-ready' });
  expect(client.service.state).toEqual({ kind: 'running' });
});

test.for([
  [404, 'Not found'],
  [503, 'Document already downloaded.'],
] as const)('%d %s means that the result is gone', async ([status, message]) => {
  await using server = await serve(json({ message }, status));
  await using client = rig(server.url);
  expect(await failureFrom(client.service.documents.result(HANDLE, new Spool()))).toMatchObject({
    kind: 'not-found',
    message,
  });
});

test('an error of the sink comes through and closes the connection', async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await serve((response) => {
    response.socket?.on('close', () => closed.resolve());
    response.writeHead(200, { 'content-length': '1000000' });
    response.write('part');
  });
  await using client = rig(server.url);
  const full = new JobFailure({ kind: 'disk-full', file: 'result' });
  const sink = { headers: async () => undefined, write: () => Promise.reject(full) };
  expect(await failureFrom(client.service.documents.result(HANDLE, sink))).toEqual(full.failure);
  await closed.promise;
});

test('a result that only the end of the connection ends is not taken: nothing shows whether it is whole', async () => {
  await using server = await serve((response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf of it');
  });
  await using client = rig(server.url);
  const spool = new Spool();
  expect(await failureFrom(client.service.documents.result(HANDLE, spool))).toMatchObject({
    kind: 'unanswered',
    message: expect.stringMatching(/may be cut off/),
  });
  expect(spool.bytes.byteLength).toBe(0);
});
