/** docs/teams.md: its commands, in its order, in clones of one repository; a command that is added there is added here. */
import { readFileSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { nameBelow } from '../../src/files/git.ts';
import { sourceHash, unitId } from '../../src/segments/statements.ts';
import { type Checkout, type Ended, Team } from '../team.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'teams.md'), 'utf8');

/** The commands of a section, line by line. */
function typedIn(title: string): string[] {
  const [, section = ''] = PAGE.split(`## ${title}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/\s+#.*/, '')),
  );
}

interface Story {
  readonly team: Team;
  /** Who types. */
  person: Checkout;
}

interface Line {
  /** Makes the changes that come before the command is typed. */
  readonly before?: (story: Story) => Promise<void>;
  readonly code: number;
  /** Texts that are bought. */
  readonly texts?: number;
  readonly says?: string;
}

const EN = 'locales/en/app.json';
const DE = 'locales/de/app.json';
const json = (texts: Readonly<Record<string, string>>) => `${JSON.stringify(texts, null, 2)}\n`;

const STORY: readonly (readonly [typed: string, line: Line])[] = [
  ['dragoman init', { code: 0, says: 'Commit dragoman.lock/' }],
  ['dragoman plan', { before: useSandbox, code: 0, says: '2 texts adopted' }],
  ['dragoman once', { code: 0, texts: 1 }],
  ['dragoman check', { code: 0, says: '0 faults' }],
  ['dragoman plan --since main', { before: branch, code: 0, says: '1 job' }],
  ['dragoman check --since main', { code: 1, says: 'missing' }],
  ['dragoman lock', { before: conflict, code: 0, texts: 0 }],
  ['dragoman check', { code: 0, says: '0 faults' }],
  ['dragoman status', { before: disagree, code: 0, says: 'Eins von Hand' }],
  ['dragoman resolve locales/de/app.json --human', { code: 0, texts: 0 }],
  ['dragoman once --frozen', { before: release, code: 0, texts: 0, says: 'Nothing to do.' }],
];

/** The config of `init` names the address of the real service. */
async function useSandbox({ team, person }: Story): Promise<void> {
  const config = await person.read('dragoman.yaml');
  expect(config).toContain('lock: dragoman.lock');
  const url = config.replace(/url: .*/, `url: "${team.sandbox.url}"`);
  await person.write({ 'dragoman.yaml': `${url}\ndefaults: { settle_ms: 0 }\n` });
}

async function branch({ person }: Story): Promise<void> {
  person.commit('translate');
  person.git('checkout', '--quiet', '-b', 'feature');
  await person.write({ [EN]: json({ a: 'One', b: 'Two', c: 'Three', d: 'Four' }) });
}

/** A colleague translates the same text of another branch; git leaves its markers in the lock. */
async function conflict(story: Story): Promise<void> {
  const { team, person } = story;
  expect((await person.run('once')).texts).toBe(1);
  person.git('add', '--all');
  person.git('commit', '--quiet', '--message', 'add a text');
  person.git('checkout', '--quiet', 'main');
  person.git('merge', '--quiet', 'feature');
  person.commit('merge');
  story.person = await team.clone();
  const path = story.person.git('ls-files', 'dragoman.lock/*/de').trim();
  const lock = await story.person.read(path);
  await story.person.write({
    [path]: `<<<<<<< ours\n${lock}=======\n${lock}>>>>>>> theirs\n`,
  });
}

/** A translator corrects a text without dragoman; later its source changes, and a runner meets both. */
async function disagree(story: Story): Promise<void> {
  const { person } = story;
  person.commit('heal the lock');
  const texts = JSON.parse(await person.read(DE)) as Record<string, string>;
  await person.write({ [DE]: json({ ...texts, a: 'Eins von Hand' }) });
  expect((await person.run('once')).texts).toBe(0);
  await person.write({ [EN]: json({ a: 'One more', b: 'Two', c: 'Three', d: 'Four' }) });
  expect((await person.run('once')).code).toBe(2);
}

async function release(story: Story): Promise<void> {
  await story.person.run('once');
  story.person.commit('decide');
  story.person = await story.team.clone();
}

test('a team goes from init to a release with what docs/teams.md types', async () => {
  expect(typedIn('From the first commit to a release')).toEqual(STORY.map(([typed]) => typed));
  const { team, first } = await Team.start('projects: {}', {
    'package.json': '{ "name": "app" }\n',
    [EN]: json({ a: 'One', b: 'Two', c: 'Three' }),
    [DE]: json({ a: 'Eins', b: 'Zwei' }),
  });
  await first.remove('dragoman.yaml');
  first.commit('without dragoman');
  const story: Story = { team, person: first };
  for (const [typed, { before, code, texts = 0, says = '' }] of STORY) {
    await before?.(story);
    const ended: Ended = await story.person.run(...words(typed));
    expect({ typed, code: ended.code, texts: ended.texts }, ended.out).toEqual({
      typed,
      code,
      texts,
    });
    expect(ended.out).toContain(says);
  }
});

function words(typed: string): [string, ...string[]] {
  const [name = '', ...args] = typed.replace('dragoman ', '').split(' ');
  // There is nobody to ask.
  return [name, ...args, ...(name === 'init' ? ['--yes'] : [])];
}

test('a large lock is reviewed with what docs/teams.md types', async () => {
  const [git = '', ...others] = typedIn('How a large lock is reviewed');
  const { first } = await Team.start(
    'defaults: { settle_ms: 0 }\nprojects: { app: { source: en, targets: [de], routes: [{ from: "locales/{locale}/app.json" }] } }',
    { [EN]: json({ a: 'One' }) },
  );
  await first.run('once');
  first.commit('translate');
  first.git('checkout', '--quiet', '-b', 'feature');
  await first.write({ [EN]: json({ a: 'One', b: 'Two' }) });
  await first.run('once');
  expect(first.git(...git.split(' ').slice(1))).toContain('3 files changed');
  for (const typed of others) {
    const { code, out } = await first.run(...words(typed));
    expect(code, out).toBe(0);
    expect(out).toMatch(/0 faults|Nothing to do/);
  }
});

test('a file has one name in the repository on every system', () => {
  expect(nameBelow('C:\\repo', 'C:\\repo\\locales\\de\\app.json', win32)).toBe(DE);
  expect(nameBelow('/repo', '/repo/locales/de/app.json', posix)).toBe(DE);
  expect(nameBelow('C:\\repo', 'D:\\repo\\app.json', win32)).toBeUndefined();
  expect(nameBelow('C:\\repo', 'C:\\repository\\app.json', win32)).toBeUndefined();
  expect(nameBelow('/repo', '/repo', posix)).toBeUndefined();
  expect(nameBelow('/repo', '/repo/..hidden/a.json', posix)).toBe('..hidden/a.json');
});

test('the lock is the same on every system: accents in two spellings, and both kinds of line ends', () => {
  expect(unitId('loc\u00e4les/a.json', 'k')).toBe(unitId('loca\u0308les/a.json', 'k'));
  expect(sourceHash('a\r\nb')).toBe(sourceHash('a\nb'));
});
