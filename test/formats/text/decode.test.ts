import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecodeOptions, decodeBytes } from '../../../src/formats/text/decode.ts';

const file = 'x.txt';

function read(bytes: Uint8Array, options: Omit<DecodeOptions, 'file'> = {}) {
  return decodeBytes(bytes, { file, ...options });
}

describe('decoding', () => {
  it('every text comes back to the byte, with and without a byte order mark, in every Unicode encoding', () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !/[\0\uFEFF]/.test(text)),
        fc.constantFrom('', '\uFEFF'),
        (text, mark) => {
          const utf8 = Buffer.from(mark + text);
          const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
          const swapped = Buffer.from(utf16).swap16();
          for (const bytes of [utf8, utf16, swapped]) {
            const decoded = read(bytes);
            expect(decoded.text).toBe(text);
            expect(Buffer.compare(decoded.encode(decoded.text), bytes)).toBe(0);
          }
        },
      ),
    );
  });

  it.each([
    ['windows-1252', [0x93, 0xe9, 0x94], '\u201cé\u201d'],
    ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['gbk', [0xc4, 0xe3, 0xba, 0xc3], '你好'],
    ['gb18030', [0xc4, 0xe3, 0x81, 0x30, 0x84, 0x32, 0x41], '你\u00a0A'],
    [
      'gb18030',
      [0x81, 0x30, 0x81, 0x30, 0x94, 0x39, 0xda, 0x33, 0xe3, 0x32, 0x9a, 0x35],
      '\u0080💩\u{10ffff}',
    ],
    ['euc-kr', [0xb0, 0xa1], '가'],
    ['koi8-r', [0xf0, 0xd2], 'Пр'],
  ])('a configured %s is read and written', (encoding, bytes, text) => {
    const decoded = read(Uint8Array.from(bytes), { encoding });
    expect(decoded.text).toBe(text);
    expect([...decoded.encode(text)]).toEqual(bytes);
  });

  it('a byte order mark of GB 18030 says the encoding', () => {
    const bytes = [0x84, 0x31, 0x95, 0x33, 0xc4, 0xe3, 0x81, 0x30, 0x84, 0x32];
    const decoded = read(Uint8Array.from(bytes), { fallback: 'windows-1252' });
    expect(decoded).toMatchObject({ text: '你\u00a0', encoding: 'gb18030', bom: true });
    expect([...decoded.encode('你\u00a0')]).toEqual(bytes);
  });

  it('bytes that are no UTF-8 are refused with line and column', () => {
    const bytes = Buffer.concat([Buffer.from('one\ntwo é'), Buffer.from([0xff]), Buffer.from('x')]);
    expect(() => read(bytes)).toThrow(/^x\.txt:2:6: not UTF-8 from here on/);
  });

  it('bytes that are no UTF-8 are Latin-1 where the format says so', () => {
    const decoded = read(Uint8Array.of(0xe9), { fallback: 'latin1' });
    expect(decoded).toMatchObject({ text: 'é', encoding: 'latin1' });
    expect(() => decoded.encode('€')).toThrow(/latin1 has no "€" \(U\+20AC\)/);
  });

  it('binary data is refused', () => {
    expect(() => read(Buffer.from('a\nb\0c'))).toThrow(/^x\.txt:2:2: a NUL character/);
  });

  it('half a UTF-16 character is refused', () => {
    expect(() => read(Uint8Array.of(0xff, 0xfe, 0x41))).toThrow(/no clean utf-16le/);
  });

  it('an unknown encoding is refused by name', () => {
    expect(() => read(Buffer.from('a'), { encoding: 'klingon' })).toThrow(/"klingon" is not known/);
  });
});
