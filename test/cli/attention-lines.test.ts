import { expect, test } from 'vitest';
import { attentionDigest, attentionLine } from '../../src/cli/attention-lines.ts';
import type { Task } from '../../src/control/report.ts';

const FROM = { cwd: '/repo', base: '/repo', roots: new Map([['app', '/repo/apps/web']]) };

function approval(source: string, changes: Partial<Task> = {}): Task {
  return {
    key: `approval\napp\n${source}`,
    project: 'app',
    state: 'held',
    code: 'approval',
    reason: '84 characters are more than approve_over (50 characters)',
    next_step: `dragoman approve apps/web/de/${source}`,
    price_characters: 84,
    sources: { lines: [`en/${source}`], total: 1 },
    languages: ['de', 'fr'],
    file: `/repo/apps/web/de/${source}`,
    action: 'approve',
    attempts: 0,
    billed_characters: 0,
    ...changes,
  };
}

test('a task is shown with its languages and price, and with a command that can be typed in the present folder', () => {
  expect(attentionDigest([approval('a.md')], FROM)).toEqual([
    {
      state: 'held',
      what: 'apps/web/en/a.md -> de fr, 84 characters',
      details: [
        '84 characters are more than approve_over (50 characters)',
        'dragoman approve apps/web/de/a.md',
      ],
    },
  ]);
  const elsewhere = attentionDigest([approval('a.md')], { ...FROM, cwd: '/repo/apps' });
  expect(elsewhere[0]?.details.at(-1)).toBe('dragoman approve web/de/a.md');
});

test('the first of many similar tasks is shown, and the others are counted with their price', () => {
  const tasks = Array.from({ length: 40 }, (_, page) => approval(`${page}.md`));
  const failure = approval('bad.md', {
    key: 'failed\napp\nbad',
    state: 'failed',
    price_characters: null,
    reason: '/repo/apps/web/en/bad.md:1:2: Unexpected token',
    next_step: 'Correct the file; a running daemon or the next run then continues.',
  });
  const [first, second, ...rest] = attentionDigest([...tasks, failure], FROM);
  expect(rest).toEqual([]);
  expect(first?.details.at(-1)).toBe('and 39 more like it, 3,360 characters in all');
  expect(second).toMatchObject({
    state: 'failed',
    what: 'apps/web/en/bad.md -> de fr',
    details: ['apps/web/en/bad.md:1:2: Unexpected token', failure.next_step],
  });
});

test('a failure of a tree that daemons share names the machines where it happened', () => {
  const failure = approval('a.md', {
    ...{ state: 'failed', reason: 'apps/web/de cannot be written (the disk is read-only)' },
    daemons: ['one-4121', 'two-977'],
  });
  expect(attentionDigest([failure], FROM)[0]?.details[0]).toBe(
    'apps/web/de cannot be written (the disk is read-only), on one-4121, two-977',
  );
});

test('failures of different reasons are shown with their reasons: the first three whole, the others counted', () => {
  const failed = (name: string) =>
    approval(name, {
      key: `failed\napp\nreason of ${name}`,
      state: 'failed',
      reason: `reason of ${name}`,
      price_characters: null,
    });
  const shown = attentionDigest(['a.md', 'b.md', 'c.md', 'd.md', 'e.md'].map(failed), FROM);
  expect(shown.map(({ what, details: [reason] }) => [what, reason])).toEqual(
    ['a.md', 'b.md', 'c.md'].map((name) => [`apps/web/en/${name} -> de fr`, `reason of ${name}`]),
  );
  expect(shown.map(({ details }) => details.length)).toEqual([2, 2, 3]);
  expect(shown.at(-1)?.details.at(-1)).toBe('and 2 more failed for other reasons');
});

test('a name with control characters stays on its line', () => {
  const [shown] = attentionDigest([approval('a\nb.md')], FROM);
  expect(shown?.what).toContain('a\\nb.md');
  const line = { source: 'en/a\nb.md', target: 'de/a\nb.md', language: 'de' };
  const { what, details } = attentionLine({ ...approval('a\nb.md'), ...line }, FROM);
  expect([what, ...details].join('')).not.toContain('\n');
});
