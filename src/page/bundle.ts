/** Bundles the files that a browser loads, from `client/`. Called by the build, and by a checkout that runs from source. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const CLIENT = join(import.meta.dirname, 'client');

/** The names of the files in `dist/page/client/`. */
export type AssetName = 'index.html' | 'app.js' | 'app.css' | 'icon.svg';

/** @returns the contents of all four; needs esbuild, a development dependency */
export async function bundlePage(): Promise<Record<AssetName, Uint8Array>> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(CLIENT, 'app.ts'), join(CLIENT, 'app.css')],
    outdir: CLIENT,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    legalComments: 'inline',
    logLevel: 'silent',
  });
  const bundled = (suffix: string) => {
    const file = outputFiles.find(({ path }) => path.endsWith(suffix));
    if (file === undefined) throw new Error(`esbuild made no ${suffix}`);
    return file.contents;
  };
  return {
    'index.html': await readFile(join(CLIENT, 'index.html')),
    'icon.svg': await readFile(join(CLIENT, 'icon.svg')),
    'app.js': bundled('app.js'),
    'app.css': bundled('app.css'),
  };
}
