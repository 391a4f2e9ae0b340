/** Files that are source and target at once, in every format that allows it: what dragoman writes into them is no new work. */
import { expect, test } from 'vitest';
import type { Format } from '../../src/format.ts';
import { chooseFormat, FORMATS } from '../../src/formats/all.ts';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';
import { until } from '../until.ts';

interface Sample {
  readonly route: string;
  readonly targets: readonly string[];
  /** A catalog without a translation has no place for it. In other formats the place is empty, as where a person emptied it: that stays. */
  readonly restored: 'gets its translations' | 'stays empty';
  /** Another source text is another entry, which comes without a translation. */
  readonly isKeyedByText?: true;
  file(...texts: readonly string[]): string;
}

const xliff = (texts: readonly string[]) =>
  texts.map((text, n) => `<trans-unit id="k${n}"><source>${text}</source></trans-unit>`).join('\n');

const columns = (delimiter: string): Sample['file'] => {
  const row = (...fields: readonly string[]) => `${fields.join(delimiter)}\n`;
  return (...texts) =>
    row('id', 'en', 'de', 'fr', 'note') +
    texts.map((text, n) => row(`k${n}`, text, '', '', 'a')).join('');
};

const COLUMNS = 'columns: { key: id, source: en, targets: { de: de, fr: fr } }';
const ITSELF = {
  route: 'embedded_source: true',
  targets: ['de'],
  restored: 'stays empty' as const,
};

/** By extension. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  xcstrings: {
    route: '',
    targets: ['de', 'fr', 'it'],
    restored: 'gets its translations',
    file: (...texts) => {
      const strings = texts.map((value, n) => [
        `k${n}`,
        { localizations: { en: { stringUnit: { state: 'translated', value } } } },
      ]);
      const catalog = {
        sourceLanguage: 'en',
        strings: Object.fromEntries(strings),
        version: '1.0',
      };
      return JSON.stringify(catalog, null, 2);
    },
  },
  csv: { route: COLUMNS, targets: ['de', 'fr'], restored: 'stays empty', file: columns(',') },
  tsv: { route: COLUMNS, targets: ['de', 'fr'], restored: 'stays empty', file: columns('\t') },
  po: {
    ...ITSELF,
    isKeyedByText: true,
    file: (...texts) =>
      `msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n${texts.map((text) => `\nmsgid "${text}"\nmsgstr ""\n`).join('')}`,
  },
  ts: {
    ...ITSELF,
    isKeyedByText: true,
    file: (...texts) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="de_DE" sourcelanguage="en">\n<context>\n<name>Main</name>\n${texts.map((text) => `<message>\n<source>${text}</source>\n<translation type="unfinished"></translation>\n</message>\n`).join('')}</context>\n</TS>\n`,
  },
  xlf: {
    ...ITSELF,
    file: (...texts) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n<file original="a" source-language="en" target-language="de" datatype="plaintext">\n<body>\n${xliff(texts)}\n</body>\n</file>\n</xliff>\n`,
  },
};

const isOwnTarget = (format: Format) =>
  format.bilingual === true || format.multiLocale === true || format.withColumns !== undefined;

test('each format whose file may be source and target at once has a sample', async () => {
  const formats = await Promise.all(FORMATS.map(({ load }) => load()));
  const samples = Object.entries(SAMPLES).map(([extension, { file }]) =>
    chooseFormat(`a.${extension}`, Buffer.from(file('One'))),
  );
  const sampled = (await Promise.all(samples)).map((format) => format?.name);
  expect(new Set(sampled)).toEqual(new Set(formats.filter(isOwnTarget).map(({ name }) => name)));
});

async function rigOf(extension: string, files: boolean) {
  const sample = SAMPLES[extension] as Sample;
  const { route, targets, file } = sample;
  const isPerLanguage = route === ITSELF.route;
  const path = isPerLanguage ? `app/de.${extension}` : `app/all.${extension}`;
  const from = isPerLanguage ? `app/{locale}.${extension}` : path;
  const rig = await Rig.start({
    config: `
defaults: { settle_ms: 100 }
projects:
  app:
    source: en
    targets: [${targets.join(', ')}]
    routes: [{ from: "${from}", lane: text${route === '' ? '' : `, ${route}`} }]
`,
    ...(files ? { files: { [path]: file('One', 'Two') } } : {}),
  });
  const planned = async () => JSON.parse((await rig.run('plan', '--json')).stdout).jobs as unknown;
  /** Every command agrees that there is nothing to do. */
  const rests = async () => {
    expect(await planned()).toEqual([]);
    expect(await rig.run('once', '--frozen')).toMatchObject({ code: 0 });
    expect(await rig.run('check')).toMatchObject({ code: 0 });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
  };
  const write = (content: string) => rig.write(path, content);
  return { ...sample, rig, planned, rests, write, read: () => rig.read(path) };
}

const EXTENSIONS = Object.keys(SAMPLES);

test.for(EXTENSIONS)('.%s: all commands agree what is to be done', async (extension) => {
  const sample = await rigOf(extension, true);
  const { rig, targets, restored, isKeyedByText, file, rests, write, read } = sample;
  await using _rig = rig;
  expect(await rig.once()).toMatchObject({ code: 0, delivered: targets.length });
  await rests();
  const whole = read();
  const paid = billed(rig);

  // As from git: the translations are bought already. The second time is no news where it stayed so.
  const old = file('One', 'Two');
  for (const _ of restored === 'stays empty' ? ['once'] : ['once', 'again']) {
    write(old);
    expect(await rig.run('once', '--frozen')).toMatchObject({ code: 1 });
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect(read()).toBe(restored === 'stays empty' ? old : whole);
    await rests();
  }
  write(whole);
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
  expect(read()).toBe(whole);
  await rests();

  const edited = whole.replace(/\[de[^\]]*\]/, 'Von Hand');
  expect(edited).not.toBe(whole);
  write(edited);
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0, held: [] });
  expect(read()).toBe(edited);
  await rests();
  expect(billed(rig)).toBe(paid);

  const changed = edited.replace('Two', 'Second');
  write(isKeyedByText ? changed.replace(/\[de[^\]]*\]/, '') : changed);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: targets.length });
  expect(billed(rig)).toBe(paid + 'Second'.length * targets.length);
  expect(read()).toContain('Von Hand');
  await rests();
});

test.for(EXTENSIONS)('.%s: a daemon that rests plans nothing', async (extension) => {
  const sample = await rigOf(extension, false);
  const { rig, targets, restored, file, planned, rests, write, read } = sample;
  await using _rig = rig;
  const daemon = await rig.daemon();
  const delivered = async () => {
    write(file('One', 'Two'));
    await until(() => targets.every((each) => read().split(`[${each}`).length > 2));
    await until(async () => JSON.stringify(await planned()) === '[]');
  };
  await delivered();
  if (restored === 'gets its translations') await delivered();
  expect(await daemon.stop()).toBe(0);
  await rests();
});

test('a catalog that is put back to what one delivery left gets its other languages again', async () => {
  const { rig, rests, write, read } = await rigOf('xcstrings', true);
  await using _rig = rig;
  expect(await rig.once('--language', 'de')).toMatchObject({ delivered: 1 });
  const german = read();
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  const whole = read();
  write(german);
  expect(await rig.run('once', '--frozen')).toMatchObject({ code: 1 });
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
  expect(read()).toBe(whole);
  await rests();
});
