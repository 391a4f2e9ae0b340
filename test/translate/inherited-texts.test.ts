/** The target of YAML takes a text over from another map, and the source has a text of its own there: it is said. */
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "l/{locale}.yml" }';
const EN = 'en:\n  base: &m\n    a: One text\n  d:\n    <<: *m\n    b: Two texts\n';
const FR = EN.replace('en', 'fr').replace('One', 'Un').replace('Two', 'Deux');
const OWN = EN.replace('<<: *m', '<<: *m\n    a: Three texts');

const note = (key: string, reference: string) =>
  `l/en.yml (fr): its translation takes texts over by "${reference}", so they are not translated: ${key}; to have one translated, write its key without a value beside "<<" there`;

test('a text that the source got of its own beside "<<" is written beside the "<<" of the target', async () => {
  const jobs = await TextJobs.of(ROUTE, { 'l/en.yml': EN, 'l/fr.yml': FR }, 'fr');
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ notes: [], isWritten: false });
  await jobs.write('l/en.yml', OWN);
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: ['Three texts'], notes: [] });
  expect(await jobs.read('l/fr.yml')).toBe(FR.replace('<<: *m', '<<: *m\n    a: Threeä textsä'));
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: [], isWritten: false });
});

test('a text whose map is another one in the target is named there, and written where the target names it', async () => {
  const own = EN.replace('<<: *m', 'a: Three texts');
  const jobs = await TextJobs.of(ROUTE, { 'l/en.yml': own, 'l/fr.yml': FR }, 'fr');
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({
    bought: [],
    notes: [note('d.a (line 5)', '*m')],
  });
  await jobs.write('l/fr.yml', FR.replace('<<: *m', '<<: *m\n    a:'));
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: ['Three texts'], notes: [] });
  expect(await jobs.read('l/fr.yml')).toBe(FR.replace('<<: *m', '<<: *m\n    a: Threeä textsä'));
});

test.each([
  ['  d: *m\n', '*m'],
  ['  d:\n    <<: [*m]\n', '*m'],
  ['  d:\n    <<: { a: Un }\n', '<<'],
])('the reference is named: %j', async (own, reference) => {
  const source = 'en:\n  base:\n    a: One text\n  d:\n    a: Three texts\n';
  const target = `fr:\n  base: &m\n    a: Un texte\n${own}`;
  const jobs = await TextJobs.of(ROUTE, { 'l/en.yml': source, 'l/fr.yml': target }, 'fr');
  const line = own.includes('<<') ? 5 : 4;
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({
    ...{ bought: [], isWritten: false },
    notes: [note(`d.a (line ${line})`, reference)],
  });
});

test('nothing is said where the source has the same text in both places', async () => {
  const source = 'en:\n  base:\n    a: One text\n  d:\n    a: One text\n';
  const files = { 'l/en.yml': source, 'l/fr.yml': 'fr:\n  base: &m\n    a: Un\n  d: *m\n' };
  const jobs = await TextJobs.of(ROUTE, files, 'fr');
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: [], notes: [] });
});

test('plan, once and check name the key and the anchor', async () => {
  await using rig = await Rig.start({
    config: `projects:\n  app:\n    source: en\n    targets: [fr]\n    routes:\n      - ${ROUTE}\n`,
    files: { 'l/en.yml': EN },
  });
  rig.write('l/fr.yml', FR);
  await rig.once();
  rig.write('l/en.yml', EN.replace('<<: *m', 'a: Three texts'));
  const said = async (...args: string[]) => {
    const { stdout, stderr } = await rig.run(...args);
    return stdout + stderr;
  };
  expect(await said('plan')).toContain(note('d.a (line 5)', '*m'));
  expect(await said('once')).toContain(note('d.a (line 5)', '*m'));
  expect(await said('check')).toMatch(/l\/fr\.yml:5.*d\.a: taken over by "\*m"/);
  expect(rig.read('l/fr.yml')).toBe(FR);
});
