import { expect, test } from 'vitest';
import { oneLine } from '../../src/cli/one-line.ts';
import { table } from '../../src/cli/table.ts';

test('a name with a line break or an escape sequence stays on its line', () => {
  expect(oneLine('l/new\nline.json')).toBe('l/new\\nline.json');
  expect(oneLine('a\u001b[2Jb\u009bc\u007f')).toBe('a\\u001b[2Jb\\u009bc\\u007f');
});

test('other names are left as they are', () => {
  expect(oneLine('Grüße/日本 "a\\b".json')).toBe('Grüße/日本 "a\\b".json');
});

test('a row of a table is one line, whatever its cells hold', () => {
  const columns = [{ title: 'source', text: (name: string) => name }];
  expect(table(columns, ['a\nb'], 80)).toEqual(['source', 'a\\nb']);
});
