/**
 * The speed of reading and writing text formats, compared with their parsers, in MB of UTF-8 a second. Also the memory that a JSON file of
 * 50 MB takes. Printed; `--smoke`: small files.
 */
import { spawnSync } from 'node:child_process';
import { parse as parseBabel } from '@babel/parser';
import { FluentParser } from '@fluent/syntax';
import { parse as parseMomoa } from '@humanwhocodes/momoa';
import { XMLParser } from 'fast-xml-parser';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { parse as parseHtml } from 'parse5';
import { parseTOML } from 'toml-eslint-parser';
import YAML from 'yaml';
import { type FormatOptions, sourceParts } from '../src/format.ts';
import { chooseFormat } from '../src/formats/all.ts';
import { compose } from '../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../src/formats/text/composition.ts';
import { openFile } from '../src/formats/text/open.ts';
import { hasLetters } from '../src/formats/text/parts.ts';
import { parseLanguage } from '../src/language.ts';

const isSmoke = process.argv.includes('--smoke');
const ENTRIES = isSmoke ? 500 : 20_000;
/** The sizes of the large files in MB, by name. */
const LARGE = isSmoke ? { 'en.json': 2, 'en.xliff': 1 } : { 'en.json': 50, 'en.xliff': 20 };

interface Sample {
  readonly file: string;
  /** Entries of this format for each of the others; 1 unless given. */
  readonly share?: number;
  /** The n-th entry, or the whole from all entries. */
  entry(n: number): string;
  wrap?(entries: readonly string[]): string;
  raw?(text: string): unknown;
}

const sentence = (n: number): string =>
  `The quick brown fox number ${n} jumps over {name} and 3 dogs`;

