import { describe, expect, it } from 'vitest';
import type { Converter } from '../../../src/sandbox/documents/document.ts';
import { readHtml } from '../../../src/sandbox/documents/html.ts';
import { readSrt } from '../../../src/sandbox/documents/srt.ts';
import { readTxt } from '../../../src/sandbox/documents/txt.ts';
import { readXliff } from '../../../src/sandbox/documents/xliff.ts';
import {
  corpusFile,
  corpusFiles,
  corpusMissing,
  corpusTree,
  WHERE_CORPUS_IS,
} from '../../corpus.ts';
import { shout, uploaded } from './uploaded.ts';

describe('plain text', () => {
  it('is translated line by line, with its line ends, indents and byte order mark', () => {
    expect(translate(readTxt, 'a.txt', '\uFEFFone\r\n\r\n  two \n12\nthree')).toBe(
      '\uFEFFONE\r\n\r\n  TWO \n12\nTHREE',
    );
  });

  it('bills every code point of it', () => {
    expect(readTxt(uploaded('a.txt', 'a😀\n')).characters).toBe(3);
  });

  it('in UTF-16 comes back as UTF-8 with a byte order mark', () => {
    const utf16 = Buffer.from('\uFEFFone', 'utf16le');
    expect(translate(readTxt, 'a.txt', utf16)).toBe('\uFEFFONE');
  });

  it('that is no Unicode is read as windows-1252', () => {
    expect(translate(readTxt, 'a.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9]))).toBe('CAFÉ');
  });
});

describe('subtitles', () => {
  it('keep numbers, times and blank lines byte for byte', () => {
    const srt =
      '1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\nyou\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n<i>Bye</i>\r\n';
    expect(translate(readSrt, 'a.srt', srt)).toBe(
      srt.replace('Hello\r\nyou', 'HELLO\r\nYOU').replace('<i>Bye</i>', '<I>BYE</I>'),
    );
  });

  it('stay in their cues when an answer holds a blank line', () => {
    const document = readSrt(uploaded('a.srt', '1\n00:00:01,000 --> 00:00:02,500\nHello\n'));
    expect(text(document.write(['Hal\n\nlo']))).toBe('1\n00:00:01,000 --> 00:00:02,500\nHal\nlo\n');
  });

  it('without any timing are an error', () => {
    expect(() => readSrt(uploaded('a.srt', 'hello'))).toThrow(/a\.srt: no subtitle timing/);
  });
});

describe('a page of HTML', () => {
  it('is translated with sentences whole and markup byte for byte', () => {
    const page =
      '<!doctype html>\r\n<html lang="en"><title>Home</title><script>let a = "no";</script>\r\n' +
      '<p class=x>Click <b>here</b> &amp; wait.<br>\r\n Now <code>run()</code></p><img src=a.png alt="A cat"></html>';
    const document = readHtml(uploaded('a.html', page));
    expect(document.texts).toContain(
      '<g id="0">Click </g><g id="1">here</g><g id="2"> & wait.</g><g id="3">\n Now </g>',
    );
    expect(text(document.write(document.texts.map(shout)))).toBe(
      page
        .replace('lang="en"', 'lang="de"')
        .replace('Home', 'HOME')
        .replace('Click <b>here</b> &amp; wait.', 'CLICK <b>HERE</b> &amp; WAIT.')
        .replace('Now', 'NOW')
        .replace('A cat', 'A CAT'),
    );
  });

  it('leaves alone what says so', () => {
    const page = '<p translate="no">Acme</p><p>a <span class="notranslate">Acme</span></p>';
    expect(translate(readHtml, 'a.html', page)).toBe(page.replace('<p>a', '<p>A'));
  });

  it('whose elements are nested without end is an error that says so', () => {
    const page = `${'<div>'.repeat(100_000)}x`;
    expect(() => readHtml(uploaded('a.html', page))).toThrow(
      'a.html: elements are nested too deeply',
    );
  });

  it('escapes what an answer brings into text and attributes', () => {
    const document = readHtml(uploaded('a.html', '<p title="t">x</p>'));
    expect(text(document.write(['say "hi"', 'a < b']))).toBe(
      '<p title="say &quot;hi&quot;">a &lt; b</p>',
    );
  });
});

describe('XLIFF', () => {
  const xliff = (body: string, version = '2.1') =>
    `<?xml version="1.0"?>\n<xliff version="${version}" srcLang="en">\n<file id="f">${body}</file></xliff>`;

  it('gets a target under each source, with its inline codes, and names the language', () => {
    const source = xliff(
      '<unit id="1"><segment>\n  <source>Press <ph id="1"/> <pc id="2">now</pc></source>\n</segment></unit>',
    );
    expect(translate(readXliff, 'a.xlf', source)).toBe(
      source
        .replace('<xliff ', '<xliff trgLang="de" ')
        .replace(
          '</source>',
          '</source>\n  <target>PRESS <ph id="1"/> <pc id="2">NOW</pc></target>',
        ),
    );
  });

  it('reads a CDATA section as text, and keeps the section', () => {
    const source = xliff(
      '<unit id="1"><segment><source><![CDATA[a < b & c]]></source></segment></unit>',
    );
    const document = readXliff(uploaded('a.xlf', source));
    expect(document.texts).toEqual(['a < b & c']);
    expect(text(document.write(['x < y ]]> z']))).toContain(
      '<target><![CDATA[x < y ]]]]><![CDATA[> z]]></target>',
    );
  });

  it('replaces the old content of the target', () => {
    const source = xliff(
      '<unit id="1"><segment><source>One</source><target a="b">Eins</target></segment></unit>',
    );
    expect(translate(readXliff, 'a.xlf', source)).toContain(
      '<source>One</source><target a="b">ONE</target>',
    );
  });

  it('leaves alone what is not to be translated, and what other modules hold', () => {
    const body =
      '<unit id="1" translate="no"><segment><source>No</source></segment></unit>' +
      '<unit id="2"><mtc:match><source>Old</source></mtc:match><segment><source>Yes</source></segment></unit>';
    expect(readXliff(uploaded('a.xlf', xliff(body))).texts).toEqual(['Yes']);
  });

  it.each(['1.2', '2.0'])(
    '%s is an error in the dialect document and translated when deployed',
    (version) => {
      const body =
        '<unit id="1"><trans-unit><segment><source>One</source></segment></trans-unit></unit>';
      const document = uploaded('a.xlf', xliff(body, version));
      expect(() => readXliff(document)).toThrow(
        `a.xlf is XLIFF ${version}; only 2.1 can be translated`,
      );
      expect(readXliff({ ...document, dialect: 'deployed' }).texts).toEqual(['One']);
    },
  );

  it('with a DOCTYPE is refused', () => {
    expect(() => readXliff(uploaded('a.xlf', '<!DOCTYPE x><xliff/>'))).toThrow(/DOCTYPE/);
  });
});

describe.skipIf(corpusMissing)(`real files ${WHERE_CORPUS_IS}`, () => {
  const converters: readonly [Converter, string, RegExp][] = [
    [readHtml, 'text/html', /\.html?$/],
    [readXliff, 'text/xliff', /\.(xlf|xliff)$/],
    [readTxt, 'text/txt', /\.txt$/],
  ];
  const files = converters.flatMap(([converter, folder, pattern]) =>
    corpusTree(folder, pattern).map((name) => ({ name, converter })),
  );

  it.each(files)(
    '$name stays byte for byte when every answer is the text asked',
    ({ name, converter }) => {
      const bytes = corpusFile('.', name);
      const outcome = convert(converter, name, bytes);
      if (typeof outcome === 'string') expect(outcome).toContain(name);
      else expect(withoutTargets(outcome)).toBe(withoutTargets(bytes));
    },
  );

  it.each(corpusFiles('subtitles', /\.srt$/))('%s keeps its cues', (name) => {
    const outcome = convert(readSrt, name, corpusFile('subtitles', name));
    if (typeof outcome === 'string') expect(outcome).toMatch(/no subtitle timing/);
    else
      expect(readSrt(uploaded(name, outcome)).texts).toEqual(
        readSrt(uploaded(name, corpusFile('subtitles', name))).texts,
      );
  });
});

function translate(converter: Converter, name: string, content: string | Uint8Array): string {
  const document = converter(uploaded(name, content));
  return text(document.write(document.texts.map(shout)));
}

/** The document written with its own texts, or the message of the honest error. */
function convert(converter: Converter, name: string, bytes: Uint8Array): Uint8Array | string {
  try {
    const document = converter({ ...uploaded(name, bytes), dialect: 'deployed' });
    return document.write(document.texts);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Targets are what XLIFF adds, and the language what HTML changes. */
function withoutTargets(bytes: Uint8Array): string {
  return text(bytes)
    .replace(/\s*<target\b[^>]*(?:\/>|>[\s\S]*?<\/target\s*>)/g, '')
    .replace(/\s(?:target-language|trgLang|lang)="[^"]*"/g, '');
}

function text(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
