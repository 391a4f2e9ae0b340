/** A merge in which a person took whole files of one side: with either side, the texts belong to the sources that are there. */
import { cp } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { silence } from '../lanes/voice/voice-rig.ts';
import { type Checkout, Team } from '../team.ts';

const SIDES = ['ours', 'theirs'] as const;
const LOCKS = [...SIDES, 'both'] as const;
type Side = (typeof SIDES)[number];

/** A project for each side that the lock is taken from: it has a file for each project. */
const PROJECTS = `defaults: { settle_ms: 0 }
projects:
${LOCKS.map(
  (lock) => `  ${lock}:
    source: en
    targets: [de]
    routes: [{ from: "${lock}/*/{locale}/*.{json,md,srt}" }]`,
).join('\n')}`;

const COMBINATIONS = LOCKS.flatMap((lock) =>
  SIDES.flatMap((source) =>
    SIDES.map((target) => ({ lock, source, target, at: `${lock}/${source}-${target}` })),
  ),
);
const NAMES = ['a.json', 'b.md', 'c.srt'];

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;

function sources(text: string): Record<string, string> {
  return Object.fromEntries(
    COMBINATIONS.flatMap(({ at }) => [
      [`${at}/en/a.json`, json({ hello: `${text} in ${at}`, same: 'Stays' })],
      [`${at}/en/b.md`, `Stays so.\n\n${text} on ${at}\n\nEnds so.\n`],
      [`${at}/en/c.srt`, `1\n00:00:01,000 --> 00:00:02,000\n${text} at ${at}\n`],
    ]),
  );
}

async function targetsOf(checkout: Checkout): Promise<Record<string, string>> {
  const paths = COMBINATIONS.flatMap(({ at }) => NAMES.map((name) => `${at}/de/${name}`));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await checkout.read(path)] as const)),
  );
}

async function takeSides(x: Checkout): Promise<void> {
  expect(() => x.pull()).toThrow();
  for (const side of SIDES) {
    const taken = COMBINATIONS.flatMap(({ at, source, target }) => [
      ...(source === side ? [`${at}/en`] : []),
      ...(target === side ? [`${at}/de`] : []),
    ]);
    x.git('checkout', '--quiet', `--${side}`, ...taken);
  }
  for (const [lock, commit] of [
    ['ours', 'HEAD'],
    ['theirs', 'MERGE_HEAD'],
  ] as const) {
    const path = `dragoman.lock/${lock}/de`;
    await x.write({ [path]: x.git('show', `${commit}:${path}`) });
  }
}

/** `every`: two of them differ in all, so that other commands need not look at the rest as well. */
const ENDINGS = [
  { state: 'own', end: 'merging', commands: 'every' },
  { state: 'own', end: 'committed', commands: 'once' },
  { state: 'fresh', end: 'merging', commands: 'once' },
  { state: 'fresh', end: 'committed', commands: 'every' },
] as const;

test('after a merge that took sources, targets and lock from any side, the targets translate the present sources, and no text is bought again', async () => {
  const { team, first: a } = await Team.start(PROJECTS, sources('The text of the beginning'));
  await a.run('once');
  a.commit('translate');
  const b = await team.clone();
  await b.write(sources('A text of the other one'));
  await b.run('once');
  b.commit('b');
  await a.write(sources('A text of our own'));
  await a.run('once');
  a.git('commit', '--quiet', '--all', '--message', 'a');
  const sides: Record<Side, Record<string, string>> = {
    ours: await targetsOf(a),
    theirs: await targetsOf(b),
  };
  const wanted = Object.fromEntries(
    COMBINATIONS.flatMap(({ at, source }) =>
      NAMES.map((name) => `${at}/de/${name}`).map((path) => [path, sides[source][path]]),
    ),
  );
  await takeSides(a);
  for (const { state, end, commands } of ENDINGS) {
    const x = team.at(`${state}-${end}`);
    await cp(a.root, x.root, { recursive: true });
    if (state === 'fresh') await x.remove('.dragoman');
    if (end === 'committed') x.git('commit', '--quiet', '--all', '--message', 'merge');
    const isEvery = commands === 'every';
    if (isEvery) {
      expect(await x.run('once', '--frozen'), x.root).toMatchObject({ code: 1, requests: 0 });
    }
    await expectSettled(x, wanted);
    if (isEvery) expect(await x.run('check'), x.root).toMatchObject({ code: 0 });
  }
});

async function expectSettled(x: Checkout, wanted: Record<string, unknown>): Promise<void> {
  const before = x.texts().length;
  expect(await x.run('once'), x.root).toMatchObject({ code: 0 });
  expect(await targetsOf(x), x.root).toEqual(wanted);
  expect(x.texts().slice(before), x.root).toEqual([]);
  expect(await x.run('once'), x.root).toMatchObject({ code: 0, requests: 0 });
}

