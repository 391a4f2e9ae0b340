import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { connectionProblem } from '../../src/service/connection-words.ts';

const withCode = (code: string, message: string, more = {}) =>
  Object.assign(new Error(message), { code, ...more });

test('no code of undici or of the HTTP parser is in a message', () => {
  const errors = createRequire(import.meta.url).resolve('undici/lib/core/errors.js');
  const codes = readFileSync(errors, 'utf8').match(/UND_ERR_\w+/g) ?? [];
  expect(codes.length).toBeGreaterThan(20);
  for (const code of [...codes, 'HPE_INVALID_CONSTANT', 'HPE_']) {
    expect(connectionProblem(withCode(code, 'it failed'))).not.toMatch(/UND_ERR|HPE/);
  }
  expect(connectionProblem(withCode('UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error'))).toBe(
    'nothing came for 60 s',
  );
});

test('a code of the system stays beside the words, with the address', () => {
  const refused = withCode('ECONNREFUSED', 'connect ECONNREFUSED ::1:4711', {
    ...{ address: '::1', port: 4711 },
  });
  const words = 'nothing listens there (ECONNREFUSED ::1:4711)';
  expect(connectionProblem(refused)).toBe(words);
  expect(connectionProblem(new AggregateError([refused, refused]))).toBe(words);
  expect(
    connectionProblem(
      withCode('ENOTFOUND', 'getaddrinfo ENOTFOUND api.invalid', { hostname: 'api.invalid' }),
    ),
  ).toBe('its name is not known here (ENOTFOUND api.invalid)');
  expect(connectionProblem(withCode('CERT_HAS_EXPIRED', 'certificate has expired'))).toBe(
    'certificate has expired (CERT_HAS_EXPIRED)',
  );
});
