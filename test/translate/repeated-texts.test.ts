/** Pages that have the same texts often, each in several wordings, as lists of settings do: a change replaces the text in its place. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const SOURCES = ['Type: Optional', 'Type: Required', 'Default: none'];
const WORDINGS = ['Art: freiwillig', 'Art: Pflicht', 'Vorgabe: keine'];

test('of texts that occur often, each in several wordings, the one whose source changed is replaced, in its place', async () => {
  const item = fc.record({ source: fc.nat(2), wording: fc.nat(2) });
  const items = fc.array(item, { minLength: 2, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(items, fc.nat(), async (all, nth) => {
      const page = (texts: readonly string[]) =>
        texts.map((text, at) => `## Setting ${at}\n\n- ${text}\n`).join('\n');
      const sources = all.map(({ source }) => SOURCES[source] ?? '');
      const targets = all.map(({ wording }) => WORDINGS[wording] ?? '');
      const jobs = await TextJobs.of(
        '{ from: "docs/{locale}/**/*.{md,mdx,html,txt,ttml}", lane: text }',
        {
          'docs/en/a.md': page(sources),
          'docs/de/a.md': page(targets),
        },
      );
      await jobs.run('docs/en/a.md');
      expect(await jobs.read('docs/de/a.md')).toBe(page(targets));
      const at = nth % all.length;
      await jobs.write('docs/en/a.md', page(sources.with(at, 'Changed altogether')));
      const { bought } = await jobs.run('docs/en/a.md');
      expect(bought).toEqual(['Changed altogether']);
      const now = (await jobs.read('docs/de/a.md')).split('\n');
      const before = page(targets).split('\n');
      const changed = before.flatMap((line, index) => (line === now[index] ? [] : [index]));
      expect(changed).toEqual([4 * at + 2]);
    }),
    { numRuns: 25 },
  );
});
