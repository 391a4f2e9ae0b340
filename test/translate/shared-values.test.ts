/** A person wrote an alias of YAML for a text of the source: the next change of the other text must not change it. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "l/{locale}.yml" }';
const EN = 'en:\n  a: One text\n  b: Two texts\n  d:\n    c: Three texts\n';

async function adopted(target: string, source = EN): Promise<TextJobs> {
  const jobs = await TextJobs.of(ROUTE, { 'l/en.yml': source, 'l/fr.yml': target }, 'fr');
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: [], isWritten: false });
  return jobs;
}

test.each([
  ['Un texte', '"Un texte"'],
  ['"Un, texte"', '"Un, texte"'],
  ['|-\n    Un\n    texte', '|-\n      Un\n      texte'],
])('an alias of %s gets the text where its own source is unchanged', async (value, deeper) => {
  const target = `fr:\n  a: &x ${value}\n  b: *x\n  d:\n    c: *x\n`;
  const jobs = await adopted(target);
  await jobs.write('l/en.yml', EN.replace('One', 'New'));
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: ['New text'] });
  const now = await jobs.read('l/fr.yml');
  expect(now).toContain(`\n  b: ${value}\n`);
  expect(now).toContain(`\n    c: ${value.includes('\n') ? deeper : value}\n`);
  expect(now).toMatch(/ {2}a: &x [|"]?.*\s*Newä textä/);
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('l/en.yml', EN.replace('One', 'New').replace('Two', 'Four'));
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: ['Four texts'] });
});

test('an alias that the source has, too, follows its text', async () => {
  const source = 'en:\n  a: &x One text\n  b: *x\n';
  const jobs = await adopted('fr:\n  a: &x Un texte\n  b: *x\n', source);
  await jobs.write('l/en.yml', source.replace('One', 'New'));
  await jobs.run('l/en.yml', 'fr');
  expect(await jobs.read('l/fr.yml')).toBe('fr:\n  a: &x Newä textä\n  b: *x\n');
});

test('an alias stays where its text stays', async () => {
  const target = 'fr:\n  a: &x Un texte\n  b: *x\n  d:\n    c: Trois\n';
  const jobs = await adopted(target);
  await jobs.write('l/en.yml', EN.replace('Three', 'New'));
  await jobs.run('l/en.yml', 'fr');
  expect(await jobs.read('l/fr.yml')).toBe(target.replace('Trois', 'Newä textsä'));
});

const MAPS =
  'en:\n  base:\n    a: One text\n    b: Two texts\n  d:\n    a: Three texts\n    b: Four texts\n';

test.each([
  ['  d:\n    <<: *m # alles\n', '  d:\n    <<: *m # alles\n    a: Un texte\n'],
  ['  d: *m # alles\n', '  d: { <<: *m, a: Un texte } # alles\n'],
  ['  d: { <<: *m } # alles\n', '  d: { <<: *m, a: Un texte } # alles\n'],
])(
  'a map that takes over another one keeps a text of it whose own source is unchanged: %j',
  async (own, now) => {
    const base = '  base: &m\n    a: Un texte\n    b: Deux textes\n';
    const jobs = await adopted(`fr:\n${base}${own}`, MAPS);
    await jobs.write('l/en.yml', MAPS.replace('One', 'New'));
    expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: ['New text'] });
    const after = `fr:\n${base.replace('Un texte', 'Newä textä')}${now}`;
    expect(await jobs.read('l/fr.yml')).toBe(after);
    expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: [], isWritten: false });
  },
);

test('a map that takes over another one in the source, too, follows it', async () => {
  const source = 'en:\n  base: &m\n    a: One text\n  d:\n    <<: *m\n    b: Two texts\n  e: *m\n';
  const target = source.replace('en', 'fr').replace('One', 'Un').replace('Two', 'Deux');
  const jobs = await adopted(target, source);
  await jobs.write('l/en.yml', source.replace('One', 'New'));
  await jobs.run('l/en.yml', 'fr');
  expect(await jobs.read('l/fr.yml')).toBe(target.replace('Un text', 'Newä textä'));
});
