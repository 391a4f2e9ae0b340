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
