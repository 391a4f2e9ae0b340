/** Edits of a person stay; renamed, moved and deleted files cost nothing. */
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

const json = (texts: Record<string, unknown>) => `${JSON.stringify(texts, null, 2)}\n`;

async function translated(texts: Record<string, string>): Promise<Rig> {
  const rig = await Rig.start({ config: CONFIG, files: { 'locales/en/app.json': json(texts) } });
  await rig.once();
  return rig;
}

test('a human edit is kept when another key changes', async () => {
  await using rig = await translated({ hello: 'Hello', bye: 'Goodbye' });
  rig.write('locales/de/app.json', json({ ...rig.json('locales/de/app.json'), hello: 'Servus' }));
  rig.write('locales/en/app.json', json({ hello: 'Hello', bye: 'See you' }));
  const before = billed(rig);
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.json('locales/de/app.json')['hello']).toBe('Servus');
  expect(billed(rig) - before).toBe('See you'.length);
});

test('a human edit whose own source changes stays on disk and is listed as a conflict with all four texts', async () => {
  await using rig = await translated({ hello: 'Hello', bye: 'Goodbye' });
  rig.write('locales/de/app.json', json({ ...rig.json('locales/de/app.json'), hello: 'Servus' }));
  await rig.once();
  rig.write('locales/en/app.json', json({ hello: 'Hello there', bye: 'Goodbye' }));
  expect(await rig.once()).toMatchObject({ code: 2, held: [{ language: 'de' }] });
  expect(rig.json('locales/de/app.json')['hello']).toBe('Servus');
  const status = JSON.parse((await rig.run('status', '--json')).stdout) as {
    conflicts: Record<string, string>[];
  };
  expect(status.conflicts).toMatchObject([
    { key: 'hello', old_source: 'Hello', new_source: 'Hello there', human: 'Servus' },
  ]);
  expect(status.conflicts[0]?.['machine']).toMatch(/./);
});

test('a conflict is resolved by the machine text, and nothing is bought for it', async () => {
  await using rig = await translated({ hello: 'Hello' });
  rig.write('locales/de/app.json', json({ hello: 'Servus' }));
  rig.write('locales/en/app.json', json({ hello: 'Hello there' }));
  await rig.once();
  const before = billed(rig);
  expect(await rig.run('resolve', 'locales/de/app.json', 'hello', '--machine')).toMatchObject({
    code: 0,
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.json('locales/de/app.json')['hello']).not.toBe('Servus');
  expect(billed(rig)).toBe(before);
});

test.each(['--human', '--machine'])(
  'a decision (%s) holds although another text of the file changed before a run saw it',
  async (choice) => {
    await using rig = await translated({ hello: 'Hello', bye: 'Goodbye' });
    rig.write('locales/de/app.json', json({ ...rig.json('locales/de/app.json'), hello: 'Servus' }));
    rig.write('locales/en/app.json', json({ hello: 'Hello there', bye: 'Goodbye' }));
    expect(await rig.once()).toMatchObject({ code: 2 });
    const before = billed(rig);
    rig.write('locales/en/app.json', json({ hello: 'Hello there', bye: 'See you' }));
    expect(await rig.run('resolve', 'locales/de/app.json', choice)).toMatchObject({ code: 0 });
    expect(await rig.once()).toMatchObject({ code: 0, held: [] });
    expect(rig.json('locales/de/app.json')['hello'] === 'Servus').toBe(choice === '--human');
    expect(billed(rig) - before).toBe('See you'.length);
  },
);

test('a decision about a text of a page holds although another paragraph changed before a run saw it', async () => {
  const config = CONFIG.replace('*.json', '*.md');
  const page = (...paragraphs: readonly string[]) => `${paragraphs.join('\n\n')}\n`;
  const [en, de] = ['locales/en/a.md', 'locales/de/a.md'];
  const files = { [en]: page('The first paragraph.', 'The second one.') };
  await using rig = await Rig.start({ config, files });
  await rig.once();
  rig.write(de, rig.read(de).replace(/^.*$/m, 'Ein Absatz von Hand.'));
  rig.write(en, page('The very first paragraph.', 'The second one.'));
  expect(await rig.once()).toMatchObject({ code: 2 });
  rig.write(en, page('The very first paragraph.', 'Another second one.'));
  expect(await rig.run('resolve', de, '--human')).toMatchObject({ code: 0 });
  expect(await rig.once()).toMatchObject({ code: 0, held: [] });
  expect(rig.read(de)).toContain('Ein Absatz von Hand.');
});

test('a decision about a text is void when that text has changed before a run saw it', async () => {
  await using rig = await translated({ hello: 'Hello', bye: 'Goodbye' });
  rig.write('locales/de/app.json', json({ ...rig.json('locales/de/app.json'), hello: 'Servus' }));
  rig.write('locales/en/app.json', json({ hello: 'Hello there', bye: 'Goodbye' }));
  expect(await rig.once()).toMatchObject({ code: 2 });
  rig.write('locales/en/app.json', json({ hello: 'Hello to all', bye: 'Goodbye' }));
  expect(await rig.run('resolve', 'locales/de/app.json', '--machine')).toMatchObject({ code: 0 });
  expect(await rig.once()).toMatchObject({ code: 2, held: [{ language: 'de' }] });
  expect(rig.json('locales/de/app.json')['hello']).toBe('Servus');
});

test('a text that was there before dragoman comes back with its source, and bills nothing', async () => {
  for (const lock of ['', 'lock: dragoman.lock\n']) {
    await using rig = await Rig.start({
      config: `${lock}${CONFIG}`,
      files: {
        'locales/en/app.json': json({ hello: 'Hello', bye: 'Goodbye' }),
        'locales/de/app.json': json({ hello: 'Servus', bye: 'Pfiat di' }),
      },
    });
    await rig.once();
    const seen: unknown[] = [];
    for (const hello of ['Hello there', 'Hello you', 'Hello', 'Hello there']) {
      rig.write('locales/en/app.json', json({ hello, bye: 'Goodbye' }));
      expect(await rig.once()).toMatchObject({ code: 0 });
      expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
      seen.push(rig.json('locales/de/app.json')['hello']);
    }
    expect(seen[2]).toBe('Servus');
    expect(seen[3]).toBe(seen[0]);
    expect(rig.json('locales/de/app.json')['bye']).toBe('Pfiat di');
    expect(billed(rig)).toBe('Hello there'.length + 'Hello you'.length);
  }
});

test('a text whose new source the service cannot translate goes on with the old one', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'locales/en/app.json': json({ hello: 'Hello {name}', bye: 'Goodbye' }),
      'locales/de/app.json': json({ hello: 'Servus {name}', bye: 'Pfiat di' }),
    },
    sandbox: { faults: [{ kind: 'damage', how: 'drop', times: 'always' }] },
  });
  await rig.once();
  rig.write('locales/en/app.json', json({ hello: 'Hello there {name}', bye: 'Goodbye' }));
  await rig.once();
  rig.write('locales/en/app.json', json({ hello: 'Hello {name}', bye: 'Goodbye' }));
  const before = billed(rig);
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.json('locales/de/app.json')['hello']).toBe('Servus {name}');
  expect(billed(rig)).toBe(before);
});

