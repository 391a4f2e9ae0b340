/** Extensions are named once, in the list of formats: every extension of a route has a format. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FORMATS, firstFormat } from '../../src/formats/all.ts';
import { laneOf } from '../../src/routes/extensions.ts';
import { TextJobs } from '../text-jobs.ts';

const extensions = [...new Set(FORMATS.flatMap((format) => format.extensions))];

test.each(extensions)(
  '.%s of the text lane has a format, and every route can ask for it',
  async (extension) => {
    expect(await firstFormat(`a.${extension}`)).toBeDefined();
    expect(laneOf(extension, 'text')).toMatchObject({ kind: 'lane', lane: 'text' });
    const usual = laneOf(extension, undefined);
    expect(usual.kind === 'none' ? usual.reason : usual.lane).toMatch(
      /^(?:text|document|.* is text only where its route says lane: text)$/,
    );
  },
);

test('the README names every one of them', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const rows = readme.split('\n').filter((line) => /\| text \|/.test(line));
  const named = new Set(rows.flatMap((row) => row.split('|')[1]?.match(/[a-z][a-z0-9]*/g) ?? []));
  expect(extensions.filter((extension) => !named.has(extension))).toEqual([]);
});

test('settings and programs are texts only where a route says so', () => {
  const asked = extensions.filter((extension) => laneOf(extension, undefined).kind === 'none');
  expect(asked.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    'cjs cts ini js jsx mjs mts php resw toml tsx'.split(' '),
  );
  expect(laneOf('dfxp', undefined)).toMatchObject({ lane: 'text' });
  expect(laneOf('ts', undefined)).toMatchObject({ lane: 'text' });
  expect(laneOf('html', undefined)).toMatchObject({ lane: 'document' });
});

test.each([
  ['tsx', "const label = <b>x</b>;\nexport const texts = { a: 'One' };\n"],
  ['jsx', "export default { a: 'One' };\n"],
  ['cts', "export = { a: 'One' } satisfies Record<string, string>;\n"],
  ['mts', "export default { a: 'One' } as const;\n"],
  ['cjs', "module.exports = { a: 'One' };\n"],
])('a .%s file is translated', async (extension, text) => {
  const jobs = await TextJobs.of(
    `{ from: "en.${extension}", to: "{locale}.${extension}", lane: text }`,
    {
      [`en.${extension}`]: text,
    },
  );
  expect(await jobs.run(`en.${extension}`)).toMatchObject({ bought: ['One'] });
  expect(await jobs.read(`de.${extension}`)).toBe(text.replace('One', 'Oneä'));
});

test('a .dfxp file is translated as .ttml is', async () => {
  const text = '<tt xml:lang="en"><body><div><p begin="0s" end="1s">One</p></div></body></tt>\n';
  const jobs = await TextJobs.of('{ from: "en.dfxp", to: "{locale}.dfxp" }', { 'en.dfxp': text });
  await jobs.run('en.dfxp');
  expect(await jobs.read('de.dfxp')).toBe(
    text.replace('One', 'Oneä').replace('lang="en"', 'lang="de"'),
  );
});
