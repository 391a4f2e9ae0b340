/** The packed package: it needs no other package at run time, and runs on every version of Node that it names. */

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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execFileSync, spawnSync } from './in-time.ts';

const ROOT = join(import.meta.dirname, '..');
/** What the build reads. */
const PARTS = [
  'src',
  'config',
  'bundle.ts',
  'package.json',
  'build.ts',
  'tsconfig.json',
  'tsconfig.build.json',
];
/** What npm packs beside `dist`. */
const PACKED = ['config', 'examples', 'systemd', 'package.json', 'README.md', 'LICENSE'];
/** Installed by `npm ci` in `test/node-versions`; the checkout's own is always there. */
const VERSIONS = ['node22', 'node26'].map((name) => ({
  name,
  node: join(ROOT, 'test', 'node-versions', 'node_modules', name, 'bin', 'node'),
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
    // `.ci/run` installs the other versions; a checkout without them tries its own alone.
    const on = test.skipIf(!existsSync(node));

    on('the quickstart translates its example, and warns of nothing', () => {
      const { stdout, stderr, status } = spawnSync(
        node,
        [join(dist(), 'main.js'), 'quickstart', '--once'],
        { cwd: installed, encoding: 'utf8' },
      );
      expect(status, stderr).toBe(0);
      expect(stdout).toMatch(/9 files written, [\d,]+ characters billed/);
      expect(stderr).not.toMatch(/Warning/);
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
