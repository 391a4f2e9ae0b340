/** A text of a page is not written with other signs than its list, quote or heading has. */
import { expect, test } from 'vitest';
import { markdown } from '../../../src/formats/markdown.ts';
import type { Reader } from '../../../src/formats/text/open.ts';
import { verifySigns } from '../../../src/formats/text/verify-signs.ts';
import { parseLanguage } from '../../../src/language.ts';
import type { FramePiece } from '../../../src/segments/frame/frame.ts';

const reader: Reader = {
  format: markdown,
  options: {
    file: 'docs/de/a.md',
    sourceLanguage: parseLanguage('en'),
    language: parseLanguage('de'),
    role: 'target',
  },
};

function page(before: string, behind = '\n'): FramePiece[] {
  const sign: FramePiece[] = before === '' ? [] : [{ kind: 'line', text: before }];
  const lines = behind.match(/.*\n/g) ?? [];
  const rest = lines.map((text): FramePiece => ({ kind: 'line', text }));
  return [...sign, { kind: 'segment', id: 'a' }, ...rest];
}

const refused = (written: FramePiece[], source: FramePiece[], target: FramePiece[]) => () =>
  verifySigns(written, { source, target }, reader);

test('a text with the marks of both pages is refused', () => {
  expect(refused(page('- *   '), page('- '), page('*   '))).toThrow('other signs');
  expect(refused(page('- * '), page('> '), page('* '))).toThrow('other signs');
  expect(refused(page('## ', '\n----\n'), page('# '), page('', '\n----\n'))).toThrow('other signs');
  expect(refused(page('- '), page('## '), page('## '))).toThrow('docs/de/a.md');
});

test('a text with the marks of one of both pages is written, whatever its number or bullet', () => {
  expect(refused(page('3) '), page('1. '), page('- '))).not.toThrow();
  expect(refused(page('+ '), page('1. '), page('* '))).not.toThrow();
  expect(refused(page('> 1. [x] '), page('> 2. [ ] '), page('- '))).not.toThrow();
});
