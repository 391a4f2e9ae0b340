/** Glossaries and style lists of a team: a fresh checkout knows by the lock that a file changed since it was sent. */
import { expect, test } from 'vitest';
import { Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" }
    style: { de: l10n/style.de.yaml }
    routes: [{ from: "locales/{locale}.json" }]`;
const TERMS = 'l10n/en-de.csv';
const STYLE = 'l10n/style.de.yaml';
const list = (prompt: string) => `name: shop German
language: de
custom_instructions:
  - { label: Tone, prompt: "${prompt}" }
`;
const FILES = {
  'locales/en.json': `${JSON.stringify({ cart: 'Your cart', pay: 'Checkout' }, null, 2)}\n`,
  [TERMS]: 'cart,Warenkorb\npay,Kasse\n',
  [STYLE]: list('Be brief'),
};
const NOTHING_ASKED = { code: 0, requests: 0 };

test.each([
  [
    'a glossary',
    { [TERMS]: 'cart,Einkaufswagen\npay,Kasse\n' },
    'PATCH /v3/glossaries/{glossary_id}',
  ],
  [
    'a glossary that lost a term',
    { [TERMS]: 'cart,Warenkorb\n' },
    'PUT /v3/glossaries/{glossary_id}/dictionaries',
  ],
  ['a style list', { [STYLE]: list('Be very brief') }, 'POST /v3/style_rules'],
])(
  'the next fresh checkout sends %s that a colleague changed to the service, and no other one does',
  async (_, change, sent) => {
    const { team, first: a } = await Team.start(PROJECT, FILES);
    expect(await a.run('once')).toMatchObject({ code: 0, texts: 4 });
    expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
    a.commit('translate');
    const b = await team.clone();
    expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
    await b.remove('.dragoman');
    expect(b.git('status', '--short')).toBe('');
    await b.write(change);
    b.commit('change a rule, without a run');

    const c = await team.clone();
    expect(await c.run('once', '--frozen')).toMatchObject({ code: 1, requests: 0 });
    const { log } = team.sandbox;
    const before = log().length;
    expect(await c.run('once')).toMatchObject({ code: 0, texts: 0 });
    expect(
      log()
        .slice(before)
        .map(({ operation }) => operation),
    ).toContain(sent);
    expect(await c.run('once')).toMatchObject(NOTHING_ASKED);
    c.commit('bring the service in step');

    const d = await team.clone();
    expect(await d.run('once', '--frozen')).toMatchObject(NOTHING_ASKED);
    expect(await d.run('once')).toMatchObject(NOTHING_ASKED);
    expect(d.git('status', '--short')).toBe('');
  },
);

test('what a run of one language sent to the service is in the lock when it has ended', async () => {
  const { team, first: a } = await Team.start(PROJECT, FILES);
  await a.run('once');
  a.commit('translate');
  await a.write({
    [TERMS]: 'cart,Einkaufswagen\npay,Kasse\n',
    [STYLE]: list('Be very brief'),
    'locales/en.json': FILES['locales/en.json'].replace('Checkout', 'Pay now'),
  });
  expect((await a.run('once', '--language', 'de')).requests).toBeGreaterThan(1);
  expect(await a.run('once', '--language', 'de', '--frozen')).toMatchObject(NOTHING_ASKED);
  const part = await a.read('dragoman.lock/app/de');
  expect(await a.run('once')).toMatchObject({ code: 0, texts: 1 });
  expect(await a.read('dragoman.lock/app/de')).toBe(part);
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
  a.commit('change the rules, by a run of one language first');
  const b = await team.clone();
  expect(await b.run('once', '--frozen')).toMatchObject(NOTHING_ASKED);
});

test('a lock without lines about rules is left as it is, and nothing is asked', async () => {
  const { team, first: a } = await Team.start(PROJECT, FILES);
  await a.run('once');
  for (const language of ['de', 'fr']) {
    const path = `dragoman.lock/app/${language}`;
    const lock = await a.read(path);
    await a.write({ [path]: lock.replace(/# l10n\/.*\n\n.*\n\n?/g, '') });
  }
  a.commit('as an earlier version left it');
  const b = await team.clone();
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
  expect(a.git('status', '--short')).toBe('');
});