const SAMPLES: readonly Sample[] = [
  {
    file: 'en.json',
    entry: (n) => `  "key_${n}": "${sentence(n)}"`,
    wrap: (entries) => `{\n${entries.join(',\n')}\n}\n`,
    raw: (text) => parseMomoa(text, { mode: 'json', ranges: true }),
  },
  {
    file: 'en.arb',
    entry: (n) => `  "key${n}": "${sentence(n)}"`,
    wrap: (entries) => `{\n${entries.join(',\n')}\n}\n`,
    raw: (text) => parseMomoa(text, { mode: 'json', ranges: true }),
  },
  {
    file: 'en.yml',
    entry: (n) => `  key_${n}: ${sentence(n).replace('{name}', '%{name}')}\n`,
    wrap: (entries) => `en:\n${entries.join('')}`,
    raw: (text) => YAML.parseDocument(text),
  },
  { file: 'en.properties', entry: (n) => `key.${n} = ${sentence(n)}\n` },
  { file: 'en.po', entry: (n) => `msgid "${sentence(n)}"\nmsgstr "${sentence(n)} done"\n\n` },
  { file: 'en.strings', entry: (n) => `/* Comment */\n"key_${n}" = "${sentence(n)}";\n` },
  {
    file: 'en.ftl',
    entry: (n) => `key-${n} = ${sentence(n).replace('{name}', '{ $name }')}\n`,
    raw: (text) => new FluentParser().parse(text),
  },
  {
    file: 'en.toml',
    entry: (n) => `key_${n} = "${sentence(n)}"\n`,
    raw: (text) => parseTOML(text),
  },
  { file: 'en.ini', entry: (n) => `key_${n} = ${sentence(n)}\n` },
  {
    file: 'en.php',
    entry: (n) => `    'key_${n}' => '${sentence(n)}',\n`,
    wrap: (entries) => `<?php\n\nreturn [\n${entries.join('')}];\n`,
  },
  {
    file: 'en.js',
    entry: (n) => `  key_${n}: '${sentence(n)}',\n`,
    wrap: (entries) => `export default {\n${entries.join('')}};\n`,
    raw: (text) => parseBabel(text, { sourceType: 'module' }),
  },
  {
    file: 'en.md',
    // A manual of a megabyte is a large one, and micromark takes its time.
    share: 0.05,
    entry: (n) =>
      `## Heading ${n}\n\n${sentence(n)} with *emphasis* and \`code\`.\n\n- An item\n\n`,
    raw: (text) => fromMarkdown(text),
  },
  {
    file: 'en.html',
    entry: (n) => `<p>${sentence(n)} with <em>emphasis</em> &amp; <a href="/x">a link</a>.</p>\n`,
    raw: (text) => parseHtml(text, { sourceCodeLocationInfo: true }),
  },
  {
    file: 'strings.xml',
    entry: (n) => `  <string name="key_${n}">${sentence(n)}</string>\n`,
    wrap: (entries) => `<resources>\n${entries.join('')}</resources>\n`,
    raw: (text) => new XMLParser({ preserveOrder: true }).parse(text),
  },
  {
    file: 'en.resx',
    entry: (n) => `  <data name="key_${n}"><value>${sentence(n)}</value></data>\n`,
    wrap: (entries) => `<root>\n${entries.join('')}</root>\n`,
    raw: (text) => new XMLParser({ preserveOrder: true }).parse(text),
  },
  {
    file: 'en.xliff',
    entry: (n) =>
      `    <trans-unit id="key_${n}">\n      <source>${sentence(n)}</source>\n    </trans-unit>\n`,
    wrap: (entries) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n<file original="a" source-language="en" target-language="de" datatype="plaintext">\n  <body>\n${entries.join('')}  </body>\n</file>\n</xliff>\n`,
    raw: (text) => new XMLParser({ preserveOrder: true }).parse(text),
  },
  { file: 'en.txt', entry: (n) => `${sentence(n)}\n` },
];

const [, , large, megabytes] = process.argv;
if (large !== undefined && megabytes !== undefined) {
  await measureMemory(large, Number(megabytes));
} else {
  console.log('format           MB   read  write    raw   (MB/s)');
  for (const sample of SAMPLES) await measure(sample);
  // Each in a process of its own: the peak of one is not that of another.
  for (const [file, size] of Object.entries(LARGE)) {
    spawnSync(process.execPath, [import.meta.filename, file, String(size)], { stdio: 'inherit' });
  }
}

async function measure(sample: Sample): Promise<void> {
  const text = textOf(sample, Math.ceil(ENTRIES * (sample.share ?? 1)));
  const bytes = Buffer.from(text);
  const { raw } = sample;
  const megabytes = bytes.length / 1e6;
  const { read, write } = await roundTrip(sample, bytes);
  const bare = raw === undefined ? undefined : timed(() => raw(text));
  const rates = [read, write, bare].map((ms) =>
    (ms === undefined ? '-' : (megabytes / (ms / 1000)).toFixed(1)).padStart(6),
  );
  console.log(`${sample.file.padEnd(14)}${megabytes.toFixed(1).padStart(5)} ${rates.join(' ')}`);
}

function textOf({ entry, wrap }: Sample, count: number): string {
  const entries = Array.from({ length: count }, (_, n) => entry(n));
  return wrap === undefined ? entries.join('') : wrap(entries);
}

async function roundTrip(
  { file }: Sample,
  bytes: Uint8Array,
): Promise<{ readonly read: number; readonly write: number }> {
  const format = await chooseFormat(file, new TextDecoder().decode(bytes.subarray(0, 4096)));
  if (format === undefined) throw new Error(`no format for ${file}`);
  const source = parseLanguage('en');
  const options: FormatOptions = { file, sourceLanguage: source, language: source, role: 'source' };
  const began = performance.now();
  const opened = openFile(bytes, format, options);
  const read = performance.now() - began;
  const placements = new Map<string, SegmentPlacement>();
  for (const segment of opened.doc.segments) {
    const parts = sourceParts(segment);
    if (hasLetters(parts)) placements.set(segment.id, { kind: 'write', parts: [...parts, ' x'] });
  }
  const target = { ...options, language: parseLanguage('de'), role: 'target' } as const;
  const write = timed(() => compose({ format, options: target, source: opened, placements }));
  return { read, write };
}

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

async function measureMemory(file: string, size: number): Promise<void> {
  const sample = SAMPLES.find((one) => one.file === file);
  if (sample === undefined) throw new Error(`no sample of ${file}`);
  const count = Math.ceil((size * 1e6) / (sample.entry(10_000).length + 2));
  const bytes = Buffer.from(textOf(sample, count));
  const before = process.memoryUsage().rss;
  const { read, write } = await roundTrip(sample, bytes);
  const peak = process.resourceUsage().maxRSS / 1e3;
  console.log(
    `${file} of ${(bytes.length / 1e6).toFixed(0)} MB, ${count} texts: read ${read.toFixed(0)} ms, write ${write.toFixed(0)} ms, peak ${peak.toFixed(0)} MB (${(before / 1e6).toFixed(0)} MB before)`,
  );
}
