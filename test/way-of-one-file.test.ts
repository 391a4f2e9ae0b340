/** "The way of one file" in ARCHITECTURE.md, walked by a daemon from source: each named function runs, in whatever order. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apart, Daemon, Rig } from './rig.ts';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/** More would not be read. */
const MOST_STEPS = 25;

/** The steps of the way, each with its functions as `file#function`. Each file of a step has at least one. */
function stepsOfTheWay() {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const [, way = ''] = /^## The way of one file$([\s\S]*?)^The lock of the team/m.exec(text) ?? [];
  return [...way.matchAll(/^\d+\. (.*)$/gm)].map(([, step = '']) => {
    // `file.ts` (`function`), or (`file.ts`, `function`).
    const named = [...step.matchAll(/`([\w/-]+\.ts)`(?: \(|, )`(\w+)`/g)];
    expect(named.length, step).toBe(step.match(/\.ts`/g)?.length);
    return { step, functions: named.map(([, file, name]) => `${file}#${name}`) };
  });
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** `file#function` of all functions that ran, of all threads of the process. */
function functionsThatRan(folder: string): ReadonlySet<string> {
  const ran = readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Coverage;
    return result
      .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(SRC))
      .flatMap(({ url, functions }) =>
        functions
          .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
          .map(({ functionName }) => `${fileURLToPath(url).slice(SRC.length + 1)}#${functionName}`),
      );
  });
  return new Set(ran);
}

test('each function that the way of one file names runs when a file changes', async () => {
  await using rig = await Rig.start({
    config: `
lock: dragoman.lock
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/**/*.json" }]
`,
    files: { 'locales/en/app.json': '{"home":"Home"}\n' },
  });
  await rig.once();
  const covered = rig.path('coverage');
  const child = spawn(process.execPath, [join(SRC, 'main.ts'), 'run', '--no-input'], {
    cwd: rig.root,
    env: { ...process.env, DRAGOMAN_KEY: rig.sandbox.key, NODE_V8_COVERAGE: covered },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const daemon = new Daemon(apart(child));
  await daemon.logged(({ kind }) => kind === 'started');
  rig.write('locales/en/app.json', '{"home":"Home","away":"Away"}\n');
  await daemon.logged(({ kind }) => kind === 'job-delivered');
  expect(await daemon.stop()).toBe(0);
  const ran = functionsThatRan(covered);
  const steps = stepsOfTheWay();
  expect(steps.length).toBeLessThanOrEqual(MOST_STEPS);
  expect(steps.filter(({ functions }) => functions.length === 0)).toEqual([]);
  const named = steps.flatMap(({ functions }) => functions);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((each) => !ran.has(each))).toEqual([]);
});
