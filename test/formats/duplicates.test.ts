/** A key that occurs twice: each format does the same as the programs that read such files. */
import { describe, expect, it } from 'vitest';
import { csv } from '../../src/formats/csv.ts';
import { COUNTING, describeDuplicate } from '../../src/formats/text/duplicates.ts';
import { xliff as xliffFormat } from '../../src/formats/xliff.ts';
import { TextJobs } from '../text-jobs.ts';

interface Sample {
  readonly file: string;
  /** A file with these values, in this order. */
  readonly make: (...entries: readonly (readonly [key: string, value: string])[]) => string;
}

const lines =
  (line: (key: string, value: string) => string, open = '', close = ''): Sample['make'] =>
  (...entries) =>
    `${open}${entries.map(([key, value]) => `${line(key, value)}\n`).join('')}${close}`;
const json: Sample['make'] = (...entries) =>
  `{\n${entries.map(([key, value]) => `  "${key}": "${value}"`).join(',\n')}\n}\n`;

/** Formats whose readers take one entry of several, or none. Xcode writes no key twice. */
type OneEntry = {
  [F in keyof typeof COUNTING]: (typeof COUNTING)[F] extends 'each' ? never : F;
}[keyof typeof COUNTING];

const SAMPLES: Readonly<Record<Exclude<OneEntry, 'xcstrings'>, Sample>> = {
  json: { file: 'a.json', make: json },
  arb: { file: 'a.arb', make: json },
  js: {
    file: 'a.js',
    make: lines((key, value) => `  ${key}: '${value}',`, 'export default {\n', '};\n'),
  },
  php: {
    file: 'a.php',
    make: lines((key, value) => `  '${key}' => '${value}',`, '<?php\nreturn [\n', '];\n'),
  },
  yaml: { file: 'a.yml', make: lines((key, value) => `${key}: ${value}`) },
  toml: { file: 'a.toml', make: lines((key, value) => `${key} = "${value}"`) },
  ini: { file: 'a.ini', make: lines((key, value) => `${key}=${value}`) },
  properties: { file: 'a.properties', make: lines((key, value) => `${key}=${value}`) },
  strings: { file: 'a.strings', make: lines((key, value) => `"${key}" = "${value}";`) },
  stringsdict: {
    file: 'a.stringsdict',
    make: lines(
      (key, value) =>
        `<key>${key}</key><dict><key>NSStringVariableWidthRuleType</key><dict><key>1</key><string>${value}</string></dict></dict>`,
      '<plist version="1.0">\n<dict>\n',
      '</dict>\n</plist>\n',
    ),
  },
  android: {
    file: 'strings.xml',
    make: lines(
      (key, value) => `  <string name="${key}">${value}</string>`,
      '<resources>\n',
      '</resources>\n',
    ),
  },
  resx: {
    file: 'a.resx',
    make: lines(
      (key, value) => `  <data name="${key}"><value>${value}</value></data>`,
      '<root>\n',
      '</root>\n',
    ),
  },
  ftl: { file: 'a.ftl', make: lines((key, value) => `${key} = ${value}`) },
  po: {
    file: 'a.po',
    make: lines((key, value) => `msgid "${key}"\nmsgstr "${value}"\n`),
  },
};

const samples = Object.entries(SAMPLES) as [keyof typeof COUNTING, Sample][];
const counted = samples.filter(([name]) => COUNTING[name] === 'last' || COUNTING[name] === 'first');
const refused = samples.filter(([name]) => COUNTING[name] === 'refused');
const jobsOf = ({ file }: Sample, files: Readonly<Record<string, string>>) =>
  TextJobs.of(`{ from: "en/${file}", to: "{locale}/{name}.{ext}", lane: text }`, files);