test('a text whose source becomes a plural stays until the whole plural is there, and what is paid is not paid again', async () => {
  const file = (hello: object | string) => JSON.stringify({ hello, bye: 'Goodbye' }, null, 2);
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'locales/en/app.json': file('Hello'),
      'locales/de/app.json': json({ hello: 'Servus', bye: 'Pfiat di' }),
    },
    sandbox: { faults: [{ kind: 'damage', how: 'drop', times: 'always' }] },
  });
  await rig.once();
  const before = rig.read('locales/de/app.json');
  rig.write('locales/en/app.json', file({ one: 'Hello alone', other: 'Hello all {name}' }));
  expect((await rig.once()).held).toMatchObject([
    { reason: expect.stringContaining('hello.other') },
  ]);
  expect(rig.read('locales/de/app.json')).toBe(before);
  expect(await rig.once()).toMatchObject({ billed_characters: 0 });
  expect(rig.read('locales/de/app.json')).toBe(before);
  rig.write('locales/en/app.json', file({ one: 'Hello alone', other: 'Hello everyone' }));
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'Hello everyone'.length });
  expect(rig.json('locales/de/app.json')).toMatchObject({
    hello: {
      one: expect.stringMatching(/^.de /),
      other: expect.stringMatching(/^.de /),
    },
    bye: 'Pfiat di',
  });
});

test('a renamed key keeps its text, also a person’s, and bills nothing', async () => {
  await using rig = await translated({ hello: 'Hello', bye: 'Goodbye' });
  rig.write('locales/de/app.json', json({ ...rig.json('locales/de/app.json'), hello: 'Servus' }));
  await rig.once();
  const before = billed(rig);
  rig.write('locales/en/app.json', json({ greeting: 'Hello', bye: 'Goodbye' }));
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
  expect(rig.json('locales/de/app.json')).toMatchObject({ greeting: 'Servus' });
  expect(rig.json('locales/de/app.json')['hello']).toBeUndefined();
  expect(billed(rig)).toBe(before);
});

