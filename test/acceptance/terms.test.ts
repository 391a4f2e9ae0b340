/** Terms that change: texts that are bought again, texts that stay, and the reports of plan and run. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { PROJECT, start, TEXTS } from './workplace.ts';

test('a changed term re-buys the texts that hold it, and no other', async () => {
  await using rig = await start();
  await rig.once();
  const before = billed(rig);
  rig.write('l10n/en-de.csv', 'cart,Einkaufswagen\ncheckout,Kasse\n');
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
  expect(plan.estimated_characters).toBe(TEXTS.cart.length);
  expect(plan.drift).toEqual([
    { kind: 'glossary', name: 'shop', pair: 'en-de', difference: '1 different' },
  ]);
  await rig.once();
  expect(rig.json('locales/de/app.json')['cart']).toContain('‹Einkaufswagen›');
  expect(billed(rig) - before).toBe(TEXTS.cart.length);
  expect(await rig.once()).toMatchObject({ requests: 0, code: 0 });
});

/** The next run sends the changed file. */
const NOT_SENT =
  'the glossary file l10n/{source}-{locale}.csv changed, and the service does not have the change; dragoman once';

test('without retranslate_on a changed term is sent to the service and buys nothing', async () => {
  await using rig = await start(PROJECT.replace('retranslate_on: [source, glossary]', ''));
  await rig.once();
  const before = billed(rig);
  rig.write('l10n/en-de.csv', 'cart,Einkaufswagen\n');
  const plan = async () => JSON.parse((await rig.run('plan', '--json')).stdout);
  const note = expect.stringMatching(
    /^locales\/en\/app\.json \(de\): a term of these changed, .*: cart, pay$/,
  );
  expect(await plan()).toMatchObject({ jobs: [], notes: [note, NOT_SENT] });
  await rig.run('glossary', 'push', '--yes');
  expect(await plan()).toMatchObject({ jobs: [], drift: [], notes: [note] });
  expect(await rig.once()).toMatchObject({ requests: 0 });
  rig.write('locales/en/app.json', `${JSON.stringify({ ...TEXTS, more: 'One cart more' })}\n`);
  await rig.once();
  expect(rig.json('locales/de/app.json')['more']).toContain('‹Einkaufswagen›');
  expect(rig.json('locales/de/app.json')['cart']).toContain('‹Warenkorb›');
  expect(billed(rig) - before).toBe(3 * 'One cart more'.length);
});

test('a text that a person wrote is not re-bought when a term of it changes', async () => {
  await using rig = await start();
  await rig.once();
  const before = billed(rig);
  const own = { ...rig.json('locales/de/app.json'), cart: 'Der Warenkorb ist leer' };
  rig.write('locales/de/app.json', `${JSON.stringify(own, null, 2)}\n`);
  rig.write('l10n/en-de.csv', 'cart,Einkaufswagen\ncheckout,Kasse\n');
  await rig.once();
  expect(rig.json('locales/de/app.json')['cart']).toBe('Der Warenkorb ist leer');
  expect(billed(rig)).toBe(before);
  const { code, stdout } = await rig.run('check', 'locales/de');
  expect(code).toBe(0);
  expect(stdout).toContain('cart: the glossary says "Einkaufswagen" for "cart": it does not occur');
});

const FILM = `1
00:00:01,000 --> 00:00:03,000
My friend was here last

2
00:00:03,100 --> 00:00:06,000
night, and nobody saw him.

3
00:00:08,000 --> 00:00:09,000
Goodbye.
`;

const SUBTITLES = PROJECT.replace('[de, fr, pl]', '[de]').replace(
  '"locales/{locale}/**/*.json"',
  '"subs/{locale}/*.srt"',
);

test('plan names the cues of a film whose terms changed, bought again or not', async () => {
  const files = { 'subs/en/film.srt': FILM, 'l10n/en-de.csv': 'friend,Freund\n' };
  await using rig = await start(SUBTITLES, files);
  expect((await rig.once()).code).toBe(0);
  rig.write('l10n/en-de.csv', 'friend,Kamerad\n');
  const notes = async () => JSON.parse((await rig.run('plan', '--json')).stdout).notes;
  expect(await notes()).toEqual([
    'subs/en/film.srt (de): bought again, since their rules changed: 1, 2',
    NOT_SENT,
  ]);
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(/retranslate_on.*/, ''));
  await rig.run('glossary', 'push', '--yes');
  const stay = [expect.stringMatching(/a term of these changed, .*: 1, 2$/)];
  expect(await notes()).toEqual(stay);
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
});

test('a missing term in a sentence of a film is reported, also across two cues', async () => {
  const files = { 'subs/en/film.srt': FILM, 'l10n/en-de.csv': 'last night,gestern\n' };
  await using rig = await start(SUBTITLES, files);
  const { code, stderr } = await rig.run('once');
  expect(code).toBe(0);
  expect(stderr).toContain('1: the glossary says "gestern" for "last night": it does not occur');
});
