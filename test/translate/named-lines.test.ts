/** Lines with a name (keys of front matter, labels of definitions and footnotes) that a person has at another place than the source. */
import { describe, expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/**/*.{md,mdx}", lane: text }';

/** The page of a person after its source changed, and what was bought. */
async function afterChange(pages: { en: string; de: string; now: string }) {
  const jobs = await TextJobs.of(ROUTE, { 'docs/en/a.md': pages.en, 'docs/de/a.md': pages.de });
  const run = () => jobs.run('docs/en/a.md', 'de');
  const first = await run();
  expect(first).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('docs/en/a.md', pages.now);
  const second = await run();
  const de = await jobs.read('docs/de/a.md');
  const third = await run();
  expect(await jobs.read('docs/de/a.md')).toBe(de);
  return { jobs, de, bought: second.bought, state: second.state, later: third.state };
}

describe('keys of front matter in another order', () => {
  const EN = `---
title: One
tags: [a, b]
image: /en/a.png
sidebar:
  label: Side
weight: 1
---

Text here.
`;
  const DE = `---
image: /de/a.png
sidebar: { label: Seite }
weight: 1
tags: [a, b]
title: Eins
---

Text hier.
`;

  test('follow their source where they stand', async () => {
    const now = EN.replace('[a, b]', '[a, c]').replace('weight: 1', 'weight: 2');
    const { de, bought } = await afterChange({ en: EN, de: DE, now });
    expect(bought).toEqual([]);
    expect(de).toBe(DE.replace('[a, b]', '[a, c]').replace('weight: 1', 'weight: 2'));
  });

  test('are a conflict where a person has another value, and none is written twice', async () => {
    const now = EN.replace('a.png', 'b.png');
    const { jobs, de, state, later } = await afterChange({ en: EN, de: DE, now });
    expect(de).toBe(DE);
    expect(state).toMatchObject({ kind: 'held', hold: { kind: 'conflict' } });
    expect(later).toEqual(state);
    const keys = state.kind === 'held' && state.hold.kind === 'conflict' ? state.hold.keys : [];
    const choices = new Map(keys.map((key) => [key, 'machine' as const]));
    expect((await jobs.run('docs/en/a.md', 'de', { choices })).state.kind).toBe('done');
    expect(await jobs.read('docs/de/a.md')).toBe(DE.replace('/de/a.png', '/en/b.png'));
  });

  test('follow with the lines below them', async () => {
    const en = EN.replace('tags: [a, b]', 'tags:\n  - a\n  - b');
    const { de } = await afterChange({
      en,
      de: DE.replace('tags: [a, b]', 'tags:\n  - a\n  - b'),
      now: en.replace('  - b\n', '  - b\n  - c\n'),
    });
    expect(de).toBe(DE.replace('tags: [a, b]', 'tags:\n  - a\n  - b\n  - c'));
  });

  test('follow their source in TOML, too', async () => {
    const en = '+++\ntitle = "One"\nweight = 1\ndate = 2020-01-01\n+++\n\nText here.\n';
    const de =
      '+++\r\ndate = 2020-01-01\r\nweight = 1\r\ntitle = "Eins"\r\n+++\r\n\r\nText hier.\r\n';
    const after = await afterChange({ en, de, now: en.replace('2020', '2021') });
    expect(after.de).toBe(de.replace('2020', '2021'));
  });
});

describe('link definitions of a person', () => {
  const EN = `# Guide

See [the page][p] now.

[p]: /en/p "Title p"

Other part here.

Another [link][q] here.

[q]: /en/q
`;
  const DE = `# Anleitung

Siehe [die Seite][p] jetzt.

Anderer Teil hier.

Noch ein [Link][q] hier.

[q]: /de/q
[P]: /de/p "Titel p"
`;

  test('at another place are the ones of the source, and none is bought or written again', async () => {
    const now = EN.replace('Other part here.', 'Another part is here.');
    const { de, bought } = await afterChange({ en: EN, de: DE, now });
    expect(bought).toEqual(['Another part is here.']);
    expect(de.match(/^\[.*/gm)).toEqual(['[q]: /de/q', '[P]: /de/p "Titel p"']);
  });

  test('stay, and a new one of the source comes beside them', async () => {
    const en = `${EN.slice(0, EN.indexOf('Another'))}`.replace('[the page][p]', '[the page][q]');
    const [from, to] = [`${en.replace(/^\[p\].*\n\n/m, '')}[q]: /en/q\n`, '[q]: /de/q\n'];
    const de = DE.replace(/Noch .*\n\n/, '').replace('[die Seite][p]', '[die Seite][q]');
    const own = de.replace(/^\[P\].*\n/m, '');
    const now = `${from.replace('Other part here', 'Other part here, and [new][r]')}[r]: /en/r\n`;
    const after = await afterChange({ en: from, de: own, now });
    expect(after).toMatchObject({ bought: [expect.any(String)], state: { kind: 'done' } });
    expect(after.de.endsWith(`\n\n${to}[r]: /en/r\n`)).toBe(true);
  });

  test('stay also at another place, and a new one of the source comes beside them', async () => {
    const now = `${EN.replace('[link][q] here', '[link][q] here, and [new][r]')}[r]: /en/r\n`;
    const { de, bought, state } = await afterChange({ en: EN, de: DE, now });
    expect(bought).toHaveLength(1);
    expect(state).toMatchObject({ kind: 'done' });
    expect(de).toContain('[q]: /de/q\n');
    expect(de.match(/^\[r\]: .*/gm)).toEqual(['[r]: /en/r']);
  });

  test('without a title follow their source where they stand', async () => {
    const en = EN.replace(' "Title p"', '');
    const { de } = await afterChange({
      en,
      de: DE.replace('[P]: /de/p "Titel p"', '[p]: /en/p'),
      now: en.replace('/en/p', '/en/page'),
    });
    expect(de).toBe(DE.replace('[P]: /de/p "Titel p"', '[p]: /en/page'));
  });
});

describe('footnotes of a person', () => {
  const EN = `# Guide

The first section has a note[^1] about speed.

[^1]: Measured with 20 runs on a laptop.

## Second section

The second has one[^b] about memory.

[^b]: See the [manual](/m) of the tool.

Last words of the page.
`;
  const DE = `# Anleitung

Der erste Abschnitt hat eine Notiz[^1] zum Tempo.

## Zweiter Abschnitt

Der zweite hat eine[^b] zum Speicher.

Letzte Worte der Seite.

[^b]: Siehe das [Handbuch](/m) des Werkzeugs.
[^1]: Gemessen mit 20 Läufen auf einem Laptop.
`;

  test('collected at the end are adopted by their labels, and follow their own source', async () => {
    const now = EN.replace('20 runs on a laptop', '20 long runs on a laptop');
    const { de, bought } = await afterChange({ en: EN, de: DE, now });
    expect(bought).toEqual(['Measured with 20 long runs on a laptop.']);
    expect(de.replace(/^\[\^1\]: .*/m, '')).toBe(DE.replace(/^\[\^1\]: .*/m, ''));
    expect(de).toMatch(/^\[\^1\]: Measuredä/m);
  });

  test('keep their labels: a new one of the source with such a label is held, and not paid', async () => {
    const en = EN.slice(0, EN.indexOf('## Second'));
    const own = '[^2]: Eine eigene Notiz, die mit dem Handbuch des Werkzeugs nichts zu tun hat.\n';
    const de = `${DE.slice(0, DE.indexOf('## Zweiter'))}${DE.slice(DE.indexOf('[^1]:'))}${own}`;
    const notes = '[^2]: See the manual of the tool.\n[^3]: Ask in the forum of the tool.\n';
    const now = `${en}New words have one[^2] and another[^3] note.\n\n${notes}`;
    const jobs = await TextJobs.of(ROUTE, { 'docs/en/a.md': en, 'docs/de/a.md': de });
    expect(await jobs.run('docs/en/a.md', 'de')).toMatchObject({ bought: [], isWritten: false });
    await jobs.write('docs/en/a.md', now);
    const { bought, state } = await jobs.run('docs/en/a.md', 'de');
    expect(bought).toContain('Ask in the forum of the tool.');
    expect(bought).not.toContain('See the manual of the tool.');
    expect(state).toMatchObject({ kind: 'held' });
    expect((await jobs.read('docs/de/a.md')).match(/^\[\^2\]:.*/gm)).toEqual([own.trim()]);
  });
});