test('a moved file keeps its translation, also a person’s, and bills nothing', async () => {
  await using rig = await translated({ hello: 'Hello', bye: 'Goodbye' });
  rig.write('locales/de/app.json', json({ ...rig.json('locales/de/app.json'), hello: 'Servus' }));
  await rig.once();
  const before = billed(rig);
  renameSync(rig.path('locales/en/app.json'), rig.path('locales/en/main.json'));
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
  expect(rig.json('locales/de/main.json')['hello']).toBe('Servus');
  expect(rig.exists('locales/de/app.json')).toBe(false);
  expect(billed(rig)).toBe(before);
});

test('a deleted key is removed, and a deleted source sends its target to the trash', async () => {
  await using rig = await translated({ hello: 'Hello', bye: 'Goodbye' });
  rig.write('locales/de/app.json', json({ ...rig.json('locales/de/app.json'), bye: 'Servus' }));
  await rig.once();
  rig.write('locales/en/app.json', json({ hello: 'Hello' }));
  const notes = [expect.stringContaining('(de): translations of people are removed')];
  expect(await rig.once()).toMatchObject({ notes });
  expect(Object.keys(rig.json('locales/de/app.json'))).toEqual(['hello']);
  rig.remove('locales/en/app.json');
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.exists('locales/de/app.json')).toBe(false);
  expect(await rig.run('restore', 'locales/de/app.json')).toMatchObject({ code: 0 });
  expect(rig.exists('locales/de/app.json')).toBe(true);
});

test('an element that the source puts into a list leaves the translations behind it alone', async () => {
  const android = (...items: string[]) =>
    `<resources>\n  <string-array name="d">\n${items.map((item) => `    <item>${item}</item>\n`).join('')}  </string-array>\n</resources>\n`;
  const yaml = (...items: string[]) => `faq:\n${items.map((item) => `  - q: ${item}\n`).join('')}`;
  const json = (...items: string[]) => `${JSON.stringify({ list: items })}\n`;
  const pages = { 'a.json': json, 'b.yml': yaml, 'c.xml': android };
  const files = Object.entries(pages).flatMap(([name, write]) => [
    [`locales/en/${name}`, write('One', 'Two')],
    [`locales/de/${name}`, write('Eins', 'Zwei')],
  ]);
  await using rig = await Rig.start({
    config: `
projects:
  shop:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.{json,yml}" }
      - { from: "locales/{locale}/*.xml", lane: text }
`,
    files: Object.fromEntries(files),
  });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  for (const [name, write] of Object.entries(pages)) {
    rig.write(`locales/en/${name}`, write('New', 'One', 'Two'));
  }
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 3, billed_characters: 3 });
  for (const name of Object.keys(pages)) {
    expect(rig.read(`locales/de/${name}`)).toMatch(/Ƞḗẇ[\s\S]*Eins[\s\S]*Zwei/);
  }
});

test('a list that a person made longer waits for that person when its elements move, and goes on after the decision', async () => {
  const en = { days: ['Monday', 'Tuesday'] };
  const de = { days: ['Montag', 'Dienstag', 'Feiertag'] };
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'locales/en/app.json': json(en), 'locales/de/app.json': json(de) },
  });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write('locales/en/app.json', json({ days: ['Monday', 'Tuesday', 'Wednesday'] }));
  for (const _run of ['first', 'second']) {
    expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
    expect(rig.json('locales/de/app.json')).toEqual(de);
  }
  const { conflicts } = JSON.parse((await rig.run('status', '--json')).stdout);
  expect(conflicts).toMatchObject([{ new_source: 'Wednesday', human: 'Feiertag' }]);
  rig.write('locales/en/app.json', json({ days: ['Sunday', 'Monday', 'Tuesday'] }));
  expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
  rig.write('locales/en/app.json', json(en));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write('locales/en/app.json', json({ days: ['Monday', 'Tuesday', 'Wednesday'] }));
  expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
  expect(rig.json('locales/de/app.json')).toEqual(de);
  await rig.run('resolve', 'locales/de/app.json', '--human');
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.json('locales/de/app.json')).toEqual(de);
});

test('in a checkout that never had the old source, a conflict says why it cannot be shown and where it can', async () => {
  await using rig = await Rig.start({
    config: `
lock: dragoman.lock
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`,
    files: { 'locales/en/app.json': '{ "hello": "Hello" }\n' },
  });
  await rig.once();
  rig.write('locales/de/app.json', '{ "hello": "Servus" }\n');
  await rig.once();
  rig.remove('.dragoman');
  rig.write('locales/en/app.json', '{ "hello": "Hello there" }\n');
  expect((await rig.once()).code).toBe(2);
  const { conflicts } = JSON.parse((await rig.run('status', '--json')).stdout);
  const note = expect.stringContaining('neither this machine nor the history of git');
  expect(conflicts).toMatchObject([{ old_source: '', human: 'Servus', note }]);
  const { stdout } = await rig.run('status');
  expect(stdout).toMatch(/old source +\(not known here\)\n +note +the old source is known to/);
});
