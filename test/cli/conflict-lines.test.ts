/** The lines about a conflict, for people. */
import { expect, test } from 'vitest';
import { conflictLines } from '../../src/cli/conflict-lines.ts';
import type { ConflictLine } from '../../src/control/report.ts';

const LINE: ConflictLine = {
  ...{ project: 'app', language: 'de', file: '/repo/de.json', key: 'hello' },
  ...{ old_source: 'Hello', new_source: 'Hello there', human: 'Hallo', machine: null },
  ...{ note: 'in whatever words', source_commit: null },
  from: { old_source: 'commit 0123456789', human: null, machine: null },
};
const shown = (line: ConflictLine) => conflictLines(line, '/repo').join('\n');

test('a note that only names the commit of the old source is not shown beside that source', () => {
  expect(shown({ ...LINE, source_commit: '0123456789abcdef' })).not.toContain('in whatever words');
});

test('a note that says something else is shown', () => {
  expect(shown(LINE)).toContain('in whatever words');
});

test('a note is shown when the commit has no old source', () => {
  const from = { ...LINE.from, old_source: null };
  expect(shown({ ...LINE, source_commit: '0123456789abcdef', from })).toContain(
    'in whatever words',
  );
});