const APP = `defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}.json" }] }`;
const LOCK = 'dragoman.lock/app/de';

test('a translation that was not committed with its lock is stale elsewhere, and one that a person put back by hand stays', async () => {
  const { team, first: a } = await Team.start(APP, { 'en.json': json({ one: 'First' }) });
  await a.run('once');
  a.commit('translate');
  const old = await a.read('de.json');
  await a.write({ 'en.json': json({ one: 'Second' }) });
  await a.run('once');
  const next = await a.read('de.json');
  await a.write({ 'de.json': old });
  a.commit('source and lock, and not the translation');
  const b = await team.clone();
  expect(await b.run('once', '--frozen')).toMatchObject({
    code: 1,
    out: expect.stringContaining('stale'),
  });
  expect(await b.run('once')).toMatchObject({ code: 0, texts: 1 });
  expect(await b.read('de.json')).toBe(next);

  b.commit('the translation');
  await b.write({ 'de.json': old });
  b.commit('a person puts the older one back');
  const c = await team.clone();
  expect(await c.run('once')).toMatchObject({ code: 0, requests: 0 });
  expect(await c.read('de.json')).toBe(old);
  expect(await c.read(LOCK)).toMatch(/ h$/m);
});

test('a translation of a person from one branch and a source from another are a conflict that shows both sources and the commit', async () => {
  const { team, first: a } = await Team.start(APP, { 'en.json': json({ one: 'First' }) });
  await a.run('once');
  a.commit('translate');
  const b = await team.clone();
  await b.write({ 'de.json': json({ one: 'Erstens' }) });
  b.git('commit', '--quiet', '--all', '--message', 'a person');
  const commit = b.git('rev-parse', 'HEAD').slice(0, 10);
  await a.write({ 'en.json': json({ one: 'Second' }) });
  await a.run('once');
  a.commit('machine');
  expect(() => b.pull()).toThrow();
  b.git('checkout', '--quiet', '--ours', 'de.json');
  await b.write({ [LOCK]: b.git('show', `MERGE_HEAD:${LOCK}`) });
  const made = JSON.parse(await a.read('de.json')).one;
  b.commit('merge');
  const c = await team.clone();
  // The paid text of the other side is offered, also if the text of a conflict would be bought at once.
  for (const x of [b, c]) expect(await x.run('once')).toMatchObject({ code: 2, requests: 0 });
  expect(JSON.parse(await c.read('de.json'))).toEqual({ one: 'Erstens' });
  const { conflicts } = JSON.parse((await c.run('status', '--json')).out);
  const note = expect.stringContaining(commit);
  expect(conflicts).toMatchObject([
    { old_source: 'First', new_source: 'Second', human: 'Erstens', machine: made, note },
  ]);
  // Who does not choose yet sees all four texts, and where they come from; later runs know it too.
  const paid = a.git('rev-parse', 'HEAD').slice(0, 10);
  expect(await c.run('once')).toMatchObject({ code: 2, requests: 0 });
  const shown = await c.run('resolve', 'de.json');
  expect(shown).toMatchObject({ code: 64, requests: 0 });
  for (const line of [
    `old source  First (from commit ${commit})`,
    'new source  Second',
    'human       Erstens (from the present translation, in the lock)',
    `machine     ${made} (from commit ${paid})`,
    'add one of --human, --machine, --edit',
  ]) {
    expect(shown.out).toContain(line);
  }
});

const LANES = APP.replace('{locale}.json', '{locale}/*.{json,md,srt,html}');
const english = (text: string) => ({
  'en/a.json': json({ one: `${text} here` }),
  'en/b.md': `${text} there.\n\nThe end.\n`,
  'en/c.srt': `1\n00:00:01,000 --> 00:00:02,000\n${text} above\n`,
  'en/d.html': `<p>${text} below</p>\n`,
});

test('a lock that is pulled later decides about texts that a checkout only found beside their sources', async () => {
  const { team, first: a } = await Team.start(LANES, english('First'));
  await a.run('once');
  const lock = await a.read(LOCK);
  await a.write(english('Second'));
  a.git('add', '--all', '.', ':!dragoman.lock');
  a.git('commit', '--quiet', '--message', 'no lock yet, and other sources');
  a.git('push', '--quiet', 'origin', 'HEAD:main');
  const b = await team.clone();
  expect(await b.run('once')).toMatchObject({ code: 0, requests: 0 });
  const frozen = async () => await b.run('once', '--frozen');
  expect(await frozen()).toMatchObject({ code: 0 });
  await b.write({ [LOCK]: lock });
  const told = await frozen();
  expect(told).toMatchObject({ code: 1, requests: 0 });
  for (const name of ['a.json', 'b.md', 'c.srt', 'd.html']) expect(told.out).toContain(name);
  // A command that only brings the lock up to date does not overwrite its statements.
  await b.run('lock');
  expect(await frozen()).toMatchObject({ code: 1, requests: 0 });
  expect((await b.run('plan')).out).toContain('4 jobs');
  expect(await b.run('once')).toMatchObject({ code: 0, texts: 4 });
  expect(await frozen()).toMatchObject({ code: 0, requests: 0 });
  expect(await b.run('once')).toMatchObject({ code: 0, requests: 0 });
});

