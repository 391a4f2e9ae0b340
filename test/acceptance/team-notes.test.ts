/** A checkout with missing or unfinished files: the messages, and the texts that are not bought there. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { execFileSync } from '../in-time.ts';
import { type Checkout, Team } from '../team.ts';

const PROJECT = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}.{json,md}" }]`;
const EN = 'locales/en.json';
const DE = 'locales/de.json';
const LOCK = 'dragoman.lock/app/de';
const STRANGERS: readonly [string, (path: string) => void][] = [
  ['a symbolic link to nowhere', (path) => symlinkSync('nowhere', path)],
  ['a symbolic link in a loop', (path) => symlinkSync('de', path)],
  ['a pipe, a socket or a device', (path) => void execFileSync('/usr/bin/mkfifo', [path])],
];
const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;

async function changed(checkout: Checkout, path: string, key: string, text: string) {
  const texts = JSON.parse(await checkout.read(path)) as Record<string, string>;
  await checkout.write({ [path]: json({ ...texts, [key]: text }) });
}

const NO_LOCK = `the lock lacks ${LOCK}`;
const NO_STATE = 'has no state yet, or lost it';

test.each([
  { lost: ['dragoman.lock'], said: [NO_LOCK], isChecked: true },
  { lost: ['.dragoman'], said: [NO_STATE], isChecked: false },
  { lost: ['dragoman.lock', '.dragoman'], said: [NO_LOCK, NO_STATE], isChecked: true },
])(
  'after $lost was deleted, dragoman says so, overwrites nothing, buys no existing text, and keeps those of a person',
  async ({ lost, said, isChecked }) => {
    const { team, first: a } = await Team.start(PROJECT, {
      [EN]: json({ hello: 'Hello', save: 'Save' }),
      'locales/en.md': 'A page of words.\n',
    });
    const firstEver = await a.run('once');
    for (const note of [NO_LOCK, NO_STATE]) expect(firstEver.out).not.toContain(note);
    await changed(a, DE, 'save', 'Alles sichern');
    await a.run('once');
    a.commit('translate, and a person writes one');
    const b = await team.clone();
    expect(await b.run('once')).toMatchObject({ code: 0, requests: 0 });
    for (const path of lost) await b.remove(path);
    const commands = [['plan'], ['status'], ['once', '--frozen'], ['once']];
    if (isChecked) expect((await b.run('check')).out).toContain(NO_LOCK);
    for (const [name = '', ...args] of commands) {
      const { code, texts, out } = await b.run(name, ...args);
      expect({ name, code, texts }).toEqual({ name, code: 0, texts: 0 });
      for (const note of said) expect(out).toContain(note);
    }
    expect(b.git('status', '--short')).toBe('');
    const after = await b.run('status');
    for (const note of said) expect(after.out).not.toContain(note);
    await changed(b, EN, 'save', 'Save all');
    expect(await b.run('once')).toMatchObject({ code: 2 });
    expect(JSON.parse(await b.read(DE))).toMatchObject({ save: 'Alles sichern' });
  },
);

test('commands say that a merge or rebase is not finished, and stop saying so when it is', async () => {
  const { team, first: a } = await Team.start(PROJECT, {
    [EN]: json({ hello: 'Hello' }),
    'README.txt': 'begin\n',
  });
  await a.run('once');
  a.commit('translate');
  const b = await team.clone();
  await a.write({ 'README.txt': 'a\n' });
  a.commit('a');
  await b.write({ 'README.txt': 'b\n' });
  b.git('commit', '--quiet', '--all', '--message', 'b');
  for (const [operation, begin, end] of [
    ['merge', ['merge', 'origin/main'], ['merge', '--abort']],
    ['rebase', ['rebase', 'origin/main'], ['rebase', '--abort']],
    ['cherry-pick', ['cherry-pick', 'origin/main'], ['cherry-pick', '--abort']],
  ] as const) {
    b.git('fetch', '--quiet');
    expect(() => b.git(...begin)).toThrow();
    expect((await b.run('check')).out).toContain('dragoman.yaml:1:1 git has a');
    for (const name of ['once', 'plan', 'status', 'check']) {
      const { code, out } = await b.run(name);
      expect({ name, code }).toEqual({ name, code: 0 });
      expect(out).toContain(`git has a ${operation} under way`);
    }
    b.git(...end);
    expect((await b.run('status')).out).not.toContain('under way');
  }
});

test('commands that only read leave a fresh checkout fresh: no run buys conflicts, before or after them', async () => {
  const pages = PROJECT.replace('{json,md}', '{json,md,srt}');
  const cue = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`;
  const english = (end: string) => ({
    [EN]: json({ hello: `Hello${end}` }),
    'locales/en.md': `A page of words${end}\n`,
    'locales/en.srt': cue(`A cue of words${end}`),
  });
  const german = {
    [DE]: json({ hello: 'Servus' }),
    'locales/de.md': 'Eine Seite voller Wörter\n',
    'locales/de.srt': cue('Ein Untertitel'),
  };
  const { team, first: a } = await Team.start(pages, english('.'));
  await a.run('once');
  await a.write(german);
  await a.run('once');
  await a.write(english('!'));
  a.commit('a person writes all of it, and its source changes');
  for (const [name = '', ...args] of [
    ['plan'],
    ['status'],
    ['check'],
    ['once', '--frozen'],
    ['lock'],
  ]) {
    const clone = await team.clone();
    expect(await clone.run(name, ...args)).toMatchObject({ requests: 0 });
    const after = await clone.run('once');
    expect({ name, code: after.code, requests: after.requests }).toEqual({
      name,
      code: 2,
      requests: 0,
    });
    expect(await clone.read('locales/de.md')).toBe(german['locales/de.md']);
  }
});

test('a held text is paid once, by the first that tries it: ten fresh clones buy nothing', async () => {
  const { team, first: a } = await Team.start(PROJECT, {
    [EN]: json({ hello: 'Hello', greeting: 'Hello {name}, welcome' }),
  });
  team.sandbox.faults.add([{ kind: 'damage', how: 'drop', matches: 'welcome', times: 'always' }]);
  expect(await a.run('once')).toMatchObject({ code: 2 });
  expect(await a.read(LOCK)).toMatch(/ x$/m);
  a.commit('one is held');
  for (let nth = 0; nth < 10; nth++) {
    const clone = await team.clone();
    expect(await clone.run('once')).toMatchObject({ code: 2, texts: 0 });
    expect(clone.git('status', '--short')).toBe('');
  }
});

/** A clone whose source and translation were both changed by people; the lock knows neither. */
async function unexplained(): Promise<Checkout> {
  const { team, first: a } = await Team.start(PROJECT, {
    [EN]: json({ hello: 'Hello', save: 'Save' }),
    'locales/en.md': 'A page of words.\n',
  });
  await a.run('once');
  await changed(a, DE, 'hello', 'Servus');
  a.commit('a person writes one, without dragoman');
  await changed(a, EN, 'hello', 'Hello!');
  a.commit('its source changes');
  return await team.clone();
}

