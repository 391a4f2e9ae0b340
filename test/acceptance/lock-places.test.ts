/** What the lock says of a text belongs to the place of its file: it counts under whatever name the config gives its project. */
import { readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { commitAll } from '../git.ts';
import { APP, CHANGES, configOf, FILES, ROUTE, WEB } from '../moved-projects.ts';
import { Rig } from '../rig.ts';

const FOUND = ['fresh', 'fresh in git', 'with its state'] as const;

/** Every second change is looked at in one checkout only: the ways to the lock are the same. */
const CASES = CHANGES.flatMap(([change, before, after], nth) =>
  FOUND.filter((_, at) => nth % 2 === 1 || at === 0).map((found) => ({
    change,
    before,
    after,
    found,
  })),
);

/** A checkout in which a person corrected `app/de/c.json`, before the config changes. */
async function corrected({ before, found }: (typeof CASES)[number]): Promise<Rig> {
  const rig = await Rig.start({ config: configOf(before), files: FILES });
  if (found === 'fresh in git') commitAll(rig.root, 'x');
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('app/de/c.json', '{"three":"Drei Wörter von Hand"}\n');
  expect(await rig.once()).toMatchObject({ code: 0 });
  if (found === 'fresh in git') commitAll(rig.root, 'x');
  return rig;
}

function change(rig: Rig, { before, after, found }: (typeof CASES)[number]): void {
  const text = rig.read('dragoman.yaml');
  expect(text).toContain(configOf(before).trim());
  rig.write('dragoman.yaml', text.replace(configOf(before), configOf(after)));
  if (found !== 'with its state') rmSync(rig.path('.dragoman'), { recursive: true });
  if (found === 'fresh in git') commitAll(rig.root, 'x');
}

async function codes(rig: Rig, commands: readonly string[]) {
  const found: Record<string, number | null> = {};
  for (const command of commands) {
    const { code, stdout, stderr } = await rig.run(...command.split(' '));
    found[command] = code;
    expect.soft(`${stdout}${stderr}`).not.toContain('no lock');
  }
  return found;
}

test.each(CASES)(
  '$change, $found: its lines move, and later a text of a person is a conflict',
  async (each) => {
    await using rig = await corrected(each);
    const paid = billed(rig);
    change(rig, each);
    expect(await codes(rig, ['plan', 'check', 'once --frozen'])).toEqual({
      plan: 0,
      check: 0,
      'once --frozen': 0,
    });
    expect(await rig.once()).toMatchObject({ code: 0 });
    expect(billed(rig)).toBe(paid);
    const files = readdirSync(rig.path('dragoman.lock'), { recursive: true }).map(String);
    const places = Object.keys(each.after).map((name) => `${name}/de`);
    expect(new Set(files.filter((path) => path.endsWith('/de')))).toEqual(new Set(places));
    const lines = Object.keys(each.after).flatMap(
      (name) => rig.read(`dragoman.lock/${name}/de`).match(/^[\w-]{6} .*$/gm) ?? [],
    );
    expect(lines).toEqual([expect.stringMatching(/ [mh]$/), expect.stringMatching(/ [mh]$/)]);
    expect(await codes(rig, ['check', 'once --frozen', 'once'])).toEqual({
      check: 0,
      'once --frozen': 0,
      once: 0,
    });

    if (each.found !== 'with its state') rmSync(rig.path('.dragoman'), { recursive: true });
    rig.write('app/en/c.json', '{"three":"Four other words"}\n');
    if (each.found === 'fresh in git') commitAll(rig.root, 'x');
    expect(await codes(rig, ['plan', 'once --frozen', 'once'])).toEqual({
      plan: 2,
      'once --frozen': 2,
      once: 2,
    });
    expect(rig.read('app/de/c.json')).toContain('von Hand');
  },
);

test.each(CASES)('$change, $found: texts whose sources change with it are stale', async (each) => {
  await using rig = await corrected(each);
  const paid = billed(rig);
  rig.write('web/en/a.json', '{"hello":"Hello changed"}\n');
  rig.write('app/en/c.json', '{"three":"Four other words"}\n');
  change(rig, each);
  expect(await codes(rig, ['check', 'once --frozen'])).toEqual({ check: 1, 'once --frozen': 1 });
  expect(await codes(rig, ['once', 'once --frozen'])).toEqual({ once: 2, 'once --frozen': 2 });
  expect(rig.read('app/de/c.json')).toContain('von Hand');
  expect(billed(rig) - paid).toBeGreaterThanOrEqual('Hello changed'.length);
});

test.each(CHANGES)(
  '%s, without a lock: this machine still knows whose text it is',
  async (...changed) => {
    const [, before, after] = changed;
    const withoutLock = (text: string) => text.replace('lock: dragoman.lock\n', '');
    const config = withoutLock(configOf(before));
    await using rig = await Rig.start({ config, files: FILES });
    expect(await rig.once()).toMatchObject({ code: 0 });
    rig.write('app/de/c.json', '{"three":"Drei Wörter von Hand"}\n');
    expect(await rig.once()).toMatchObject({ code: 0 });
    const paid = billed(rig);
    const text = rig.read('dragoman.yaml').replace(config, withoutLock(configOf(after)));
    rig.write('dragoman.yaml', text);
    expect(await codes(rig, ['plan', 'once --frozen', 'once', 'once --frozen'])).toEqual({
      plan: 0,
      'once --frozen': 0,
      once: 0,
    });
    expect(billed(rig)).toBe(paid);
    rig.write('web/en/a.json', '{"hello":"Hello changed"}\n');
    rig.write('app/en/c.json', '{"three":"Four other words"}\n');
    rig.write('dragoman.yaml', text.replace(withoutLock(configOf(after)), config));
    expect(await codes(rig, ['plan', 'once'])).toEqual({ plan: 2, once: 2 });
    expect(rig.read('app/de/c.json')).toContain('von Hand');
    expect(rig.read('web/de/a.json')).not.toContain('Ħḗŀŀǿ"');
  },
);

test('a removed project and a new one with the same paths below another root have nothing in common', async () => {
  const keep = { routes: ['docs/{locale}/*.json'] };
  const before = { old: { routes: [ROUTE], root: 'web' }, keep };
  const after = { neu: { routes: [ROUTE], root: 'neu' }, keep };
  await using rig = await Rig.start({
    config: configOf(before),
    files: { ...FILES, 'docs/en/a.json': '{"doc":"A document"}\n' },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('neu/en/a.json', '{"hello":"Brand new text"}\n');
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(configOf(before), configOf(after)));
  rmSync(rig.path('.dragoman'), { recursive: true });
  expect(await codes(rig, ['plan', 'check', 'once'])).toEqual({ plan: 0, check: 0, once: 0 });
  expect(rig.read('dragoman.lock/neu/de')).toMatch(/json\n\n\S+ \S+ \S+ m\n$/);
  expect(rig.exists('dragoman.lock/old/de')).toBe(false);
});

test.each(['in git', 'without git'])(
  'two configs with one lock keep the files of each other, %s',
  async (where) => {
    const [web, app] = [configOf({ web: { routes: [WEB] } }), configOf({ app: { routes: [APP] } })];
    await using rig = await Rig.start({ config: web, files: FILES });
    const head = rig.read('dragoman.yaml').replace(web, '');
    rig.write(
      'tools/second.yaml',
      `${head}state: .state\n${app}`
        .replace('dragoman.lock', '../dragoman.lock')
        .replace(APP, '{locale}/*.json')
        .replace('    source', '    root: ../app\n    source'),
    );
    const second = ['--config', 'tools/second.yaml'];
    if (where === 'in git') commitAll(rig.root, 'x');
    for (const args of [[], second, [], second]) {
      expect(await rig.once(...args)).toMatchObject({ code: 0 });
    }
    for (const state of ['.dragoman', 'tools/.state']) rmSync(rig.path(state), { recursive: true });
    for (const args of [[], second]) expect(await rig.once(...args)).toMatchObject({ code: 0 });
    expect(rig.exists('dragoman.lock/web/de')).toBe(true);
    expect(rig.exists('dragoman.lock/app/de')).toBe(true);
  },
);
