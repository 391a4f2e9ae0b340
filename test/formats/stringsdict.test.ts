import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringsdict } from '../../src/formats/stringsdict.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { type LanguageTag, parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { lineEnd, xmlContent, xmlName } from './xml-arbitraries.ts';

const files = (other = '%d files') => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>files.count</key>
	<dict>
		<key>NSStringLocalizedFormatKey</key>
		<string>%#@files@ &amp; more</string>
		<key>files</key>
		<dict>
			<key>NSStringFormatSpecTypeKey</key>
			<string>NSStringPluralRuleType</string>
			<key>NSStringFormatValueTypeKey</key>
			<string>d</string>
			<key>one</key>
			<string>%d file</string>
			<key>other</key>
			<string>${other}</string>
		</dict>
	</dict>
	<key>GoodMorning</key>
	<dict>
		<key>NSStringVariableWidthRuleType</key>
		<dict>
			<key>20</key>
			<string>Hi</string>
			<key>50</key>
			<string>Good morning</string>
		</dict>
	</dict>
</dict>
</plist>
`;

const form = fc.tuple(fc.constantFrom('zero', 'one', 'two', 'few', 'many'), xmlContent);
const variable = fc.tuple(fc.array(form, { maxLength: 3 }), xmlContent).map(([forms, other]) => {
  const texts = new Map([...forms, ['other', other] as const]);
  const pairs = [...texts].map(([name, text]) => `<key>${name}</key><string>${text}</string>`);
  return `<dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string><key>NSStringFormatValueTypeKey</key><string>d</string>${pairs.join('')}</dict>`;
});
const generated = fc
  .tuple(
    lineEnd,
    fc.uniqueArray(fc.tuple(xmlName, fc.array(variable, { maxLength: 2 }), xmlContent), {
      maxLength: 4,
      selector: ([name]) => name,
    }),
  )
  .map(([end, entries]) => {
    const written = entries.map(
      ([name, variables, text]) =>
        `<key>${name}</key>${end}<dict><key>NSStringLocalizedFormatKey</key><string>${text}</string>${variables.map((dict, index) => `<key>v${index}</key>${dict}`).join(end)}</dict>`,
    );
    return `<plist><dict>${end}${written.join(end)}${end}</dict></plist>`;
  });

describeFormat({
  format: stringsdict,
  file: 'en.lproj/Localizable.stringsdict',
  fixtures: {
    files: files(),
    'in UTF-16': Buffer.from(`\uFEFF${files()}`, 'utf16le'),
    'with CRLF': files().replaceAll('\n', '\r\n'),
  },
  malformed: [
    ['<plist><dict>\n<key>a</dict></plist>', 2, undefined],
    ['<plist><dict>\n<string>a</string></dict></plist>', 2, 1],
    ['<plist><dict>\n<key>a</key></dict></plist>', 2, 1],
    ['<plist><array/></plist>', 1, 1],
  ],
  generated,
  corpus: { folder: 'stringsdict' },
});

const options = (language: string) =>
  ({
    file: 'x',
    sourceLanguage: parseLanguage('en'),
    language: parseLanguage(language),
    role: 'target',
  }) as const;

function write(language: string, target?: string): string {
  const source = openFile(Buffer.from(files()), stringsdict, options('en'));
  const expected = stringsdict.expect?.(source.doc, {
    language: parseLanguage(language) as LanguageTag,
  });
  return compose({
    format: stringsdict,
    options: options(language),
    source,
    ...(target === undefined
      ? {}
      : { target: openFile(Buffer.from(target), stringsdict, options(language)) }),
    placements: new Map(
      (expected ?? []).map(({ id, parts }): [string, SegmentPlacement] => [
        id,
        { kind: 'write', parts: [...parts, ` (${language})`] },
      ]),
    ),
  }).text;
}

it('a new file has the categories of its language', () => {
  const polish = write('pl');
  expect(polish).toContain(`			<key>one</key>
			<string>%d file (pl)</string>
			<key>few</key>
			<string>%d files (pl)</string>
			<key>many</key>
			<string>%d files (pl)</string>
			<key>other</key>`);
  expect(write('ja').match(/<key>(?:zero|one|two|few|many|other)<\/key>/g)).toEqual([
    '<key>other</key>',
  ]);
  expect(write('ar').match(/<key>(?:zero|one|two|few|many|other)<\/key>/g)).toHaveLength(6);
});

it('missing rules, variables and categories are put where the source has them', () => {
  const target = files('%d Dateien').replace(/\t<key>GoodMorning[\s\S]*?\n\t<\/dict>\n/, '');
  const written = write('ru', target);
  expect(written).toContain(
    '<key>GoodMorning</key>\n\t<dict>\n\t\t<key>NSStringVariableWidthRuleType',
  );
  expect(written).toContain('<string>Good morning (ru)</string>');
  expect(written.match(/<key>(?:few|many)<\/key>/g)).toHaveLength(2);
  const empty = '<plist version="1.0">\n<dict>\n</dict>\n</plist>\n';
  expect(write('ru', empty).match(/<key>(?:one|few|many|other)<\/key>/g)).toHaveLength(4);
});
