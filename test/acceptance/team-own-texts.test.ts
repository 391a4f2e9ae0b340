/** Symfony's XLIFF with keys in `<source>`: earlier versions stated translations of the keys. */
import { expect, test } from 'vitest';
import { Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "l/messages.{locale}.xlf" }] }`;
const EN = 'l/messages.en.xlf';
const DE = 'l/messages.de.xlf';

const file = (languages: string, texts: Readonly<Record<string, string>>) => {
  const units = Object.entries(texts).map(
    ([key, text]) =>
      `      <trans-unit id="${key}">\n        <source>${key}</source>\n        <target>${text}</target>\n      </trans-unit>\n`,
  );
  return `<xliff version="1.2">\n  <file ${languages} original="file.ext">\n    <body>\n${units.join('')}    </body>\n  </file>\n</xliff>\n`;
};
const ENGLISH = { 'home.title': 'Home title', 'home.text': 'Welcome to us' };
const GERMAN = { 'home.title': 'Startseite', 'home.text': 'Willkommen' };
const OWN = 'source-language="en" target-language="en"';

test('after an update, the lines of the lock are about the texts, in every clone', async () => {
  // Without the language of its targets, the file is read as an earlier version read it.
  const { team, first } = await Team.start(PROJECT, {
    [EN]: file('source-language="en"', ENGLISH),
    [DE]: file('source-language="en" target-language="de"', GERMAN),
  });
  await first.run('once');
  await first.write({ [EN]: file(OWN, ENGLISH) });
  first.commit('as an earlier version left it');
  for (const checkout of [await team.clone(), first]) {
    expect(await checkout.run('check')).toMatchObject({ code: 0 });
    const more = { ...ENGLISH, 'home.new': 'New words' };
    await checkout.write({ [EN]: file(OWN, more) });
    expect(await checkout.run('once')).toMatchObject({ code: 0, texts: 1 });
    expect(await checkout.read(DE)).toContain('<target>Willkommen</target>');
    expect(await checkout.run('check')).toMatchObject({ code: 0 });
  }
  first.commit('a new text');
  const fresh = await team.clone();
  expect(await fresh.run('check')).toMatchObject({ code: 0 });
  expect(await fresh.run('once')).toMatchObject({ code: 0, texts: 0 });
  expect(fresh.git('status', '--short')).toBe('');
  await fresh.write({ [EN]: file(OWN, { ...ENGLISH, 'home.text': 'Hello', 'home.new': 'New' }) });
  expect(await fresh.run('once')).toMatchObject({ code: 0, texts: 2 });
});
