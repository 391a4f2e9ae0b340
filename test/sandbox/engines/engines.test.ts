import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LanguageTag } from '../../../src/language.ts';
import type { EngineRecipe } from '../../../src/sandbox/engine.ts';
import { echoEngine } from '../../../src/sandbox/engines/echo.ts';
import { openEngine } from '../../../src/sandbox/engines/open.ts';
import { phrasebookEngine } from '../../../src/sandbox/engines/phrasebook.ts';
import { plainEngine } from '../../../src/sandbox/engines/plain.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const recipe = (more: Partial<EngineRecipe> = {}): EngineRecipe => ({
  source: 'en' as LanguageTag,
  target: 'de-CH' as LanguageTag,
  marks: [],
  ...more,
});

test('echo gives back what came, and shows what was applied', () => {
  const terms = new Map([['account', 'Konto']]);
  expect(echoEngine.translate(['My account'], recipe())).toEqual(['My account']);
  expect(echoEngine.translate(['My account'], recipe({ terms, marks: ['more'] }))).toEqual([
    '[de-CH·more My ‹Konto›]',
  ]);
});

test('plain gives other letters and the terms of the glossary, and nothing besides', () => {
  const terms = new Map([['account', 'Konto']]);
  const marked = recipe({ terms, marks: ['more'] });
  expect(plainEngine.translate(['My account {id}\n', '', '42'], marked)).toEqual([
    'Ḿẏ Konto {id}\n',
    '',
    '42',
  ]);
  const hebrew = { ...marked, target: 'he' as LanguageTag };
  expect(plainEngine.translate(['Hi ȧ‹›'], hebrew)).toEqual(['Ħī ȧ‹›']);
});

test('a phrasebook knows exact texts, by language or base, and leaves the rest to pseudo', () => {
  const engine = phrasebookEngine({ de: { Hello: 'Hallo' }, 'de-CH': { Bye: 'Ade' } });
  expect(engine.translate(['Hello', ' Bye\n', 'hello', 'constructor'], recipe())).toEqual([
    'Hallo',
    ' Ade\n',
    expect.stringMatching(/^\[de-CH ħ/u),
    expect.stringMatching(/^\[de-CH /u),
  ]);
});

test('engines are opened by name', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'book.json');
  await writeFile(file, JSON.stringify({ de: { Hello: 'Hallo' } }));
  const opened = await Promise.all(
    ['pseudo', 'plain', 'echo', file, `phrasebook:${file}`].map(
      async (name) => (await openEngine(name)).name,
    ),
  );
  expect(opened).toEqual(['pseudo', 'plain', 'echo', 'phrasebook', 'phrasebook']);
  await writeFile(file, '["Hello"]');
  await expect(openEngine(file)).rejects.toThrow('is no phrasebook');
  await expect(openEngine('magic')).rejects.toThrow('no engine');
});
