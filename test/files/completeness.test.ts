import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HEAD_BYTES, hasEndMark, missingPart, TAIL_BYTES } from '../../src/files/completeness.ts';
import { CORPUS } from '../corpus.ts';

function check(extension: string, bytes: Uint8Array): string | undefined {
  return missingPart(extension, {
    head: bytes.subarray(0, HEAD_BYTES),
    tail: bytes.subarray(-TAIL_BYTES),
    size: bytes.length,
  });
}

const text = (content: string) => Buffer.from(content, 'latin1');

function emptyZip(comment = ''): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(4, 16); // the directory starts behind the four bytes below
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([text('PK\x03\x04'), end, text(comment)]);
}

function wav(bytes: number, claimed = bytes + 4): Buffer {
  const header = Buffer.alloc(12);
  header.write('RIFF', 'latin1');
  header.writeUInt32LE(claimed, 4);
  header.write('WAVE', 8, 'latin1');
  return Buffer.concat([header, Buffer.alloc(bytes)]);
}

test.each([
  ['docx', emptyZip()],
  ['xlsx', emptyZip('made by hand')],
  ['pdf', text('%PDF-1.7\n1 0 obj\n%%EOF\n')],
  ['png', text('\x89PNG\r\n\x1a\n…\0\0\0\0IEND\xae\x42\x60\x82')],
  ['jpg', text('\xff\xd8\xff\xe0 pixels \xff\xd9 what a phone appends')],
  ['wav', wav(100)],
  ['wav', wav(100, 0xffff_ffff)],
  ['html', text('<!doctype html><HTML><body></body></HTML>\n')],
  ['html', text('<p>a fragment has no end of its own')],
  ['xml', text('<?xml version="1.0"?>\n<!-- <not> this -->\n<resources>\n</resources>\n')],
  ['xml', text('\xef\xbb\xbf<empty/>')],
  ['xlf', text('<xliff version="1.2"><file/></xliff><!-- end -->')],
  ['json', text('{"half": ')],
  ['docx', text('%PDF-1.7 under a wrong name')],
])('a complete %s file lacks nothing', (extension, bytes) => {
  expect(check(extension, bytes)).toBeUndefined();
});

test.each([
  ['docx', emptyZip().subarray(0, 20), 'end record'],
  ['pptx', Buffer.alloc(5000), 'zeros'],
  ['pdf', text('%PDF-1.7\n1 0 obj\n'), '%%EOF'],
  ['png', text('\x89PNG\r\n\x1a\n…'), 'IEND'],
  ['jpeg', text('\xff\xd8\xff\xe0 pixels'), 'end mark'],
  ['wav', wav(100).subarray(0, 90), '22 bytes'],
  ['wav', wav(100, 0), 'not filled in'],
  ['html', text('<html><body><p>half'), '</html>'],
  ['xml', text('<resources><string name="a">b</string>'), '</resources>'],
  ['xliff', text('<xliff version="1.2"><file>'), '</xliff>'],
])('an incomplete %s file is recognized by its end', (extension, bytes, words) => {
  expect(check(extension, bytes)).toContain(words);
});

test('an archive whose directory would lie behind its end is incomplete', () => {
  const zip = emptyZip();
  zip.writeUInt32LE(5000, 16);
  expect(check('docx', zip)).toContain('directory');
});

test('formats without a mark at their end are not checked', () => {
  expect(['json', 'md', 'yaml', 'doc', 'mp3'].filter(hasEndMark)).toEqual([]);
});

describe.skipIf(!existsSync(CORPUS))('real files', () => {
  const files = existsSync(CORPUS)
    ? readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((file) =>
        hasEndMark(extname(file).slice(1)),
      )
    : [];

  test('lack nothing when they are whole', () => {
    const lacking = files.filter(
      (file) => check(extname(file).slice(1), readFileSync(join(CORPUS, file))) !== undefined,
    );
    expect(lacking).toEqual([]);
  });
});
