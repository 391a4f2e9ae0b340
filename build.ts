// Bundles src and the libraries that it uses into dist, which package.json's bin and exports point to. One package of few files
// installs and starts faster: no other package is loaded. Run by npm's prepare with Node 24 from node_modules/.bin.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundlePage } from './src/page/bundle.ts';

/** Files of the package that are started or imported by their names. */
const ENTRIES = ['main', 'service/client', 'thread'];

const root = import.meta.dirname;
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(ENTRIES.map((entry) => [entry, join('src', `${entry}.ts`)])),
  outdir: dist,
  // As deep as the rooms of src: files find what lies beside dist by the same relative path.
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  // Only a checkout bundles the page.
  external: ['esbuild'],
  // Libraries in the older form of modules call `require` for what Node brings.
  banner: {
    js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
  },
  metafile: true,
  format: 'esm',
  platform: 'node',
  // The oldest version of Node that package.json allows: `await using` is compiled for it.
  target: 'node22.22',
  sourcemap: 'linked',
  // Stacks of errors name the lines of src, and the text of src is not shipped twice.
  sourcesContent: false,
  logLevel: 'warning',
});
refuseLateCommonJs();
chmodSync(join(dist, 'main.js'), 0o755);

// The types of the library, and of what it names.
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});

const client = join(dist, 'page', 'client');
mkdirSync(client, { recursive: true });
for (const [name, content] of Object.entries(await bundlePage())) {
  writeFileSync(join(client, name), content);
}

writeFileSync(join(dist, 'LICENSES.txt'), licensesOf(Object.keys(metafile.inputs)));

/**
 * In a bundle, `import()` of a CommonJS library gives `default` alone: its names are undefined there, and only there.
 * Such a library is imported by its names in a file of src, and that file with `import()`.
 */
function refuseLateCommonJs(): void {
  const late = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports
      .filter(
        ({ kind, path }) => kind === 'dynamic-import' && metafile.inputs[path]?.format === 'cjs',
      )
      .map(({ path }) => `${file} imports ${path}`),
  );
  if (late.length > 0) throw new Error(`import() of a CommonJS library: ${late.join(', ')}`);
}

/** The licences of the libraries in the bundle, as they ask for it. */
function licensesOf(inputs: readonly string[]): string {
  const folders = inputs.flatMap(
    (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  return [...new Set(folders)]
    .toSorted((a, b) => a.localeCompare(b))
    .map(licenseOf)
    .join('\n');
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string };
  const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8').trim();
  return `${name} ${version} (${license ?? 'see its text'})\n\n${text}\n\n${'-'.repeat(72)}\n`;
}
