/** Where the page's files come from: built ones in a published package, bundled at first use in a checkout. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { AssetName } from './bundle.ts';

export type Assets = Readonly<Record<AssetName, Uint8Array>>;

const BUILT = join(import.meta.dirname, '..', 'page', 'client');

let loading: Promise<Assets> | undefined;

export function loadAssets(): Promise<Assets> {
  loading ??= extname(import.meta.filename) === '.ts' ? bundle() : readBuilt();
  return loading;
}

async function bundle(): Promise<Assets> {
  const { bundlePage } = await import('./bundle.ts');
  return await bundlePage();
}

async function readBuilt(): Promise<Assets> {
  const read = (name: AssetName) => readFile(join(BUILT, name));
  return {
    'index.html': await read('index.html'),
    'app.js': await read('app.js'),
    'app.css': await read('app.css'),
    'icon.svg': await read('icon.svg'),
  };
}
