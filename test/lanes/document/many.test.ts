/** Many documents at once, and the real Office files of the corpus. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openZip } from '../../../src/files/zip.ts';
import { CORPUS } from '../../corpus.ts';
import { billed, requests } from '../../counts.ts';
import { Rig } from '../../rig.ts';

const OFFICE = join(CORPUS, 'office');
const UPLOAD = 'POST /v2/document';
const RESULT = 'POST /v2/document/{document_id}/result';
const MINIMUM = 50_000;
// 200 translations; more of them show the same.
const DOCUMENTS = Number(process.env['DOCUMENTS'] ?? 40);
/** Results that are on their way at a time (jobs/open-lanes.ts). */
const DOWNLOADS_AT_A_TIME = 2;
const LANGUAGES = ['de', 'fr', 'es', 'it', 'nl'];

const config = (languages: readonly string[]) => `
defaults: { settle_ms: 0 }
projects:
  office:
    source: en
    targets: [${languages.join(', ')}]
    routes:
      - { from: "in/**/*", to: "out/{locale}/{dir}/{name}.{ext}" }
`;

test(`${DOCUMENTS} documents in ${LANGUAGES.length} languages, killed on the way: each is bought and fetched once`, {
  timeout: 180_000 + DOCUMENTS * 2000,
}, async () => {
  const files = Object.fromEntries(
    Array.from({ length: DOCUMENTS }, (_, n) => [
      `in/${n % 7}/d${n}.txt`,
      `Document number ${n}.\n`,
    ]),
  );
  await using rig = await Rig.start({
    config: config(LANGUAGES),
    files,
    sandbox: { timeScale: 20 },
  });
  const daemon = await rig.daemonApart();
  const wanted = DOCUMENTS * LANGUAGES.length;
  await daemon.until(() => requests(rig, RESULT) > 0 && requests(rig, UPLOAD) >= wanted);
  await daemon.stop('SIGKILL');
  const run = await rig.once();
  expect(run.failed).toEqual([]);
  // A result that was on its way when the process died is gone: it is held, and nothing is bought again for it.
  expect(run.held.length).toBeLessThanOrEqual(DOWNLOADS_AT_A_TIME);
  expect(requests(rig, UPLOAD)).toBe(wanted);
  expect(rig.sandbox.counters().asked_twice).toEqual([]);
  const characters = Object.values(files).reduce((sum, text) => sum + text.length, 0);
  expect(billed(rig)).toBe(characters * LANGUAGES.length);
  const written = LANGUAGES.flatMap((language) =>
    readdirSync(rig.path(`out/${language}`), { recursive: true, encoding: 'utf8' }),
  );
  const targets = written.filter((name) => name.endsWith('.txt'));
  expect(targets).toHaveLength(wanted - run.held.length);
});

/** No letter in any part that a reader sees: they go over as they are. */
const WORDLESS = new Set([
  'external-picture.docx',
  'fixture.xlsx',
  'having-images.docx',
  'images.xlsx',
  'minimal.pptx',
  'tbl-2x2-table.docx',
  'test-issue-257.xlsx',
]);

/** Left out: a file that is broken on purpose, and PDFs, which the sandbox translates only where their fonts allow it. */
const isTranslatable = (name: string) =>
  /\.(?:docx|pptx|xlsx)$/.test(name) && !/invalid-xml|empty/.test(name);

test.skipIf(!existsSync(OFFICE))(
  'every Office file of the corpus is priced locally, bought once where it holds a word, and delivered whole',
  async () => {
    const names = readdirSync(OFFICE).filter(isTranslatable);
    const files = Object.fromEntries(
      names.map((name) => [`in/${name}`, readFileSync(join(OFFICE, name))]),
    );
    await using rig = await Rig.start({
      config: config(['de']),
      files,
      sandbox: { timeScale: 100 },
    });
    const run = await rig.once();
    expect(run.failed).toEqual([]);
    expect(run).toMatchObject({ code: 0, delivered: names.length });
    const bought = names.filter((name) => !WORDLESS.has(name));
    expect(billed(rig)).toBe(bought.length * MINIMUM);
    expect(run.estimated_characters).toBe(run.billed_characters);
    for (const name of names) {
      const target = openZip(readFileSync(rig.path(`out/de/${name}`)), name);
      const source = openZip(readFileSync(join(OFFICE, name)), name);
      expect(target.entries.map((entry) => entry.name)).toEqual(
        source.entries.map((entry) => entry.name),
      );
    }
  },
);
