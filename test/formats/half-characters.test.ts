/** Half of a character (a surrogate without the other one) in every format: its text has it and is held, or the file is refused. */
import { expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import { partsText } from '../../src/format.ts';
import { FORMATS } from '../../src/formats/all.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { whyNeverSent } from '../../src/translate/request.ts';

const HALF = '\ud800';
const plist = (text: string) =>
  `<plist><dict><key>k</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@v@</string><key>v</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>d</string><key>other</key><string>${text}</string></dict></dict></dict></plist>\n`;
const xcstrings = (text: string) =>
  `{"sourceLanguage":"en","version":"1.0","strings":{"k":{"localizations":{"en":{"stringUnit":{"state":"translated","value":"${text}"}}}}}}`;
const xliff = (text: string) =>
  `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" datatype="plaintext" original="f"><body><trans-unit id="k"><source>${text}</source></trans-unit></body></file></xliff>`;
const resx = (text: string) =>
  `<root><data name="k" xml:space="preserve"><value>${text}</value></data></root>`;
const qt = (text: string) =>
  `<!DOCTYPE TS><TS version="2.1"><context><name>c</name><message><source>${text}</source><translation type="unfinished"></translation></message></context></TS>`;
const android = (text: string) => `<resources><string name="k">${text}</string></resources>`;
const ttml = (text: string) =>
  `<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">${text}</p></div></body></tt>`;
const json = (text: string) => `{"k":"${text}"}\n`;
const page = (text: string) => `${text}\n`;

/** By extension: a file with a text, and the escapes that the format has for half of a character. */
const SAMPLES: Readonly<Record<string, [(text: string) => string, ...string[]]>> = {
  json: [json, '\\ud800'],
  jsonc: [json, '\\ud800'],
  json5: [json, '\\ud800'],
  arb: [json, '\\ud800', '\\udc00\\ud800'],
  xcstrings: [xcstrings, '\\ud800'],
  yaml: [(text) => `k: "${text}"\n`, '\\ud800', '\\U0000d800'],
  properties: [(text) => `k=${text}\n`, '\\ud800'],
  ftl: [(text) => `k = ${text}\n`],
  xml: [android, '\\ud800', '&#xD800;', '&#55296;'],
  xlf: [xliff, '&#xD800;'],
  resx: [resx, '&#xD800;'],
  resw: [resx, '&#xD800;'],
  ttml: [ttml, '&#xD800;'],
  csv: [(text) => `k,v\na,${text}\n`],
  ts: [qt, '&#xD800;'],
  stringsdict: [plist, '&#xD800;'],
  strings: [(text) => `"k" = "${text}";\n`, '\\Ud800'],
  po: [(text) => `msgid "k"\nmsgstr "${text}"\n`, '\\355\\240\\200', '\\xed\\xa0\\x80', '\\303'],
  ini: [(text) => `[s]\nk=${text}\n`],
  toml: [(text) => `k = "${text}"\n`, '\\ud800', '\\U0000d800'],
  php: [(text) => `<?php return ["k" => "${text}"];\n`, '\\u{d800}'],
  js: [(text) => `export default { k: '${text}' };\n`, '\\ud800', '\\u{d800}'],
  md: [page],
  mdx: [page],
  html: [(text) => `<p>${text}</p>\n`],
  txt: [page],
};

test.each(FORMATS.map((entry) => ({ extension: entry.extensions[0] ?? '', ...entry })))(
  'half of a character in a .$extension is found in its text, or the file is refused, and it is never replaced by another sign',
  async ({ extension, load }) => {
    const format = await load();
    const [file, ...escapes] = SAMPLES[extension] ?? expect.unreachable(`no .${extension}`);
    const columns = { key: 'k', source: 'v', delimiter: ',', header: true, targets: new Map() };
    const readIn = (bytes: Buffer) => {
      try {
        const { doc } = openFile(bytes, format, {
          ...{ file: `en.${extension}`, role: 'source' as const, columns },
          ...{ sourceLanguage: parseLanguage('en'), language: parseLanguage('en') },
        });
        const texts = doc.segments.map(({ source, parts }) => partsText(source ?? parts));
        expect(texts.join('')).not.toContain('\ufffd');
        return texts.some((text) => whyNeverSent(text) !== undefined) ? 'held' : texts;
      } catch (error) {
        if (error instanceof JobFailure && error.failure.kind === 'malformed') return 'refused';
        throw error;
      }
    };
    const spelled = (text: string) => `Some ${text} words`;
    const wide = Buffer.from(`\ufeff${file(spelled(HALF))}`, 'utf16le');
    expect(readIn(wide), 'UTF-16').toMatch(/^(held|refused)$/);
    for (const spelling of escapes) {
      expect(readIn(Buffer.from(file(spelled(spelling)))), spelling).toMatch(/^(held|refused)$/);
    }
  },
);
