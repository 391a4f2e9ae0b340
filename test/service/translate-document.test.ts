import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import {
  connect,
  type DocumentProgress,
  PartialFailure,
  type Service,
} from '../../src/service/client.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { failureFrom, json, LeapClock, rig, serve } from './real-server.ts';

const PAIR = { source_lang: 'en', target_lang: 'de' } as const;
const HANDLE = { document_id: 'd1', document_key: 'secret-key' };

let sandbox: Sandbox;
let service: Service;

beforeAll(async () => {
  sandbox = await startSandbox({ timeScale: 1000, engine: 'plain' });
  service = connect({ url: sandbox.url, key: sandbox.key, clock: new LeapClock() });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  for (const letter of text) yield Buffer.from(letter);
}

const spooled = () => readdirSync(tmpdir()).filter((name) => name.startsWith('dragoman-upload-'));

describe('what is uploaded', () => {
  test.for([
    ['bytes', { content: Buffer.from('Hello'), filename: 'a.txt' }],
    ['an array', { content: new Uint8Array(Buffer.from('Hello')), filename: 'a.txt' }],
    ['a generator', { stream: inPieces('Hello'), filename: 'a.txt' }],
    [
      'a Node stream',
      { stream: Readable.from([Buffer.from('Hel'), Buffer.from('lo')]), filename: 'a.txt' },
    ],
    ['a web stream', { stream: new Blob(['Hello']).stream(), filename: 'a.txt' }],
  ] as const)('may be %s', async ([, input]) => {
    const save = join(await temporaryFolder(), 'out.txt');
    await service.documents.translate({ ...input, ...PAIR, save });
    expect(readFileSync(save, 'utf8')).toBe('Ħḗŀŀǿ');
    expect(spooled()).toEqual([]);
  });

  test('a file is named by its path when no other name is given', async () => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url);
    const file = join(await temporaryFolder(), 'letter.txt');
    await writeFile(file, 'Hello');
    await client.service.documents.upload({ file, ...PAIR });
    await client.service.documents.upload({ file, filename: 'b.html', ...PAIR });
    expect(server.seen.map(({ body }) => /filename="(.*?)"/.exec(body.toString())?.[1])).toEqual([
      'letter.txt',
      'b.html',
    ]);
  });

  test('a stream has a known length, and is sent again whole after a refusal', async () => {
    await using server = await serve(json({}, 503), json(HANDLE));
    await using client = rig(server.url);
    await client.service.documents.upload({
      stream: inPieces('Hello'),
      filename: 'a.txt',
      ...PAIR,
    });
    expect(server.seen.map(({ body }) => body.toString().includes('\r\n\r\nHello\r\n'))).toEqual([
      true,
      true,
    ]);
    expect(server.seen[1]?.headers['content-length']).toBe(String(server.seen[1]?.body.byteLength));
  });

  test('a stream that has no end is read to the limit of its kind only', async () => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url, { limits: { txt: 1000 } });
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield Buffer.alloc(400, 'a');
    }
    const failure = await failureFrom(
      client.service.documents.upload({ stream: endless(), filename: 'a.txt', ...PAIR }),
    );
    expect(failure).toMatchObject({ kind: 'too-large' });
    expect(server.seen).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  test('a stream that ends by the same signal stops the call', async () => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url);
    const stop = new AbortController();
    async function* ended(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      stop.abort();
      throw stop.signal.reason;
    }
    const failure = await failureFrom(
      client.service.documents.upload(
        { stream: ended(), filename: 'a.txt', ...PAIR },
        { signal: stop.signal },
      ),
    );
    expect(failure).toEqual({ kind: 'stopped' });
    expect(server.seen).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  test('a stream of things that are no bytes is an invalid request', async () => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url);
    const stream = Readable.from([{ no: 'bytes' }]) as AsyncIterable<Uint8Array>;
    const failure = await failureFrom(
      client.service.documents.upload({ stream, filename: 'a.txt', ...PAIR }),
    );
    expect(failure).toMatchObject({ kind: 'invalid-request', parameter: 'stream' });
    expect(server.seen).toEqual([]);
  });

  test('a stream is read no further when the call is aborted', async () => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url);
    const stop = new AbortController();
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      stop.abort();
      for (;;) yield Buffer.from('b');
    }
    const upload = client.service.documents.upload(
      { stream: endless(), filename: 'a.txt', ...PAIR },
      { signal: stop.signal },
    );
    expect(await failureFrom(upload)).toEqual({ kind: 'stopped' });
    expect(server.seen).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  test('an error of the stream comes through, and nothing is sent', async () => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      throw new Error('the source broke');
    }
    const upload = client.service.documents.upload({
      stream: broken(),
      filename: 'a.txt',
      ...PAIR,
    });
    await expect(upload).rejects.toThrow('the source broke');
    expect(server.seen).toEqual([]);
    expect(spooled()).toEqual([]);
  });

  test.for([
    ['bytes', { content: Buffer.from('RIFF data') }],
    ['a stream', { stream: inPieces('RIFF data') }],
  ] as const)('a recording may be %s too', async ([, recording]) => {
    await using assets = await serve((response) => response.writeHead(204).end());
    await using client = rig(assets.url);
    const ticket = { upload_url: `${assets.url}/1`, signature: 's', signed_upload_url: undefined };
    await client.service.voice.upload(ticket, recording);
    expect(assets.seen[0]?.body.toString()).toBe('RIFF data');
    expect(assets.seen[0]?.headers['content-length']).toBe('9');
  });
});

