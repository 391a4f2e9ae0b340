// Bundles src and the libraries that it uses into a few files: what package.json's bin and exports point to, and what the tests run.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { bundlePage } from './src/page/bundle.ts';

/** Files of the package that are started or imported by their names. */
const ENTRIES = Object.fromEntries(
  ['main', 'service/client', 'thread', 'state/postgres/beat-thread'].map((entry) => [
    entry,
    join('src', `${entry}.ts`),
  ]),
);

const ROOT = import.meta.dirname;

/**
 * @param dist an empty or absent folder; what the program reads beside its code (config, examples) lies beside this folder
 * @param also programs beside those of the package, by the names that their bundles get
 * @returns what went into it
 */
export async function bundle(
  dist: string,
  also: Readonly<Record<string, string>> = {},
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { ...ENTRIES, ...also },
    outdir: dist,
    // As deep as the rooms of src: files find what lies beside dist by the same relative path.
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    // Only a checkout bundles the page.
    // The driver of the database asks for two others, which it does without.
    external: ['esbuild', 'pg-native', 'cloudflare:sockets'],
    // Libraries in the older form of modules call `require` for what Node brings.
    banner: {
      js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
    },
    plugins: [lightHttp],
    metafile: true,
    format: 'esm',
    platform: 'node',
    // The oldest version of Node that package.json allows: `await using` is compiled for it.
    target: 'node22.22',
    sourcemap: 'linked',
    // Stacks of errors name the lines of src, and the text of src is not shipped twice.
    sourcesContent: false,
    // Less to read at each start; names stay, for stacks of errors.
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'warning',
  });
  refuseLateCommonJs(metafile);
  chmodSync(join(dist, 'main.js'), 0o755);
  const client = join(dist, 'page', 'client');
  mkdirSync(client, { recursive: true });
  for (const [name, content] of Object.entries(await bundlePage())) {
    writeFileSync(join(client, name), content);
  }
  return metafile;
}

/**
 * `import` of node:http reads all its properties, also those that load Node's own `fetch`: 55 ms of 300 that a command
 * computes. To take only what is used costs 5 ms. A name that is missing here ends the build.
 */
const lightHttp: Plugin = {
  name: 'light-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http$/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'light-http' } : null,
    );
    onLoad({ filter: /.*/, namespace: 'light-http' }, () => ({
      contents:
        "export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http');",
    }));
  },
};

/**
 * In a bundle, `import()` of a CommonJS library gives `default` alone: its names are undefined there, and only there.
 * Such a library is imported by its names in a file of src, and that file with `import()`.
 */
function refuseLateCommonJs(metafile: Metafile): void {
  const late = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports
      .filter(
        ({ kind, path }) => kind === 'dynamic-import' && metafile.inputs[path]?.format === 'cjs',
      )
      .map(({ path }) => `${file} imports ${path}`),
  );
  if (late.length > 0) throw new Error(`import() of a CommonJS library: ${late.join(', ')}`);
}
