/** What a published package needs at run time is installed with it. */
import { readFileSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
/** Bundled into the page when it is built, or loaded in a checkout only. */
const BUILD_ONLY = new Set(['esbuild', 'htm', 'preact']);

test('every library that the code imports is a dependency, not one for development', async () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const missing = new Set<string>();
  for await (const file of glob('src/**/*.ts', { cwd: ROOT })) {
    for (const name of librariesIn(await readFile(join(ROOT, file), 'utf8'))) {
      if (!(name in dependencies) && !BUILD_ONLY.has(name)) missing.add(`${name}: ${file}`);
    }
  }
  expect([...missing]).toEqual([]);
});

/** Names of packages; imports of types alone leave nothing behind. */
function librariesIn(source: string): string[] {
  const imports = source.matchAll(/^(?:import|export) (?!type )[^'"`;]*?from '([^'.][^']*)';$/gm);
  const lazy = source.matchAll(/import\('([^'.][^']*)'\)/g);
  return [...imports, ...lazy]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
}
