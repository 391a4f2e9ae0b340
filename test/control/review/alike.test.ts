/** Texts of a page that say the same: what a person makes of one does not change which text the others belong to. */
import { expect, test } from 'vitest';
import { Rig } from '../../rig.ts';

const CONFIG = `lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  book: { source: en, targets: [de], routes: [{ from: "{locale}.md" }] }
`;
const SOURCES = ['Home', 'Buy now', 'Save all files', 'Quit'];
const page = (texts: readonly string[]) => `${texts.join('\n\n')}\n`;

async function said(rig: Rig) {
  const only = 'missing,stale,held,unreviewed,reviewed,done';
  const { stdout } = await rig.run('review', 'list', '--only', only, '--json');
  const { files } = JSON.parse(stdout) as { files: { texts: { target: string | null }[] }[] };
  return files.flatMap(({ texts }) => texts.map(({ target }) => target));
}

/** As a translator sends it back. */
async function write(rig: Rig, texts: Readonly<Record<string, string | readonly string[]>>) {
  const all = ['--only', 'missing,stale,held,unreviewed,reviewed,done', '--force'];
  await rig.run('review', 'export', ...all, '-o', 'de.csv');
  const rows = rig.read('de.csv').split('\r\n');
  const [head = '', ...body] = rows;
  const names = head.replace('\uFEFF', '').split(',');
  const [source, target] = [names.indexOf('source'), names.indexOf('target')];
  const left = new Map(Object.entries(texts).map(([key, text]) => [key, [text].flat()]));
  const changed = body.map((row) => {
    const cells = row.split(',');
    const all = left.get(cells[source] ?? '');
    const text = all && (all.length > 1 ? all.shift() : all[0]);
    if (text !== undefined) cells[target] = text;
    return cells.join(',');
  });
  rig.write('de.csv', [head, ...changed].join('\r\n'));
  expect(await rig.run('review', 'import', 'de.csv')).toMatchObject({ code: 0 });
}

test('an edit of one of two equal texts changes only that one, and the later one keeps its position', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { 'en.md': page(SOURCES) } });
  await rig.once();
  const [, buy = '', save = ''] = await said(rig);
  await write(rig, { Home: 'Gleich', Quit: 'Gleich' });
  expect(await said(rig)).toEqual(['Gleich', buy, save, 'Gleich']);
  await write(rig, { Home: 'Anders' });
  const paragraphs = rig
    .read('de.md')
    .split('\n\n')
    .map((each) => each.trim());
  expect([paragraphs[0], paragraphs[3]]).toEqual(['Anders', 'Gleich']);
  expect(await said(rig)).toEqual(['Anders', buy, save, 'Gleich']);
  await rig.once();
  expect(await said(rig)).toEqual(['Anders', buy, save, 'Gleich']);
  await rig.run('undo', '--yes');
  expect(await said(rig)).toEqual(['Gleich', buy, save, 'Gleich']);
});

test('when one of two equal translations of one source changes, the lock keeps its statement about the other', async () => {
  const sources = ['Home', 'Buy now', 'Home'];
  await using rig = await Rig.start({ config: CONFIG, files: { 'en.md': page(sources) } });
  await rig.once();
  const before = rig.read('dragoman.lock/book/de').match(/^\S+ \S+ \S+ m.*$/gm) ?? [];
  const rows = await said(rig);
  expect(rows[0]).toBe(rows[2]);
  await rig.run('review', 'export', '--only', 'done', '-o', 'one.csv');
  const csv = rig.read('one.csv');
  rig.write('one.csv', csv.replace(`,Home,${rows[0]},`, ',Home,Anders,'));
  expect(await rig.run('review', 'import', 'one.csv')).toMatchObject({ code: 0 });
  expect(rig.read('dragoman.lock/book/de')).toContain(before[0]);
  expect((await said(rig)).toSorted()).toEqual(['Anders', rows[1], rows[2]].toSorted());
});

test('texts with the same source keep their positions when a person edits any of them, or exchanges two', async () => {
  const sources = ['Home', 'Buy now', 'Home', 'Save all files', 'Home'];
  await using rig = await Rig.start({ config: CONFIG, files: { 'en.md': page(sources) } });
  await rig.once();
  const [, buy = '', , save = ''] = await said(rig);
  const homes = async (...texts: readonly string[]) => {
    await write(rig, { Home: texts });
    const expected = [texts[0], buy, texts[1], save, texts[2]];
    expect(await said(rig)).toEqual(expected);
    await rig.once();
    expect(await said(rig)).toEqual(expected);
    const paragraphs = rig.read('de.md').trim().split('\n\n');
    expect([paragraphs[0], paragraphs[2], paragraphs[4]]).toEqual(texts);
  };
  await homes('Eins', 'Zwei', 'Drei');
  await homes('Neu', 'Zwei', 'Drei');
  await homes('Zwei', 'Neu', 'Drei');
  await homes('Zwei', 'Neu', 'Zwei');
  // A checkout that never saw them knows what the lock says alone.
  rig.remove('.dragoman');
  expect(await said(rig)).toEqual(['Zwei', buy, 'Neu', save, 'Zwei']);
  await homes('Vier', 'Neu', 'Zwei');
  rig.write('en.md', page(['Home', 'Buy now', 'Home', 'Save all files', 'Quit', 'Home']));
  await rig.once();
  const [, , , , quit = ''] = await said(rig);
  expect(await said(rig)).toEqual(['Vier', buy, 'Neu', save, quit, 'Zwei']);
});
