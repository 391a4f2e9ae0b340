/** Glossaries and style lists through the real binary: applied, kept in step, and re-bought by the term. */
import { expect, test } from 'vitest';
import { connect, type Service } from '../../src/service/client.ts';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';
import { FILES, PROJECT, start, TEXTS } from './workplace.ts';

function clientOf({ sandbox }: Rig): Service {
  return connect({ url: sandbox.url, key: sandbox.key });
}

test('terms are applied to the pairs that have them, and other pairs name no glossary', async () => {
  await using rig = await start();
  expect((await rig.once()).code).toBe(0);
  expect(rig.json('locales/de/app.json')['cart']).toContain('‹Warenkorb›');
  expect(rig.json('locales/fr/app.json')['cart']).toContain('‹panier›');
  expect(rig.json('locales/pl/app.json')['cart']).not.toContain('‹');
  expect(requests(rig, 'POST /v3/glossaries')).toBe(1);
  expect(rig.sandbox.counters().violations).toEqual([]);
  const explained = JSON.parse((await rig.run('explain', 'locales/de/app.json', '--json')).stdout);
  expect(explained.rules.glossary).toMatch(/^shop \([0-9a-f-]{36}, version [0-9a-f]{16}\)$/);
});

test('the next purchase repairs the drift that plan shows, also for terms that no text uses', async () => {
  await using rig = await start();
  await rig.once();
  await using service = clientOf(rig);
  const [{ glossary_id: id } = { glossary_id: '' }] = await service.glossaries.list();
  const theirs = {
    source_lang: 'en',
    target_lang: 'es',
    entries: 'a\tb',
    entries_format: 'tsv',
  } as const;
  await service.glossaries.putDictionary(id, theirs);
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
  expect(plan.drift).toEqual([
    { kind: 'glossary', name: 'shop', pair: 'en-es', difference: '1 only on the service' },
  ]);
  expect(await rig.once()).toMatchObject({ requests: 0 });
  rig.write('locales/en/app.json', `${JSON.stringify({ ...TEXTS, more: 'One cart more' })}\n`);
  await rig.once();
  const { dictionaries } = await service.glossaries.get(id);
  expect(dictionaries.map(({ target_lang }) => target_lang)).toEqual(['de', 'fr']);
  expect((await rig.run('glossary', 'diff')).code).toBe(0);
});

test('in mode merge, terms that others added are no difference, and there is nothing to push', async () => {
  await using rig = await start(PROJECT.replace('.csv" }', '.csv", mode: merge }'));
  await rig.once();
  await using service = clientOf(rig);
  const [{ glossary_id: id } = { glossary_id: '' }] = await service.glossaries.list();
  const theirs = {
    source_lang: 'en',
    target_lang: 'de',
    entries: 'a\tb',
    entries_format: 'tsv',
  } as const;
  await service.glossaries.update(id, { dictionaries: [theirs] });
  expect((await rig.run('glossary', 'diff')).code).toBe(0);
  expect((await rig.run('glossary', 'push')).code).toBe(0);
});

test('a glossary that somebody deleted is created again, and the jobs go on', async () => {
  await using rig = await start();
  await rig.once();
  await using service = clientOf(rig);
  for (const { glossary_id } of await service.glossaries.list()) {
    await service.glossaries.remove(glossary_id);
  }
  rig.write('locales/en/app.json', `${JSON.stringify({ ...TEXTS, more: 'One cart more' })}\n`);
  expect(await rig.once()).toMatchObject({ code: 0, failed: [] });
  expect(rig.json('locales/de/app.json')['more']).toContain('‹Warenkorb›');
  expect(await service.glossaries.list()).toHaveLength(1);
});

