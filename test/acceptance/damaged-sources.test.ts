/** Every command names a damaged source of any kind: no command ends with 0 and without a message while a file is cut. */
import { expect, test } from 'vitest';
import type { PlanLine } from '../../src/control/plan-report.ts';
import { FORMATS } from '../../src/formats/all.ts';
import { Rig } from '../rig.ts';

const XML = '<?xml version="1.0" encoding="utf-8"?>\n';
const XLIFF = `${XML}<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" target-language="de" datatype="plaintext"><body><trans-unit id="a"><source>Hello</source></trans-unit></body></file></xliff>\n`;
const TTML = `${XML}<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="en"><body><div><p begin="00:00:01.000" end="00:00:02.000">Hello</p></div></body></tt>\n`;
const JSON_FILE = '{\n  "a": "Hello",\n  "b": "Good bye"\n}\n';
const YAML = 'en:\n  a: "Hello"\n  b: "Good bye"\n';
const CODE = 'export default {\n  a: "Hello",\n  b: "Good bye",\n};\n';
const PAGE = '# Hello\n\nGood *bye*, my friend.\n';
const PO = 'msgid ""\nmsgstr ""\n\nmsgid "Hello"\nmsgstr ""\n';
const HTML = '<!doctype html>\n<html lang="en"><body><p>Hello</p><p>Good bye</p></body></html>\n';

const RESX = `${XML}<root><data name="a" xml:space="preserve"><value>Hello</value></data></root>\n`;
/** Whole files; each is cut off below. */
const WHOLE: Readonly<Record<string, string>> = {
  json: JSON_FILE,
  jsonc: JSON_FILE,
  json5: JSON_FILE,
  arb: JSON_FILE,
  xcstrings:
    '{\n  "sourceLanguage" : "en",\n  "strings" : { "Hello" : { } },\n  "version" : "1.0"\n}\n',
  yaml: YAML,
  yml: YAML,
  properties: 'a=Hello\nb=Good bye\n',
  ftl: 'a = Hello\nb = Good { $name }\n',
  xml: `${XML}<resources>\n  <string name="a">Hello</string>\n</resources>\n`,
  xlf: XLIFF,
  xliff: XLIFF,
  resx: RESX,
  resw: RESX,
  ttml: TTML,
  dfxp: TTML,
  csv: 'key,en,de\na,"Hello",\nb,"Good bye",\n',
  tsv: 'key\ten\tde\na\t"Hello"\t\nb\t"Good bye"\t\n',
  ts: `${XML}<!DOCTYPE TS>\n<TS version="2.1" language="en_US"><context><name>Main</name><message><source>Hello</source><translation>Hello</translation></message></context></TS>\n`,
  stringsdict: `${XML}<plist version="1.0"><dict><key>n</key><dict><key>NSStringLocalizedFormatKey</key><string>Hello</string></dict></dict></plist>\n`,
  strings: '"a" = "Hello";\n"b" = "Good bye";\n',
  po: PO,
  pot: PO,
  ini: '[main]\na = Hello\nb = Good bye\n',
  toml: '[main]\na = "Hello"\nb = "Good bye"\n',
  php: '<?php\nreturn [\n  "a" => "Hello",\n  "b" => "Good bye",\n];\n',
  js: CODE,
  mjs: CODE,
  cjs: CODE,
  jsx: CODE,
  mts: CODE,
  cts: CODE,
  tsx: CODE,
  md: PAGE,
  markdown: PAGE,
  mdx: '# Hello\n\n<Note>Good *bye*.</Note>\n',
  html: HTML,
  htm: HTML,
  txt: 'Hello\n\nGood bye\n',
  srt: '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nGood bye\n',
  vtt: 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n\n00:00:03.000 --> 00:00:04.000\nGood bye\n',
  docx: `PK\x03\x04${'x'.repeat(200)}`,
  pptx: `PK\x03\x04${'x'.repeat(200)}`,
  xlsx: `PK\x03\x04${'x'.repeat(200)}`,
  doc: 'Hello',
  pdf: '%PDF-1.4\n1 0 obj\nendobj\n%%EOF\n',
  png: `\x89PNG\r\n\x1a\n${'x'.repeat(200)}`,
  jpg: `\xff\xd8${'x'.repeat(200)}`,
  jpeg: `\xff\xd8${'x'.repeat(200)}`,
  wav: `RIFF\xff\x00\x00\x00WAVE${'x'.repeat(40)}`,
};
const ON_REQUEST = ['resw', 'ini', 'toml', 'php', 'js', 'mjs', 'cjs', 'jsx', 'mts', 'cts', 'tsx'];
/** No end of theirs tells that something follows: damaged by the zeros that a power cut or a full disk leaves. */
const WITHOUT_END = ['properties', 'ini', 'txt', 'md', 'markdown', 'srt', 'vtt', 'csv', 'tsv'];
/** Read as far as they go, since their rules say so; what is lost is told by the run and `check`. */
const READ_ON = ['ftl', 'html', 'htm'];
const KINDS = Object.keys(WHOLE);

