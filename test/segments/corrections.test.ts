/** Which terms people's corrections teach, and how little it takes that none is suggested. */
import { expect, test } from 'vitest';
import { type KnownText, suggestTerms } from '../../src/segments/corrections.ts';

const text = (
  source: string,
  machine: string,
  current = machine,
  more: Partial<KnownText> = {},
): KnownText => ({
  ...{ source, machine, current, isPersons: current !== machine, codes: [] },
  ...more,
});
const CART = [
  text('Open the cart', 'Öffnen Sie den Wagen', 'Öffnen Sie den Warenkorb'),
  text('Cart', 'Wagen', 'Warenkorb'),
  text(
    'The cart of {name} is empty',
    'Der Wagen von {name} ist leer',
    'Der Warenkorb von {name} ist leer',
    { codes: ['{name}'] },
  ),
  text('Leave the shop', 'Verlassen Sie den Laden'),
];
const suggest = (texts: readonly KnownText[]) =>
  suggestTerms(texts, { source: 'en', target: 'de' }).map(
    ({ term, machine, person, texts: seen }) => [term, machine, person, seen.length],
  );

test('a word that was corrected in the same way three times is suggested with the word of the source', () => {
  expect(suggest(CART)).toEqual([['cart', 'Wagen', 'Warenkorb', 3]]);
});

test('a term has no line break, also where its texts break the line between its words', () => {
  const list = [
    text('Open wish\nlist', 'Öffne Liste', 'Öffne Wunsch\nZettel'),
    text('Empty wish\nlist', 'Leere Liste', 'Leere Wunsch\nZettel'),
    text('Wish\r\n list', 'Liste', 'Wunsch\nZettel'),
  ];
  expect(suggest(list)).toEqual([['wish list', 'Liste', 'Wunsch Zettel', 3]]);
});

test('twice is not enough, and neither is what nobody corrected', () => {
  expect(suggest(CART.slice(1))).toEqual([]);
  expect(suggest(CART.map((each) => ({ ...each, current: each.machine })))).toEqual([]);
});

test('a term is not suggested when a person left the machine’s word in one text', () => {
  const kept = text('Close the cart', 'Schließen Sie den Wagen', undefined, { isPersons: true });
  expect(suggest([...CART, kept])).toEqual([]);
  expect(suggest([...CART, { ...kept, isPersons: false }])).toHaveLength(1);
});

test('where two words of the source could be meant, nothing is suggested', () => {
  const both = ['Cart: share', 'Share, then cart', 'My cart. Share'].map((source, index) =>
    text(source, `Wagen ${index}`, `Warenkorb ${index}`),
  );
  expect(suggest(both)).toEqual([]);
});

test('a word that the machine translated by another word of its own is no part of the term', () => {
  const months = ['May', 'June', 'July'].map((month, at) =>
    text(`Invoice of ${month}`, `Rechnung von ${'ABC'[at]}`, `Faktura von ${'ABC'[at]}`),
  );
  // "of" occurs in these texts only: it could be meant as well.
  expect(suggest(months)).toEqual([]);
  const other = text('A list of things', 'Eine Liste von Dingen');
  expect(suggest([...months, other, { ...other }])).toEqual([
    ['Invoice', 'Rechnung', 'Faktura', 3],
  ]);
});

test('a phrase is taken whole, also one that is one word in the other language', () => {
  const phrases = [
    text('Shopping cart', 'Einkaufswagen', 'Warenkorb'),
    text('Your shopping cart', 'Ihr Einkaufswagen', 'Ihr Warenkorb'),
    text('Empty the shopping cart now', 'Einkaufswagen jetzt leeren', 'Warenkorb jetzt leeren'),
  ];
  expect(suggest(phrases)).toEqual([['shopping cart', 'Einkaufswagen', 'Warenkorb', 3]]);
});

test('rewritten sentences, additions and numbers suggest no terms', () => {
  const anew = [1, 2, 3].map((number) =>
    text(`Cart ${number}`, `Der alte Wagen ist hier`, `Ganz anders gesagt steht das dort`),
  );
  const added = [1, 2, 3].map((number) => text(`Cart ${number}`, 'Wagen', 'Wagen bitte'));
  const numbers = [1, 2, 3].map((number) => text(`Cart v${number}`, 'Wagen 1', 'Wagen 2'));
  expect([anew, added, numbers].map(suggest)).toEqual([[], [], []]);
});

test('languages without blanks have words, too', () => {
  const texts = ['カートを開く', 'カートは空です', '新しいカート'].map((machine, index) =>
    text(
      ['Open cart', 'The cart is empty', 'New cart'][index] ?? '',
      machine,
      machine.replace('カート', '買い物かご'),
    ),
  );
  const found = suggestTerms(texts, { source: 'en', target: 'ja' });
  expect(found.map(({ term, machine }) => [term, machine])).toEqual([['cart', 'カート']]);
});

test('code is no word', () => {
  const texts = ['a', 'b', 'c'].map((name) =>
    text(`{cart} ${name}`, `{cart} Wagen`, '{cart} Korb', { codes: ['{cart}'] }),
  );
  expect(suggest(texts)).toEqual([]);
});