test('without the program git, the lock alone decides: texts that it does not explain wait for a person, and nothing is bought', async () => {
  const clone = await unexplained();
  const before = await clone.read(DE);
  const { PATH } = process.env;
  process.env['PATH'] = '/nonexistent';
  try {
    for (const args of [['once', '--frozen'], ['once'], ['once']]) {
      const { code, texts, out } = await clone.run(...(args as [string, ...string[]]));
      expect({ args, code, texts }).toEqual({ args, code: 2, texts: 0 });
      expect(out).not.toContain('ENOENT');
    }
    expect((await clone.run('check')).code).toBe(1);
  } finally {
    process.env['PATH'] = PATH;
  }
  expect(await clone.read(DE)).toBe(before);
});

test('in a copy that is no repository, the lock decides in the same way, and the text of a person stays', async () => {
  const clone = await unexplained();
  await clone.remove('.git');
  const before = await clone.read(DE);
  expect(await clone.run('once', '--frozen')).toMatchObject({ code: 2, requests: 0 });
  expect(await clone.run('once')).toMatchObject({ code: 2, texts: 0 });
  expect(await clone.read(DE)).toBe(before);
  await changed(clone, EN, 'hello', 'Hello');
  expect(await clone.run('once')).toMatchObject({ code: 0, texts: 0 });
  expect(await clone.read(DE)).toBe(before);
});

