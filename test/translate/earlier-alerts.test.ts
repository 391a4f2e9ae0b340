/** An earlier version read an alert with its title as one text, and wrote both on one line. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/*.md" }';
const [SOURCE, TARGET] = ['docs/en/a.md', 'docs/de/a.md'];
const english = (title: string, text: string) =>
  `# Head\n\n> [!NOTE] ${title}\n> ${text}\n\nThe end.\n`;

const CHANGES = [
  ['My new title', 'Alert text.'],
  ['My own title', 'Another alert text.'],
  ['My new title', 'Another alert text.'],
  ['My own title', 'Alert text.'],
] as const;

test.each(CHANGES)('the source becomes %s, %s', async (title, text) => {
  const target = '# Kopf\n\n> [!NOTE] Mein Titel Hinweistext.\n\nDas Ende.\n';
  const jobs = await TextJobs.of(
    ROUTE,
    { [SOURCE]: english('My own title', 'Alert text.'), [TARGET]: target },
    'de',
  );
  await jobs.remember(SOURCE, 'de', [
    { id: 'a', source: 'Head', target: ['Kopf'], state: 'ok', origin: 'machine' },
    {
      id: 'b',
      source: '[!NOTE] My own title Alert text.',
      target: ['[!NOTE] Mein Titel Hinweistext.'],
      state: 'ok',
      origin: 'machine',
    },
    { id: 'c', source: 'The end.', target: ['Das Ende.'], state: 'ok', origin: 'machine' },
  ]);
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(SOURCE, english(title, text));
  const { state, isWritten } = await jobs.run(SOURCE);
  const isSame = title === 'My own title' && text === 'Alert text.';
  expect({ kind: state.kind, isWritten }).toEqual({
    kind: isSame ? 'done' : 'held',
    isWritten: false,
  });
  expect(await jobs.read(TARGET)).toBe(target);
});
