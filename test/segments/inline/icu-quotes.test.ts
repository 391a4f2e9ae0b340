/** An apostrophe before `<` or `>` is an apostrophe, as Unicode ICU reads it; only before a brace, and `#` in a plural, it quotes. */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsText } from '../../../src/format.ts';
import { type LanguageTag, parseLanguage } from '../../../src/language.ts';
import { checkTranslation } from '../../../src/segments/inline/check.ts';
import { splitIcu } from '../../../src/segments/inline/icu.ts';
import { apostrophesAtTags } from '../../../src/segments/inline/icu-quotes.ts';
import { parseIcu } from '../../../src/segments/inline/icu-text.ts';
import { TextJobs } from '../../text-jobs.ts';

const DE = parseLanguage('de') as LanguageTag;

/** The text that a message shows for n = 2, with the names of its arguments in brackets. */
function shown(text: string): string {
  const show = (elements: readonly MessageFormatElement[]): string =>
    elements
      .map((element) => {
        if (element.type === TYPE.literal) return element.value;
        if (element.type === TYPE.pound) return '[#]';
        if (element.type === TYPE.tag) throw new TypeError('tags are text');
        const isChoice = element.type === TYPE.plural || element.type === TYPE.select;
        return isChoice ? show(element.options['other']?.value ?? []) : `[${element.value}]`;
      })
      .join('');
  const elements = parseIcu(text);
  if (elements === undefined) throw new Error(`no message: ${text}`);
  return show(elements);
}

describe('reading', () => {
  test.each([
    ["<a href='x'>link</a>", "<a href='x'>link</a>"],
    ["<a href='{url}'>link</a>", '<a href={url}>link</a>'],
    ["<b title=''x''>it's</b>", "<b title='x'>it's</b>"],
    ["a '<' b '>' c", "a '<' b '>' c"],
    ["'{'<b class='y'>{x}</b>'}'", "{<b class='y'>[x]</b>}"],
    ["'{a''<b}' '<b>' {x}", "{a'<b} '<b>' [x]"],
    ["#'<'# {n, plural, other {'#<b>'<b class='y'># #</b>}}", "#'<'# #<b><b class='y'>[#] [#]</b>"],
    ["{g, select, other {'#<b class='y'>#</b>}}", "'#<b class='y'>#</b>"],
    [
      "{n, plural, offset:1 one {x} other {<i k='v'>{g, select, other {<u k='v'>{x}</u>}}</i>}}",
      "<i k='v'><u k='v'>[x]</u></i>",
    ],
    ["{d, date, h 'o''clock <'} '<b>'", "[d] '<b>'"],
    ["it's '", "it's '"],
  ])('%s shows %s', (text, meant) => expect(shown(text)).toBe(meant));

  test('a text with a character that is used nowhere keeps it', () => {
    expect(shown("\uE001 '<b>' \uE002")).toBe("\uE001 '<b>' \uE002");
  });

  test('a text that is no message is still none', () => {
    expect(parseIcu("<b class='y'>{n</b>")).toBeUndefined();
    expect(parseIcu("{n, plural, one {<b class='y'>}}")).toBeUndefined();
    expect(parseIcu(`${"{a, select, other {'<".repeat(20_000)}`)).toBeUndefined();
  });
});

/** Pieces of messages as people write them, and what Unicode ICU shows of each. */
const PIECES = [
  ["<a href='x'>", "<a href='x'>"],
  ["<a title=''x''>", "<a title='x'>"],
  ["<a k='v' href='{'x'}'>", "<a k='v' href={x}>"],
  ['</a>', '</a>'],
  ["'<b>'", "'<b>'"],
  ["a '> b", "a '> b"],
  ["l''<b>", "l'<b>"],
  ["it's", "it's"],
  ["'{'", '{'],
  ["'{}''<'", "{}'<"],
  ['{x}', '[x]'],
  ['word', 'word'],
] as const;

interface Written {
  readonly text: string;
  readonly meant: string;
}

const flat = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces): Written => {
  const [text, meant] = [0, 1].map((side) => pieces.map((piece) => piece[side]).join(' '));
  return { text: text ?? '', meant: meant ?? '' };
});

const { message } = fc.letrec<{ message: Written }>((tie) => ({
  message: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    flat,
    fc
      .tuple(
        flat,
        fc.constantFrom('n, plural, one', 'g, select, f'),
        tie('message'),
        tie('message'),
        flat,
      )
      .map(([before, head, first, other, after]) => ({
        text: `${before.text} {${head} {${first.text} } other {${other.text} }} ${after.text}`,
        meant: `${before.meant} ${other.meant}  ${after.meant}`,
      })),
  ),
}));

