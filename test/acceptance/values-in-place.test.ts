/** A number, a boolean or a date in a target where the source has a text: it stays, and every command says so. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

interface KeyedFile {
  /** Behind `from:`. */
  readonly route: string;
  readonly paths: readonly [source: string, target: string];
  /** A file with one entry, by the value as the file spells it. */
  readonly file: (value: string) => string;
  readonly quoted: (text: string) => string;
  readonly values: readonly string[];
}

const double = (text: string) => JSON.stringify(text);

function pathsOf(extension: string): KeyedFile['paths'] {
  return [`l/en.${extension}`, `l/de.${extension}`];
}

const plist = (value: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>a</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>d</string><key>one</key><string>One</string><key>other</key>${value}</dict></dict></dict></plist>\n`;

const FORMATS: Readonly<Record<string, KeyedFile>> = {
  json: {
    route: '"l/{locale}.json"',
    paths: pathsOf('json'),
    file: (value) => `{"a":${value}}\n`,
    quoted: double,
    values: ['5', 'false', '1.5e3'],
  },
  json5: {
    route: '"l/{locale}.json5"',
    paths: pathsOf('json5'),
    file: (value) => `{a: ${value}}\n`,
    quoted: double,
    values: ['0x10', 'Infinity', 'true'],
  },
  'a list of json': {
    route: '"l/{locale}.json"',
    paths: pathsOf('json'),
    file: (value) => `{"a":[${value}]}\n`,
    quoted: double,
    values: ['5', 'false'],
  },
  arb: {
    route: '"l/{locale}.arb"',
    paths: pathsOf('arb'),
    file: (value) => `{"a":${value}}\n`,
    quoted: double,
    values: ['5', 'false'],
  },
  yaml: {
    route: '"l/{locale}.yml"',
    paths: pathsOf('yml'),
    file: (value) => `a: ${value}\n`,
    quoted: double,
    values: ['5', 'yes', '2020-01-01'],
  },
  toml: {
    route: '"l/{locale}.toml", lane: text',
    paths: pathsOf('toml'),
    file: (value) => `a = ${value}\n`,
    quoted: double,
    values: ['5', 'false', '2020-01-01'],
  },
  php: {
    route: '"l/{locale}.php", lane: text',
    paths: pathsOf('php'),
    file: (value) => `<?php\nreturn ['a' => ${value}];\n`,
    quoted: double,
    values: ['5', 'false'],
  },
  javascript: {
    route: '"l/{locale}.js", lane: text',
    paths: pathsOf('js'),
    file: (value) => `export default { a: ${value} };\n`,
    quoted: double,
    values: ['5', 'false'],
  },
  stringsdict: {
    route: '"l/{locale}.lproj/a.stringsdict"',
    paths: ['l/en.lproj/a.stringsdict', 'l/de.lproj/a.stringsdict'],
    file: plist,
    quoted: (text) => `<string>${text}</string>`,
    values: ['<integer>5</integer>', '<true/>'],
  },
};

const CASES = Object.entries(FORMATS).flatMap(([format, { values }]) =>
  values.map((value) => ({ format, value })),
);

async function rigWith({ route, paths, file, quoted }: KeyedFile, value: string, lines = '') {
  const config = `${lines}
projects:
  app: { source: en, targets: [de], routes: [{ from: ${route} }] }
`;
  const files = { [paths[0]]: file(quoted('Hello world')), [paths[1]]: file(value) };
  return await Rig.start({ config, files });
}

test.each(CASES)('$format: $value stays, is held, and every command says so', async (given) => {
  const format = FORMATS[given.format] as KeyedFile;
  await using rig = await rigWith(format, given.value);
  const before = rig.read(format.paths[1]);
  for (let round = 0; round < 2; round++) {
    expect(await rig.run('check')).toMatchObject({ code: 1 });
    expect(await rig.run('plan')).toMatchObject({ code: 2 });
    // Before the first run there is a job to do, which holds the text.
    expect(await rig.run('once', '--frozen')).toMatchObject({ code: round === 0 ? 1 : 2 });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 2, billed_characters: 0 });
    expect(run.held).toHaveLength(1);
    expect((await rig.run('status')).stdout).toContain('1 held');
    expect(rig.read(format.paths[1])).toBe(before);
  }
});

const READ_AS_VALUES = Object.keys(FORMATS).filter(
  (format) => format !== 'arb' && format !== 'stringsdict',
);

test.each(READ_AS_VALUES)('%s: the message names the line and the value', async (name) => {
  const format = FORMATS[name] as KeyedFile;
  const [value = ''] = format.values;
  await using rig = await rigWith(format, value);
  const said = new RegExp(
    `${format.paths[1]}:[12] has ${value.replace('.', '\\.')}, which is not a text`,
  );
  expect((await rig.run('once')).stdout).toMatch(said);
  expect((await rig.run('check')).stdout).toMatch(said);
});

const LOCKS = ['', 'lock: dragoman.lock\n'];
const CHECKOUTS = LOCKS.flatMap((lock) =>
  ['with its state', 'fresh'].map((checkout) => ({
    name: `${lock === '' ? 'without a lock' : 'with a lock'}, ${checkout}`,
    ...{ lock, checkout },
  })),
);

test.each(CHECKOUTS)(
  'a text that a person writes in place of the value stays, and "" is translated: $name',
  async ({ lock, checkout }) => {
    const format = FORMATS['json'] as KeyedFile;
    const [, target] = format.paths;
    for (const written of ['"Hallo"', '""']) {
      await using rig = await rigWith(format, '5', lock);
      expect(await rig.once()).toMatchObject({ code: 2 });
      if (checkout === 'fresh') rmSync(rig.path('.dragoman'), { recursive: true });
      rig.write(target, format.file(written));
      expect(await rig.once()).toMatchObject({ code: 0 });
      if (written === '""') expect(rig.read(target)).not.toContain('""');
      else expect(rig.read(target)).toBe(format.file(written));
      expect(await rig.run('check')).toMatchObject({ code: 0 });
    }
  },
);

test('a number that a person writes over a translation is held, also when the source changes', async () => {
  const format = FORMATS['json'] as KeyedFile;
  const [source, target] = format.paths;
  await using rig = await rigWith(format, '""');
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write(target, format.file('5'));
  expect(await rig.once()).toMatchObject({ code: 2, billed_characters: 0 });
  rig.write(source, format.file('"Hello you"'));
  expect(await rig.once()).toMatchObject({ code: 2, billed_characters: 0 });
  expect(await rig.run('retry', target)).toMatchObject({ code: 0 });
  expect(await rig.once()).toMatchObject({ code: 2, billed_characters: 0 });
  rig.write(source, format.file('7'));
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
  expect(rig.read(target)).toBe(format.file('5'));
});

test('a number that was copied from the source is replaced when the source becomes a text', async () => {
  const format = FORMATS['json'] as KeyedFile;
  const [source, target] = format.paths;
  await using rig = await rigWith(format, '""');
  rmSync(rig.path(target));
  rig.write(source, '{"a":5,"b":"Two words"}\n');
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write(source, '{"a":"Five files","b":"Two words"}\n');
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 10 });
  expect(rig.read(target)).not.toContain('5');
});

test('existing: overwrite replaces a number by the translation', async () => {
  const format = FORMATS['json'] as KeyedFile;
  await using rig = await rigWith(format, '5', 'defaults: { existing: overwrite }');
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 11 });
  expect(rig.read(format.paths[1])).not.toContain('5');
});

test.each(['"5"', '7'])(
  'a number in place of %s, which has no words, is right for every command',
  async (value) => {
    const format = FORMATS['json'] as KeyedFile;
    await using rig = await rigWith(format, '6');
    rig.write(format.paths[0], format.file(value));
    expect(await rig.once()).toMatchObject({ code: 0 });
    for (const command of [['check'], ['plan'], ['once', '--frozen']]) {
      expect(await rig.run(...command), command.join(' ')).toMatchObject({ code: 0 });
    }
  },
);