test('a conflict that a colleague decided is gone for every command as soon as the lock is pulled', async () => {
  const { team, first: a } = await Team.start(APP, { 'en.json': json({ one: 'First' }) });
  await a.run('once');
  await a.write({ 'de.json': json({ one: 'Erstens' }) });
  await a.run('once');
  await a.write({ 'en.json': json({ one: 'Second' }) });
  a.commit('a person writes, and the source changes');
  const b = await team.clone();
  expect(await b.run('once')).toMatchObject({ code: 2 });
  await a.run('once');
  await a.run('resolve', 'de.json', '--human');
  await a.run('once');
  a.commit('decided');
  b.git('checkout', '--quiet', '.');
  b.pull();
  expect(await b.run('once', '--frozen')).toMatchObject({ code: 0, requests: 0 });
  expect((await b.run('plan')).out).not.toContain('edited by a person');
  expect(await b.run('once')).toMatchObject({ code: 0, requests: 0 });
});

test('a whole document that another side of a merge has for its source is used and not bought again', async () => {
  const pages = APP.replace('{locale}.json', '{locale}/*.html');
  const { team, first: a } = await Team.start(pages, { 'en/d.html': '<p>One</p>\n' });
  await a.run('once');
  a.commit('translate');
  const b = await team.clone();
  await b.write({ 'en/d.html': '<p>Two of b</p>\n' });
  await b.run('once');
  const german = await b.read('de/d.html');
  b.commit('b');
  await a.write({ 'en/d.html': '<p>Three of a</p>\n' });
  await a.run('once');
  a.git('commit', '--quiet', '--all', '--message', 'a');
  expect(() => a.pull()).toThrow();
  a.git('checkout', '--quiet', '--theirs', 'en/d.html');
  a.git('checkout', '--quiet', '--ours', 'de/d.html');
  expect(await a.run('once', '--frozen')).toMatchObject({ code: 1, requests: 0 });
  expect(await a.run('once')).toMatchObject({ code: 0, requests: 0 });
  expect(await a.read('de/d.html')).toBe(german);
  a.commit('merge');
  expect(await a.run('once')).toMatchObject({ code: 0, requests: 0 });
  const c = await team.clone();
  expect(await c.run('once')).toMatchObject({ code: 0, requests: 0 });
  expect(c.git('status', '--short')).toBe('');
});

test('results of recordings from another side of a merge are used and not bought again', async () => {
  const spoken = APP.replace(
    'from: "{locale}.json"',
    'from: "spoken/*.wav", to: { transcript: "{locale}/{name}.txt", subtitles: "{locale}/{name}.srt" }',
  );
  const talk = 'spoken/talk.wav';
  const { team, first: a } = await Team.start(spoken, {});
  await a.writeBytes(talk, silence(2));
  expect(await a.run('once')).toMatchObject({ code: 0 });
  a.commit('translate');
  const b = await team.clone();
  await b.writeBytes(talk, silence(7));
  await b.run('once');
  await b.write({ 'de/talk.txt': 'Von Hand\n' });
  await b.run('once');
  const subtitles = await b.read('de/talk.srt');
  b.commit('b');
  await a.writeBytes(talk, silence(12));
  await a.run('once');
  a.git('commit', '--quiet', '--all', '--message', 'a');
  expect(() => a.pull()).toThrow();
  a.git('checkout', '--quiet', '--theirs', talk);
  a.git('checkout', '--quiet', '--ours', 'de');
  expect(await a.run('once', '--frozen')).toMatchObject({ code: 1, requests: 0 });
  expect((await a.run('plan')).out).not.toMatch(/[1-9]\d* s\b/);
  expect(await a.run('once')).toMatchObject({ code: 0, requests: 0 });
  expect(await a.read('de/talk.txt')).toBe('Von Hand\n');
  expect(await a.read('de/talk.srt')).toBe(subtitles);
  a.commit('merge');
  for (const x of [a, await team.clone()]) {
    expect(await x.run('once')).toMatchObject({ code: 0, requests: 0 });
    expect(x.git('status', '--short')).toBe('');
  }
});
