/** A paragraph that is bought again leads where a person made it lead. */
import { expect, test } from 'vitest';
import { partsText } from '../../src/format.ts';
import { withTheirLinks } from '../../src/segments/own-links.ts';

const link = (destination: string) => ({ raw: `](${destination})` });
const bought = ['Siehe ', { raw: '[' }, 'die Anleitung', link('/en/guide'), ' neu'];
const run = (source: string, standing: string) =>
  partsText(withTheirLinks(bought, { source, standing: [standing] }));

test('a destination that a person changed stays, one that the source changed follows it', () => {
  const standing = 'Siehe [die Anleitung](/de/guide)';
  expect(run('See [the guide](/en/guide)', standing)).toContain('](/de/guide)');
  expect(run('See [the guide](/en/start)', standing)).toContain('](/en/guide)');
});

test('links that do not match one by one are taken from the source', () => {
  expect(run('See [the guide](/en/guide)', 'Siehe [a](/de/a) und [b](/de/b)')).toContain(
    '/en/guide',
  );
  const twice = 'See [a](/en/guide) and [b](/en/guide)';
  expect(run(twice, 'Siehe [a](/de/a) und [b](/de/b)')).toContain('](/en/guide)');
});

test('attributes of HTML are destinations as well', () => {
  const parts = [{ raw: '<a href="/en/x" class="b">' }, 'hier', { raw: '</a>' }];
  const replaced = { source: '<a href="/en/x">here</a>', standing: ['<a href="/de/x">da</a>'] };
  expect(partsText(withTheirLinks(parts, replaced))).toContain('href="/de/x" class="b"');
});

test('attributes that a person changed stay with their tag, where the source has the same one', () => {
  const tag = { raw: '<Card title="Hello" href="/en/">' };
  const parts = [tag, 'Ein Text', { raw: '</Card>' }];
  const standing = ['<Card title="Hallo" href="/de/" class="x">Text</Card>'];
  const now = (source: string) => partsText(withTheirLinks(parts, { source, standing }));
  expect(now('<Card title="Hello" href="/en/">Text</Card>')).toBe(
    '<Card title="Hallo" href="/de/" class="x">Ein Text</Card>',
  );
  expect(now('<Card title="Hi" href="/en/">Text</Card>')).toBe(
    '<Card title="Hello" href="/de/">Ein Text</Card>',
  );
});
