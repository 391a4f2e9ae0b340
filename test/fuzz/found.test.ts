/** Inputs that froze, failed or were changed once. docs/torture.md says how one is added. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { FORMATS } from '../../src/formats/all.ts';
import { EXCHANGE_NAMES } from '../../src/formats/exchange/exchange.ts';
import { Seeded } from '../seeded.ts';
import { inputOf } from './inputs.ts';
import { kindsOf, seedFiles } from './seeds.ts';
import { endServers } from './servers.ts';
import { soundFiles } from './sound-files.ts';
import { tryInput } from './subjects.ts';

const FOUND = join(import.meta.dirname, 'found');
const found = readdirSync(FOUND).flatMap((name) => kindsOf(name).map((kind) => ({ kind, name })));

afterAll(endServers);

test.for(found)('$name is read or refused as $kind', async ({ kind, name }) => {
  const bytes = readFileSync(join(FOUND, name));
  expect(await tryInput(kind, { name, bytes })).toMatch(/^(?:read|refused)$/);
});

test('the repository alone has files for every reader of foreign content', () => {
  const fed = new Set(seedFiles('/absent').keys());
  const isFed = (extension: string) => fed.has(`text ${extension}`);
  expect(FORMATS.filter(({ extensions }) => !extensions.some(isFed))).toEqual([]);
  const exchanged = EXCHANGE_NAMES.map((name) => `exchange ${name}`);
  const archives = ['archive docx', 'archive pptx', 'archive xlsx'];
  const servers = ['server sandbox', 'server page', 'server control'];
  const others = ['config', 'glossary', 'lock', 'memory', 'pattern', 'style', 'subtitle', 'tool'];
  const wanted = [...exchanged, ...archives, ...servers, ...others];
  expect(wanted.filter((kind) => !fed.has(kind))).toEqual([]);
});

test.for([...soundFiles()])('sound files are read: %s', async ([kind, files]) => {
  for (const file of files) expect(await tryInput(kind, file)).toBe('read');
});

test('the same seed and number make the same input again, others make another one', () => {
  const file = { name: 'a.json', bytes: Buffer.from(JSON.stringify({ a: 'x'.repeat(500) })) };
  const seeds = new Map([['text json', [file]]]);
  const bytesOf = (seed: number, number: number) =>
    Buffer.from(inputOf({ seed, seeds }, number).file.bytes).toString('base64');
  expect(bytesOf(1, 2)).toBe(bytesOf(1, 2));
  expect(new Set([bytesOf(1, 2), bytesOf(1, 3), bytesOf(2, 2)]).size).toBe(3);
});

test('random numbers cover their range evenly, whatever the seed', () => {
  for (const seed of [0, 1, 999_999_999]) {
    const random = new Seeded(seed);
    const counts = Array(10).fill(0);
    for (let n = 0; n < 10_000; n++) counts[random.below(10)] += 1;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(200);
  }
});
