/** An element of a list moves, and one of its texts is edited: its other translations move along, with the comments of a person. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

type Entry = readonly [question: string, answer: string];

interface Case {
  readonly path: (language: string) => string;
  readonly write: (entries: readonly Entry[], comment?: string) => string;
}

const CASES: Readonly<Record<string, Case>> = {
  yaml: {
    path: (language) => `l/${language}.yml`,
    write: (entries, comment = '') =>
      `faq:\n${entries
        .map(
          ([q, a], at) => `  - q: ${q}\n    a: ${a}${at === 1 ? comment && ` # ${comment}` : ''}\n`,
        )
        .join('')}`,
  },
  json: {
    path: (language) => `l/${language}.json`,
    write: (entries) =>
      `${JSON.stringify({ faq: entries.map(([q, a]) => ({ q, a })) }, null, 2)}\n`,
  },
};

const WHAT: Entry = ['What is this thing', 'It is a tool for you'];
const PRICE: Entry = ['How much does it cost', 'Nothing at all for you'];
const WHO: Entry = ['Who made it', 'Some people did'];
const [WAS, PREIS, WER]: readonly [Entry, Entry, Entry] = [
  ['Was ist das', 'Ein Werkzeug'],
  ['Was kostet es', 'Gar nichts'],
  ['Wer war das', 'Einige Leute'],
];

test.each(Object.entries(CASES))('%s', async (_, { path, write }) => {
  const [source, target] = [path('en'), path('de')];
  const jobs = await TextJobs.of(`{ from: "${path('{locale}')}", lane: text }`, {
    [source]: write([WHAT, PRICE, WHO]),
    [target]: write([WAS, PREIS, WER], 'Preis'),
  });
  await jobs.run(source);
  await jobs.write(source, write([['Which price has this product today', PRICE[1]], WHAT, WHO]));
  const ran = await jobs.run(source);
  expect(ran.bought).toEqual(['Which price has this product today']);
  const now = await jobs.read(target);
  expect(now.indexOf('Gar nichts')).toBeLessThan(now.indexOf('Was ist das'));
  expect(now.indexOf('Gar nichts')).toBeGreaterThan(0);
  expect(now).not.toContain('Was kostet es');
  if (path('en').endsWith('yml')) expect(now).toContain('Gar nichts # Preis');
  expect(await jobs.run(source)).toMatchObject({ bought: [], isWritten: false });
});

test('elements whose texts in common are in several of them are not taken for each other', async () => {
  const { path, write } = CASES['json'] ?? {};
  if (path === undefined || write === undefined) throw new Error('no case');
  const [source, target] = [path('en'), path('de')];
  const jobs = await TextJobs.of(`{ from: "${path('{locale}')}", lane: text }`, {
    [source]: write([WHAT, ['Size', 'On request'], ['Weight', 'On request'], WHO]),
    [target]: write([WAS, ['Größe', 'Auf Anfrage'], ['Gewicht', 'Auf Anfrage'], WER]),
  });
  await jobs.run(source);
  await jobs.write(source, write([['Which colour it has', 'On request'], WHAT, WHO]));
  const ran = await jobs.run(source);
  expect(ran.bought).toContain('Which colour it has');
  const now = await jobs.read(target);
  expect(now).not.toContain('Größe');
  expect(now).toContain('Was ist das');
});
