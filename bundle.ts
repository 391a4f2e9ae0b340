// Bundles src and the libraries that it uses into a few files: what package.json's bin and exports point to, and what the tests run.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { bundlePage } from './src/page/bundle.ts';

const ROOT = import.meta.dirname;

/**
 * Files of the package that are started or imported by their names. Each list is bundled apart: what two lists share is written
 * twice, and not cut into a file for each way to share it. So a parser thread loads only what parsers need: it opens its first draft
 * after 150 ms and not after 270.
 */
const ENTRIES: readonly (readonly string[])[] = [
  ['main'],
  ['thread'],
  ['service/client'],
  ['state/postgres/beat-thread'],
];

/**
 * What nearly every command loads, and all that they import. The commands that people and hooks of git call most are among it, so
 * that what two of them share is no file of its own.
 */
const COMMON = [
  'cli/run-command-line',
  'daemon',
  'formats/json',
  'cli/status',
  'cli/check',
  'cli/check/target-work',
  'cli/once',
];

/**
 * @param dist an empty or absent folder; what the program reads beside its code (config, examples) lies beside this folder
 * @param also programs beside those of the package, by the names that their bundles get
 * @returns what went into it
 */
export async function bundle(
  dist: string,
  also: Readonly<Record<string, string>> = {},
): Promise<Metafile> {
  const metafile: Metafile = { inputs: {}, outputs: {} };
  for (const entries of ENTRIES) {
    const programs = Object.fromEntries(
      entries.map((entry) => [entry, join('src', `${entry}.ts`)]),
    );
    const isProgram = entries.includes('main');
    const made = await bundleApart(dist, {
      entryPoints: isProgram ? { ...programs, ...also } : programs,
      plugins: isProgram ? [commonFirst, lightBuiltins] : [lightBuiltins],
    });
    Object.assign(metafile.inputs, made.inputs);
    Object.assign(metafile.outputs, made.outputs);
  }
  refuseLateCommonJs(metafile);
  chmodSync(join(dist, 'main.js'), 0o755);
  const client = join(dist, 'page', 'client');
  mkdirSync(client, { recursive: true });
  for (const [name, content] of Object.entries(await bundlePage())) {
    writeFileSync(join(client, name), content);
  }
  return metafile;
}

async function bundleApart(
  dist: string,
  { entryPoints, plugins }: { entryPoints: Record<string, string>; plugins: Plugin[] },
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: dist,
    // As deep as the rooms of src: files find what lies beside dist by the same relative path.
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    // Only a checkout bundles the page.
    // The driver of the database asks for two others, which it does without.
    external: ['esbuild', 'pg-native', 'cloudflare:sockets'],
    plugins,
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
  return metafile;
}

/**
 * esbuild writes a file for each set of `import()`s that reach the same modules: "status" loaded 84 files of 18 KB, at half a
 * millisecond each. When each `import()` reaches what nearly all of them load, that is one set and one file: "status" loads 13, and
 * took 40 ms less of 280. What "--help" loads (run-command-line, imported by main) stays a file of its own.
 */
const commonFirst: Plugin = {
  name: 'common-first',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, async ({ kind, path, importer, resolveDir, pluginData }) => {
      const isFirst = importer === join(ROOT, 'src', 'main.ts');
      if (kind !== 'dynamic-import' || isFirst || pluginData === commonFirst) return null;
      const found = await resolve(path, { kind, resolveDir, pluginData: commonFirst });
      return found.path.startsWith(join(ROOT, 'src'))
        ? { path: found.path, namespace: 'common-first' }
        : found;
    });
    onLoad({ filter: /.*/, namespace: 'common-first' }, ({ path }) => ({
      contents: [
        ...COMMON.map((each) => `import ${JSON.stringify(join(ROOT, 'src', `${each}.ts`))};`),
        `export * from ${JSON.stringify(path)};`,
      ].join('\n'),
      resolveDir: ROOT,
    }));
  },
};

/**
 * `import` of a built-in module reads all its properties, also those that load what nobody uses: `fetch` behind node:http, web
 * cryptography behind node:crypto, reports behind node:process. To take only what is used saves "status" 20 ms of the 230 that it computes.
 */
const lightBuiltins: Plugin = {
  name: 'light-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z]/ }, ({ kind, path }) =>
      kind === 'import-statement' && isBuiltin(path)
        ? { path: path.replace(/^node:/, ''), namespace: 'light-builtins', sideEffects: false }
        : null,
    );
    // Libraries in the older form of modules call `require` for what Node brings: without a `require` of its own in each file.
    onResolve({ filter: /^[a-z]/ }, ({ kind, path }) =>
      kind === 'require-call' && isBuiltin(path)
        ? { path: path.replace(/^node:/, ''), namespace: 'required-builtins' }
        : null,
    );
    onLoad({ filter: /.*/, namespace: 'required-builtins' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
    onLoad({ filter: /.*/, namespace: 'light-builtins' }, ({ path }) => ({
      contents: lightBuiltin(path),
    }));
  },
};

/** What is not used of it, esbuild leaves out. */
function lightBuiltin(name: string): string {
  const names = Object.keys(process.getBuiltinModule(name) ?? {});
  return [
    `const builtin = process.getBuiltinModule('node:${name}');`,
    'const named = (name) => builtin[name];',
    ...names.map((each) => `const _${each} = /* @__PURE__ */ named('${each}');`),
    `export { builtin as default, ${names.map((each) => `_${each} as ${each}`).join(', ')} };`,
  ].join('\n');
}

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
