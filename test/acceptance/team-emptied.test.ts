/** A value that a person emptied in a delivered target is a person's text in every clone, not a gap. */
import { expect, test } from 'vitest';
import { Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "l/{locale}.{json,yml,properties,strings,ini,xml}", lane: text }]`;

const SOURCES = {
  'l/en.json': '{\n  "a": "Alpha words",\n  "b": "Beta words"\n}\n',
  'l/en.yml': 'a: Alpha words\nb: Beta words\n',
  'l/en.properties': 'a=Alpha words\nb=Beta words\n',
  'l/en.strings': '"a" = "Alpha words";\n"b" = "Beta words";\n',
  'l/en.ini': 'a=Alpha words\nb=Beta words\n',
  'l/en.xml':
    '<resources>\n  <string name="a">Alpha words</string>\n  <string name="b">Beta words</string>\n</resources>\n',
};
const TARGETS = Object.keys(SOURCES).map((path) => path.replace('en', 'de'));

const NOTHING_ASKED = { code: 0, requests: 0 };
const ALPHA = /\[de [^\]]*\]/;

test('in a fresh clone a value that a person emptied stays empty, until its source changes', async () => {
  const { team, first } = await Team.start(PROJECT, SOURCES);
  expect(await first.run('once')).toMatchObject({ code: 0 });
  first.commit('translate');
  for (const path of TARGETS) {
    const text = await first.read(path);
    await first.write({ [path]: text.replace(ALPHA, '') });
  }
  // A translator has no dragoman: the lock does not know the edit yet.
  first.commit('empty a value');
  const unstated = await team.clone();
  expect(await unstated.run('once')).toMatchObject(NOTHING_ASKED);
  expect(unstated.git('status', '--short', 'l')).toBe('');
  unstated.commit('state it');

  const stated = await team.clone();
  expect(await stated.run('plan')).toMatchObject(NOTHING_ASKED);
  expect(await stated.run('once', '--frozen')).toMatchObject(NOTHING_ASKED);
  expect(await stated.run('once')).toMatchObject(NOTHING_ASKED);
  expect(stated.git('status', '--short')).toBe('');
  await stated.remove('.dragoman');
  expect(await stated.run('once')).toMatchObject(NOTHING_ASKED);
  expect(stated.git('status', '--short')).toBe('');

  const source = SOURCES['l/en.json'].replace('Alpha words', 'Other words');
  await stated.write({ 'l/en.json': source });
  const changed = await team.clone();
  await changed.write({ 'l/en.json': source });
  // A conflict buys the other version at once only where there is a ledger.
  expect(await stated.run('once')).toMatchObject({ code: 2, texts: 1 });
  expect(await changed.run('once')).toMatchObject({ code: 2, texts: 0 });
  expect(await changed.read('l/de.json')).toContain('"a": ""');
});
