/** Answers that say nothing about the request: something between dragoman and the service gave them. */
import { expect, test } from 'vitest';
import { exitCodeOfFailure } from '../../src/cli/exit-code.ts';
import { adviceFor, describeFailure, type Failure, isPassing } from '../../src/failure.ts';
import { isForeignFile } from '../../src/service/foreign-answer.ts';
import { failureFrom, json, type RealServer, type Respond, rig, serve } from './real-server.ts';

const HELLO = { text: ['Hello'], source_lang: 'en', target_lang: 'de' };
const ANSWER = { translations: [{ detected_source_language: 'EN', text: 'Hallo' }] };
const PAGE = '<!DOCTYPE html><html>Log in</html>';

const page: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(PAGE);
};

function redirect(status: number, location: string): Respond {
  return (response) => {
    response.writeHead(status, { location });
    response.end();
  };
}

async function failsAt(server: RealServer, ask: 'text' | 'glossaries'): Promise<Failure> {
  await using client = rig(server.url, { patienceMs: 2000 });
  const { service } = client;
  const call = ask === 'text' ? service.text.translate(HELLO) : service.glossaries.list();
  return (await failureFrom(call)) as Failure;
}

test.for([301, 302, 303, 307, 308])(
  'a redirect %d of a text is a connection that leads elsewhere, and passes',
  async (status) => {
    await using server = await serve(redirect(status, 'https://login.example/start?to=secret'));
    const failure = await failsAt(server, 'text');
    expect(describeFailure(failure)).toBe(
      `the service cannot be reached (POST /v2/translate): ${server.url} answered ${status}, which points to https://login.example/start`,
    );
    expect(adviceFor(failure)).toMatch(/service\.url.*proxy/);
    expect([failure.kind, isPassing(failure)]).toEqual(['unreachable', true]);
  },
);

test('a redirect that ends is followed by the same request, which succeeds', async () => {
  await using server = await serve(redirect(302, '/portal'), json(ANSWER));
  await using client = rig(server.url);
  expect((await client.service.text.translate(HELLO)).translations[0]?.text).toBe('Hallo');
  expect(server.seen.map(({ url }) => url)).toEqual(['/v2/translate', '/v2/translate']);
});

test.for([407, 511])('the answer %d comes from a network that wants a login', async (status) => {
  await using server = await serve(json({}, status));
  const failure = await failsAt(server, 'text');
  expect(describeFailure(failure)).toContain(`${server.url} answered ${status}`);
  expect(failure.kind).toBe('unreachable');
});

test('a web page instead of a free answer passes, and is no service that was reached', async () => {
  await using server = await serve(page);
  const failure = await failsAt(server, 'glossaries');
  expect(describeFailure(failure)).toBe(
    `the answer to GET /v3/glossaries is not valid: ${server.url} answered 200 with a web page`,
  );
  expect(adviceFor(failure)).toMatch(/service\.url.*proxy/);
  expect([isPassing(failure), exitCodeOfFailure(failure)]).toEqual([true, 69]);
});

test('a web page instead of a text may come after the text was billed, and is not asked for again', async () => {
  await using server = await serve(page);
  const failure = await failsAt(server, 'text');
  expect(describeFailure(failure)).toBe(
    `the answer to POST /v2/translate is not valid: ${server.url} answered 200 with a web page`,
  );
  expect([failure.kind, isPassing(failure), server.seen.length]).toEqual(['bad-answer', false, 1]);
});

test.for([
  [204, '', 'it is empty (204)'],
  [200, '{"translations":', 'not JSON (16 characters)'],
  [200, '{}', 'translations must be an array'],
  [200, 'null', 'body must be an object'],
  [
    200,
    '{"translations":[{"detected_source_language":"EN","text":null}]}',
    'translations[0].text must be a string',
  ],
] as const)('an answer %d "%s" is not valid: %s', async ([status, body, why]) => {
  await using server = await serve((response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body);
  });
  expect(await failsAt(server, 'text')).toMatchObject({ kind: 'bad-answer', message: why });
});

test.for([
  [undefined, '<html>Login</html>', true],
  [undefined, ' <!DOCTYPE html>', true],
  [undefined, '{}', true],
  ['application/json', 'null', true],
  ['text/html; charset=utf-8', 'Log in', true],
  ['text/plain', '[Music] Good morning.', false],
  ['text/plain', 'null', false],
  ['application/octet-stream', '\0\0\x01\0', false],
  [undefined, '', false],
] as const)(
  'a file of the type %s that begins with %j: foreign is %s',
  ([type, text, expected]) => {
    expect(isForeignFile(type, Buffer.from(text))).toBe(expected);
  },
);
