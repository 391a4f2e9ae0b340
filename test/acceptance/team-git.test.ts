/** Changes by git in a work tree while dragoman works on it: unfinished merges, switched branches, files outside of the checkout. */

import { createHash } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { billed, requests } from '../counts.ts';
import { commitAll, git } from '../git.ts';
import { Rig } from '../rig.ts';
import { Checkout, Team } from '../team.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
const conflict = (ours: string, theirs: string) =>
  `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> topic\n`;
const NOTHING_ASKED = { code: 0, requests: 0 };

const LANES = `defaults: { settle_ms: 0 }
projects:
  all:
    source: en
    targets: [de]
    routes: [{ from: "{locale}/*.{json,md,srt,html}" }]`;
const CUE = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`;

test('a source or target with conflict markers waits in every lane, is named with its line, and goes on when it is merged', async () => {
  const sources = {
    'en/a.json': json({ hello: 'Hello' }),
    'en/b.md': 'Good morning.\n',
    'en/c.srt': CUE('Good evening.'),
    'en/d.html': '<p>Good night.</p>\n',
  };
  const { first: a } = await Team.start(LANES, sources);
  const broken = {
    'en/a.json': `{\n${conflict('  "hello": "Hello"\n', '  "hello": "Hi"\n')}}\n`,
    'en/b.md': conflict('Good morning.\n', 'Morning.\n'),
    'en/c.srt': `1\n00:00:01,000 --> 00:00:02,000\n${conflict('Evening.\n', 'Good evening.\n')}`,
    'en/d.html': conflict('<p>Good night.</p>\n', '<p>Night.</p>\n'),
  };
  await a.write(broken);
  const held = await a.run('once');
  expect(held).toMatchObject({ code: 2, requests: 0 });
  for (const name of ['a.json, line 2', 'b.md, line 1', 'c.srt, line 3', 'd.html, line 1']) {
    expect(held.out).toContain(name);
  }
  expect(await a.run('plan')).toMatchObject({
    texts: 0,
    out: expect.stringContaining('conflict markers'),
  });
  await a.write(sources);
  expect(await a.run('once')).toMatchObject({ code: 0 });
  const german = await a.read('de/a.json');
  await a.write({ 'de/a.json': `{\n${conflict('  "hello": "A"\n', '  "hello": "B"\n')}}\n` });
  const target = await a.run('once');
  expect(target).toMatchObject({ code: 2, requests: 0 });
  expect(target.out).toContain('de/a.json, line 2');
  await a.write({ 'de/a.json': german });
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
});

test('a glossary with conflict markers is refused with its line, and nothing is sent to the service', async () => {
  const { first: a } = await Team.start(
    LANES.replace(
      'targets: [de]',
      'targets: [de]\n    glossary: { name: g, csv: "l10n/{locale}.csv" }',
    ),
    { 'en/a.json': json({ cart: 'Cart' }), 'l10n/de.csv': 'cart,Korb\n' },
  );
  await a.write({ 'l10n/de.csv': `home,Start\n${conflict('cart,Korb\n', 'cart,Wagen\n')}` });
  const refused = await a.run('once');
  expect(refused).toMatchObject({ code: 78, requests: 0 });
  expect(refused.out).toContain('l10n/de.csv:2');
});

const APP = `defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/**/*.json" }] }`;

test('files outside of a sparse checkout are not gone; linked work trees and configs below the root work as other checkouts', async () => {
  const { team, first: a } = await Team.start(APP, {
    'en/x/a.json': json({ one: 'One' }),
    'en/y/b.json': json({ two: 'Two' }),
  });
  await a.run('once');
  a.commit('translate');
  const lock = await a.read('dragoman.lock/app/de');
  a.git('sparse-checkout', 'set', '--no-cone', '/*', '!/en/y/', '!/de/y/');
  expect(a.has('en/y/b.json')).toBe(false);
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
  expect(await a.run('lock', '--prune')).toMatchObject(NOTHING_ASKED);
  expect(a.git('status', '--short')).toBe('');
  a.git('sparse-checkout', 'disable');
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
  expect(await a.read('dragoman.lock/app/de')).toBe(lock);

  a.git('worktree', 'add', '--quiet', '-b', 'topic', '../linked');
  const linked = team.at('linked');
  expect(await linked.run('once')).toMatchObject(NOTHING_ASKED);

  const config = (await a.read('dragoman.yaml')).replace('{locale}/**', 'other/{locale}');
  await a.write({
    'packages/second/dragoman.yaml': config,
    'packages/second/other/en/a.json': json({ one: 'One' }),
  });
  const second = team.at('clone-1/packages/second');
  expect(await second.run('once')).toMatchObject({ code: 0, texts: 1 });
  expect(a.has('packages/second/dragoman.lock/app/de')).toBe(true);
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
});

