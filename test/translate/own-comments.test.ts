/** A comment of a person beside lines that the source changes or removes: they follow the source, and the comment stays. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const page = (...blocks: readonly string[]) =>
  `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
const CODE = '```yaml\nstart --now\n```';

const CHANGES: readonly (readonly [
  name: string,
  before: string,
  after: string,
  de: string,
  now: string,
])[] = [
  ['code leaves', CODE, '', CODE, ''],
  ['code changes', CODE, CODE.replace('now', 'then'), CODE, CODE.replace('now', 'then')],
  [
    'an image changes',
    '<img src="/a.png">',
    '<img src="/b.png">',
    '<img src="/a.png">',
    '<img src="/b.png">',
  ],
  [
    'a box gets another kind',
    '::: note\nWords of it.\n:::',
    '::: danger\nWords of it.\n:::',
    '::: note\nWorte davon.\n:::',
    '::: danger\nWorte davon.\n:::',
  ],
];

test.each(CHANGES)('%s', async (_, before, after, de, now) => {
  const source = (block: string) => page('# Head', 'Words above.', block, 'The end.');
  const target = (...blocks: readonly string[]) =>
    page('# Kopf', 'Worte oben.', ...blocks, 'Das Ende.');
  const note = '<!-- Hinweis -->';
  for (const own of [
    [note, de],
    [de, note],
  ] as const) {
    const files = { 'l/en.md': source(before), 'l/de.md': target(...own) };
    const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
    expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
    await jobs.write('l/en.md', source(after));
    expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], state: { kind: 'done' } });
    expect(await jobs.read('l/de.md')).toBe(
      target(...own.map((block) => (block === de ? now : block))),
    );
    expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
  }
});

test('a tag that the source changes is followed below the comment of a person', async () => {
  const page = (tag: string, words: readonly string[]) =>
    `<h1>${words[0]}</h1>\n${tag}${words[1]}</p>\n<p>${words[2]}</p>\n`;
  const [english, german] = [
    ['Head', 'Alpha words.', 'The end.'],
    ['Kopf', 'Alpha Worte.', 'Das Ende.'],
  ];
  const note = '<!-- Hinweis -->\n';
  const files = {
    'l/en/a.html': page('<p class="a">', english ?? []),
    'l/de/a.html': page(`${note}<p class="a">`, german ?? []),
  };
  const jobs = await TextJobs.of('{ from: "l/{locale}/*.html", lane: text }', files, 'de');
  expect(await jobs.run('l/en/a.html')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('l/en/a.html', page('<p class="b">', english ?? []));
  expect(await jobs.run('l/en/a.html')).toMatchObject({ bought: [], state: { kind: 'done' } });
  expect(await jobs.read('l/de/a.html')).toBe(page(`${note}<p class="b">`, german ?? []));
});
