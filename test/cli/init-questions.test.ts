/** The questions of `init` on a terminal, answered by the keys that a person presses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { spawnSync } from '../in-time.ts';
import { MAIN } from '../main.ts';
import { Rig } from '../rig.ts';

/** `script` of util-linux gives a command a terminal. */
const hasTerminals = spawnSync('script', ['--version']).status === 0;

const KEYS = { enter: '\r', down: '\u001b[B', space: ' ', interrupt: '\u0003', erase: '\u007f' };

interface Answer {
  /** Words of the screen that it waits for. */
  readonly question: string;
  readonly keys: readonly string[];
}

async function answered(rig: Rig, answers: readonly Answer[]) {
  const line = `stty cols 120 rows 40; '${process.execPath}' '${MAIN}' init --url '${rig.sandbox.url}'`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: rig.root,
    env: { ...process.env, NO_COLOR: '1', TERM: 'xterm', DRAGOMAN_KEY: rig.sandbox.key },
  });
  const waiting = [...answers];
  let [screen, seen] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    const [next] = waiting;
    const at = next === undefined ? -1 : screen.indexOf(next.question, seen);
    if (next === undefined || at < 0) return;
    seen = at + next.question.length;
    waiting.shift();
    for (const key of next.keys) child.stdin.write(key);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, screen, unasked: waiting.map(({ question }) => question) };
}

async function repository(): Promise<Rig> {
  const rig = await Rig.start({
    config: '',
    files: {
      'locales/en/app.json': '{"a":"Hello"}\n',
      'locales/de/app.json': '{"a":"Hallo"}\n',
      'app/src/main/res/values/strings.xml': '<resources><string name="a">A</string></resources>\n',
      'app/src/main/res/values-de/strings.xml':
        '<resources><string name="a">A</string></resources>\n',
      'app/src/main/res/values/arrays.xml':
        '<resources><string-array name="c"><item>com.example.Main</item></string-array></resources>\n',
    },
  });
  rig.remove('dragoman.yaml');
  return rig;
}

const ADDRESS = 'Address of the service';
const ROUTES = 'What to translate';
const LANGUAGES = 'Target languages of';

describe.skipIf(!hasTerminals)('on a terminal, init', () => {
  test('accepts the found routes at Enter, and leaves out those that are only offered', async () => {
    await using rig = await repository();
    const { code, screen, unasked } = await answered(rig, [
      { question: ADDRESS, keys: [KEYS.enter] },
      { question: ROUTES, keys: [KEYS.enter] },
      { question: LANGUAGES, keys: [KEYS.enter] },
    ]);
    expect({ code, unasked }, screen).toEqual({ code: 0, unasked: [] });
    const text = rig.read('dragoman.yaml');
    expect(text).toContain('targets: [de]');
    expect(text).toContain('# - { from: "app/src/main/res/values/arrays.xml"');
    expect((await rig.run('check')).code).toBe(0);
  });

  test('adds an offered route and a language, and asks again after an unknown language', async () => {
    await using rig = await repository();
    const { code, screen, unasked } = await answered(rig, [
      { question: ADDRESS, keys: [KEYS.enter] },
      // The suggestions are behind the two routes that are taken.
      { question: ROUTES, keys: [KEYS.down, KEYS.down, KEYS.space, KEYS.enter] },
      { question: LANGUAGES, keys: [...', germ', KEYS.enter] },
      {
        question: 'is no language code',
        keys: [...Array.from('germ', () => KEYS.erase), ...'fr', KEYS.enter],
      },
    ]);
    expect({ code, unasked }, screen).toEqual({ code: 0, unasked: [] });
    const text = rig.read('dragoman.yaml');
    expect(text).toContain('targets: [de, fr]');
    expect(text).toMatch(/^ {6}- \{ from: "app\/src\/main\/res\/values\/arrays\.xml"/m);
  });

  test.each([ADDRESS, ROUTES, LANGUAGES])('writes nothing after Ctrl-C at "%s"', async (last) => {
    await using rig = await repository();
    const all = [ADDRESS, ROUTES, LANGUAGES];
    const before = all.slice(0, all.indexOf(last));
    const { code, screen, unasked } = await answered(rig, [
      ...before.map((question) => ({ question, keys: [KEYS.enter] })),
      { question: last, keys: [KEYS.interrupt] },
    ]);
    expect({ code, unasked }, screen).toEqual({ code: 1, unasked: [] });
    expect(screen).toContain('nothing was written');
    expect(rig.exists('dragoman.yaml')).toBe(false);
  });
});