test('a translation that git left out of a sparse checkout is not bought again, nor written over', async () => {
  const { team, first: a } = await Team.start(APP, {
    'en/x/a.json': json({ one: 'One' }),
    'en/y/b.json': json({ two: 'Two' }),
  });
  await a.run('once');
  await a.write({ 'de/y/b.json': json({ two: 'Von einer Person' }) });
  await a.run('once');
  a.commit('translate, and a person writes one');
  const b = await team.clone();
  b.git('sparse-checkout', 'set', '--no-cone', '/*', '!/de/y/');
  for (const [name = '', ...args] of [['plan'], ['once'], ['once', '--frozen']]) {
    const { code, requests, out } = await b.run(name, ...args);
    expect({ name, code, requests }).toEqual({ name, code: 2, requests: 0 });
    expect(out).toContain('git has not checked out de/y/b.json');
  }
  expect((await b.run('check')).out).not.toMatch(/missing|orphaned/);
  await b.write({ 'en/x/a.json': json({ one: 'One more' }) });
  expect(await b.run('once')).toMatchObject({ code: 2, texts: 1 });
  expect(b.has('de/y/b.json')).toBe(false);
  b.git('sparse-checkout', 'disable');
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(await b.read('de/y/b.json')).toContain('Von einer Person');
});

