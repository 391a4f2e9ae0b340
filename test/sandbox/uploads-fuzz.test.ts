import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { authorization, type Handle, upload, wait } from './document-calls.ts';
import { create, put, type Ticket } from './voice-calls.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ timeScale: 10_000, limits: { voice_jobs: 10_000 } });
});

afterAll(async () => sandbox[Symbol.asyncDispose]());

const extension = fc.constantFrom(
  'docx',
  'pptx',
  'xlsx',
  'pdf',
  'html',
  'txt',
  'xlf',
  'srt',
  'doc',
  'png',
  'exe',
  '',
);
const beginning = fc.constantFrom(
  '',
  'PK\x03\x04',
  '%PDF-1.4\n',
  '<xliff version="2.1">',
  '1\n00:00:01,000 --> 00:00:02,000\n',
  '<p>',
);
const content = fc
  .tuple(beginning, fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array()))
  .map(([start, rest]) => Buffer.concat([Buffer.from(start), Buffer.from(rest as string)]));
const word = fc.oneof(fc.constantFrom('de', 'en', 'xx', 'more', 'docx', 'pdf', ''), fc.string());
const field = fc.constantFrom(
  'target_lang',
  'source_lang',
  'formality',
  'glossary_id',
  'output_format',
  'model_type',
  'filename',
  '__proto__',
);

test('whatever is uploaded, it is refused with a documented status or ends in done or error', async () => {
  await fc.assert(
    fc.asyncProperty(
      extension,
      content,
      fc.dictionary(field, word, { maxKeys: 3 }),
      async (kind, bytes, fields) => {
        const response = await upload(sandbox, { name: `a.${kind}`, content: bytes }, fields);
        expect([200, 400, 404]).toContain(response.status);
        const answer = (await response.json()) as Handle & { message: string };
        if (response.status !== 200) {
          expect(answer.message).not.toBe('');
          return;
        }
        const { status, message } = await wait(sandbox, answer);
        expect(status === 'done' || message !== '').toBe(true);
        // An error that the sandbox cannot explain would have these words.
        expect(String(message ?? '')).not.toMatch(/undefined|not a function|Cannot read/);
      },
    ),
    { numRuns: 300 },
  );
});

test('whatever a voice job is made of, the answer is documented', async () => {
  const value = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }));
  const shape = fc.record(
    {
      source_file: fc.oneof(
        value,
        fc.record({
          name: value,
          content_type: fc.constantFrom('audio/wav', 'x'),
          content_length: fc.oneof(fc.integer(), value),
        }),
      ),
      parameters: fc.oneof(value, fc.record({ source_language: value })),
      targets: fc.oneof(
        value,
        fc.array(
          fc.record({ language: word, type: fc.constantFrom('text/plain', 'audio/x', '') }),
          { maxLength: 3 },
        ),
      ),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(shape, async (changes) => {
      const response = await create(sandbox, 100, changes);
      expect([201, 400, 413]).toContain(response.status);
    }),
    { numRuns: 200 },
  );
});

test('whatever is sent to the asset host, the answer is documented', async () => {
  const ticket = (await (await create(sandbox, 5)).json()) as Ticket;
  const path = fc.constantFrom('', '/0', '/9', '/x', '/%');
  const scheme = fc.constantFrom('Service-Signature ', 'Service-Auth-Key ', 'Basic ', '');
  const token = fc.constantFrom(ticket.signature, sandbox.key, '');
  await fc.assert(
    fc.asyncProperty(path, scheme, token, async (rest, start, end) => {
      const upload_url = `${ticket.upload_url}${rest}`;
      const sent = await put({ ...ticket, upload_url }, Buffer.from('abc'), {
        authorization: start + end,
      });
      expect([400, 401, 403, 404, 405]).toContain(sent.status);
      const fetched = await fetch(upload_url, {
        headers: { ...authorization(sandbox), authorization: start + end },
      });
      expect([401, 403, 404, 405]).toContain(fetched.status);
    }),
    { numRuns: 60 },
  );
});
