/** examples/glossaries as its reader would run it: the real binary against the sandbox. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { MAIN } from '../main.ts';
import { copyOfExample } from './copy-of-example.ts';

test('terms, styles and variants of examples/glossaries are applied, and a changed term buys two texts', async () => {
  await using sandbox = await startSandbox();
  const folder = await copyOfExample('glossaries');
  const run = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, [MAIN, ...args, '--no-input'], {
      cwd: folder,
      env: { ...process.env, DRAGOMAN_URL: sandbox.url, DRAGOMAN_KEY: sandbox.key },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    return Buffer.concat(chunks).toString();
  };
  const texts = (language: string) =>
    JSON.parse(readFileSync(join(folder, 'locales', language, 'app.json'), 'utf8'));
  expect(await run('check')).toContain('0 faults');
  const planned = JSON.parse(await run('plan', '--json')).estimated_characters;
  const done = JSON.parse(await run('once', '--json'));
  expect(done).toMatchObject({ delivered: 4, held: [], failed: [], billed_characters: planned });
  expect(texts('de').full).toMatch(/^\[de·style-.*‹Liegeplatz›.*\{name\}.*‹Hafenmeister›/);
  expect(texts('fr').book).toContain("‹poste d'amarrage›");
  expect(texts('pt-BR').full).not.toContain('Hafenmeister');
  expect(texts('en-GB').color).toMatch(/^\[en-GB·improved /);
  const terms = join(folder, 'l10n', 'terms.csv');
  writeFileSync(terms, readFileSync(terms, 'utf8').replace('Liegeplatz', 'Bootsplatz'));
  const again = JSON.parse(await run('once', '--json'));
  const source = texts('en');
  expect(again.billed_characters).toBe(
    [source.book, source.full].reduce((sum, text) => sum + sent(text), 0),
  );
  expect(texts('de').book).toContain('‹Bootsplatz›');
  expect(texts('de').slip).toContain('‹Helling›');
  expect(await run('glossary', 'diff')).toContain('equal to its file');
});

/** A placeholder goes out as an empty tag: `{name}` as `<x id="0"/>`. */
function sent(text: string): number {
  return text.replace('{name}', '<x id="0"/>').length;
}
