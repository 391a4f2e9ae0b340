import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';

const document = fileURLToPath(
  new URL('../../../shared/spec/language-services-api.md', import.meta.url),
);
const given = existsSync(document);
/** Rows like `| POST | /v2/translate | … |`. */
const rows = given ? readFileSync(document, 'utf8').matchAll(/^\| (\w+) \| (\/v\d[^ |]*)/gmu) : [];
const operations = [...rows].map(([, method, path]) => `${method} ${path}`);

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(async () => sandbox[Symbol.asyncDispose]());

test.skipIf(!given)('every endpoint of the API is served', () => {
  expect(operations.length).toBeGreaterThan(30);
  const missing = operations.filter((operation) => !sandbox.control.router.has(operation));
  expect(missing).toEqual([]);
});

test.skipIf(!given)('every endpoint refuses a caller without a key', async () => {
  const statuses = await Promise.all(
    operations.map(async (operation) => {
      const [method = '', path = ''] = operation.split(' ', 2);
      const response = await fetch(`${sandbox.url}${path.replaceAll(/\{\w+\}/gu, 'x')}`, {
        method,
      });
      return `${response.status} ${operation}`;
    }),
  );
  expect(statuses.filter((status) => !status.startsWith('401 '))).toEqual([]);
});
