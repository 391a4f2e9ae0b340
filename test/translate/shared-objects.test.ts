/** Modules of a person that take over another object: no text is written where others read it, or over what the other object may have. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const EN = "export default { title: 'Hello', ok: 'Fine' };\n";
const PHP = "<?php\nreturn ['title' => 'Hello', 'ok' => 'Fine'];\n";

const CASES: Readonly<Record<string, readonly [file: string, en: string, de: string]>> = {
  'Object.assign with a shared object': [
    'js',
    EN,
    "const base = { ok: 'Gut' };\nmodule.exports = Object.assign({}, base, { title: 'Hallo' });\n",
  ],
  'a merge of the own object': [
    'js',
    EN,
    "const base = { ok: 'Gut' };\nexport default merge(base, { title: 'Hallo' });\n",
  ],
  'a spread of another module': [
    'ts',
    EN,
    "import base from './base';\nexport default { ...base, title: 'Hallo' };\n",
  ],
  'a spread of PHP': [
    'php',
    PHP,
    "<?php\n$base = ['ok' => 'Gut'];\nreturn [...$base, 'title' => 'Hallo'];\n",
  ],
  'one object for several': [
    'js',
    "const base = { ok: 'Fine' };\nexport default { ...base, title: 'Hello' };\n",
    "export default { ok: 'Gut', title: 'Hallo' };\n",
  ],
};

test.each(Object.entries(CASES))('%s: new texts are held', async (_, [extension, en, de]) => {
  const [from, to] = [`l/en/a.${extension}`, `l/de/a.${extension}`];
  const route = '{ from: "l/{locale}/*.{js,ts,php}", lane: text }';
  const jobs = await TextJobs.of(route, { [from]: en, [to]: de }, 'de');
  for (let run = 0; run < 2; run += 1) {
    expect(await jobs.run(from)).toMatchObject({ bought: [], state: { kind: 'held' } });
    expect(await jobs.read(to)).toBe(de);
  }
});

test('a target with the spread of its source gets the new texts of its own object', async () => {
  const module = (words: string, more = '') =>
    `import base from './base';\nexport default { ...base, title: '${words}'${more} };\n`;
  const files = { 'l/en/a.ts': module('Hello'), 'l/de/a.ts': module('Hallo') };
  const jobs = await TextJobs.of('{ from: "l/{locale}/*.ts", lane: text }', files, 'de');
  await jobs.run('l/en/a.ts');
  await jobs.write('l/en/a.ts', module('Hello', ", ok: 'Fine'"));
  expect(await jobs.run('l/en/a.ts')).toMatchObject({ bought: ['Fine'], state: { kind: 'done' } });
  expect(await jobs.read('l/de/a.ts')).toBe(module('Hallo', ", ok: 'Fineä'"));
});