function damaged(extension: string): Uint8Array {
  const bytes = Buffer.from(WHOLE[extension] ?? '', 'latin1');
  const part = bytes.subarray(0, Math.floor((bytes.length * 7) / 10));
  return WITHOUT_END.includes(extension) ? Buffer.concat([part, Buffer.alloc(30)]) : part;
}

const nameOf = (extension: string) => `src/${extension}/damaged.${extension}`;
const lane = (extension: string) => (ON_REQUEST.includes(extension) ? ', lane: text' : '');

const targetOf = (extension: string) =>
  extension === 'wav'
    ? '{ transcript: "out/{locale}/wav/{name}.md" }'
    : `"out/{locale}/${extension}/{name}.{ext}"`;

/** Which of the files are in what was printed. */
function namedIn(texts: readonly unknown[]): string[] {
  const text = JSON.stringify(texts);
  return KINDS.filter((kind) => text.includes(nameOf(kind)));
}

test('a damaged source of every kind is named by check, plan, once, once --frozen and status', async () => {
  const known = FORMATS.flatMap(({ extensions }) => extensions);
  expect(known.filter((extension) => !KINDS.includes(extension))).toEqual([]);
  const routes = KINDS.map(
    (kind) => `      - { from: "src/${kind}/*.${kind}", to: ${targetOf(kind)}${lane(kind)} }`,
  );
  await using rig = await Rig.start({
    config: `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
${routes.join('\n')}
`,
    files: Object.fromEntries(KINDS.map((kind) => [nameOf(kind), damaged(kind)])),
  });
  const answer = async (...args: string[]) => {
    const { code, stdout } = await rig.run(...args, '--json');
    return { code, answer: JSON.parse(stdout) };
  };

  const check = await answer('check');
  expect(namedIn([check.answer.faults, check.answer.warnings])).toEqual(KINDS);
  const faults = check.answer.faults.map(({ file }: { file: string }) =>
    file.slice(rig.root.length + 1),
  );
  const lost = KINDS.filter((kind) => !READ_ON.includes(kind));
  expect(new Set(faults)).toEqual(new Set(lost.map(nameOf)));
  expect(check.code).toBe(1);

  const plan = await answer('plan');
  const { jobs, attention, held, notes } = plan.answer;
  const stopped = jobs.filter(
    ({ would_fail, would_hold }: PlanLine) => (would_fail ?? would_hold) !== undefined,
  );
  expect(namedIn([stopped, attention, held, notes])).toEqual(KINDS);
  expect(plan.code).toBe(1);

  const once = await answer('once');
  expect(namedIn([once.answer.failed, once.answer.held, once.answer.notes])).toEqual(KINDS);
  expect(once.code).toBe(1);
  expect(JSON.stringify(once.answer)).not.toContain(rig.root);

  for (const args of [['status'], ['once', '--frozen']]) {
    const { answer: said } = await answer(...args);
    expect(namedIn([said.attention, said.jobs]), args.join(' ')).toEqual(lost);
    expect(JSON.stringify(said.attention)).not.toContain(rig.root);
  }
});

test('an emptied source is reported, and its target stays', async () => {
  await using rig = await Rig.start({
    config: `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`,
    files: { 'locales/en/app.json': '{"a": "Hello"}\n' },
  });
  await rig.once();
  const target = rig.read('locales/de/app.json');
  rig.write('locales/en/app.json', '');
  for (const args of [['once'], ['status'], ['plan'], ['once', '--frozen']]) {
    const { code, stdout } = await rig.run(...args, '--json');
    expect(JSON.parse(stdout).notes, args.join(' ')).toEqual([
      expect.stringContaining('locales/en/app.json is empty'),
    ]);
    expect(code).toBe(0);
  }
  expect((await rig.run('check')).stdout).toContain('locales/en/app.json is empty');
  expect(rig.read('locales/de/app.json')).toBe(target);
});

test('a message in 5,000 braces is named with its line before it is bought, and other files go on', async () => {
  const deep = `${'{n,plural,other{'.repeat(5000)}x${'}}'.repeat(5000)}`;
  await using rig = await Rig.start({
    config: `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [ru]
    routes: [{ from: "locales/{locale}/*.json" }]
`,
    files: {
      'locales/en/app.json': '{"a": "Hello"}\n',
      'locales/en/deep.json': `{\n  "a": "${deep}"\n}\n`,
    },
  });
  const place =
    'locales/en/deep.json:2:9: the text "a" has 10000 pairs of braces in each other, and dragoman reads at most 100';
  const plan = await rig.run('plan');
  expect(plan).toMatchObject({ code: 1, stdout: expect.stringContaining(place) });
  const once = await rig.once();
  expect(once).toMatchObject({ code: 1, delivered: 1, billed_characters: 'Hello'.length });
  expect(JSON.stringify(once.failed)).toContain('10000 pairs of braces in each other');
  for (const args of [['check'], ['status'], ['once', '--frozen']]) {
    const { code, stdout } = await rig.run(...args);
    expect(stdout, args.join(' ')).toContain('10000 pairs of braces in each other');
    expect(code).toBe(args[0] === 'status' ? 0 : 1);
  }
});
