/** Undo of a run: the files as they were before it, nothing written again by itself, nothing bought again. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const config = (settings = '', routes = '- { from: "locales/{locale}/**/*.json" }') => `
defaults: { settle_ms: 100 }
${settings}
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      ${routes}
`;
const json = (texts: Record<string, unknown>) => `${JSON.stringify(texts, null, 2)}\n`;

/** Two runs: the first made both targets, a person edited one, the second changed both. */
async function twoRuns(): Promise<{ rig: Rig; de: string; fr: string }> {
  const files = { 'locales/en/app.json': json({ hello: 'Hello', bye: 'Goodbye' }) };
  const rig = await Rig.start({ config: config(), files });
  await rig.once();
  rig.write('locales/de/app.json', json({ ...rig.json('locales/de/app.json'), hello: 'Servus' }));
  await rig.once();
  const [de, fr] = [rig.read('locales/de/app.json'), rig.read('locales/fr/app.json')];
  rig.write('locales/en/app.json', json({ hello: 'Hello', bye: 'See you' }));
  await rig.once();
  return { rig, de, fr };
}

test('the last run is undone byte for byte, and nothing is written again until something changes', async () => {
  const { rig, de, fr } = await twoRuns();
  await using _ = rig;
  const before = billed(rig);
  const undone = await rig.run('undo', '--yes');
  expect(undone).toMatchObject({ code: 0 });
  expect(undone.stdout).toContain('2 files undone');
  expect(rig.read('locales/de/app.json')).toBe(de);
  expect(rig.read('locales/fr/app.json')).toBe(fr);
  expect(await rig.once()).toMatchObject({ code: 2, held: [{ source: '*' }], requests: 0 });
  expect(rig.read('locales/de/app.json')).toBe(de);

  rig.write('locales/en/app.json', json({ hello: 'Hello', bye: 'See you', more: 'More' }));
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.json('locales/de/app.json')).toMatchObject({ hello: 'Servus' });
  expect(billed(rig) - before).toBe(2 * 'More'.length);
});

test('retry does an undone job again, from memory', async () => {
  const { rig } = await twoRuns();
  await using _ = rig;
  const written = rig.read('locales/fr/app.json');
  await rig.run('undo', '--yes', '--language', 'fr');
  expect(rig.read('locales/fr/app.json')).not.toBe(written);
  const before = billed(rig);
  expect(await rig.run('retry', 'locales/fr/app.json')).toMatchObject({ code: 0 });
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.read('locales/fr/app.json')).toBe(written);
  expect(billed(rig)).toBe(before);
});

test('runs are undone one after the other, back to files that were not there', async () => {
  const { rig } = await twoRuns();
  await using _ = rig;
  const { runs } = JSON.parse((await rig.run('undo', '--list', '--json')).stdout) as {
    runs: string[];
  };
  expect(runs).toHaveLength(2);
  // Texts that a person edited since the first run stay.
  await rig.run('undo', '--yes');
  const first = await rig.run('undo', '--yes');
  expect(first.code).toBe(2);
  expect(first.stdout).toContain('locales/de/app.json: it was changed since');
  expect(rig.exists('locales/fr/app.json')).toBe(false);
  expect(await rig.run('restore', 'locales/fr/app.json')).toMatchObject({ code: 0 });
});

test('undo leaves a file that a person changed since, and says so', async () => {
  const { rig } = await twoRuns();
  await using _ = rig;
  rig.write('locales/de/app.json', json({ hello: 'Grüezi', bye: 'Ade' }));
  const undone = await rig.run('undo', '--yes', '--json');
  expect(undone.code).toBe(2);
  expect(JSON.parse(undone.stdout)).toMatchObject({
    files: [{ became: 'as-before' }],
    left: [{ file: rig.path('locales/de/app.json'), reason: 'it was changed since' }],
  });
  expect(rig.json('locales/de/app.json')).toEqual({ hello: 'Grüezi', bye: 'Ade' });
});

test('a file that was undone is not undone twice, also when the rest of its run stays', async () => {
  const { rig } = await twoRuns();
  await using _ = rig;
  rig.write('locales/de/app.json', json({ hello: 'Servus', bye: 'Pfiat di' }));
  expect((await rig.run('undo', '--yes')).stdout).toContain('1 file undone, 1 file left');
  const again = await rig.run('undo', '--yes', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ files: [], left: [{}] });
  expect(again.code).toBe(2);
});

test('an edit of a restored file does not start the undone run again', async () => {
  const { rig } = await twoRuns();
  await using _ = rig;
  await rig.run('undo', '--yes');
  const edited = json({ ...rig.json('locales/fr/app.json'), hello: 'Salut' });
  rig.write('locales/fr/app.json', edited);
  await rig.once();
  expect(rig.read('locales/fr/app.json')).toBe(edited);
  rig.write('locales/en/app.json', json({ hello: 'Hello', bye: 'See you', more: 'More' }));
  await rig.once();
  expect(rig.json('locales/fr/app.json')).toMatchObject({ hello: 'Salut' });
});

test('without a confirmation nothing is changed', async () => {
  const { rig } = await twoRuns();
  await using _ = rig;
  const current = rig.read('locales/de/app.json');
  expect(await rig.run('undo')).toMatchObject({ code: 2 });
  expect(rig.read('locales/de/app.json')).toBe(current);
});

test('undo restores a file that holds all languages as a whole', async () => {
  const routes =
    '- { from: "data/*.csv", to: "data/{name}.csv", lane: text, columns: { key: id, source: en, header: true, targets: { de: de, fr: fr } } }';
  const source = 'id,en,de,fr\nhello,Hello,,\nbye,Goodbye,,\n';
  await using rig = await Rig.start({
    config: config('', routes),
    files: { 'data/app.csv': source },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.read('data/app.csv')).not.toBe(source);
  expect(await rig.run('undo', '--yes')).toMatchObject({ code: 0 });
  expect(rig.read('data/app.csv')).toBe(source);
  expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
  expect(rig.read('data/app.csv')).toBe(source);
});

test('a running daemon undoes what it wrote since it was last idle, and leaves it so', async () => {
  const files = { 'locales/en/app.json': json({ hello: 'Hello' }) };
  await using rig = await Rig.start({ config: config(), files });
  const daemon = await rig.daemon();
  const deliveries = () => daemon.lines.filter(({ kind }) => kind === 'job-delivered').length;
  await daemon.until(() => deliveries() === 2);
  const de = rig.read('locales/de/app.json');
  rig.write('locales/en/app.json', json({ hello: 'Hello there' }));
  await daemon.until(() => deliveries() === 4);
  expect(await rig.run('undo', '--yes')).toMatchObject({ code: 0 });
  expect(rig.read('locales/de/app.json')).toBe(de);
  // Another file settles after the watch has seen what was put back.
  rig.write('locales/en/other.json', json({ other: 'Other' }));
  await daemon.until(() => deliveries() === 6);
  expect(rig.read('locales/de/app.json')).toBe(de);
  expect(await daemon.stop()).toBe(0);
});

test('after keep.undo, what a run replaced is forgotten', async () => {
  const { rig } = await twoRuns();
  await using _ = rig;
  rig.write(
    'dragoman.yaml',
    rig.read('dragoman.yaml').replace('version: 1', 'version: 1\nkeep: { undo: 1ms }'),
  );
  const daemon = await rig.daemon();
  await daemon.stop();
  expect((await rig.run('undo', '--list')).stdout).toContain('There is no run that wrote files');
});
