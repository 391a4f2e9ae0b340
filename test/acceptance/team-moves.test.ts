/** Sources that were moved, and checkouts that never saw them at their old places. */
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { daemonHere } from '../daemon-here.ts';
import { Rig } from '../rig.ts';
import { type Checkout, Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "{locale}/**/*.{json,md,srt,html}" }]`;
const LOCK = 'dragoman.lock/app/de';
const NOTHING_ASKED = { code: 0, requests: 0 };
const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
const cue = (nth: number, text: string) =>
  `${nth}\n00:00:0${nth},000 --> 00:00:0${nth},900\n${text}\n`;

const english = (end: string) => ({
  'a.json': json({ hello: `Hello${end}`, save: 'Save', more: 'More words of it' }),
  'b.md': `A page of words${end}\n\nMore words.\n\nAnd the last ones.\n`,
  'c.srt': [cue(1, `A cue of words${end}`), cue(2, 'The second cue.')].join('\n'),
  'd.html': '<p>Good night</p>\n',
});
const NAMES = Object.keys(english('.'));
const at = (folder: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));

/** A repository in which a person wrote one text of each file that has texts. */
async function translated(): Promise<{ team: Team; first: Checkout }> {
  const { team, first } = await Team.start(PROJECT, at('en', english('.')));
  await first.run('once');
  const { more } = JSON.parse(await first.read('de/a.json')) as Record<string, string>;
  await first.write({
    'de/a.json': json({ hello: 'Servus', save: 'Sichern', more: more ?? '' }),
    'de/b.md': (await first.read('de/b.md')).replace(/\n\n.*\n\n/, '\n\nMehr Worte.\n\n'),
  });
  expect(await first.run('once')).toMatchObject(NOTHING_ASKED);
  first.commit('translate, and a person writes two texts');
  return { team, first };
}

async function move(checkout: Checkout, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await checkout.write({ [`${folder}/new/x`]: '' });
    for (const name of NAMES) checkout.git('mv', `${folder}/${name}`, `${folder}/new/${name}`);
    await checkout.remove(`${folder}/new/x`);
  }
}

const targets = async (checkout: Checkout, folder: string) =>
  await Promise.all(NAMES.map((name) => checkout.read(`${folder}/${name}`)));

test.each([
  { moved: ['en', 'de'], how: 'sources and targets' },
  { moved: ['en'], how: 'sources alone' },
])(
  'moved files cost nothing in a fresh clone, and the texts of a person stay theirs ($how)',
  async ({ moved }) => {
    const { team, first } = await translated();
    const before = await targets(first, 'de');
    await move(first, moved);
    first.commit('move, without dragoman');
    const clone = await team.clone();
    const pruned = await team.clone();
    expect(await clone.run('plan')).toMatchObject({
      requests: 0,
      out: expect.stringMatching(
        moved.length === 2
          ? /^Nothing to do: 4 targets are up to date\.$/mu
          : /, 0 characters to be billed/u,
      ),
    });
    expect(await clone.run('once')).toMatchObject(NOTHING_ASKED);
    expect(await targets(clone, 'de/new')).toEqual(before);
    const lock = await clone.read(LOCK);
    expect(lock).not.toContain('# en/a.json');
    expect(lock.match(/ h$/gm)).toHaveLength(3);
    expect(lock).not.toContain('a?');
    expect(await clone.run('once')).toMatchObject(NOTHING_ASKED);

    await pruned.run('lock', '--prune');
    expect(await pruned.run('once')).toMatchObject(NOTHING_ASKED);
    expect((await pruned.read(LOCK)).match(/ h$/gm)).toHaveLength(3);
  },
);

test('after files were moved and edited, a fresh clone names and buys only the changed texts, and keeps those of a person', async () => {
  const { team, first } = await translated();
  await move(first, ['en', 'de']);
  await first.write(at('en/new', english('!')));
  first.commit('move and edit, without dragoman');
  const clone = await team.clone();
  const checked = await clone.run('check');
  expect(checked).toMatchObject({ code: 1 });
  expect(checked.out).toContain('stale');
  const frozen = await clone.run('once', '--frozen');
  expect(frozen).toMatchObject({ code: 1, requests: 0 });
  expect(frozen.out).toContain('en/new/b.md:1: stale: A page of words!');
  await clone.run('lock', '--prune');
  const since = clone.texts().length;
  expect(await clone.run('once')).toMatchObject({ code: 2 });
  expect(clone.texts().slice(since).toSorted()).toEqual(['A cue of words!', 'A page of words!']);
  expect(JSON.parse(await clone.read('de/new/a.json'))).toMatchObject({ hello: 'Servus' });
  expect(await clone.read('de/new/b.md')).toContain('Mehr Worte.');

  // The conflict is one in the next clone as well.
  clone.commit('buy what changed');
  const next = await team.clone();
  expect(await next.run('once')).toMatchObject({ code: 2, texts: 0 });
  const { conflicts } = JSON.parse((await next.run('status', '--json')).out);
  expect(conflicts).toMatchObject([{ key: 'hello', human: 'Servus' }]);
  expect(JSON.parse(await next.read('de/new/a.json'))).toMatchObject({ hello: 'Servus' });
});

test.each([
  { moved: ['en', 'de'], how: 'sources and targets' },
  { moved: ['en'], how: 'sources alone' },
])(
  'a checkout that knows the moved sources moves their lines of the lock ($how)',
  async ({ moved }) => {
    const { team, first } = await translated();
    const before = await first.read(LOCK);
    await move(first, moved);
    expect(await first.run('once')).toMatchObject(NOTHING_ASKED);
    const lock = await first.read(LOCK);
    expect(lock.match(/ h$/gm)).toHaveLength(before.match(/ h$/gm)?.length ?? 0);
    expect(lock).not.toContain('# en/a.json');
    first.commit('move');
    const clone = await team.clone();
    expect(await clone.run('once')).toMatchObject(NOTHING_ASKED);
    expect(clone.git('status', '--short')).toBe('');
  },
);

test.each(['moved', 'edited'])(
  'when one person moves files and another edits them, a merge by the one who %s them costs nothing',
  async (by) => {
    const { team, first: mover } = await translated();
    const editor = await team.clone();
    await editor.run('once');
    const edited = english('!');
    await editor.write({
      ...at('en', { ...edited, 'd.html': '<p>Good morning</p>\n' }),
      'en/a.json': json({ hello: 'Hello.', save: 'Save', more: 'Many more words' }),
    });
    expect(await editor.run('once')).toMatchObject({ code: 0, texts: 4 });
    await move(mover, ['en', 'de']);
    expect(await mover.run('once')).toMatchObject(NOTHING_ASKED);
    const [one, other] = by === 'moved' ? [editor, mover] : [mover, editor];
    one.commit('one side');
    other.git('add', '--all');
    other.git('commit', '--quiet', '--message', 'other side');
    other.pull();
    expect(await other.run('once')).toMatchObject(NOTHING_ASKED);
    const [texts = '', page = '', , letter = ''] = await targets(other, 'de/new');
    expect(JSON.parse(texts)).toMatchObject({ hello: 'Servus', save: 'Sichern' });
    expect(page).toContain('Mehr Worte.');
    expect(letter).not.toBe(await readThen(mover, 'de/d.html'));
    other.commit('merge');
    const clone = await team.clone();
    expect(await clone.run('once')).toMatchObject(NOTHING_ASKED);
    expect(clone.git('status', '--short')).toBe('');
  },
);

test('in a fresh clone, a text stays the person’s when its key was renamed in both files without dragoman, also when its source changes', async () => {
  const { team, first } = await translated();
  for (const path of ['en/a.json', 'de/a.json']) {
    const text = await first.read(path);
    await first.write({ [path]: text.replace('"save"', '"keep"').replace('"more"', '"rest"') });
  }
  first.commit('rename two keys');
  const clone = await team.clone();
  expect(await clone.run('once')).toMatchObject(NOTHING_ASKED);
  expect((await clone.read(LOCK)).match(/ a\??$/gm)).toBeNull();
  clone.commit('the lock follows');
  const next = await team.clone();
  const changed = { hello: 'Hello.', keep: 'Keep all', rest: 'More words than before' };
  await next.write({ 'en/a.json': json(changed) });
  expect(await next.run('once')).toMatchObject({ code: 2, texts: 1 });
  expect(JSON.parse(await next.read('de/a.json'))).toMatchObject({ keep: 'Sichern' });
});

/** A file as the first commits left it. */
async function readThen(checkout: Checkout, path: string): Promise<string> {
  const [first = ''] = checkout.git('rev-list', 'HEAD', '--', path).trim().split('\n').slice(-1);
  return checkout.git('show', `${first}:${path}`);
}

test('a daemon moves the lines of the lock with the targets of a source that was moved alone', async () => {
  const text = json({ hello: 'Hello' });
  await using rig = await Rig.start({
    config: `lock: dragoman.lock\n${PROJECT}`,
    files: { 'en/a.json': text, 'en/b.json': text },
  });
  const { daemon } = await daemonHere(rig);
  await using _ = daemon;
  const ending = new AbortController();
  const running = daemon.run({ drain: ending.signal, abort: new AbortController().signal });
  const lock = () => (existsSync(join(rig.root, LOCK)) ? rig.read(LOCK) : '');
  await expect.poll(lock).toContain('# en/a.json');
  await rename(join(rig.root, 'en/a.json'), join(rig.root, 'en/c.json'));
  await expect.poll(lock).toContain('# en/c.json');
  await expect.poll(lock).not.toContain('# en/a.json');
  ending.abort(new Error('the test ends'));
  await running;
});
