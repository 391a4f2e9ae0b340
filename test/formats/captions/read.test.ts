/** Subtitles as people write them: each is read, or refused with a line number. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../src/failure.ts';
import { filmOf } from '../../../src/formats/captions/film.ts';
import { readSubtitles } from '../../../src/formats/captions/read.ts';
import { render } from '../../../src/formats/captions/render.ts';
import { CORPUS } from '../../corpus.ts';

const FILMS = join(CORPUS, 'subtitles');
const ONE = '00:00:01,000 --> 00:00:02,000';
const TWO = '00:00:03,000 --> 00:00:04,000';

function read(content: string | Uint8Array, fallback = 'windows-1252') {
  return readSubtitles(Buffer.from(content), { file: 'film.srt', fallback });
}

const texts = (content: string | Uint8Array, fallback?: string) =>
  read(content, fallback).cues.map(({ text }) => text);

function refusal(content: string | Uint8Array, fallback?: string) {
  try {
    read(content, fallback);
  } catch (error) {
    return failureOf(error);
  }
  throw new Error('it was read');
}

const PLAIN = `1\n${ONE}\nHello\n\n2\n${TWO}\nWorld\n`;

describe('line ends', () => {
  test.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR of an old Mac', '\r'],
    ['CR CR LF of a second conversion', '\r\r\n'],
  ])('%s', (_, lineEnd) => {
    expect(texts(PLAIN.replaceAll('\n', lineEnd))).toEqual(['Hello', 'World']);
  });

  test('mixed ones', () => {
    expect(texts(`1\r\n${ONE}\nHello\r\n\n2\r${TWO}\r\nWorld`)).toEqual(['Hello', 'World']);
  });

  test('no final one', () => {
    expect(texts(PLAIN.trimEnd())).toEqual(['Hello', 'World']);
  });
});

describe('timing lines', () => {
  test.each([
    ['two spaces', '00:00:01,000  -->  00:00:02,000'],
    ['a tab', '00:00:01,000\t-->\t00:00:02,000'],
    ['nothing around the arrow', '00:00:01,000-->00:00:02,000'],
    ['a short arrow', '00:00:01,000 -> 00:00:02,000'],
    ['a leading space', ' 00:00:01,000 --> 00:00:02,000'],
    ['a direction mark', '\u200f00:00:01,000 --> 00:00:02,000'],
    ['a colon before the milliseconds', '00:00:01:000 --> 00:00:02:000'],
    ['no milliseconds', '00:00:01 --> 00:00:02'],
    ['one and two digits', '00:00:01,0 --> 00:00:02,00'],
    ['four digits', '00:00:01,0000 --> 00:00:02,0000'],
    ['milliseconds with a fraction', '00:00:01,000.25 --> 00:00:02,000.75'],
    ['a dot', '00:00:01.000 --> 00:00:02.000'],
    ['blanks inside', '00:00:01, 000 --> 00:00:02, 000'],
    ['Arabic-Indic digits', '٠٠:٠٠:٠١,٠٠٠ --> ٠٠:٠٠:٠٢,٠٠٠'],
    ['full-width digits', '００:００:０１,０００ --> ００:００:０２,０００'],
    ['an embedding around it', '\u202b00:00:01,000 \u200e--> 00:00:02,000\u202c'],
    ['a zero-width space', '\u200b00:00:01,000 --> 00:00:02,000'],
  ])('with %s', (_, timing) => {
    expect(read(`1\n${timing}\nHello\n`).cues).toMatchObject([
      { start: 1000, end: 2000, text: 'Hello', id: '1' },
    ]);
  });

  test('a short fraction of a second is a fraction', () => {
    const [cue] = read('1\n00:00:01,5 --> 00:00:02,25\nHello\n').cues;
    expect(cue).toMatchObject({ start: 1500, end: 2250 });
  });

  test('negative, over 24 hours, end before start, overlapping and out of order', () => {
    const lines = [
      '-00:00:01,000 --> 00:00:02,000',
      '25:00:01,000 --> 100:00:02,000',
      '00:00:04,000 --> 00:00:02,000',
      '00:00:03,000 --> 00:00:05,000',
    ];
    const { cues } = read(lines.map((line, nth) => `${nth}\n${line}\nText ${nth}\n`).join('\n'));
    expect(cues.map(({ start }) => start)).toEqual([-1000, 90_001_000, 4000, 3000]);
    expect(cues.map(({ text }) => text)).toEqual(['Text 0', 'Text 1', 'Text 2', 'Text 3']);
  });

  test('that begin and end before zero, by less than a second', () => {
    const { cues } = read('1\n-00:00:01,001 --> -0:0:00,002\nHello\n');
    expect(cues).toMatchObject([{ start: -1001, end: -2, text: 'Hello' }]);
  });

  test('are not read from the opening hours of a shop', () => {
    expect(texts(`1\n${ONE}\nOpen\n12:30 -> 13:45\n`)).toEqual(['Open\n12:30 -> 13:45']);
  });

  test('coordinates of SRT', () => {
    expect(read(`1\n${ONE} X1:100 X2:200\nHello\n`).cues).toMatchObject([
      { settings: 'X1:100 X2:200', text: 'Hello' },
    ]);
  });
});

describe('numbers', () => {
  test.each(['1.', '1,', '#1', '1a', '0', ' 1 ', '٣'])('%j is one', (number) => {
    expect(texts(`${number}\n${ONE}\nHello\n\n${number}\n${TWO}\nWorld\n`)).toEqual([
      'Hello',
      'World',
    ]);
  });

  test('missing ones', () => {
    expect(texts(`${ONE}\nHello\n\n${TWO}\nWorld\n`)).toEqual(['Hello', 'World']);
  });

  test('a text that is a number is text', () => {
    expect(texts(`1\n${ONE}\n1984\n\n2\n${TWO}\nIn the year\n2001\n`)).toEqual([
      '1984',
      'In the year\n2001',
    ]);
    expect(texts(`${ONE}\nIn the year\n1984\n\n${TWO}\nWorld\n`)[0]).toBe('In the year\n1984');
  });
});

describe('a blank line between number and timing line', () => {
  test('in a file whose every line is followed by one', () => {
    const doubled = PLAIN.replaceAll('\n', '\n\n');
    expect(read(doubled).cues).toMatchObject([
      { id: '1', text: 'Hello' },
      { id: '2', text: 'World' },
    ]);
  });

  test('once among others', () => {
    expect(read(`1\n${ONE}\nHello\n\n2\n\n${TWO}\nWorld\n`).cues).toMatchObject([
      { id: '1', text: 'Hello' },
      { id: '2', text: 'World' },
    ]);
  });

  test('but not where the number does not follow: it is text', () => {
    expect(texts(`1\n${ONE}\nIn\n\n1984\n\n${TWO}\nWorld\n`)).toEqual(['In\n\n1984', 'World']);
    expect(texts(`${ONE}\nIn\n\n2\n\n${TWO}\nWorld\n`)).toEqual(['In\n\n2', 'World']);
  });
});

describe('texts', () => {
  test('a second line that begins with NOTE or NOTEBOOK', () => {
    expect(texts(`1\n${ONE}\nPlease\nNOTE: keep\nit\n\n2\n${TWO}\nMy\nNOTEBOOK\n`)).toEqual([
      'Please\nNOTE: keep\nit',
      'My\nNOTEBOOK',
    ]);
  });

  test('lines that begin with an invisible sign, or are blank but for it, stay as they are', () => {
    const text = '\u2060NOTE\n\u2060\n\u2060\u2060x\nNOTE\n\u200f\n\ufeffy';
    expect(texts(`1\n${ONE}\n${text}\n\n2\n${TWO}\nWorld\n`)).toEqual([text, 'World']);
  });

  test('empty cues: first, in the middle, last', () => {
    const empty = (nth: number) => `${nth}\n00:00:0${nth},000 --> 00:00:0${nth},500\n\n`;
    expect(texts(`${empty(1)}2\n00:00:02,000 --> 00:00:02,500\nHello\n\n${empty(3)}`)).toEqual([
      '',
      'Hello',
      '',
    ]);
  });

  test('a blank line inside a text, and blanks between cues', () => {
    expect(texts(`1\n${ONE}\nHello\n\nstill here\n   \n2\n${TWO}\nWorld\n`)).toEqual([
      'Hello\n\nstill here',
      'World',
    ]);
  });

  test('no blank line between cues', () => {
    expect(texts(`1\n${ONE}\nHello\n2\n${TWO}\nWorld\n`)).toEqual(['Hello', 'World']);
  });

  test('text before the first cue, and a Ctrl-Z behind the last', () => {
    expect(texts(`By somebody\n\n${PLAIN}\n\u001a`)).toEqual(['Hello', 'World']);
  });
});

describe('WebVTT', () => {
  test('names with spaces, settings, STYLE and REGION behind a blank line, NOTE', () => {
    const file = read(
      'WEBVTT - title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:fred\n\nNOTE hi\n\nthe intro\n00:01.000 --> 00:02.000 align:start position:10%\n<v Bob>Hello</v>\n\nNOTE\nof two\nlines\n\n00:03.000 --> 00:04.000\nWorld\nNOTE is text here\n',
    );
    expect(file.format).toBe('vtt');
    expect(file.cues).toMatchObject([
      { id: 'the intro', settings: 'align:start position:10%', text: '<v Bob>Hello</v>' },
      { id: '', start: 3000, text: 'World\nNOTE is text here' },
    ]);
  });

  test('a first cue right after the header', () => {
    expect(texts('WEBVTT\n00:01.000 --> 00:02.000\nHello\n')).toEqual(['Hello']);
  });

  test('a line of blanks inside a text, which only an empty one ends', () => {
    expect(texts('WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n \nthere\n\nNOTE no\n')).toEqual([
      'Hello\n \nthere',
    ]);
  });

  test('times in a note are not looked at', () => {
    const note = 'NOTE cut at\n00:00:03.000';
    expect(texts(`WEBVTT\n\n${note}\n\n00:01.000 --> 00:02.000\nHello\n`)).toEqual(['Hello']);
  });

  test('blank lines before the header', () => {
    const file = read('\n \nWEBVTT\n\nNOTE hi\n\n00:01.000 --> 00:02.000\nHello\n\nNOTE ho\n');
    expect(file).toMatchObject({ format: 'vtt', cues: [{ text: 'Hello' }] });
  });

  test('a header and nothing else', () => {
    expect(read('WEBVTT\n').cues).toEqual([]);
  });
});

describe('encodings', () => {
  const accents = `1\n${ONE}\nÀ bientôt\n`;
  const wide = (text: string) => Buffer.from(text, 'utf16le');

  test.each([
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${accents}`), true],
    ['UTF-16LE with a mark', wide(`\uFEFF${accents}`), true],
    ['UTF-16BE with a mark', wide(`\uFEFF${accents}`).swap16(), true],
    ['UTF-16LE without', wide(accents), false],
    ['UTF-16BE without', wide(accents).swap16(), false],
    ['windows-1252', Buffer.from(accents, 'latin1'), false],
  ])('%s', (_, bytes, mark) => {
    expect(read(bytes)).toMatchObject({ mark, cues: [{ text: 'À bientôt' }] });
  });

  test.each([
    ['windows-1250', [0x9e, 0x6c, 0x75, 0x9d], 'žluť'],
    ['windows-1251', [0xcf, 0xf0, 0xe8], 'При'],
    ['gb18030', [0xd3, 0xee, 0xd6, 0xe6], '宇宙'],
    ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
  ])('the fallback %s', (label, bytes, text) => {
    const content = Buffer.concat([Buffer.from(`1\n${ONE}\n`), Buffer.from(bytes)]);
    expect(texts(content, label)).toEqual([text]);
  });

  test('UTF-16 without a mark, of ideographs whose low byte is zero', () => {
    const chinese = wide(`1\n${ONE}\n一　一\n`);
    expect(texts(chinese)).toEqual(['一　一']);
    expect(texts(chinese.swap16())).toEqual(['一　一']);
  });

  test.each([
    ['UTF-8', Buffer.from(`\uFEFF1\n${ONE}\nHel`), Buffer.from([0xff])],
    ['UTF-16LE', wide(`\uFEFF1\n${ONE}\nHello`), Buffer.from([0x41])],
    ['UTF-16BE', wide(`\uFEFF1\n${ONE}\nHello\ud800 there`).swap16(), Buffer.of()],
    ['UTF-32LE', Buffer.from('fffe0000310000000a0000000a00000000001100', 'hex'), Buffer.of()],
  ])('bytes that are marked as %s and are not are refused with their line', (_, start, end) => {
    expect(refusal(Buffer.concat([start, end]))).toMatchObject({
      kind: 'malformed',
      where: { line: 3 },
    });
  });

  test('bytes that are neither UTF-8 nor the fallback are refused with their line', () => {
    const content = Buffer.concat([Buffer.from(`1\n${ONE}\nHello\n`), Buffer.from([0xff, 0xff])]);
    expect(refusal(content, 'gb18030')).toMatchObject({ kind: 'malformed', where: { line: 4 } });
  });
});

describe('refused', () => {
  test('a file without any timing line', () => {
    expect(refusal('\nOnce upon a time\n')).toMatchObject({
      kind: 'malformed',
      where: { file: 'film.srt', line: 2 },
    });
  });

  test('a subtitle that nobody can read at once, with its line', () => {
    const cue = (text: string) => `${PLAIN}\n3\n00:00:05,000 --> 00:00:06,000\n${text}\n`;
    expect(read(cue('a '.repeat(1500))).cues).toHaveLength(3);
    expect(refusal(cue(`${'a '.repeat(1500)}a`))).toEqual({
      kind: 'malformed',
      where: { file: 'film.srt', line: 10 },
      message:
        'this subtitle has 3,001 characters, more than the limit of 3,000; divide it into several',
    });
  });

  test('a timing line that is broken, with its line', () => {
    expect(refusal(`${PLAIN}\n3\n00:00:05,000 --> \nLost\n`)).toMatchObject({
      kind: 'malformed',
      where: { line: 10 },
    });
  });

  test.each([
    ['without an arrow', '00:00:03,000 00:00:04,000'],
    ['with another sign', '00:00:03,000 ==> 00:00:04,000'],
    ['with an arrow that went through HTML', '00:00:03,000 --&gt; 00:00:04,000'],
    ['with a letter for a digit', '00:00:O3,000 → 00:00:04,000'],
  ])('a timing line %s, with its line', (_, timing) => {
    expect(refusal(`1\n${ONE}\nHello\n\n2\n${timing}\nWorld\n`)).toMatchObject({
      where: { line: 6 },
    });
  });

  test('a broken timing line of the first cue: it would go as text before it', () => {
    expect(refusal(`1\n00:00:01,000 --> \nHello\n\n2\n${TWO}\nWorld\n`)).toMatchObject({
      where: { line: 2 },
    });
  });

  test('a broken timing line behind an empty line of WebVTT: its cue would go as a note', () => {
    const broken = '00:03.000 --> 00:0x.000\nWorld\n';
    expect(refusal(`WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n\n${broken}`)).toMatchObject({
      where: { line: 6 },
    });
  });

  test.each([
    ['that is missing', '2\nLost'],
    ['that is missing, with a blank line', '2\n\nLost'],
    ['with times that have no fraction and no arrow', '2\n00:00:03 00:00:04\nLost'],
    ['with another arrow and no fraction', '2\n00:00:03 → 00:00:04\nLost'],
    ['of which half is there', '2.\n00:00:03\nLost'],
  ])('a timing line %s, with the line of its number', (_, lost) => {
    const line = 5;
    const next = `\n\n3\n${TWO}\nWorld\n`;
    for (const rest of [next, '\n']) {
      expect(refusal(`1\n${ONE}\nHello\n\n${lost}${rest}`)).toMatchObject({ where: { line } });
    }
    expect(refusal(`${lost}${next}`)).toMatchObject({ where: { line: 1 } });
    const vtt = `WEBVTT\n\n1\n00:01.000 --> 00:02.000\nHello\n\n${lost}${next.replaceAll(',', '.')}`;
    expect(refusal(vtt)).toMatchObject({ where: { line: 7 } });
  });

  test('a timing line that is missing where cues have no blank lines between them', () => {
    expect(refusal(`1\n${ONE}\nHello\n2\nLost\n3\n${TWO}\nWorld\n`)).toMatchObject({
      where: { line: 4 },
    });
  });

  test('a file that breaks off behind a number', () => {
    expect(refusal(`${PLAIN}\n3`)).toMatchObject({ where: { line: 9 } });
  });

  test('text behind the times of SRT, which no player shows', () => {
    expect(refusal(`1\n${ONE} Hello there\n\n2\n${TWO}\nWorld\n`)).toMatchObject({
      where: { line: 2 },
    });
  });

  test('but not a number in speech, nor settings above an empty cue', () => {
    expect(texts(`1\n${ONE}\nCount:\n\n2\n\n2\n${TWO}\nWorld\n`)).toEqual(['Count:\n\n2', 'World']);
    expect(texts(`1\n${ONE} align:start position:0%\n\n2\n${TWO} X1:1 Y1:2\n`)).toEqual(['', '']);
  });

  test('a line of many blanks, without delay', () => {
    const blanks = ' '.repeat(1_000_000);
    expect(texts(`1\n${ONE}\nHello\n${blanks}>\n`)[0]).toMatch(/^Hello/);
    expect(refusal(`1\n${ONE}\nHello\n\n2\n${blanks}-->\n`)).toMatchObject({ where: { line: 6 } });
  });

  test('a bare timestamp among the text, with its line', () => {
    expect(refusal(`1\n${ONE}\nHello\n00:00:03,000\nWorld\n`)).toMatchObject({
      kind: 'malformed',
      where: { line: 4 },
    });
  });

  test('but not a time of day in speech', () => {
    const said = '12:30\nand 10:45:30\n10:30, 11:30, 12\nHe ran 02:01.123!\n<00:00:01.500>一';
    expect(texts(`1\n${ONE}\n${said}\n`)).toEqual([said]);
  });
});

test('files without content have no cues', () => {
  for (const content of ['', '\uFEFF', ' \n\n']) expect(read(content).cues).toEqual([]);
});

test('a hundred thousand cues are read and written within seconds', () => {
  const content = Array.from({ length: 100_000 }, (_, nth) => {
    const at = new Date(nth * 800).toISOString().slice(11, 19);
    return `${nth + 1}\n${at},000 --> ${at},700\nLine ${nth}\nand more\n`;
  }).join('\n');
  const source = read(content);
  expect(source.cues).toHaveLength(100_000);
  const shown = filmOf(source, 'srt', { sdh: 'keep' }).cues;
  expect(Buffer.from(render(source, shown, 'srt')).equals(Buffer.from(content))).toBe(true);
});

describe.skipIf(!existsSync(FILMS))('files of the corpus', () => {
  const expected: Record<string, number> = {
    'ascii.srt': 3,
    'bom-utf-16-be.srt': 7,
    'bom-utf-16-le.srt': 7,
    'bom-utf-32-be.srt': 7,
    'bom-utf-8.srt': 7,
    'capability_tester.srt': 37,
    'empty.srt': 7,
    'gb2312.srt': 3,
    'invalid.srt': 1,
    'no-indexes.srt': 7,
    'utf-8.srt': 1332,
    'windows-1252.srt': 1332,
  };
  test.each(Object.entries(expected))('%s has %i cues', (file, count) => {
    expect(readdirSync(FILMS)).toContain(file);
    const fallback = file === 'gb2312.srt' ? 'gb18030' : 'windows-1252';
    expect(read(readFileSync(join(FILMS, file)), fallback).cues).toHaveLength(count);
  });
});
