import { readdirSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createZip, openZip } from '../../src/files/zip.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { corpusFile, corpusFiles, corpusMissing, WHERE_CORPUS_IS } from '../corpus.ts';
import { ask, authorization, type Handle, translate, upload, wait } from './document-calls.ts';

const start = (options: SandboxOptions = {}) => startSandbox({ timeScale: 2000, ...options });

/** The clock of the service moves only when the test moves it. */
function stillClock() {
  let now = Date.UTC(2026, 0, 1);
  return { clock: { now: () => now, sleep: async () => {} }, move: (ms: number) => (now += ms) };
}

describe('a document', () => {
  it('is translated, billed by code points, and downloaded once', async () => {
    await using sandbox = await start();
    const handle = (await (await upload(sandbox, { content: 'Hello 😀\n' })).json()) as Handle;
    expect(await wait(sandbox, handle)).toEqual({
      document_id: handle.document_id,
      status: 'done',
      billed_characters: 8,
    });
    const result = await ask(sandbox, handle, '/result');
    expect(await result.text()).toMatch(/^\[de Ħḗŀŀǿ 😀.*\]\n$/);
    expect((await ask(sandbox, handle, '/result')).status).toBe(404);
    expect((await ask(sandbox, handle)).status).toBe(404);
  });

  it('is queued, then translating with an estimate, then done, on the clock of the service', async () => {
    const { clock, move } = stillClock();
    await using sandbox = await startSandbox({ clock });
    const handle = (await (await upload(sandbox, { content: 'Hello' })).json()) as Handle;
    const status = async () => (await ask(sandbox, handle)).json();
    expect(await status()).toMatchObject({ status: 'queued' });
    move(1000);
    expect(await status()).toMatchObject({ status: 'translating', seconds_remaining: 1 });
    expect((await ask(sandbox, handle, '/result')).status).toBe(503);
    move(10_000);
    expect(await wait(sandbox, handle)).toMatchObject({ status: 'done' });
  });

  it('is downloaded once, also when several ask at the same time', async () => {
    await using sandbox = await start();
    const handle = (await (await upload(sandbox, { content: 'Hello' })).json()) as Handle;
    await wait(sandbox, handle);
    const together = (result: string) =>
      Promise.all(Array.from({ length: 20 }, () => ask(sandbox, handle, result)));
    // Connections are opened before, so that the requests arrive together.
    for (const answer of await together('')) await answer.arrayBuffer();
    const statuses = (await together('/result')).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(19);
  });

  it('of an office format bills 50,000 characters at least', async () => {
    await using sandbox = await start();
    const handle = (await (
      await upload(sandbox, { name: 'a.docx', content: docxOf('Hello') })
    ).json()) as Handle;
    expect(await wait(sandbox, handle)).toMatchObject({ billed_characters: 50_000 });
    expect(sandbox.counters().billed_characters).toBe(50_000);
  });

  it('keeps its name from the form field when the file part has no usable one', async () => {
    await using sandbox = await start();
    const response = await upload(
      sandbox,
      { name: 'blob', content: 'Hello' },
      { filename: 'notes.txt' },
    );
    expect(response.status).toBe(200);
  });

  it('shows glossary and formality in its text', async () => {
    await using sandbox = await start();
    const text = await translate(
      sandbox,
      { content: 'Hello' },
      { source_lang: 'EN', formality: 'more' },
    );
    expect(new TextDecoder().decode(text)).toContain('de·more');
  });

  it('leaves nothing in the temporary folder when the sandbox ends', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'spools-'));
    vi.stubEnv('TMPDIR', folder.path);
    const sandbox = await start();
    await upload(sandbox, { content: 'Hello' });
    expect(readdirSync(folder.path)).toHaveLength(1);
    await sandbox[Symbol.asyncDispose]();
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('a document that cannot be translated', () => {
  it.each([
    [
      'with equal languages',
      { name: 'a.txt', content: 'Das ist nicht der Hund, und ich bin die Katze.' },
      /equal/,
    ],
    ['that is damaged', { name: 'a.docx', content: 'PK' }, /no complete ZIP container/],
    ['of a kind no converter knows', { name: 'a.doc', content: 'x' }, /cannot translate doc files/],
    ['of a PDF without docx wanted', { name: 'a.pdf', content: '%PDF-1.4' }, /cannot write PDF/],
    ['of XLIFF 1.2', { name: 'a.xlf', content: '<xliff version="1.2"/>' }, /only 2\.1/],
  ])('%s ends in an honest error and bills nothing', async (_, file, message) => {
    await using sandbox = await start();
    const handle = (await (await upload(sandbox, file)).json()) as Handle;
    expect(await wait(sandbox, handle)).toMatchObject({
      status: 'error',
      message: expect.stringMatching(message),
    });
    expect((await ask(sandbox, handle, '/result')).status).toBe(404);
    expect(sandbox.counters().billed_characters).toBe(0);
  });

  it('is copied by a sandbox that passes through', async () => {
    await using sandbox = await start({ passthrough: true });
    expect(
      new TextDecoder().decode(await translate(sandbox, { name: 'a.png', content: 'image' })),
    ).toBe('image');
  });
});

describe('an upload', () => {
  it.each([
    [
      'an unknown extension',
      { name: 'a.exe', content: 'x' },
      {},
      400,
      /unsupported file extension 'exe'/,
    ],
    [
      'an extension that every object has as a property',
      { name: 'a.constructor', content: 'x' },
      {},
      400,
      /unsupported file extension 'constructor'/,
    ],
    ['an unknown language', { content: 'x' }, { target_lang: 'xx' }, 400, /target_lang/],
    [
      'a glossary without source_lang',
      { content: 'x' },
      { glossary_id: 'g' },
      400,
      /requires source_lang/,
    ],
    [
      'formality where there is none',
      { content: 'x' },
      { target_lang: 'ko', formality: 'more' },
      400,
      /formality/,
    ],
    [
      'a wrong output format',
      { content: 'x' },
      { output_format: 'docx' },
      400,
      /only pdf can become docx/,
    ],
    ['a style, by the document', { content: 'x' }, { style_id: 's' }, 400, /style_id/],
    [
      'too many bytes',
      { content: 'x'.repeat(1_000_001) },
      {},
      413,
      /exceeds the limit of 1000000 bytes for txt/,
    ],
    [
      'too many characters',
      { name: 'a.html', content: 'x'.repeat(1_000_001) },
      {},
      413,
      /more than 1000000 characters/,
    ],
  ])('with %s is refused', async (_, file, fields, status, message) => {
    await using sandbox = await start();
    const response = await upload(sandbox, file, fields as Record<string, string>);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ message: expect.stringMatching(message) });
  });

  it.each([
    [
      'without a file',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="target_lang"\r\n\r\nde\r\n--b--\r\n',
      400,
    ],
    [
      'that ends in the middle',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
      400,
    ],
    ['that is JSON', 'application/json', '{}', 415],
    ['without a boundary', 'multipart/form-data', 'x', 415],
  ])('%s is refused', async (_, type, body, status) => {
    await using sandbox = await start();
    const headers = { ...authorization(sandbox), 'content-type': type };
    const response = await fetch(`${sandbox.url}/v2/document`, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
  });

  it('gets 429 when too many documents are in work, also when they arrive at the same time', async () => {
    await using sandbox = await startSandbox({ limits: { documents_in_work: 2 } });
    const uploads = Array.from({ length: 8 }, () => upload(sandbox, { content: 'Hello' }));
    const statuses = (await Promise.all(uploads)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
    expect(sandbox.counters().billed_characters).toBe(10);
  });

  it('may name a model, which is ignored, and a style where the service is deployed', async () => {
    await using sandbox = await start({ dialect: 'deployed' });
    expect((await upload(sandbox, { content: 'x' }, { model_type: 'whatever' })).status).toBe(200);
    const styled = await upload(
      sandbox,
      { content: 'x' },
      { style_id: 'b3f5a7c0-0000-4000-8000-000000000000' },
    );
    expect(styled.status).toBe(404);
  });

  it('is refused with 429 while too many results wait to be fetched', async () => {
    await using sandbox = await start({ limits: { documents_unfetched: 1 } });
    await wait(sandbox, (await (await upload(sandbox, { content: 'x' })).json()) as Handle);
    expect((await upload(sandbox, { content: 'x' })).status).toBe(429);
  });

  it('is refused with 456 when the key has no characters left, and bills nothing', async () => {
    await using sandbox = await start();
    sandbox.control.change({ key: sandbox.key, key_limit: 3 });
    expect((await upload(sandbox, { content: 'Hello' })).status).toBe(456);
    expect(sandbox.counters().billed_characters).toBe(0);
  });
});

describe('somebody else', () => {
  it('with another key, or without the document key, finds nothing', async () => {
    await using sandbox = await start();
    const handle = (await (await upload(sandbox, { content: 'x' })).json()) as Handle;
    expect((await ask({ ...sandbox, key: 'sandbox-free' }, handle)).status).toBe(404);
    expect((await ask(sandbox, { ...handle, document_key: 'guess' })).status).toBe(404);
  });
});

describe('a fault', () => {
  const uploaded = async (sandbox: Awaited<ReturnType<typeof start>>) =>
    (await (await upload(sandbox, { content: 'Hello' })).json()) as Handle;

  it('loses the answer to an upload that was billed', async () => {
    await using sandbox = await start();
    sandbox.faults.add([{ kind: 'no_answer', operation: 'POST /v2/document' }]);
    await expect(upload(sandbox, { content: 'Hello' })).rejects.toThrow();
    expect(sandbox.counters().billed_characters).toBe(5);
  });

  it('that waits for a name applies to that document, and a repeated upload counts as asked twice', async () => {
    await using sandbox = await start();
    sandbox.faults.add([{ kind: 'status', status: 503, matches: '^b\\.txt ' }]);
    expect((await upload(sandbox, { name: 'a.txt', content: 'x' })).status).toBe(200);
    expect((await upload(sandbox, { name: 'b.txt', content: 'x' })).status).toBe(503);
    expect((await upload(sandbox, { name: 'a.txt', content: 'x' })).status).toBe(200);
    expect(sandbox.counters().asked_twice).toMatchObject([
      { operation: 'POST /v2/document', times: 2 },
    ]);
  });

  it('keeps a document translating with a huge estimate, or in a state nobody knows', async () => {
    await using sandbox = await start();
    const handle = await uploaded(sandbox);
    sandbox.faults.add([{ kind: 'seconds_remaining', seconds: 2_147_483_647 }]);
    expect(await (await ask(sandbox, handle)).json()).toMatchObject({
      status: 'translating',
      seconds_remaining: 2_147_483_647,
    });
    sandbox.faults.add([{ kind: 'unknown_state', state: 'resting' }]);
    expect(await (await ask(sandbox, handle)).json()).toMatchObject({ status: 'resting' });
  });

  it('fails a document for good, or loses it', async () => {
    await using sandbox = await start();
    const failing = await uploaded(sandbox);
    sandbox.faults.add([{ kind: 'failed_job', message: 'no luck' }]);
    expect(await wait(sandbox, failing)).toMatchObject({ status: 'error', message: 'no luck' });
    const lost = await uploaded(sandbox);
    sandbox.faults.add([{ kind: 'lost_job' }]);
    expect((await ask(sandbox, lost)).status).toBe(404);
    expect((await ask(sandbox, lost)).status).toBe(404);
  });

  it('does not fail a document that a status answer called done', async () => {
    await using sandbox = await start();
    const handle = await uploaded(sandbox);
    const done = await wait(sandbox, handle);
    sandbox.faults.add([{ kind: 'failed_job', message: 'no luck', times: 'always' }]);
    expect(await (await ask(sandbox, handle)).json()).toEqual(done);
    expect((await ask(sandbox, handle, '/result')).status).toBe(200);
  });

  it('cuts a download, and the result is gone', async () => {
    await using sandbox = await start();
    const handle = await uploaded(sandbox);
    await wait(sandbox, handle);
    sandbox.faults.add([{ kind: 'cut_body', bytes: 3 }]);
    await expect(ask(sandbox, handle, '/result').then((answer) => answer.text())).rejects.toThrow();
    expect((await ask(sandbox, handle, '/result')).status).toBe(404);
  });
});

describe.skipIf(corpusMissing)(`every office file of the corpus ${WHERE_CORPUS_IS}`, () => {
  it('each file is translated over the wire to a file of its kind', async () => {
    await using sandbox = await start();
    const names = corpusFiles('office', /\.(docx|pptx|xlsx)$/);
    const results = await Promise.all(
      names.map((name) =>
        translate(sandbox, { name, content: corpusFile('office', name) }, { source_lang: 'en' }),
      ),
    );
    for (const [index, name] of names.entries()) {
      const before = openZip(corpusFile('office', name), name).entries.map((entry) => entry.name);
      expect(
        openZip(results[index] ?? new Uint8Array(), name).entries.map((entry) => entry.name),
      ).toEqual(before);
    }
  });

  it('each PDF becomes docx', async () => {
    await using sandbox = await start();
    const content = corpusFile('office', 'fixture.pdf');
    const docx = await translate(sandbox, { name: 'a.pdf', content }, { output_format: 'docx' });
    expect(openZip(docx, 'a.docx').entries.map((entry) => entry.name)).toContain(
      'word/document.xml',
    );
  });
});

function docxOf(text: string): Uint8Array {
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const parts = {
    '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    'word/document.xml': `<w:p xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:r><w:t>${text}</w:t></w:r></w:p>`,
  };
  return createZip(new Map(Object.entries(parts).map(([name, xml]) => [name, Buffer.from(xml)])));
}
