/** TMX: written and read back, and used before anything is bought. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Part } from '../../src/format.ts';
import type { LanguageTag } from '../../src/language.ts';
import { readTmx } from '../../src/state/tmx.ts';
import { TMX_END, tmxHead, tmxUnit } from '../../src/state/tmx-text.ts';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const EN = 'en' as LanguageTag;
const DE = 'de' as LanguageTag;

/** Texts that XML 1.0 can hold, without carriage returns: parsers turn these into line feeds. */
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 12 })
  .filter((value) => /^[\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]+$/u.test(value));
const parts = fc.array(
  fc.oneof(
    text,
    text.map((raw): Part => ({ raw })),
  ),
  { minLength: 1, maxLength: 4 },
);

/** Neighbouring texts are one text in XML. */
function merged(all: readonly Part[]): Part[] {
  const done: Part[] = [];
  for (const part of all) {
    const last = done.at(-1);
    if (typeof part === 'string' && typeof last === 'string') done[done.length - 1] = last + part;
    else done.push(part);
  }
  return done;
}

test('an export is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ source: parts, target: parts })), (units) => {
      const written = units.map((unit) => tmxUnit({ ...unit, language: DE }, EN)).join('');
      const file = tmxHead({ sourceLanguage: EN, version: '1' }) + written + TMX_END;
      expect(readTmx(file, 'a.tmx', EN)).toEqual(
        units.map(({ source, target }) => ({
          source: merged(source),
          target: merged(target),
          language: DE,
        })),
      );
    }),
    { numRuns: 200 },
  );
});

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`;

test('an imported memory is used before anything is bought, and exported again', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'en/a.json': '{"known":"Save","new":"Close"}',
      'agency.tmx': `<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"><header/><body>
<tu><tuv xml:lang="EN-US"><seg>Save</seg></tuv><tuv xml:lang="DE"><seg>Sichern</seg></tuv></tu></body></tmx>`,
    },
  });
  expect((await rig.run('memory', 'import', 'agency.tmx')).code).toBe(0);
  await rig.once();
  expect(billed(rig)).toBe('Close'.length);
  expect(rig.json('de/a.json')['known']).toBe('Sichern');
  expect((await rig.run('memory', 'export', 'all.tmx')).code).toBe(0);
  expect(rig.read('all.tmx')).toContain('<seg>Sichern</seg>');
});

test('memory list and export answer while a daemon works on the state, and import ends with 75', async () => {
  const files = { 'en/a.json': '{"known":"Save","new":"Close"}', 'agency.tmx': AGENCY };
  await using rig = await Rig.start({ config: CONFIG, files });
  await rig.once();
  const daemon = await rig.daemon();
  const list = await rig.run('memory', 'list', '--json');
  expect(list.code).toBe(0);
  expect(JSON.parse(list.stdout)).toMatchObject({ memories: [{ language: 'de', texts: 2 }] });
  expect(await rig.run('memory', 'export', 'all.tmx')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 texts written'),
  });
  expect((await rig.run('memory', 'import', 'agency.tmx')).code).toBe(75);
  expect(await daemon.stop()).toBe(0);
});

test('a TMX that is no XML is refused with line and column', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { 'bad.tmx': '<tmx><body></tmx>' } });
  const { code, stderr } = await rig.run('memory', 'import', 'bad.tmx');
  expect(code).toBe(1);
  expect(stderr).toMatch(/bad\.tmx:1:\d+/);
});

const SPELLED = `
defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de, pt-BR], routes: [{ from: "{locale}/*.json" }] }
`;

const AGENCY = `<?xml version="1.0"?><tmx version="1.4"><header/><body>
<tu><tuv xml:lang="EN"><seg>Save</seg></tuv><tuv xml:lang="DE"><seg>Sichern</seg></tuv><tuv xml:lang="PT-BR"><seg>Salvar</seg></tuv></tu></body></tmx>`;

test('memory export and import take the languages that are named, in any spelling', async () => {
  await using rig = await Rig.start({ config: SPELLED, files: { 'agency.tmx': AGENCY } });
  expect((await rig.run('memory', 'import', 'agency.tmx', '--language', 'pt_br')).stdout).toContain(
    '1 text read',
  );
  expect((await rig.run('memory', 'import', 'agency.tmx')).stdout).toContain('1 text read');
  const exported = await rig.run('memory', 'export', 'pt.tmx', '--language', 'pt_br');
  expect(exported.stdout).toContain('1 text written');
  expect(rig.read('pt.tmx')).toContain('<seg>Salvar</seg>');
});

test('memory refuses a language and a project that the config does not have', async () => {
  await using rig = await Rig.start({ config: SPELLED, files: { 'agency.tmx': AGENCY } });
  expect(await rig.run('memory', 'export', 'fr.tmx', '--language', 'fr')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('config has no target language "fr"'),
  });
  expect(await rig.run('memory', 'list', '--project', 'ap')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('config has no project "ap"; did you mean "app"?'),
  });
});