test('texts that come back unchanged cause a check of the glossary, which is created again', async () => {
  await using rig = await start();
  rig.sandbox.faults.add([{ kind: 'delete_glossary', answer: 'untranslated' }]);
  expect(await rig.once()).toMatchObject({ code: 0, failed: [] });
  expect(rig.json('locales/de/app.json')['cart']).toContain('‹Warenkorb›');
  expect(rig.json('locales/fr/app.json')['cart']).toContain('‹panier›');
  expect(requests(rig, 'POST /v3/glossaries')).toBe(2);
  const books = JSON.parse((await rig.run('usage', '--json')).stdout);
  expect(books.billed_characters).toBe(billed(rig));
});

test('faulty files end run and plan with 78, all of them with their lines, before any request', async () => {
  await using rig = await start(PROJECT, {
    ...FILES,
    'l10n/en-de.csv': 'cart,Warenkorb\ncart,Wagen\n,leer\n',
  });
  for (const command of [['plan'], ['once', '--frozen'], ['once']]) {
    const { code, stderr } = await rig.run(...command);
    expect([command, code]).toEqual([command, 78]);
    expect(stderr).toContain('l10n/en-de.csv:2:1 "cart" is already in line 1');
    expect(stderr).toContain('l10n/en-de.csv:3:1 the source phrase is empty');
  }
  expect(requests(rig)).toBe(0);
});

test('a running daemon sends a settled change of the file to the service, and buys the texts again that it affects', async () => {
  await using rig = await start();
  const daemon = await rig.daemon();
  await daemon.until(() => daemon.lines.filter(({ kind }) => kind === 'job-delivered').length >= 3);
  rig.write('l10n/en-de.csv', 'cart,Einkaufswagen\ncheckout,Kasse\n');
  await daemon.until(() => daemon.lines.filter(({ kind }) => kind === 'job-delivered').length >= 4);
  expect(rig.json('locales/de/app.json')['cart']).toContain('‹Einkaufswagen›');
  expect(requests(rig, 'PATCH /v3/glossaries/{glossary_id}')).toBe(1);
  rig.write('l10n/en-de.csv', 'cart\n');
  await daemon.logged(({ kind }) => kind === 'rules-refused');
  const diff = await rig.run('glossary', 'diff');
  expect(diff.code).toBe(1);
  expect(diff.stdout).toContain('l10n/en-de.csv:1:1 has one column');
  daemon.kill('SIGHUP');
  await daemon.logged(({ kind }) => kind === 'config-refused');
  expect(await daemon.stop()).toBe(0);
});

test.each([
  ['the only one with terms', ''],
  ['one of two with terms', 'cart,panier\n'],
])(
  'a file that lost all of its terms, %s, removes none from the service until a person agrees, and a new term creates the dictionary again',
  async (_, other) => {
    const files = { ...FILES, 'l10n/en-fr.csv': other };
    await using rig = await start(PROJECT, files);
    await rig.once();
    const DELETE = 'DELETE /v3/glossaries/{glossary_id}/dictionaries';
    rig.write('l10n/en-de.csv', 'source,target\n');
    const line = {
      code: 'terminology-behind',
      reason: expect.stringContaining('terms of en-de on the service: they stay there'),
      next_step: expect.stringContaining('dragoman glossary push shop'),
    };
    expect(await rig.once()).toMatchObject({ code: 1, failed: [line] });
    expect((await rig.run('glossary', 'push')).code).toBe(2);
    expect(requests(rig, DELETE)).toBe(0);
    expect((await rig.run('glossary', 'push', 'shop', '--yes')).code).toBe(0);
    expect(requests(rig, DELETE)).toBe(1);
    expect(await rig.once()).toMatchObject({ code: 0 });
    rig.write('l10n/en-de.csv', 'cart,Wagen\n');
    expect(await rig.once()).toMatchObject({ code: 0 });
    expect(requests(rig, 'PUT /v3/glossaries/{glossary_id}/dictionaries')).toBe(1);
    expect((await rig.run('glossary', 'diff')).code).toBe(0);
  },
);