test('--frozen ends with 0 and a note for an edit by hand, with 1 for what a run would do, and with 2 for what only people can', async () => {
  const { team, first: a } = await Team.start(PROJECT, {
    [EN]: json({ hello: 'Hello', greeting: 'Hello {name}, welcome' }),
  });
  await a.run('once');
  a.commit('translate');
  const edited = await team.clone();
  await changed(edited, DE, 'hello', 'Servus');
  const frozen = await edited.run('once', '--frozen');
  expect(frozen).toMatchObject({ code: 0, requests: 0 });
  expect(frozen.out).toContain('edited by a person and not in the lock yet: hello');
  expect(await edited.run('once')).toMatchObject({ code: 0, requests: 0 });
  expect((await edited.run('once', '--frozen')).out).not.toContain('not in the lock yet');
  edited.commit('a person');

  const stale = await team.clone();
  await changed(stale, EN, 'greeting', 'Hi {name}, welcome');
  expect(await stale.run('once', '--frozen')).toMatchObject({ code: 1, requests: 0 });
  const conflict = await team.clone();
  await changed(conflict, EN, 'hello', 'Hi');
  expect(await conflict.run('once', '--frozen')).toMatchObject({ code: 2, requests: 0 });

  team.sandbox.faults.add([{ kind: 'damage', how: 'drop', matches: 'welcome', times: 'always' }]);
  expect(await stale.run('once')).toMatchObject({ code: 2 });
  stale.commit('one is held');
  const held = await team.clone();
  expect(await held.run('once', '--frozen')).toMatchObject({ code: 2, requests: 0 });
});

test('a lock that a newer version wrote is left as it is, and ends what needs it with 78', async () => {
  const { team, first: a } = await Team.start(PROJECT, { [EN]: json({ hello: 'Hello' }) });
  await a.run('once');
  a.commit('translate');
  const clone = await team.clone();
  const newer = (await clone.read(LOCK)).replace('lock 1;', 'lock 2;');
  await clone.write({ [LOCK]: newer });
  const commands = [
    'once',
    'once --frozen',
    'check',
    'lock',
    'plan',
    'plan --since HEAD',
    'review list',
  ];
  for (const [name = '', ...args] of commands.map((command) => command.split(' '))) {
    const { code, requests, out } = await clone.run(name, ...args);
    expect({ name, args, code, requests }).toEqual({ name, args, code: 78, requests: 0 });
    expect(out).toContain('the lock is of version 2');
    expect(out).toContain('Install the version of dragoman that the others use');
  }
  expect(await clone.read(LOCK)).toBe(newer);
});

test('the advice for a lost, damaged or displaced file of the lock names that file, whatever the lock is called', async () => {
  const { team, first: a } = await Team.start(PROJECT, { [EN]: json({ hello: 'Hello' }) });
  const config = await a.read('dragoman.yaml');
  await a.write({ 'dragoman.yaml': config.replace('dragoman.lock', 'i18n/team.lock') });
  await a.run('once');
  a.commit('translate');
  const clone = await team.clone();
  const lock = 'i18n/team.lock/app/de';
  await clone.remove(lock);
  expect((await clone.run('check')).out).toContain(`"git checkout HEAD -- ${lock}"`);
  await clone.write({ [lock]: '{"a' });
  expect((await clone.run('check')).out).toContain(`"git checkout HEAD -- ${lock}"`);
  await clone.remove(lock);
  await clone.write({ [`${lock}/a`]: 'a folder in its place' });
  expect((await clone.run('check')).out).toContain(`"git checkout HEAD -- ${lock}"`);
});