describe.each(counted)('%s', (name, sample) => {
  const { file, make } = sample;
  const isFirst = COUNTING[name] === 'first';
  const source = make(['k', 'One'], ['m', 'Middle'], ['k', 'Two']);
  const read = isFirst ? 'One' : 'Two';

  it('buys the text that is read, and writes no other one', async () => {
    const jobs = await jobsOf(sample, { [`en/${file}`]: source });
    const { bought } = await jobs.run(`en/${file}`);
    expect(bought.toSorted()).toEqual(['Middle', read].toSorted());
    const text = (await jobs.read(`de/${file}`)).replaceAll('\\u00e4', 'ä');
    expect(text).toContain(`${read}ä`);
    if (name !== 'ftl') expect(text).not.toContain(isFirst ? 'Two' : 'One');
    expect(await jobs.run(`en/${file}`)).toMatchObject({ bought: [], isWritten: false });
  });

  it("a person's text is not hidden behind a copy", async () => {
    const target = make(['k', 'Eins'], ['m', 'Mitte']);
    const jobs = await jobsOf(sample, { [`en/${file}`]: source, [`de/${file}`]: target });
    expect(await jobs.run(`en/${file}`)).toMatchObject({ bought: [], isWritten: false });
    expect(await jobs.read(`de/${file}`)).toBe(target);
  });

  it('goes with all its entries', async () => {
    const jobs = await jobsOf(sample, {
      [`en/${file}`]: source,
      [`de/${file}`]: make(['k', 'Eins'], ['m', 'Mitte'], ['k', 'Zwei']),
    });
    await jobs.run(`en/${file}`);
    await jobs.write(`en/${file}`, make(['m', 'Middle']));
    expect(await jobs.run(`en/${file}`)).toMatchObject({ bought: [], state: { kind: 'done' } });
    expect((await jobs.read(`de/${file}`)).replace(/\s/g, '')).toBe(
      make(['m', 'Mitte']).replace(/\s/g, ''),
    );
  });

  it('a tree of version 0.1.0 sends nothing and stays as it is', async () => {
    const target = make(['k', 'Eins'], ['m', 'Mitte'], ['k', 'Zwei']);
    const jobs = await jobsOf(sample, { [`en/${file}`]: source, [`de/${file}`]: target });
    const key = name === 'stringsdict' ? 'k.NSStringVariableWidthRuleType.1' : 'k';
    const record = (id: string, text: string, translation: string) =>
      ({ id, source: text, target: [translation], origin: 'machine', state: 'ok' }) as const;
    await jobs.remember(
      `en/${file}`,
      'de',
      [
        record(key, 'One', 'Eins'),
        record(key.replace('k', 'm'), 'Middle', 'Mitte'),
        ...(name === 'stringsdict' ? [] : [record(`${key}#1`, 'Two', 'Zwei')]),
      ].map((each) =>
        name === 'stringsdict' && each.id === key ? record(key, 'Two', 'Zwei') : each,
      ),
    );
    expect(await jobs.run(`en/${file}`)).toMatchObject({ bought: [], isWritten: false });
  });
});

describe.each(refused)('%s', (_, sample) => {
  const { file, make } = sample;

  it('refuses a source with both lines, before anything is sent', async () => {
    const source = make(['k', 'One'], ['m', 'Middle'], ['k', 'Two']);
    const [first, second] = source
      .split('\n')
      .flatMap((line, index) => (/\bk\b/.test(line) ? [index + 1] : []));
    const jobs = await jobsOf(sample, { [`en/${file}`]: source });
    await expect(jobs.run(`en/${file}`)).rejects.toMatchObject({
      failure: {
        kind: 'malformed',
        where: { line: second },
        message: expect.stringContaining(`in line ${first} already`),
      },
    });
  });
});

describe('a target that no reader takes', () => {
  it.each(refused.filter(([name]) => name !== 'po' && name !== 'toml'))(
    '%s: its last entry counts, and nothing is added',
    async (_, sample) => {
      const { file, make } = sample;
      const target = make(['k', 'Eins'], ['k', 'Zwei']);
      const jobs = await jobsOf(sample, {
        [`en/${file}`]: make(['k', 'One']),
        [`de/${file}`]: target,
      });
      expect(await jobs.run(`en/${file}`)).toMatchObject({ bought: [], isWritten: false });
      await jobs.write(`en/${file}`, make(['k', 'Other']));
      expect(await jobs.run(`en/${file}`)).toMatchObject({ bought: ['Other'] });
      expect(await jobs.read(`de/${file}`)).toBe(make(['k', 'Eins'], ['k', 'Otherä']));
    },
  );
});