describe('a document in one call', () => {
  test('is uploaded, waited for and saved, with its bill, and every step is reported', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'a.txt');
    const save = join(folder, 'a.de.txt');
    await writeFile(file, 'Hello world\n');
    await writeFile(save, 'what stood there before, and is longer');
    const steps: DocumentProgress[] = [];
    const result = await service.documents.translate(
      { file, ...PAIR, save },
      { onProgress: (step) => steps.push(step) },
    );
    expect(readFileSync(save, 'utf8')).toBe('Ħḗŀŀǿ ẇǿřŀḓ\n');
    expect(result).toEqual({ billed_characters: 12, bytes: readFileSync(save).byteLength });
    expect(steps[0]).toEqual({
      kind: 'uploaded',
      handle: { document_id: expect.any(String), document_key: expect.any(String) },
    });
    expect(steps.at(-2)).toMatchObject({ kind: 'status', status: { status: 'done' } });
    expect(steps.at(-1)).toEqual({ kind: 'saved', bytes: result.bytes });
    expect(readdirSync(folder).sort()).toEqual(['a.de.txt', 'a.txt']);
  });

  test('may go to a sink of the caller', async () => {
    const chunks: Uint8Array[] = [];
    const save = {
      headers: async () => undefined,
      write: async (chunk: Uint8Array) => void chunks.push(chunk),
    };
    const content = Buffer.from('Hello');
    await service.documents.translate({ content, filename: 'a.txt', ...PAIR, save });
    expect(Buffer.concat(chunks).toString()).toBe('Ħḗŀŀǿ');
  });

  test('buys nothing when there is no place for its result', async () => {
    await using server = await serve(json(HANDLE));
    await using client = rig(server.url);
    const save = join(await temporaryFolder(), 'no', 'folder', 'a.txt');
    const content = Buffer.from('Hello');
    const translated = client.service.documents.translate({
      content,
      filename: 'a.txt',
      ...PAIR,
      save,
    });
    expect(await failureFrom(translated)).toMatchObject({ kind: 'unwritable', code: 'ENOENT' });
    expect(server.seen).toEqual([]);
  });

  test('that the service cannot translate fails with its reason and its handle, and leaves no file', async () => {
    const folder = await temporaryFolder();
    sandbox.faults.add([{ kind: 'failed_job', message: 'too blurred' }]);
    const error = await service.documents
      .translate({
        content: Buffer.from('Hello'),
        filename: 'a.txt',
        ...PAIR,
        save: join(folder, 'a.txt'),
      })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error).toMatchObject({
      failure: { kind: 'rejected', message: expect.stringContaining('too blurred') },
      done: { handle: { document_id: expect.any(String) } },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('waits on while it is translated, while its state is unknown and while the result is not ready', async () => {
    await using server = await serve(
      json(HANDLE),
      json({ document_id: 'd1', status: 'reviewing' }),
      json({ document_id: 'd1', status: 'translating', seconds_remaining: 2_147_483_647 }),
      json({ document_id: 'd1', status: 'done' }),
      json({ message: 'not ready' }, 503),
      json({ document_id: 'd1', status: 'done', billed_characters: 5 }),
      (response) => response.end('Hallo'),
    );
    await using client = rig(server.url);
    const save = join(await temporaryFolder(), 'a.txt');
    const content = Buffer.from('Hello');
    const { documents } = client.service;
    expect(await documents.translate({ content, filename: 'a.txt', ...PAIR, save })).toEqual({
      bytes: 5,
      billed_characters: 5,
    });
    expect(client.clock.slept).toEqual([1000, 1500, 2250]);
  });

  test('that is aborted while it waits is stopped, and its handle is not lost', async () => {
    await using server = await serve(json(HANDLE), json({ document_id: 'd1', status: 'queued' }));
    await using client = rig(server.url);
    const stop = new AbortController();
    const save = join(await temporaryFolder(), 'a.txt');
    const error = await client.service.documents
      .translate(
        { content: Buffer.from('Hello'), filename: 'a.txt', ...PAIR, save },
        {
          signal: stop.signal,
          onProgress: ({ kind }) => kind === 'status' && stop.abort(),
        },
      )
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ failure: { kind: 'stopped' }, done: { handle: HANDLE } });
    expect(error).toBeInstanceOf(JobFailure);
    expect(existsSync(save)).toBe(false);
  });

  test('whose result breaks off leaves nothing that looks like one', async () => {
    await using server = await serve(
      json(HANDLE),
      json({ document_id: 'd1', status: 'done' }),
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('Hal', () => response.socket?.destroy());
      },
    );
    await using client = rig(server.url);
    const folder = await temporaryFolder();
    const failure = await failureFrom(
      client.service.documents.translate({
        content: Buffer.from('Hello'),
        filename: 'a.txt',
        ...PAIR,
        save: join(folder, 'a.txt'),
      }),
    );
    expect(failure).toMatchObject({ kind: 'unanswered' });
    expect(server.seen).toHaveLength(3);
    expect(readdirSync(folder)).toEqual([]);
  });
});