test('a git-LFS pointer counts as its file: translations stay up to date, and the pointer is never sent', async () => {
  const { team, first: a } = await Team.start(LANES, { 'en/d.html': '<p>Good night.</p>\n' });
  await a.run('once');
  a.commit('translate');
  const pointerTo = (text: string) => {
    const oid = createHash('sha256').update(text).digest('hex');
    return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${text.length}\n`;
  };
  const b = await team.clone();
  await b.write({ 'en/d.html': pointerTo('<p>Good night.</p>\n') });
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  await b.write({ 'en/d.html': pointerTo('<p>Another night.</p>\n') });
  const held = await b.run('once');
  expect(held).toMatchObject({ code: 2, requests: 0 });
  expect(held.out).toContain('git lfs pull');
  await b.write({ 'en/d.html': '<p>Another night.</p>\n' });
  expect(await b.run('once')).toMatchObject({ code: 0 });
});

test('git-LFS pointers in the place of texts are named, are never sent, and are no texts of a person', async () => {
  const sources = {
    'en/a.json': json({ hello: 'Hello' }),
    'en/b.md': 'Good morning.\n',
    'en/c.srt': CUE('Good evening.'),
  };
  const { team, first: a } = await Team.start(LANES, sources);
  await a.run('once');
  a.commit('translate');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'1'.repeat(64)}\nsize 9\n`;
  for (const folder of ['en', 'de']) {
    const b = await team.clone();
    const paths = Object.keys(sources).map((path) => path.replace('en/', `${folder}/`));
    await b.write(Object.fromEntries(paths.map((path) => [path, pointer])));
    for (const [name = '', ...args] of [['plan'], ['once', '--frozen'], ['check'], ['once']]) {
      const { code, requests, out } = await b.run(name, ...args);
      expect(requests).toBe(0);
      expect(code).toBe(name === 'check' ? 1 : 2);
      const shown = name === 'once' && args.length === 0 ? paths.slice(0, 1) : paths;
      for (const path of shown) expect(out).toContain(path);
      expect(out).toContain(name === 'check' ? 'only a pointer of git-LFS' : 'git-LFS has not');
      if (name === 'check') expect(out).toContain('3 faults, 0 warnings');
    }
    expect(b.git('status', '--short', 'dragoman.lock')).toBe('');
    b.git('checkout', '--quiet', '.');
    expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  }
});

const withText = (file: string, key: string, text: string) =>
  json({ ...(JSON.parse(file) as Record<string, string>), [key]: text });

test('git merges what two people change, and it is bought once; a conflict that one person decides is decided for all', async () => {
  const { team, first: a } = await Team.start(APP, {
    'en/a.json': json({ one: 'One', two: 'Two', three: 'Three', four: 'Four' }),
  });
  expect(await a.run('once')).toMatchObject({ code: 0, texts: 4 });
  a.commit('translate');
  const b = await team.clone();
  const change = async (who: typeof a, key: string, text: string) => {
    await who.write({ 'en/a.json': withText(await who.read('en/a.json'), key, text) });
    expect(await who.run('once')).toMatchObject({ code: 0, texts: 1 });
  };
  await change(a, 'one', 'One of a');
  a.commit('a');
  await change(b, 'four', 'Four of b');
  b.git('commit', '--quiet', '--all', '--message', 'b');
  b.pull();
  expect(await b.run('once')).toMatchObject(NOTHING_ASKED);
  expect(b.git('status', '--short')).toBe('');
  b.git('push', '--quiet', 'origin', 'HEAD:main');
  a.pull();
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);

  await change(b, 'two', 'Two of b');
  b.commit('b changes two');
  await change(a, 'two', 'Two of a');
  a.git('commit', '--quiet', '--all', '--message', 'a changes two');
  expect(() => a.pull()).toThrow();
  expect(await a.run('once')).toMatchObject({ code: 2, requests: 0 });
  a.git('checkout', '--quiet', '--ours', 'en', 'de');
  const lock = await a.read('dragoman.lock/app/de');
  await a.write({ 'dragoman.lock/app/de': conflict(lock, lock) });
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
  expect(await a.read('dragoman.lock/app/de')).not.toContain('<<<<<<<');
  expect(await a.read('de/a.json')).toBe(a.git('show', 'HEAD:de/a.json'));
  a.commit('merge');

  await a.write({ 'de/a.json': withText(await a.read('de/a.json'), 'three', 'Drei') });
  expect(await a.run('once')).toMatchObject(NOTHING_ASKED);
  a.commit('a person writes three');
  const c = await team.clone();
  await c.write({ 'en/a.json': withText(await c.read('en/a.json'), 'three', 'Three!') });
  expect(await c.run('once')).toMatchObject({ code: 2, requests: 0 });
  expect((await c.run('status')).out).toMatch(/new source +Three!\n +human +Drei/);
  c.commit('the source of a person\u2019s text changes');
  const d = await team.clone();
  expect(await d.run('once')).toMatchObject({ code: 2, requests: 0 });
  expect(await c.run('resolve', 'de/a.json', '--human')).toMatchObject({ code: 0 });
  expect(await c.run('once')).toMatchObject(NOTHING_ASKED);
  c.commit('decided');
  d.git('checkout', '--quiet', '.');
  d.pull();
  expect(await d.run('once')).toMatchObject(NOTHING_ASKED);
  expect(d.git('status', '--short')).toBe('');
});

test('a daemon takes note of a conflict that a colleague decided when the lock with it is pulled', async () => {
  const config = `lock: dragoman.lock\n${APP}`;
  await using rig = await Rig.start({ config, files: { 'en/a.json': json({ one: 'One' }) } });
  await rig.run('once');
  rig.write('de/a.json', json({ one: 'Eins' }));
  await rig.run('once');
  rig.write('en/a.json', json({ one: 'One!' }));
  expect((await rig.once()).held).toHaveLength(1);
  const colleague = new Checkout(await temporaryFolder(), {
    sandbox: rig.sandbox,
    clock: systemClock,
  });
  await cp(rig.root, colleague.root, { recursive: true });
  await colleague.run('resolve', 'de/a.json', '--human');
  expect(await colleague.run('once')).toMatchObject(NOTHING_ASKED);
  const daemon = await rig.daemon('--verbose');
  const bought = billed(rig);
  rig.write('dragoman.lock/app/de', await colleague.read('dragoman.lock/app/de'));
  await daemon.until(() => daemon.lines.some(({ kind }) => kind === 'job-delivered'));
  expect((await rig.run('status')).stdout).toContain('0 held');
  expect(billed(rig)).toBe(bought);
  expect(JSON.parse(rig.read('de/a.json'))).toEqual({ one: 'Eins' });
  await daemon.stop();
});

