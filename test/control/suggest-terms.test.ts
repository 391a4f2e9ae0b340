/** Terms that people corrected again and again come out as rows for their glossary file. */
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';
import { type Checkout, Team } from '../team.ts';

const DE = 'locales/de.json';
const GLOSSARY = 'l10n/en-de.csv';
const PROJECT = `defaults: { settle_ms: 0 }
projects:
  shop:
    source: en
    targets: [de]
    glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" }
    routes: [{ from: "locales/{locale}.json" }]`;
const TEXTS = {
  open: 'Open the cart',
  empty: 'The cart is empty',
  cart: 'Cart',
  leave: 'Leave the shop',
  help: 'Do you need the manual?',
};
const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
const german = async (checkout: Checkout) =>
  JSON.parse(await checkout.read(DE)) as Record<string, string>;

async function start(glossary = 'manual;Handbuch\n', project = PROJECT) {
  const { first } = await Team.start(project, {
    'locales/en.json': json(TEXTS),
    [GLOSSARY]: glossary,
  });
  expect(await first.run('once')).toMatchObject({ code: 0 });
  return first;
}

/** A person's word for the machine's, in the files as an editor leaves them. */
async function correct(checkout: Checkout, ...keys: readonly (keyof typeof TEXTS)[]) {
  const texts = await german(checkout);
  for (const key of keys) texts[key] = (texts[key] ?? '').replace(/ƈȧřŧ/iu, 'Warenkorb');
  await checkout.write({ [DE]: json(texts) });
}

test('a term that a person corrected in three texts is suggested with its places, as a row of the file', async () => {
  const first = await start();
  await correct(first, 'open', 'empty');
  expect(await first.run('glossary', 'suggest')).toMatchObject({ code: 0, requests: 0 });
  expect((await first.run('glossary', 'suggest')).out).toContain('No term was corrected');
  await correct(first, 'cart');
  const { code, out, requests } = await first.run('glossary', 'suggest');
  expect({ code, requests }).toEqual({ code: 0, requests: 0 });
  expect(out.split('\n')).toEqual([
    'de (l10n/en-de.csv)',
    '  "cart": "ƈȧřŧ" became "Warenkorb" 3 times',
    '    locales/de.json open (line 2)',
    '    locales/de.json empty (line 3)',
    '    locales/de.json cart (line 4)',
    'cart;Warenkorb',
  ]);
  expect(await first.read(GLOSSARY)).toBe('manual;Handbuch\n');
  const told = JSON.parse((await first.run('glossary', 'suggest', '--json')).out) as object;
  expect(told).toMatchObject({ suggestions: [{ term: 'cart', row: 'cart;Warenkorb' }] });
  // Terms of the glossary are not suggested again; if the glossary has another word, a person decides.
  await first.write({ [GLOSSARY]: 'manual;Handbuch\ncart;Warenkorb\n' });
  expect((await first.run('glossary', 'suggest')).out).toContain('No term was corrected');
  await first.write({ [GLOSSARY]: 'manual;Handbuch\nCart;Wagen\n' });
  const other = (await first.run('glossary', 'suggest')).out;
  expect(other).toContain('the glossary says "Wagen"');
  expect(other).not.toContain('cart;Warenkorb');
});

test('corrections that came by an import count as well, also when the memory is gone', async () => {
  const first = await start();
  await first.run('review', 'export', '--only', 'done', '-o', 'de.csv');
  const csv = await first.read('de.csv');
  await first.write({ 'de.csv': csv.replaceAll(/[ƈƇ]ȧřŧ/gu, 'Warenkorb') });
  expect(await first.run('review', 'import', 'de.csv')).toMatchObject({ code: 0, requests: 0 });
  await first.remove('.dragoman/memory');
  expect((await first.run('glossary', 'suggest', '--language', 'de')).out).toContain(
    'cart;Warenkorb',
  );
  expect(await first.run('glossary', 'suggest', '--language', 'fr')).toMatchObject({ code: 64 });
});

test('a row begins on a line of its own, and is read as the term when it is appended', async () => {
  const first = await start('manual,Handbuch');
  await correct(first, 'open', 'empty', 'cart');
  expect((await first.run('glossary', 'suggest')).out).toMatch(/\n\ncart,Warenkorb$/);
  const told = JSON.parse((await first.run('glossary', 'suggest', '--json')).out) as object;
  expect(told).toMatchObject({
    suggestions: [{ row: 'cart,Warenkorb', needs_line_break: true, obstacle: null }],
  });
  await first.write({ [GLOSSARY]: 'manual,Handbuch\ncart,Warenkorb\n' });
  expect((await first.run('glossary', 'suggest')).out).toContain('No term was corrected');
});

test('a file for several languages gets a row that repeats none of it', async () => {
  const shared = PROJECT.replace('[de]', '[de, fr]').replace('{source}-{locale}', 'en-de');
  const first = await start('en,fr,de\ncart,panier,\n', shared);
  await correct(first, 'open', 'empty', 'cart');
  expect((await first.run('glossary', 'suggest')).out).toMatch(/\ncart,,Warenkorb$/);
  await first.write({ [GLOSSARY]: 'en,fr\nmanual,manuel\n' });
  const { out } = await first.run('glossary', 'suggest');
  expect(out).toMatch(/no row: the first row of the file has no column for de: add one$/);
});

test('a term that was just added is not suggested again, although the daemon has not read the file yet', async () => {
  await using rig = await Rig.start({
    config: `lock: dragoman.lock\n${PROJECT}`,
    files: { 'locales/en.json': json(TEXTS), [GLOSSARY]: 'manual,Handbuch\n' },
  });
  await rig.once();
  // Longer than any test: the daemon keeps the terms that it has read at its start.
  rig.write(
    'dragoman.yaml',
    rig.read('dragoman.yaml').replace('settle_ms: 0', 'settle_ms: 600000'),
  );
  rig.write(DE, rig.read(DE).replaceAll(/ƈȧřŧ/giu, 'Warenkorb'));
  await rig.daemon();
  expect((await rig.run('glossary', 'suggest')).stdout).toBe('cart,Warenkorb\n');
  rig.write(GLOSSARY, 'manual,Handbuch\ncart,Warenkorb\n');
  const { stdout, stderr } = await rig.run('glossary', 'suggest');
  expect(stdout).toBe('');
  expect(stderr).toContain('No term was corrected');
});