test('a message says after a round trip what it said, whatever its quotes and tags', () => {
  fc.assert(
    fc.property(message, fc.constantFrom('icu', 'generic'), ({ text, meant }, syntax) => {
      expect(shown(text)).toBe(meant);
      const split = splitIcu({ parts: [text], syntax }, DE);
      if (split === undefined) return;
      const target = split.join(split.texts.map(({ parts }) => parts));
      expect(shown(partsText(target)).trim()).toBe(meant.trim());
      const source = { parts: [text], syntax } as const;
      const checks = {
        placeholders: 'hold',
        tags: 'hold',
        length: 'off',
        untranslated: 'off',
      } as const;
      const findings = checkTranslation({ source, target, language: DE }, checks);
      expect(findings.filter(({ severity }) => severity === 'hold')).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

const LINK = "<a href='x'>The link</a> of {n}";
const TITLE = "<a title=''x''>The word</a> of {n}";
const FILES = "{n, plural, one {<b class='y'># file</b>} other {<b class='y'># files</b>}}";
const QUOTED = "{n, plural, other {Use '<b>' # times}}";

const DOUBLED = "{n, plural, one {It''s '{'} other {It''s '{' #}}";

test('the spelling of its author stays', async () => {
  const texts = { link: LINK, files: FILES, quoted: QUOTED, title: TITLE, doubled: DOUBLED };
  const jobs = await TextJobs.of('{ from: "app_{locale}.arb", lane: text }', {
    'app_en.arb': JSON.stringify(texts, null, 2),
  });
  const { state } = await jobs.run('app_en.arb');
  expect(state.kind).toBe('done');
  expect(JSON.parse(await jobs.read('app_de.arb'))).toEqual({
    link: "<a href='x'>Theä linkä</a> ofä {n}",
    files: "{n, plural, one {<b class='y'># fileä</b>} other {<b class='y'># filesä</b>}}",
    quoted: "{n, plural, one {Useä '<b>' # timesä} other {Useä '<b>' # timesä}}",
    title: "<a title=''x''>Theä wordä</a> ofä {n}",
    doubled: "{n, plural, one {Itä''sä '{'} other {Itä''sä '{' #}}",
  });
});

test('a tag in two spellings is one tag', () => {
  const source = { parts: [TITLE], syntax: 'icu' } as const;
  const checks = {
    placeholders: 'hold',
    tags: 'hold',
    length: 'off',
    untranslated: 'off',
  } as const;
  const found = (target: string) =>
    checkTranslation({ source, target: [target], language: DE }, checks).map(
      ({ message: said }) => said,
    );
  expect(found("<a title='x'>Das Wort</a> von {n}")).toEqual([]);
  expect(found("<a title=''x''>Das Wort</a> von {n}")).toEqual([]);
  expect(found("<a class='x'>Das Wort</a> von {n}")).toEqual([
    "<a title='x'> is missing",
    "<a class='x'> is not in the source",
  ]);
});

test('a message that an earlier version copied waits with its price, and is bought when that is approved', async () => {
  const texts = { files: FILES, word: 'One word' };
  const jobs = await TextJobs.of('{ from: "{locale}.json", lane: text }', {
    'en.json': JSON.stringify(texts, null, 2),
    'de.json': JSON.stringify({ files: FILES, word: 'Ein Wort' }, null, 2),
  });
  await jobs.remember('en.json', 'de', [
    { id: 'files', source: FILES, target: [FILES], origin: 'copied', state: 'ok' },
    { id: 'word', source: 'One word', target: ['Ein Wort'], origin: 'machine', state: 'ok' },
  ]);
  await jobs.write('en.json', JSON.stringify({ ...texts, word: 'Two words' }, null, 2));
  const characters = '1 file'.length + '2 files'.length;
  expect(await jobs.run('en.json')).toMatchObject({
    bought: ['Two words'],
    state: { kind: 'held', hold: { kind: 'approval', texts: 1, characters } },
  });
  expect(await jobs.run('en.json', 'de', { approved: true })).toMatchObject({
    sent: ['1 file', '2 files'],
    state: { kind: 'done' },
  });
});

test('apostrophes are found behind a quotation of millions of characters', () => {
  const quotation = `'{${'x'.repeat(12_000_000)}}'`;
  expect(apostrophesAtTags(`${quotation} '<b>`)).toEqual([quotation.length + 1]);
});