test('a daemon buys nothing twice while branches are switched, and nothing at all during a rebase', async () => {
  const config = `lock: dragoman.lock\n${APP.replace('settle_ms: 0', 'settle_ms: 50')}`;
  await using rig = await Rig.start({ config, files: { 'en/a.json': json({ one: 'One' }) } });
  rig.write('.gitignore', '.dragoman/\n');
  await rig.run('once');
  commitAll(rig.root, 'main');
  git(rig.root, 'checkout', '--quiet', '-b', 'topic');
  const daemon = await rig.daemon('--verbose');
  const delivered = () => daemon.lines.filter(({ kind }) => kind === 'job-delivered').length;
  // It is written behind the target: git refuses to leave a branch while it differs from the commit.
  const lock = () => rig.read('dragoman.lock/app/de');
  const first = lock();
  rig.write('en/a.json', json({ one: 'One', two: 'Two' }));
  await daemon.until(() => delivered() === 1);
  await expect.poll(lock).not.toBe(first);
  commitAll(rig.root, 'topic');
  const bought = billed(rig);
  git(rig.root, 'checkout', '--quiet', 'main');
  await daemon.until(() => delivered() >= 2);
  git(rig.root, 'checkout', '--quiet', 'topic');
  await daemon.until(() => delivered() >= 3);
  expect(billed(rig)).toBe(bought);

  git(rig.root, 'checkout', '--quiet', 'main');
  await daemon.until(() => delivered() >= 4);
  const onMain = lock();
  rig.write('en/a.json', json({ one: 'Eins' }));
  await daemon.until(() => delivered() >= 5);
  await expect.poll(lock).not.toBe(onMain);
  git(rig.root, 'commit', '--quiet', '--all', '--message', 'same lines');
  expect(() => git(rig.root, 'rebase', 'topic')).toThrow('could not apply');
  const before = requests(rig, 'POST /v2/translate');
  const queued = () => daemon.lines.filter(({ kind }) => kind === 'job-queued').length;
  const since = queued();
  rig.write('en/new.json', json({ other: 'Another text' }));
  await daemon.until(() => queued() > since);
  expect((await rig.run('status')).stdout).toContain('rebase under way');
  expect(requests(rig, 'POST /v2/translate')).toBe(before);
  git(rig.root, 'rebase', '--abort');
  await daemon.until(() => rig.exists('de/new.json'));
  await daemon.stop();
  expect(rig.read('dragoman.lock/app/de')).toContain('# en/new.json');
});

test.each(['merge', 'diff3', 'zdiff3'])(
  'conflict markers of git in the style %s are named with their lines by check, never sent, and ignored in the lock',
  async (style) => {
    const english = (text: string) => ({
      'en/a.json': `{\n  "one": "${text} here"\n}\n`,
      'en/b.md': `Stays so.\n\n${text} there.\n`,
      'en/c.srt': `1\n00:00:01,000 --> 00:00:02,000\n${text} above.\n`,
      'en/d.html': `<p>${text} below.</p>\n`,
    });
    const names = ['a.json', 'b.md', 'c.srt', 'd.html'];
    const routes = `routes: [{ from: "{locale}/*.{json,md,srt,html}" }]`;
    const { team, first: a } = await Team.start(
      `defaults: { settle_ms: 0 }\nprojects:\n  app: { source: en, targets: [de], ${routes} }`,
      english('First'),
    );
    await a.run('once');
    a.commit('translate');
    const b = await team.clone('--config', `merge.conflictStyle=${style}`);
    await b.write({ '.git/info/attributes': 'dragoman.lock/** merge=text\n' });
    await a.write(english('Second'));
    await a.run('once');
    a.commit('a');
    await b.write(english('Third'));
    await b.run('once');
    b.git('commit', '--quiet', '--all', '--message', 'b');
    expect(() => b.pull()).toThrow();
    const checked = await b.run('check');
    expect(checked).toMatchObject({ code: 1, requests: 0 });
    const lines = checked.out.split('\n').filter((line) => line.includes('conflict markers'));
    for (const path of names.flatMap((name) => [`en/${name}:`, `de/${name}:`])) {
      expect(lines.some((line) => line.startsWith(path))).toBe(true);
    }
    expect(await b.run('once')).toMatchObject({ code: 2, requests: 0 });
    for (const path of names) {
      b.git('checkout', '--quiet', '--theirs', `en/${path}`);
      b.git('checkout', '--quiet', '--ours', `de/${path}`);
    }
    expect(await b.run('once')).toMatchObject({ code: 0, requests: 0 });
    expect(await b.read('dragoman.lock/app/de')).not.toMatch(/^[<>=|]{7}/m);
    expect(await b.run('check')).toMatchObject({ code: 0 });
  },
);