it('groups that occur twice are read as the last one', async () => {
  const jobs = await TextJobs.of('{ from: "{locale}.json" }', {
    'en.json': '{\n  "g": { "a": "One", "b": "Gone" },\n  "g": { "a": "Two" }\n}\n',
    'de.json': '{\n  "g": { "a": "Eins" },\n  "g": {}\n}\n',
  });
  expect(await jobs.run('en.json')).toMatchObject({ bought: ['Two'] });
  expect(await jobs.read('de.json')).toBe(
    '{\n  "g": { "a": "Eins" },\n  "g": {\n    "a": "Twoä"\n  }\n}\n',
  );
});

it('a string catalog with two entries of one key is refused with both lines', async () => {
  const jobs = await TextJobs.of('{ from: a.xcstrings }', {
    'a.xcstrings':
      '{ "sourceLanguage": "en", "strings": {\n"Hello": {},\n"Hello": {}\n}, "version": "1.0" }\n',
  });
  await expect(jobs.run('a.xcstrings')).rejects.toMatchObject({
    failure: { where: { line: 3 }, message: 'the key "strings.Hello" is in line 2 already' },
  });
});

describe('a key twice in a format whose entries are read by themselves', () => {
  const xliff = (...entries: readonly (readonly [source: string, target?: string])[]) =>
    `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" target-language="de" datatype="plaintext"><body>\n${entries
      .map(
        ([source, target], at) =>
          `<trans-unit id="${at < 2 ? 'a' : 'b'}"><source>${source}</source>${target === undefined ? '' : `<target>${target}</target>`}</trans-unit>`,
      )
      .join('\n')}\n</body></file></xliff>\n`;
  const once = xliff(['First', 'Erstes'], ['', ''], ['Last', 'Letztes']).replace(
    '<trans-unit id="a"><source></source><target></target></trans-unit>\n',
    '',
  );

  it.each([
    [
      'en.csv',
      'de.csv',
      '{ from: "{locale}.csv", columns: { key: key, source: text } }',
      'key,text\na,First\na,Second\nb,Last\n',
      'key,text\na,Erstes\nb,Letztes\n',
    ],
    [
      'en.xlf',
      'de.xlf',
      '{ from: "{locale}.xlf", lane: text }',
      xliff(['First'], ['Second'], ['Last']),
      once,
    ],
  ])(
    '%s: nothing is added below the only entry of a person',
    async (source, target, route, en, de) => {
      const jobs = await TextJobs.of(route, { [source]: en, [target]: de });
      expect(await jobs.run(source)).toMatchObject({ bought: [] });
      expect(await jobs.read(target)).toBe(de);
      await jobs.remove(target);
      expect(await jobs.run(source, 'pl')).toMatchObject({ bought: ['First', 'Second', 'Last'] });
    },
  );

  it.each([
    [
      csv,
      { columns: { key: 'key', source: 'text', targets: new Map(), header: true, delimiter: ',' } },
      'key,text\na,First\na,Second\nb,Last\n',
      [2, 3],
    ],
    [xliffFormat, {}, xliff(['First'], ['Second'], ['Last']), [2, 3]],
  ] as const)('$name: both lines are named', (format, own, text, lines) => {
    const options = {
      file: 'en.x',
      sourceLanguage: undefined,
      language: undefined,
      role: 'source',
      ...own,
    } as const;
    const { duplicates = [] } = format.parse(text, options);
    expect(duplicates).toMatchObject([{ lines }]);
    expect(duplicates.map(describeDuplicate)[0]).toContain('in lines 2 and 3; a program');
  });
});
