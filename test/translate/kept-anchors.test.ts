/** The source removes a key whose value has a person's anchor: the first alias that stays gets the anchor and the value. */
import { expect, test } from 'vitest';
import YAML from 'yaml';
import { TextJobs } from '../text-jobs.ts';

interface Case {
  readonly source: string;
  readonly gone: string;
  readonly target: string;
  readonly after: string;
}

const CASES: Readonly<Record<string, Case>> = {
  'a text': {
    source: 'a: Apple one\nf: Fish four\ng: Goat\nz: Zoo\n',
    gone: 'a: Apple one\n',
    target: 'a: &ap Apfel eins\nf: *ap\ng: *ap # auch\nz: Zoo\n',
    after: 'f: &ap Apfel eins\ng: *ap # auch\nz: Zoo\n',
  },
  'a text of several lines in Rails': {
    source: 'en:\n  a: |\n    Apple\n    one\n  s:\n    f: Fish four\n',
    gone: '  a: |\n    Apple\n    one\n',
    target: 'de:\n  a: &ap |\n    Apfel\n    eins\n  s:\n    f: *ap\n',
    after: 'de:\n  s:\n    f: &ap |\n      Apfel\n      eins\n',
  },
  'a group, and a key of the person': {
    source: 'b:\n  c: Cat\nz: Zoo\n',
    gone: 'b:\n  c: Cat\n',
    target: 'b: &br\n  c: Katze\nown:\n  g: *br\nz: Zoo\n',
    after: 'own:\n  g: &br\n    c: Katze\nz: Zoo\n',
  },
};

test.each(Object.entries(CASES))('%s', async (_, { source, gone, target, after }) => {
  const jobs = await TextJobs.of('{ from: "l/{locale}.yml", lane: text }', {
    'l/en.yml': source,
    'l/de.yml': target,
  });
  await jobs.run('l/en.yml');
  expect(await jobs.read('l/de.yml')).toBe(target);
  await jobs.write('l/en.yml', source.replace(gone, ''));
  const ran = await jobs.run('l/en.yml');
  expect(ran.bought).toEqual([]);
  expect(await jobs.read('l/de.yml')).toBe(after);
  expect(() => YAML.parse(after) as unknown).not.toThrow();
  const again = await jobs.run('l/en.yml');
  expect([again.isWritten, again.bought, again.notes]).toEqual([false, [], []]);
});

const LISTS = {
  'an alias in a list becomes the text of its element': ['  - Hello\n  - Two\n', ['Hallo', 'Zwei']],
  'an alias in a list leaves with its element': ['  - Two\n', ['Zwei']],
} as const;

test.each(Object.entries(LISTS))('%s', async (_, [elements, after]) => {
  const source = 'a: &x Hello\nl:\n  - *x\n  - Two\nz: Zoo\n';
  const jobs = await TextJobs.of('{ from: "l/{locale}.yml", lane: text }', {
    'l/en.yml': source,
    'l/de.yml': source.replace('Hello', 'Hallo').replace('Two', 'Zwei'),
  });
  await jobs.run('l/en.yml');
  await jobs.write('l/en.yml', `l:\n${elements}z: Zoo\n`);
  expect(await jobs.run('l/en.yml')).toMatchObject({ bought: [], state: { kind: 'done' } });
  expect(YAML.parse(await jobs.read('l/de.yml'))).toEqual({ l: after, z: 'Zoo' });
  expect(await jobs.run('l/en.yml')).toMatchObject({ isWritten: false });
});
