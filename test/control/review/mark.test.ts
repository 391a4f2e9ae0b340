/** Reviews in a team: which texts wait for a person, and what the lock says when one has looked at them. */
import { expect, test } from 'vitest';
import { Team } from '../../team.ts';

const EN = 'locales/en.json';
const DE = 'locales/de.json';
const LOCK = 'dragoman.lock/app/de';

const project = (more = '', policies = '') => `defaults: { settle_ms: 0${policies} }
projects:
  app:
    source: en
    targets: [de, fr]
${more}    routes: [{ from: "locales/{locale}.json" }]`;

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
const TEXTS = { hello: 'Hello', bye: 'Goodbye', save: 'Save all files' };

const WANT = ', review: { want: [machine], languages: [de] }';

test('new texts of the machine wait for a reviewer where the config says so, and marks are kept through runs', async () => {
  const { first } = await Team.start(project('', WANT), { [EN]: json(TEXTS) });
  expect(await first.run('once')).toMatchObject({ code: 0, texts: 6 });
  const lock = await first.read(LOCK);
  expect(lock.match(/ m\?$/gm)).toHaveLength(3);
  expect(await first.read('dragoman.lock/app/fr')).not.toContain('?');
  const listed = await first.run('review', 'list', '--language', 'de');
  expect(listed).toMatchObject({ code: 0, requests: 0 });
  expect(listed.out).toMatch(/^locales\/de\.json hello \(unreviewed\): Hello -> /m);
  expect(listed.out).toContain('3 unreviewed.');

  const marked = await first.run('review', 'mark', DE, 'hello', '--reviewed');
  expect(marked).toMatchObject({ code: 0, requests: 0, out: '1 text marked.' });
  expect((await first.read(LOCK)).match(/ m\+$/gm)).toHaveLength(1);
  expect(await first.run('review', 'mark', DE, '--reviewed')).toMatchObject({
    out: '2 texts marked, 1 had the mark already.',
  });
  const reviewed = await first.read(LOCK);
  expect(await first.run('once')).toMatchObject({ code: 0, requests: 0 });
  expect(await first.run('lock')).toMatchObject({ code: 0, requests: 0 });
  expect(await first.read(LOCK)).toBe(reviewed);

  await first.write({ [EN]: json({ ...TEXTS, hello: 'Hello you' }) });
  // A reviewed text is a person's: its new source is a conflict, and nothing of theirs is replaced.
  expect((await first.run('once', '--frozen', '--language', 'de')).code).toBe(2);
  expect((await first.run('review', 'list', '--language', 'de')).out).toContain('hello (stale)');
  expect((await first.run('status')).out).toContain('review: app de: 1 stale, 2 reviewed.');
});

test('a text that is marked as wanted waits again, and what is missing or stale cannot be reviewed', async () => {
  const { first } = await Team.start(project(), { [EN]: json(TEXTS) });
  await first.run('once');
  expect(await first.read(LOCK)).not.toMatch(/[?+]$/m);
  await first.run('review', 'mark', EN, 'bye', '--reviewed', '--language', 'de');
  await first.run('review', 'mark', EN, 'bye', '--wanted');
  expect((await first.read(LOCK)).match(/ m\?$/gm)).toHaveLength(1);
  expect((await first.read('dragoman.lock/app/fr')).match(/ m\?$/gm)).toHaveLength(1);
  await first.run('once');
  expect((await first.read(LOCK)).match(/ m\?$/gm)).toHaveLength(1);

  await first.write({ [EN]: json({ ...TEXTS, save: 'Save', more: 'More files' }) });
  const refused = await first.run('review', 'mark', DE, 'save', '--reviewed');
  expect(refused.code).toBe(1);
  expect(refused.out).toContain('save: its source changed since it was translated');
  expect((await first.run('review', 'mark', DE, 'more', '--reviewed')).out).toContain(
    'it is not translated yet',
  );
  const unknown = await first.run('review', 'mark', DE, 'helo', '--reviewed');
  expect(unknown).toMatchObject({ code: 1 });
  expect(unknown.out).toContain(`no translated text in ${DE} named helo; did you mean "hello"?`);
});

test('mark and a frozen run say that a text is stale only by its note', async () => {
  const rules = (note: string) =>
    `, keys: { notes: { hello: "${note}" } }, retranslate_on: [source, notes] }]`;
  const config = project().replace(' }]', rules('a greeting'));
  const { first } = await Team.start(config, { [EN]: json(TEXTS) });
  await first.run('once');
  const changed = (await first.read('dragoman.yaml')).replace('a greeting', 'a button');
  await first.write({ 'dragoman.yaml': changed });
  const because = 'its note changed since it was translated';
  const refused = await first.run('review', 'mark', DE, 'hello', '--reviewed');
  expect(refused.out).toContain(`hello: ${because}`);
  const frozen = await first.run('once', '--frozen', '--language', 'de');
  expect(frozen.out).toContain('-> de: recipe changed');
  expect(frozen.out).toContain(`stale, ${because}: hello`);
});