test('a damaged lock ends what needs it with 78, and is left as it is: a stale text would look up to date', async () => {
  const { team, first: a } = await Team.start(PROJECT, { [EN]: json({ hello: 'Hello' }) });
  await a.run('once');
  await a.write({ [EN]: json({ hello: 'Hello you' }) });
  a.commit('a stale text');
  const clone = await team.clone();
  const whole = await clone.read(LOCK);
  for (const damaged of [whole.slice(0, -5), '{"a', `${whole}\u0000\u0001\n`, '', '\n']) {
    await clone.write({ [LOCK]: damaged });
    for (const command of ['check', 'once', 'once --frozen', 'plan', 'status', 'check']) {
      const { code, requests, out } = await clone.run(...command.split(' '));
      expect.soft({ command, code, requests }).toEqual({ command, code: 78, requests: 0 });
      expect.soft(out, command).toMatch(/of the lock cannot be read|the lock is empty/);
    }
    expect(await clone.read(LOCK)).toBe(damaged);
  }
  await clone.remove(LOCK);
  await clone.write({ [`${LOCK}/a`]: 'a folder in its place' });
  for (const command of ['check', 'once', 'once --frozen', 'plan', 'status']) {
    const { code, requests, out } = await clone.run(...command.split(' '));
    expect.soft({ command, code, requests }).toEqual({ command, code: 78, requests: 0 });
    expect.soft(out, command).toContain('a folder is in its place');
  }
  await clone.remove(LOCK);
  for (const [kind, make] of STRANGERS) {
    make(join(clone.root, LOCK));
    for (const command of ['check', 'once', 'once --frozen', 'plan', 'status']) {
      const { code, requests, out } = await clone.run(...command.split(' '));
      expect
        .soft({ kind, command, code, requests })
        .toEqual({ kind, command, code: 78, requests: 0 });
      expect.soft(out, command).toContain(`${kind} is in its place`);
    }
    await clone.remove(LOCK);
  }
  await clone.write({ [LOCK]: whole });
  expect((await clone.run('once', '--frozen')).code).toBe(1);
});

test('a conflict over a text without a key shows its old source in a fresh clone: it is the one beside the translation in the history', async () => {
  const page = (text: string) => `# Head\n\n${text}\n\nEnds here.\n`;
  const film = (text: string) => `1\n00:00:01,000 --> 00:00:04,000\n${text}\n`;
  const config = `defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.{md,srt}" }] }`;
  const before = { 'en/a.md': page('A first text'), 'en/b.srt': film('A first text') };
  const { team, first: a } = await Team.start(config, before);
  await a.run('once');
  for (const path of ['de/a.md', 'de/b.srt']) {
    const lines = (await a.read(path)).split('\n');
    lines[2] = 'Von Hand';
    await a.write({ [path]: lines.join('\n') });
  }
  a.commit('translate, and edit without dragoman');
  await a.write({ 'en/a.md': page('A second text'), 'en/b.srt': film('A second text') });
  a.commit('change the sources');
  const clone = await team.clone();
  expect(await clone.run('once')).toMatchObject({ code: 2 });
  const { conflicts } = JSON.parse((await clone.run('status', '--json')).out);
  const texts = { old_source: 'A first text', new_source: 'A second text', human: 'Von Hand' };
  expect(conflicts).toMatchObject([texts, texts]);
});

const HARBOUR = [
  ['The harbour was closed in winter.', 'Im Winter war der Hafen des dicken Eises wegen zu.'],
  ['In spring the people came back to the town.', 'Im Frühling kehrten die Leute heim.'],
  ['They repaired their boats.', 'Sie besserten ihre Boote aus.'],
  ['Children played between the nets.', 'Kinder spielten zwischen den Netzen.'],
  ['The nights were long and quiet.', 'Die Nächte waren lang und still.'],
] as const;
const SHIP = 'A ship from the far south brought oranges and stories.';
const english = HARBOUR.map(([text]) => text as string);
const german = HARBOUR.map(([, text]) => text as string);

test.each([
  ['changes', english.with(2, SHIP)],
  ['comes', english.toSpliced(2, 0, SHIP)],
  ['goes', english.toSpliced(2, 1)],
  ['changes while another comes', english.toSpliced(1, 1, 'Only the old came back.', SHIP)],
])(
  'a fresh clone loses nothing of a page that a person translated again, where a source %s',
  async (_, sources) => {
    const page = (texts: readonly string[]) => `# Harbour\n\n${texts.join('\n\n')}\n`;
    const config = `defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.md" }] }`;
    const { team, first: a } = await Team.start(config, { 'en/a.md': page(english) });
    await a.run('once');
    a.commit('translate');
    await a.write({ 'de/a.md': page(german) });
    a.commit('translate anew, without dragoman');
    await a.write({ 'en/a.md': page(sources) });
    a.commit('change the source');
    const clone = await team.clone();
    await clone.run('once');
    const paragraphs = (await clone.read('de/a.md')).trim().split('\n\n').slice(1);
    expect(paragraphs.filter((text) => german.includes(text))).toEqual(german);
    // A conflict shows what belongs together.
    const { conflicts } = JSON.parse((await clone.run('status', '--json')).out);
    for (const { old_source, human } of conflicts) {
      expect(german.indexOf(human)).toBe(english.indexOf(old_source));
    }
  },
);

