/** Notes for keys: the note that the config has for a key is sent with its text, and costs nothing. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const config = (rules = '', notes = '"nav.*": "a button, short", "*.title": a heading') => `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    ${rules}
    routes:
      - from: "locales/{locale}.json"
        keys: { notes: { ${notes} } }
`;
const FILES = {
  'locales/en.json':
    '{ "nav": { "title": "Home", "save": "Save" }, "about": { "title": "About", "text": "Us" } }\n',
};
const ALL = 'HomeSaveAboutUs'.length;

function contextOf(rig: Rig): number {
  return rig.sandbox.counters().operations['POST /v2/translate']?.context_characters ?? 0;
}

/** The context that is sent: one line for each text, with its notes and its key. */
const CONTEXT = [
  '"Home": a button, short; a heading; nav.title',
  '"Save": a button, short; nav.save',
  '"About": a heading; about.title',
  '"Us": about.text',
].join('\n');

function rewrite(rig: Rig, from: string, to: string): void {
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(from, to));
}

test('the notes of a key go with its text as context, which is not billed', async () => {
  await using rig = await Rig.start({ config: config(), files: FILES });
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: ALL });
  expect(contextOf(rig)).toBe(CONTEXT.length);
});

test('a changed note buys nothing by itself', async () => {
  await using rig = await Rig.start({ config: config(), files: FILES });
  await rig.once();
  rewrite(rig, 'a button, short', 'a verb');
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0, billed_characters: 0 });
});

test('with retranslate_on: [notes] exactly the texts are bought again whose note changed, once', async () => {
  const rules = 'retranslate_on: [source, notes]';
  await using rig = await Rig.start({ config: config(rules), files: FILES });
  await rig.once();
  expect(await rig.once()).toMatchObject({ requests: 0 });
  const own = { ...rig.json('locales/de.json'), about: { title: 'Wir', text: 'Über uns' } };
  rig.write('locales/de.json', `${JSON.stringify(own)}\n`);
  rewrite(rig, 'a button, short', 'a verb');
  const { stdout } = await rig.run('plan', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ estimated_characters: 'HomeSave'.length });
  await rig.once();
  expect(billed(rig)).toBe(ALL + 'HomeSave'.length);
  rewrite(rig, 'a heading', 'a headline');
  await rig.once();
  expect(rig.json('locales/de.json')['about']).toEqual({ title: 'Wir', text: 'Über uns' });
  expect(billed(rig)).toBe(ALL + 'HomeSave'.length + 'Home'.length);
  expect(await rig.once()).toMatchObject({ requests: 0 });
});

test('retranslate_on: [notes] changes nothing where there is no note, and a note that is added later buys its texts again', async () => {
  const rules = 'retranslate_on: [source]';
  await using rig = await Rig.start({ config: config(rules, '"none": x'), files: FILES });
  await rig.once();
  rewrite(rig, '[source]', '[source, notes]');
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rewrite(rig, '"none": x', '"nav.save": a verb');
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'Save'.length });
});

test('a note that is no text is refused at its place', async () => {
  await using rig = await Rig.start({ config: config('', '"nav.*": 5'), files: FILES });
  const { code, stdout } = await rig.run('check');
  expect(code).toBe(78);
  expect(stdout).toContain('routes.0.keys.notes.nav.*');
});
