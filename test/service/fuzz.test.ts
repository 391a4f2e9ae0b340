import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import type { Service } from '../../src/service/client.ts';
import { type RealServer, type Respond, type Rig, rig, serve } from './real-server.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const PAIR = { source_lang: 'en', target_lang: 'de' };
const TSV = { ...PAIR, entries: 'a\tb', entries_format: 'tsv' } as const;
const HANDLE = { document_id: ID, document_key: 'k' };

/** Every method that reads JSON. */
const CALLS: Readonly<Record<string, (service: Service) => Promise<unknown>>> = {
  translate: ({ text }) => text.translate({ text: ['a'], target_lang: 'de' }),
  rephrase: ({ writing }) => writing.rephrase({ text: ['a'] }),
  detect: ({ detection }) => detection.detect(['a']),
  status: ({ documents }) => documents.status(HANDLE),
  languages: ({ languages }) => languages.list({ resource: 'voice' }),
  resources: ({ languages }) => languages.resources(),
  legacy: ({ languages }) => languages.legacy('source'),
  pairs: ({ languages }) => languages.glossaryPairs(),
  glossary: ({ glossaries }) => glossaries.get(ID),
  glossaries: ({ glossaries }) => glossaries.list(),
  entries: ({ glossaries }) => glossaries.entries(ID, PAIR),
  dictionary: ({ glossaries }) => glossaries.putDictionary(ID, TSV),
  legacyGlossary: ({ legacyGlossaries }) => legacyGlossaries.get(ID),
  style: ({ styles }) => styles.get(ID),
  styles: ({ styles }) => styles.list({}),
  memories: ({ memories }) => memories.list({}),
  ticket: ({ voice }) =>
    voice.create({
      source_file: { name: 'a', content_type: 'audio/wav', content_length: 1 },
      targets: [{ language: 'de', type: 'text/plain' }],
    }),
  job: ({ voice }) => voice.get(ID),
  usage: ({ account }) => account.usage(),
  keys: ({ keys }) => keys.list(),
  analytics: ({ analytics }) =>
    analytics.report({ start_date: '2026-01-01', end_date: '2026-01-02' }),
};

let respond: Respond = () => undefined;
let server: RealServer;
let client: Rig;

beforeAll(async () => {
  server = await serve((response, seen) => respond(response, seen));
  client = rig(server.url, { adminKey: 'admin' });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const NAMES = fc
  .constantFrom(
    'translations improvements results text billed_characters dictionaries glossaries style_rules'.split(
      ' ',
    ),
  )
  .chain((names) => fc.constantFrom(...names));

/** JSON values whose objects often use names that the API uses. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, -1, 0.5, 1e300, '', 'success', 'queued'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(NAMES, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const body = fc.oneof(
  json.map((value) => Buffer.from(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('', '<html>', '{', '{"translations":[{"text":"x"', '\ufeff{}')
    .map((text) => Buffer.from(text)),
);

test.for(Object.entries(CALLS))(
  '%s: a malformed answer is a bad answer, never a crash',
  async ([, call]) => {
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        respond = (response) => response.end(bytes);
        try {
          await call(client.service);
        } catch (error) {
          expect(error).toBeInstanceOf(JobFailure);
          expect((error as JobFailure).failure.kind).toBe('bad-answer');
        }
      }),
      { numRuns: 40 },
    );
    expect(client.service.state.kind).toBe('running');
  },
);

test('whatever an error body holds, the status decides', async () => {
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(400, 404, 409, 413, 415, 422), async (bytes, status) => {
      respond = (response) => response.writeHead(status).end(bytes);
      const error = await client.service.account.usage().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(JobFailure);
      expect(['rejected', 'not-found', 'too-large']).toContain((error as JobFailure).failure.kind);
    }),
    { numRuns: 100 },
  );
});

test('an endless error body is not read to its end', async () => {
  respond = (response) => {
    response.writeHead(400);
    const send = () => {
      while (response.write('x'.repeat(65_536)));
    };
    response.on('drain', send);
    send();
  };
  const error = await client.service.account.usage().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ failure: { kind: 'rejected', message: 'HTTP 400' } });
});