test('held, lost, edited and unreviewed texts are never reported as nothing to do', async () => {
  const { team, first: a } = await Team.start(
    PROJECT.replace('json,md', 'json,md,html').replace(
      'targets: [de]',
      'targets: [de]\n    review: { want: [machine] }\n    checks: { unreviewed: hold }',
    ),
    { [EN]: json({ hello: 'Hello' }), 'locales/en.html': '<p>Good night</p>\n' },
  );
  await a.run('once');
  a.commit('translate');
  const said = async (checkout: Checkout, ...[name = '', ...args]: string[]) => {
    const { code, out, requests } = await checkout.run(name, ...args);
    expect(requests).toBe(0);
    expect(out).not.toMatch(/Nothing (to do|needs you\.)/);
    return { code, last: out.split('\n').at(-1) };
  };
  const review = { code: 2, last: 'Nothing is left but the review.' };
  expect(await said(a, 'once', '--frozen')).toEqual(review);
  expect((await a.run('once', '--frozen', '--format', 'junit')).out).not.toContain('Nothing to do');
  expect((await a.run('plan', '--format', 'markdown')).out).toContain(review.last.slice(0, -1));
  const needs = 'Nothing needs you but the review: "dragoman review list".';
  expect((await a.run('status')).out).toContain(needs);

  const config = (await a.read('dragoman.yaml')).replace(
    /\n.*review: \{ want.*\n.*unreviewed.*/,
    '',
  );
  await a.write({ 'dragoman.yaml': config });
  a.commit('without reviews');
  const edited = await team.clone();
  await changed(edited, DE, 'hello', 'Servus');
  const written = { code: 0, last: 'Only the lock would be written.' };
  expect(await said(edited, 'once', '--frozen')).toEqual(written);
  const lost = await team.clone();
  await lost.remove('dragoman.lock');
  expect(await said(lost, 'once', '--frozen')).toEqual(written);

  const pointer = await team.clone();
  expect((await pointer.run('status')).out).toContain('There is no job yet');
  const oid = '0'.repeat(64);
  await pointer.write({
    'locales/en.html': `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 18\n`,
  });
  expect(await said(pointer, 'once', '--frozen')).toEqual({ code: 2, last: '1 held.' });
  expect(await pointer.run('once')).toMatchObject({ code: 2, requests: 0 });
  await said(pointer, 'plan');
  await said(pointer, 'status');

  expect(await edited.run('once')).toMatchObject({ code: 0, requests: 0 });
  await changed(edited, EN, 'hello', 'Hi');
  expect((await edited.run('once')).code).toBe(2);
  const held = { code: 2, last: 'No job; 1 target is up to date; 1 held.' };
  expect(await said(edited, 'plan')).toEqual(held);
  expect(await said(edited, 'once', '--frozen')).toEqual({ code: 2, last: '1 held.' });
  await said(edited, 'status');
});

test('a shallow clone that cannot know who wrote a document says how to fetch the history', async () => {
  const { team, first: a } = await Team.start(PROJECT.replace('{json,md}', 'html'), {
    'locales/en.html': '<p>Good night</p>\n',
  });
  await a.run('once');
  a.commit('translate');
  await a.write({ 'locales/de.html': '<p>Von einer Person</p>\n' });
  a.commit('a person, without dragoman');
  await a.write({ 'locales/en.html': '<p>Good morning</p>\n' });
  a.commit('the source changes');
  const shallow = await team.clone('--depth=1');
  for (const [name = '', ...args] of [['plan'], ['once', '--frozen'], ['once'], ['status']]) {
    const { out, texts } = await shallow.run(name, ...args);
    expect(texts).toBe(0);
    expect(out).toContain('fetch-depth: 0');
  }
  const whole = await team.clone();
  const ended = await whole.run('once');
  expect(ended).toMatchObject({ code: 2, texts: 0 });
  expect(ended.out).not.toContain('fetch-depth');
  expect(await whole.read('locales/de.html')).toContain('Von einer Person');
});
