import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect, readParts } from '../../src/sandbox/multipart.ts';

describe('a form', () => {
  it('gives back every part, however it arrives in chunks and whatever looks like its boundary', async () => {
    const text = fc.array(fc.constantFrom('\r', '\n', '-', '--b', '\r\n--', 'x'), {
      maxLength: 12,
    });
    const parts = fc.array(fc.record({ name: fc.stringMatching(/^[a-z]+$/), text }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 1, max: 9 }), async (given, size) => {
        const sent = given.map((part) => ({ name: part.name, text: part.text.join('') }));
        expect(await read(formOf(sent), size)).toEqual(sent);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['name="file"; filename="a.txt"', 'a.txt'],
    ['name="file"; filename="a \\"b\\".txt"', 'a "b".txt'],
    ['name="file"; filename="a%22b.txt"', 'a"b.txt'],
    ['name="file"; filename="a.txt"; filename*=UTF-8\'\'na%C3%AFve.txt', 'naïve.txt'],
    ['filename=a.txt; name=file', 'a.txt'],
    ['name="file"', undefined],
  ])('names its file by %s', async (disposition, filename) => {
    const body = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\nx\r\n--${BOUNDARY}--`;
    const names = [];
    for await (const part of partsOf(body, 7)) {
      await collect(part.content, 10);
      names.push([part.name, part.filename]);
    }
    expect(names).toEqual([['file', filename]]);
  });

  it('may leave parts unread', async () => {
    const names = [];
    for await (const part of partsOf(
      formOf([
        { name: 'a', text: 'x'.repeat(100) },
        { name: 'b', text: '' },
      ]),
      9,
    )) {
      names.push(part.name);
    }
    expect(names).toEqual(['a', 'b']);
  });

  it('without its end, or without a name, is refused', async () => {
    await expect(read(formOf([{ name: 'a', text: 'x' }]).slice(0, -8), 9)).rejects.toThrow(
      /in the middle/,
    );
    await expect(read(`--${BOUNDARY}\r\nX: y\r\n\r\n\r\n--${BOUNDARY}--`, 9)).rejects.toThrow(
      /no name/,
    );
  });
});

const BOUNDARY = 'bound-ary';

function formOf(parts: readonly { name: string; text: string }[]): string {
  const written = parts.map(
    ({ name, text }) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  return `preamble\r\n${written.join('')}--${BOUNDARY}--\r\n`;
}

function partsOf(body: string, chunkSize: number) {
  const chunks = body.match(new RegExp(`[^]{1,${chunkSize}}`, 'g')) ?? [];
  const headers = { 'content-type': `multipart/form-data; boundary="${BOUNDARY}"` };
  return readParts({ headers, body: Readable.from(chunks.map((chunk) => Buffer.from(chunk))) });
}

async function read(body: string, chunkSize: number) {
  const parts = [];
  for await (const { name, content } of partsOf(body, chunkSize)) {
    parts.push({ name, text: await collect(content, 10_000) });
  }
  return parts;
}