test('diff, push and pull show and transfer every difference, and ask before they write', async () => {
  await using rig = await start();
  expect((await rig.run('glossary', 'push', '--yes')).code).toBe(0);
  rig.write('l10n/en-de.csv', 'cart,Einkaufswagen\nstore,Laden\n');
  const diff = await rig.run('glossary', 'diff');
  expect(diff.code).toBe(1);
  for (const line of [
    '+ store: Laden',
    '~ cart: Warenkorb -> Einkaufswagen',
    '- checkout: Kasse',
  ]) {
    expect(diff.stdout).toContain(line);
  }
  expect((await rig.run('glossary', 'push')).code).toBe(2);
  expect((await rig.run('glossary', 'push', '--dry-run')).code).toBe(1);
  expect(requests(rig, 'PUT /v3/glossaries/{glossary_id}/dictionaries')).toBe(0);
  expect((await rig.run('glossary', 'pull', 'shop', '--yes')).code).toBe(0);
  expect(rig.read('l10n/en-de.csv')).toBe('cart,Warenkorb\ncheckout,Kasse\n');
  expect((await rig.run('glossary', 'diff')).code).toBe(0);
  expect((await rig.run('glossary', 'diff', 'shpo')).code).toBe(64);
});

test('texts wait for the sync of their glossary, and texts of other pairs do not', async () => {
  await using rig = await Rig.start({
    config: PROJECT,
    files: FILES,
    sandbox: {
      faults: [{ kind: 'status', status: 456, operation: 'POST /v3/glossaries', retry_after: 2 }],
    },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 3 });
  const seen = rig.sandbox
    .log()
    .filter(({ operation }) => /translate|POST .*glossaries/.test(operation))
    .map(({ operation, status, target_lang = '' }) =>
      `${operation} ${status} ${target_lang}`.trim(),
    );
  // The two that need no sync may come in any order; German and French come after it.
  expect(seen.slice(0, 2).sort()).toEqual(['POST /v2/translate 200 pl', 'POST /v3/glossaries 456']);
  expect(seen[2]).toBe('POST /v3/glossaries 201');
  expect(seen.slice(3).sort()).toEqual(['POST /v2/translate 200 de', 'POST /v2/translate 200 fr']);
});

test('a glossary request that is refused since the quota is used up ends the run with 75, at once', async () => {
  await using rig = await start();
  const key = `${rig.sandbox.key}-limited`;
  await using limited = connect({ url: rig.sandbox.url, key });
  await limited.text.translate({ text: ['x'.repeat(1000)], target_lang: 'de' });
  rig.sandbox.faults.add([
    { kind: 'status', status: 456, times: 'always', operation: 'POST /v3/glossaries' },
  ]);
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(/key: .*/, 'key: { file: key }'));
  rig.write('key', key);
  expect(await rig.once('--language', 'de')).toMatchObject({ code: 75, delivered: 0, failed: [] });
});

test('a glossary id that the service does not know fails the jobs that name it, with what to do', async () => {
  await using rig = await start(PROJECT.replace(/glossary: \{.*\}/, 'glossary: { id: nobody }'));
  const { failed, delivered } = await rig.once();
  expect(delivered).toBe(0);
  expect(failed[0]?.reason).toContain('there is no glossary nobody on the service');
});

test('two glossaries of one name on the service hold only the texts that need them, and both are named', async () => {
  await using rig = await start();
  await using service = clientOf(rig);
  const entries = {
    source_lang: 'en',
    target_lang: 'de',
    entries: 'a\tb',
    entries_format: 'tsv',
  } as const;
  for (let n = 0; n < 2; n++)
    await service.glossaries.create({ name: 'shop', dictionaries: [entries] });
  const { failed, delivered } = await rig.once();
  expect(delivered).toBe(1);
  expect(failed.map(({ language }) => language).sort()).toEqual(['de', 'fr']);
  for (const { glossary_id } of await service.glossaries.list()) {
    expect(failed[0]?.reason).toContain(glossary_id);
  }
});
