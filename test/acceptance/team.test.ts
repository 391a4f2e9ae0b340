/** Several people and runners with clones of one repository: what one of them bought or wrote holds for all. */
import { expect, test } from 'vitest';
import { Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}.json" }]`;
const EN = 'locales/en.json';
const DE = 'locales/de.json';
const LOCK = 'dragoman.lock/app/de';

type Texts = Record<string, string>;
const json = (texts: Texts) => `${JSON.stringify(texts, null, 2)}\n`;

const NOTHING_ASKED = { code: 0, requests: 0 };

test('what one bought is free for all: two clones, edits, a branch, and a state or lock that is lost', async () => {
  const { team, first: a } = await Team.start(PROJECT, {
    [EN]: json({ hello: 'Hello', bye: 'Goodbye', save: 'Save all files' }),
  });
  expect(await a.run('once')).toMatchObject({ code: 0, texts: 3 });
  a.commit('translate');
  expect(a.git('ls-files', 'dragoman.lock')).toBe(
    'dragoman.lock/.gitattributes\ndragoman.lock/app/de\n',
  );
  const before = await a.read(LOCK);
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
  expect(await a.read(LOCK)).toBe(before);

  const b = await team.clone();
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');

  const text = { hello: 'Hello you', bye: 'Goodbye', save: 'Save all files' };
  await a.write({ [EN]: json(text) });
  expect(await a.run('once')).toMatchObject({ code: 0, texts: 1 });
  a.commit('change');
  b.pull();
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');

  await b.write({ [EN]: json({ ...text, bye: 'Bye' }) });
  const stale = await team.clone();
  await stale.write({ [EN]: json({ ...text, bye: 'Bye' }) });
  expect(await stale.run('once', '--frozen')).toMatchObject({ code: 1, requests: 0 });
  expect(await b.run('once')).toMatchObject({ code: 0, texts: 1 });

  const c = await team.clone();
  const edited = JSON.parse(await c.read(DE)) as Texts;
  await c.write({ [DE]: json({ ...edited, save: 'Alles sichern' }) });
  expect(await c.run('once', '--frozen')).toMatchObject(NOTHING_ASKED);
  c.commit('a person edits, without dragoman');
  const d = await team.clone();
  await d.write({ [EN]: json({ ...text, save: 'Save every file' }) });
  expect(await d.run('once')).toMatchObject({ code: 2, texts: 0 });
  expect(JSON.parse(await d.read(DE))).toMatchObject({ save: 'Alles sichern' });
  await d.write({ [EN]: json(text) });
  expect(await d.run('once')).toMatchObject(NOTHING_ASKED);
});