test('an edit by hand that is marked as reviewed is a reviewed text of a person before any run has read it', async () => {
  const { team, first } = await Team.start(project(), { [EN]: json(TEXTS) });
  await first.run('once');
  first.commit('translate');
  const german = JSON.parse(await first.read(DE)) as typeof TEXTS;
  await first.write({ [DE]: json({ ...german, hello: 'Guten Tag' }) });
  expect(await first.run('review', 'mark', DE, 'hello', '--reviewed')).toMatchObject({ code: 0 });
  expect((await first.read(LOCK)).match(/ h\+$/gm)).toHaveLength(1);
  // What this machine remembers of the old text does not take it away.
  await first.run('lock');
  expect((await first.read(LOCK)).match(/ h\+$/gm)).toHaveLength(1);
  first.commit('review');
  const other = await team.clone();
  expect(await other.run('once')).toMatchObject({ code: 0, requests: 0 });
  expect((await other.read(LOCK)).match(/ h\+$/gm)).toHaveLength(1);
  expect((await other.run('review', 'list', '--only', 'reviewed')).out).toContain(
    'hello (reviewed): Hello -> Guten Tag',
  );
});

test('unreviewed texts end check, a run and a frozen run with 2 where the config holds them, and print a line where it warns', async () => {
  const hold = `${WANT}, checks: { unreviewed: hold }`;
  const { first } = await Team.start(project('', hold), { [EN]: json(TEXTS) });
  const run = await first.run('once');
  expect(run.code).toBe(2);
  expect(run.out).toContain('3 texts not reviewed (de): "dragoman review list" names them');
  expect((await first.run('once', '--frozen')).code).toBe(2);
  const check = await first.run('check');
  expect(check.code).toBe(2);
  expect(check.out).toContain('3 texts not reviewed: hello, bye, save');
  await first.run('review', 'mark', DE, '--reviewed');
  for (const args of [['once'], ['once', '--frozen'], ['check']] as const) {
    expect((await first.run(...(args as [string]))).code).toBe(0);
  }

  const config = await first.read('dragoman.yaml');
  await first.write({ 'dragoman.yaml': config.replace('unreviewed: hold', 'unreviewed: warn') });
  await first.run('review', 'mark', DE, 'hello', '--wanted');
  const warned = await first.run('once');
  expect(warned.code).toBe(0);
  expect(warned.out).toContain('1 text not reviewed (de)');
});

test('a config that wants reviews without a lock, or in a language that is none, is refused by name', async () => {
  const { first } = await Team.start(project('    review: { languages: [ja, xx] }\n'), {
    [EN]: json(TEXTS),
  });
  const refused = await first.run('check');
  expect(refused.code).toBe(78);
  expect(refused.out).toContain('ja is no target of this project');
  expect(refused.out).toContain('"xx" is no language code');
  const config = await first.read('dragoman.yaml');
  const without = config
    .replace('lock: dragoman.lock\n', '')
    .replace('languages: [ja, xx]', 'want: [machine]');
  await first.write({ 'dragoman.yaml': without });
  expect((await first.run('check')).out).toContain('add "lock: dragoman.lock" to the config');
  await first.write({ 'dragoman.yaml': without.replace('    review: { want: [machine] }\n', '') });
  expect(await first.run('review', 'list')).toMatchObject({ code: 78 });
});

test('checks.unreviewed of one route counts for its texts alone, in check, a run and a frozen run', async () => {
  const routes = (page: string, app: string) =>
    `defaults: { settle_ms: 0${WANT}, checks: { unreviewed: ${app} } }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}.json" }
      - { from: "page/{locale}.json", checks: { unreviewed: ${page} } }`;
  const { first } = await Team.start(routes('hold', 'off'), {
    [EN]: json(TEXTS),
    'page/en.json': json({ title: 'A page' }),
  });
  const codes = async () => {
    const ended = [];
    for (const args of [['once'], ['once', '--frozen'], ['check']])
      ended.push(await first.run(...args));
    return ended.map(({ code, out }) => [code, /(\d+) texts? not reviewed/.exec(out)?.[1]]);
  };
  expect(await codes()).toEqual([
    [2, '1'],
    [2, '1'],
    [2, '1'],
  ]);
  const config = await first.read('dragoman.yaml');
  const reviews = async () => JSON.parse((await first.run('status', '--json')).out).review;
  expect(await reviews()).toMatchObject([{ check: 'hold', counts: { unreviewed: 4 }, asked: 1 }]);
  await first.write({
    'dragoman.yaml': config.replace('unreviewed: off', 'unreviewed: warn').replace('hold', 'off'),
  });
  expect(await codes()).toEqual([
    [0, '3'],
    [0, '3'],
    [0, '3'],
  ]);
  expect(await reviews()).toMatchObject([{ check: 'warn', counts: { unreviewed: 4 }, asked: 3 }]);
});
