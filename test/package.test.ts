/** The packed package: it needs no other package at run time, and runs on every version of Node that it names. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execFileSync, spawnSync } from './in-time.ts';
import { Rig } from './rig.ts';

const ROOT = join(import.meta.dirname, '..');
/** Files that the build reads. */
const PARTS = [
  'src',
  'config',
  'bundle.ts',
  'package.json',
  'build.ts',
  'tsconfig.json',
  'tsconfig.build.json',
];
/** Files that npm packs beside `dist`. */
const PACKED = ['config', 'examples', 'systemd', 'package.json', 'README.md', 'LICENSE'];
/** Installed by `npm ci` in `test/node-versions`; the checkout's own is always there. */
const OTHER_VERSIONS = join(ROOT, 'test', 'node-versions', 'node_modules');
const VERSIONS = ['node22', 'node26'].map((name) => ({
  name,
  node: join(OTHER_VERSIONS, name, 'bin', 'node'),
}));

const work = mkdtempSync(join(tmpdir(), 'dragoman-package-'));
const installed = join(work, 'installed');

/** Built as `npm pack` does it, and put where no other package can be found. */
beforeAll(() => {
  const built = join(work, 'built');
  mkdirSync(built);
  for (const part of PARTS) cpSync(join(ROOT, part), join(built, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(built, 'node_modules'));
  execFileSync(process.execPath, ['build.ts'], { cwd: built });
  const folder = join(installed, 'node_modules', 'dragoman');
  mkdirSync(folder, { recursive: true });
  cpSync(join(built, 'dist'), join(folder, 'dist'), { recursive: true });
  for (const part of PACKED) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

function dist(): string {
  return join(installed, 'node_modules', 'dragoman', 'dist');
}

/** The packages that a file of types names, by itself or by way of other files. */
function packagesNamedFrom(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']*)'/g)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('node:'))
    .flatMap((name) =>
      name.startsWith('.')
        ? packagesNamedFrom(join(dirname(file), name.replace(/\.[jt]s$/, '.d.ts')), seen)
        : [name],
    );
}

test('the package depends on nothing but what the types of its library name', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const types = packagesNamedFrom(join(dist(), 'service', 'client.d.ts'));
  expect(Object.keys(dependencies)).toEqual([...new Set(types)]);
});

test('the licences of the libraries in the bundle come along', () => {
  const licences = readFileSync(join(dist(), 'LICENSES.txt'), 'utf8');
  for (const name of ['undici', 'yaml', 'pino', 'micromark', 'zod']) {
    expect(licences).toContain(`${name} `);
  }
});

test('source maps name the lines of src, and the text of src is not shipped twice', () => {
  const map = JSON.parse(readFileSync(join(dist(), 'main.js.map'), 'utf8')) as {
    sources: string[];
    sourcesContent?: string[];
  };
  expect(map.sources).toContain('../src/main.ts');
  expect(map.sourcesContent ?? []).toEqual([]);
});

describe.each([{ name: 'the node of the checkout', node: process.execPath }, ...VERSIONS])(
  'on $name',
  ({ node }) => {
    // `.ci/run` installs the other versions, all of them; a checkout without them tries its own alone.
    const on = test.skipIf(node !== process.execPath && !existsSync(OTHER_VERSIONS));

    on('the quickstart translates its example, and warns of nothing', () => {
      const { stdout, stderr, status } = spawnSync(
        node,
        [join(dist(), 'main.js'), 'quickstart', '--once'],
        { cwd: installed, encoding: 'utf8' },
      );
      expect(status, stderr).toBe(0);
      expect(stdout).toMatch(/9 files written, [\d,]+ characters billed/);
      expect(stderr).not.toMatch(/Warning/);
      expect(stdout).toContain("The person's text stays.");
      expect(stdout).toContain("The person's text stays: 0 characters billed in 0 requests.");
      // In its folder every command works without a variable, also after the sandbox ended.
      const folder = join(installed, '.quickstart');
      const own = spawnSync(join(folder, 'dragoman'), ['status'], {
        ...{ cwd: folder, encoding: 'utf8', env: {} },
      });
      expect(own, own.stderr).toMatchObject({ status: 0 });
      expect(own.stdout).toContain('Nothing needs you.');
    });

    // On the Node of the checkout, all other tests run this bundle.
    const onOthers = test.skipIf(node === process.execPath || !existsSync(OTHER_VERSIONS));

    onOthers('runs and reports of a project go on in its own folder', async () => {
      await using rig = await Rig.start({
        config: `
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.{json,md}" }] }
`,
        files: { 'en/a.json': '{ "a": "Hello" }', 'en/b.md': '# Hello *you*\n' },
      });
      const run = async (...args: string[]) => {
        const child = spawn(node, [join(dist(), 'main.js'), ...args, '--no-input'], {
          cwd: rig.root,
          env: { ...process.env, DRAGOMAN_KEY: rig.sandbox.key },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
        return { code: code as number, stderr };
      };
      expect(await run('plan')).toEqual({ code: 0, stderr: '' });
      expect(await run('once')).toMatchObject({ code: 0 });
      expect(rig.read('de/b.md')).toMatch(/^# .*\*.*\*/);
      expect(await run('check')).toMatchObject({ code: 0 });
      expect(await run('once', '--frozen')).toMatchObject({ code: 0 });
    });

    on('the library is imported by its name, and its errors are recognised', () => {
      const program = `
        import { connect } from 'dragoman';
        await using service = connect({ url: 'http://127.0.0.1:9', key: 'k', patienceMs: 1 });
        await service.account.usage().catch((error) => console.log(error.name, error.failure.kind));
      `;
      const plain = program.replace('await using service', 'const service');
      const { stdout, stderr } = spawnSync(node, ['--input-type=module', '-e', plain], {
        cwd: installed,
        encoding: 'utf8',
      });
      expect(stdout.trim(), stderr).toBe('JobFailure unreachable');
    });
  },
);

test('on a Node that is too old, the message says what to type', () => {
  const older =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });";
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(older)}`, join(dist(), 'main.js')],
    { encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
  expect(stderr).toContain('dragoman needs Node 22.22 or later');
  expect(stderr).toContain('Type "npm install --save-dev node@24" in your project');
});

test.runIf(process.platform === 'linux').for([24, 28, 32])(
  'where %i files may be open, the message names the limit and what to type',
  (most) => {
    const { status, stdout, stderr } = spawnSync(
      'bash',
      [
        '-c',
        `ulimit -n ${most}; exec "$0" "$1" --version`,
        process.execPath,
        join(dist(), 'main.js'),
      ],
      { encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
    expect(stderr).toMatch(/^dragoman: .* at least 64 are needed.*"ulimit -n 1024"/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  },
);

test.runIf(process.platform === 'linux')('where 64 files may be open, a command runs', () => {
  const { status } = spawnSync(
    'bash',
    ['-c', 'ulimit -n 64; exec "$0" "$1" --version', process.execPath, join(dist(), 'main.js')],
    { encoding: 'utf8' },
  );
  expect(status).toBe(0);
});
