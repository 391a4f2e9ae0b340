/** The folder of the quickstart. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownConfig, startScript } from '../../src/cli/quickstart-folder.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'quickstart', 'dragoman.yaml');

test('the config of the quickstart needs no variable, and says how its sandbox is started again', async () => {
  const example = await readFile(EXAMPLE, 'utf8');
  const own = ownConfig(example, { url: 'http://127.0.0.1:4711', schema: '../s.json' });
  expect(own).toContain('$schema=../s.json\n');
  expect(own).toContain('url: http://127.0.0.1:4711 # ');
  expect(own).toContain('./dragoman sandbox --port 4711');
  expect(own).toContain('key: { file: sandbox.key }');
  expect(own).not.toContain('DRAGOMAN');
});

test('the program of the quickstart starts also from folders with blanks and quotes in their names', () => {
  expect(startScript(['/my node', "/it's/main.js"])).toBe(
    `#!/bin/sh\nexec '/my node' '/it'\\''s/main.js' "$@"\n`,
  );
});
