/** Texts on the page have the direction of their language. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inLanguage } from '../../src/page/client/in-language.ts';

test('languages of right-to-left scripts are known, also by a script in the code', () => {
  const right = ['he', 'ar', 'ar-EG', 'fa', 'ur', 'yi', 'ckb', 'dv', 'az-Arab', 'pa-PK', 'uz-AF'];
  for (const lang of right) expect(inLanguage(lang)).toEqual({ lang, dir: 'rtl' });
  const left = ['de', 'pt-BR', 'ja', 'zh-Hant', 'az', 'pa', 'he-Latn', 'ms'];
  for (const lang of left) expect(inLanguage(lang)).toEqual({ lang, dir: 'ltr' });
});

test('the text decides where nobody knows its language', () => {
  for (const unknown of ['auto', '', 'x-private'])
    expect(inLanguage(unknown)).toEqual({ dir: 'auto' });
});

test('no element of the page names a language without the direction of it', () => {
  const root = join(import.meta.dirname, '../../src/page/client');
  const files = globSync('**/*.ts', { cwd: root });
  expect(files.length).toBeGreaterThan(20);
  const named = /\blang=\$(?![^>]*\bdir=)/;
  const alone = files.filter((file) => named.test(readFileSync(join(root, file), 'utf8')));
  expect(alone).toEqual([]);
});
