/** The laws of protecting a segment and putting its tokens back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Part, type PlaceholderSyntax, partsText } from '../../../src/format.ts';
import type { LanguageTag } from '../../../src/language.ts';
import { hasNumberedPlaces } from '../../../src/segments/inline/placeholders.ts';
import { needsTags, protect, worthSending } from '../../../src/segments/inline/protect.ts';
import { restore } from '../../../src/segments/inline/restore.ts';
import { nextSendForm, type SendForm } from '../../../src/segments/inline/send-form.ts';

const german = 'de' as LanguageTag;
const japanese = 'ja' as LanguageTag;
const xml: SendForm = { form: 'xml', version: 'v2', alone: false };
const literal: SendForm = { form: 'literal', version: 'v1', alone: true };

const sentAs = (text: string, syntax: PlaceholderSyntax, attempt = xml) =>
  protect({ parts: [text], syntax }, attempt);
const textOf = (restored: ReturnType<typeof restore>) =>
  'parts' in restored ? partsText(restored.parts) : restored.problem;

test.each<[string, PlaceholderSyntax, string]>([
  ['Hello {name}', 'generic', 'Hello <x id="0"/>'],
  ['You & <b>{{who}}</b> won', 'generic', 'You &amp; <g id="0"><x id="1"/></g> won'],
  ['%1$s of %2$d', 'printf', '<x id="0"/> of <x id="1"/>'],
  ['%dpx and 100% of it', 'printf', '<x id="0"/>px and 100% of it'],
  ['100%discount %d個', 'generic', '100%discount <x id="0"/>個'],
  ['100%dépôt %dч', 'generic', '100%dépôt <x id="0"/>ч'],
  ['%1 of %L2, %n left', 'qt', '<x id="0"/> of <x id="1"/>, <x id="2"/> left'],
  [
    'Built @DATE@ by @me_2@, mail A@B.de',
    'generic',
    'Built <x id="0"/> by @me_2@, mail <x id="1"/>',
  ],
  ['%{count} by %<who>s', 'generic', '<x id="0"/> by <x id="1"/>'],
  ['%(n)d of {}', 'printf', '<x id="0"/> of <x id="1"/>'],
  ['Dear :name, at 10:30', 'laravel', 'Dear <x id="0"/>, at 10:30'],
  ['One :thing|[2,*] :count things', 'laravel', 'One <x id="0"/><x id="1"/> <x id="2"/> things'],
  ['%count% things, %s', 'laravel', '<x id="0"/> things, <x id="1"/>'],
  ['%arg birds, %a', 'apple', '<x id="0"/> birds, <x id="1"/>'],
  ['Dear :name', 'generic', 'Dear :name'],
  ['See <1>the {{doc}}</1> $t(end)', 'generic', 'See <g id="0">the <x id="1"/></g> <x id="2"/>'],
  [
    `Hi {{x}}, %1$s %@ %(n)s \${X}`,
    'generic',
    'Hi <x id="0"/>, <x id="1"/> <x id="2"/> <x id="3"/> <x id="4"/>',
  ],
  [`%s of $FILE, \${DIR} and $5`, 'shell', '<x id="0"/> of <x id="1"/>, <x id="2"/> and $5'],
  ['%1s and %s of {0}', 'qt', '<x id="0"/>s and <x id="1"/> of <x id="2"/>'],
  ['%1x%2, %d and %s', 'numbered', '<x id="0"/>x<x id="1"/>, <x id="2"/> and <x id="3"/>'],
  ['%n and :name', 'generic', '%n and :name'],
  ['%#@files@ in %@', 'apple', '<x id="0"/> in <x id="1"/>'],
  ['{0,choice,0#none|1#one {1}} left', 'generic', '<x id="0"/> left'],
  ['Ask https://x.test/a?b=c. Or me@x.test!', 'markup', 'Ask <x id="0"/>. Or <x id="1"/>!'],
  [
    'See https://x.test/{user}/issues?id={id}. Or @.lower:app.name and @:{key}',
    'generic',
    'See <x id="0"/><x id="1"/><x id="2"/><x id="3"/>. Or <x id="4"/> and <x id="5"/>',
  ],
  [
    '{a} at {b}/c, https://x.test/{d}, e',
    'generic',
    '<x id="0"/> at <x id="1"/>/c, <x id="2"/><x id="3"/>, e',
  ],
  ['a&nbsp;b<br>c', 'markup', 'a<x id="0"/>b<x id="1"/>c'],
  ['{a} %s <b>', 'none', '{a} %s &lt;b&gt;'],
  ['<b>a<i>b</b>c', 'markup', '<g id="0">a<x id="1"/>b</g>c'],
])('%s as %s goes out as %s', (text, syntax, sent) => {
  expect(sentAs(text, syntax).text).toBe(sent);
});

test('a text without tokens goes out as plain text, and line breaks alone need no tags', () => {
  expect(needsTags({ parts: ['Save & close'], syntax: 'generic' })).toBe(false);
  expect(needsTags({ parts: ['one\ntwo'], syntax: 'generic' })).toBe(false);
  expect(needsTags({ parts: ['one {two}'], syntax: 'generic' })).toBe(true);
});

test('blanks and markup around the whole text are not sent and come back', () => {
  const sent = sentAs('  <p><b>Hi</b></p>\r\n', 'markup');
  expect(sent.text).toBe('Hi');
  expect(textOf(restore('Hallo', sent, german))).toBe('  <p><b>Hallo</b></p>\r\n');
});

test('the indentation of a line comes back with its line break, and is not billed', () => {
  const sent = sentAs('First\n    second  \n\n  third', 'none', { ...xml, form: 'plain' });
  expect(sent.text).toBe('First\nsecond\n\nthird');
  expect(textOf(restore('Eins\nzwei\n\ndrei', sent, german))).toBe('Eins\n    zwei  \n\n  drei');
});

test('host syntax comes back as host syntax, and paired host syntax as a pair', () => {
  const parts: Part[] = [
    'Read ',
    { raw: '[', pair: { id: 7, side: 'open' } },
    'the manual',
    { raw: '](x.md)', pair: { id: 7, side: 'close' } },
    ' of ',
    { raw: '`npm`' },
  ];
  const sent = protect({ parts, syntax: 'markup' }, xml);
  expect(sent.text).toBe('Read <g id="0">the manual</g> of <x id="1"/>');
  const restored = restore('<g id="0">Handbuch</g> von <x id="1"></x> lesen', sent, german);
  expect(restored).toEqual({
    parts: [parts[1], 'Handbuch', parts[3], ' von ', parts[5], ' lesen'],
  });
});

test.each<[string, string, string]>([
  ['lost', 'Klick <g id="0">hier</g>', '{n} is missing'],
  ['doubled', '<x id="1"/><x id="1"/> <g id="0">hier</g>', '{n} came back more than once'],
  ['unknown', '<x id="1"/> <g id="0">hier</g> <x id="4"/>', 'that was not sent'],
  ['emptied', '<g id="0"></g>hier <x id="1"/>', '<b>…</b> came back empty'],
  ['emptied and closed', '<g id="0"/>hier <x id="1"/>', '<b>…</b> came back empty'],
  ['never closed', '<g id="0">hier <x id="1"/>', 'opened and not closed'],
  ['closed first', '</g>hier<g id="0"> <x id="1"/>', 'closed that was not opened'],
  ['with a translated tag', '<g id="0">hier</g> <x kennung="1"/>', 'a tag that was not sent'],
  ['with a foreign tag', '<g id="0">hier</g> <x id="1"/><br>', 'a tag that was not sent: <br>'],
  [
    'with a foreign tag whose value has a ">"',
    '<g id="0">hier</g> <x id="1"/><b k="a > b">',
    'a tag that was not sent: <b k="a > b">',
  ],
  ['empty', '  ', 'the answer is empty'],
])('an answer with a token %s is refused', (_name, answer, problem) => {
  const sent = sentAs('Click <b>here</b> {n}', 'generic');
  expect(textOf(restore(answer, sent, german))).toContain(problem);
});

test('a pair that left the pair around it is refused', () => {
  const sent = sentAs('x <b>a <i>b</i></b>', 'markup');
  expect(textOf(restore('x <g id="0">a</g> <g id="1">b</g>', sent, german))).toContain('nested');
  expect(textOf(restore('x <g id="1">b <g id="0">a</g></g>', sent, german))).toContain('nested');
});

test('entities are decoded once, and a bare less-than sign is text', () => {
  const sent = sentAs('a < b & {c}', 'generic');
  expect(textOf(restore('&#97; < b &amp;amp; &#x41;&nbsp;<x id="0"/>', sent, german))).toBe(
    'a < b &amp; A\u00a0{c}',
  );
});

test('a blank that was eaten beside a token comes back, but not in scripts without blanks', () => {
  const sent = sentAs('Click <b>here</b> {n} times now', 'generic');
  const answer = 'Klick<g id="0">hier</g><x id="1"/>mal jetzt';
  expect(textOf(restore(answer, sent, german))).toBe('Klick <b>hier</b> {n} mal jetzt');
  expect(textOf(restore(answer, sent, japanese))).toBe('Klick<b>hier</b>{n}mal jetzt');
});

test('punctuation beside a token gets no blank, and a token that was glued stays glued', () => {
  const sent = sentAs('Total {n} pre{x}', 'generic');
  expect(textOf(restore('vor<x id="1"/>: <x id="0"/>!', sent, german))).toBe('vor{x}: {n}!');
});

test('blanks around a line break go, and how it is written stays as in the source', () => {
  const tagged = sentAs('one\r\n{two}', 'generic');
  expect(textOf(restore('eins <x id="0"/> <x id="1"/>', tagged, german))).toBe('eins\r\n{two}');
  const plain = sentAs('one\r\n\r\ntwo', 'none', { ...xml, form: 'plain' });
  expect(plain.text).toBe('one\r\n\r\ntwo');
  expect(textOf(restore('eins\n\nzwei', plain, german))).toBe('eins\r\n\r\nzwei');
  expect(textOf(restore('eins zwei', plain, german))).toBe('a line break is missing');
  expect(textOf(restore('eins\nzwei\ndrei', plain, german))).toContain('not sent');
});

test('the literal form carries the tokens in the text and verifies them letter by letter', () => {
  const sent = sentAs('Give %s to %s2 in <b>bold</b>', 'printf', literal);
  expect(sent.kind).toBe('plain');
  expect(textOf(restore('<b>Fett</b>: %s gibt %s2', sent, german))).toBe(
    '<b>Fett</b>: %s gibt %s2',
  );
  expect(textOf(restore('<b>Fett</b>: % s gibt %s2', sent, german))).toBe('%s is missing');
  expect(textOf(restore('</b>Fett<b>: %s gibt %s2', sent, german))).toContain('nested');
});

test('only a segment with a letter outside its tokens is worth sending', () => {
  const worth = (text: string) => worthSending({ parts: [text], syntax: 'generic' });
  expect(['{name}', '12.5 %', '<br/> …', 'https://x.test/abc', ''].filter(worth)).toEqual([]);
  expect(['OK', '{n} Б', '数'].every(worth)).toBe(true);
});

test('an image of 60 kB within a paragraph comes back in every form, also beside a copy of its beginning', () => {
  const raw = `![x](data:image/png;base64,${'iVBORw0KGgo'.repeat(6000)})`;
  const short = `${raw.slice(0, 2000)})`;
  const parts = ['See ', { raw }, ' and ', { raw: short }, ' and %s here'];
  for (const form of ['xml', 'literal', 'plain'] as const) {
    const sent = protect({ parts, syntax: 'printf' }, { form, version: 'v1', alone: true });
    expect(restore(sent.text, sent, 'de' as LanguageTag)).toMatchObject({ parts });
  }
});

test('two hundred long placeholders in one text come back in the literal form', () => {
  const parts = Array.from({ length: 200 }, (_, nth) => [
    ` and ${nth} `,
    { raw: `{${'x'.repeat(400)}${nth}}` },
  ]).flat();
  const sent = protect({ parts, syntax: 'none' }, literal);
  const found = restore(sent.text, sent, 'de' as LanguageTag);
  expect('parts' in found && partsText(found.parts)).toBe(partsText(parts));
});

test('two thousand numbers in one text come back, each only where it is no part of a longer one', () => {
  const sample = (nth: number) => `${1000 + nth * 7}`;
  const parts = Array.from({ length: 2000 }, (_, nth) => [
    ' and ',
    { raw: `#${nth}`, sample: sample(nth) },
  ]).flat();
  const sent = protect({ parts, syntax: 'printf' }, { form: 'plain', version: 'v1', alone: false });
  expect(restore(sent.text, sent, 'de' as LanguageTag)).toMatchObject({ parts });
  const longer = sent.text.replace(` ${sample(1)} `, ` ${sample(1)}5 `);
  expect(restore(longer, sent, 'de' as LanguageTag)).toHaveProperty('problem');
});

test('the ladder is xml v2, alone, v1, literal, give up', () => {
  const sent = sentAs('a {b}', 'generic');
  const rungs: SendForm[] = [];
  for (let rung: SendForm | undefined = xml; rung; rung = nextSendForm(rung, sent))
    rungs.push(rung);
  expect(rungs.map(({ form, version, alone }) => `${form} ${version} ${alone}`)).toEqual([
    'xml v2 false',
    'xml v2 true',
    'xml v1 true',
    'literal v1 true',
  ]);
});

test('plain text is tried again alone, and climbs to tags only for its line breaks', () => {
  const alone: SendForm = { form: 'plain', version: 'v2', alone: true };
  expect(nextSendForm({ ...alone, alone: false }, sentAs('a', 'none'))).toEqual(alone);
  expect(nextSendForm(alone, sentAs('a', 'none'))).toBeUndefined();
  expect(nextSendForm(alone, sentAs('a\nb', 'none'))).toEqual({ ...alone, form: 'xml' });
});

const SYNTAXES: readonly PlaceholderSyntax[] = [
  'none',
  'generic',
  'icu',
  'printf',
  'apple',
  'qt',
  'laravel',
  'shell',
  'markup',
];
const snippet = fc.oneof(
  fc.constantFrom(
    '%s',
    '%1$s',
    '{n}',
    '{{n}}',
    '<b>',
    '</b>',
    '<br/>',
    '&amp;',
    '\n',
    '\r\n',
    '%%',
  ),
  fc.constantFrom('%{n}', ':name', '%(n)s', '%n', '$t(a)', '{a, plural, other {b}}', '<', '&', ' '),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const text = fc.array(snippet, { maxLength: 12 }).map((snippets) => snippets.join(''));
const raw = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 5 })
  .map((syntax) => ({ raw: syntax }));
const parts = fc.array(fc.oneof(text, raw), { maxLength: 5 });
const translatable = fc.record({ parts, syntax: fc.constantFrom(...SYNTAXES) });

test('a pair that holds only empty pairs may come back as empty as it went', () => {
  const source = { parts: ['<b><b></b></b>x'], syntax: 'printf' } as const;
  const sent = protect(source, xml);
  expect(textOf(restore(sent.text, sent, german))).toBe('<b><b></b></b>x');
});

test('an answer that equals what was sent gives the source back, letter for letter', () => {
  fc.assert(
    fc.property(translatable, (source) => {
      const sent = protect(source, xml);
      expect(textOf(restore(sent.text, sent, german))).toBe(partsText(source.parts));
    }),
    { numRuns: 2000 },
  );
});

test('raw parts come back as raw parts, never as text', () => {
  fc.assert(
    fc.property(translatable, (source) => {
      const sent = protect(source, xml);
      const restored = restore(sent.text, sent, german);
      const raws = (list: readonly Part[]) => list.filter((part) => typeof part !== 'string');
      expect('parts' in restored && raws(restored.parts)).toEqual(raws(source.parts));
    }),
  );
});

test('a dropped, doubled or renumbered token is always found', () => {
  fc.assert(
    fc.property(translatable, fc.nat(), (source, pick) => {
      const sent = protect(source, xml);
      const tags = [...sent.text.matchAll(/<x id="\d+"\/>|<g id="\d+">/g)];
      const tag = tags[pick % tags.length];
      fc.pre(tag !== undefined);
      const damaged = (by: string) =>
        sent.text.slice(0, tag.index) + by + sent.text.slice(tag.index + tag[0].length);
      const double = tag[0] + (tag[0].startsWith('<g') ? `</g>${tag[0]}` : tag[0]);
      for (const by of ['', double, tag[0].replace(/\d+/, '77')]) {
        expect(restore(damaged(by), sent, german)).toHaveProperty('problem');
      }
    }),
    { numRuns: 500 },
  );
});

const scrap = fc.oneof(
  fc.constantFrom(
    '<x id="0"/>',
    '<x id="1"></x>',
    '<g id="0">',
    '</g>',
    '<g id="2"/>',
    '&lt;',
    '<',
    '\n',
  ),
  fc.constantFrom('%s', '{n}', '<b>', '&', '&#x110000;', '1', ' '),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

test('for any answer, each token occurs exactly once or the answer is refused', () => {
  const answers = fc.array(scrap, { maxLength: 12 }).map((scraps) => scraps.join(''));
  const attempts = fc.constantFrom(xml, literal);
  fc.assert(
    fc.property(translatable, attempts, answers, (source, attempt, answer) => {
      const sent = protect(source, attempt);
      const restored = restore(answer, sent, german);
      if ('problem' in restored) return;
      const raws = (list: readonly Part[]) =>
        list.flatMap((part) => (typeof part === 'string' ? [] : [part.raw])).sort();
      expect(raws(restored.parts)).toEqual(raws(source.parts));
    }),
    { numRuns: 1000 },
  );
  expect(restore('', sentAs('{a}', 'generic'), german)).toHaveProperty('problem');
});

test.each([
  ['Resolution %1x%2', true],
  ['%0 of %1.', true],
  ["Could not open '%1'", true],
  ['%2 %1 %3, again %1', true],
  ['%1st of %2', true],
  ['%1d of %2d', false],
  ['%2d:%02d', false],
  ['%1$s of %2$s', false],
  ['%1.5f of %2.0f', false],
  ['100%%1', false],
  ['%50 off', false],
  ['%1 of %3', false],
])('%s has numbered places: %s', (text, expected) => {
  expect(hasNumberedPlaces(text)).toBe(expected);
});

test.each(['Hallo \ud800', '\udc00 Hallo'])('half of a character is no answer: %j', (answer) => {
  for (const attempt of [xml, literal]) {
    const sent = sentAs('Hello', 'generic', attempt);
    expect(textOf(restore(answer, sent, german))).toBe('the answer has half of a character');
    expect(textOf(restore(answer, { ...sent, lenient: true }, german))).toContain('half');
  }
  const sent = sentAs('Hello', 'generic');
  expect(textOf(restore('Hallo \u{1f600}', sent, german))).toBe('Hallo \u{1f600}');
});
