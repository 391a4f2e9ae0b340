/** How often files are read for a save: whoever works through a hundred thousand texts of one file waits for each reading. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { write } from '../../../src/control/review/write-work.ts';
import { json } from '../../../src/formats/json.ts';
import type { LanguageTag } from '../../../src/language.ts';
import { targetHash } from '../../../src/segments/statements.ts';
import { projectOf } from '../../projects.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('the first save reads source and translation, and each further one neither of them; of what is written, its own text is read back', async () => {
  const root = await temporaryFolder();
  const project = { ...projectOf(), root };
  const [route] = project.routes;
  if (route === undefined) throw new Error('no route');
  await writeFile(join(root, 'en.json'), '{ "a": "One", "b": "Two" }');
  await writeFile(join(root, 'de.json'), '{ "a": "Eins", "b": "Zwei" }');
  const language = 'de' as LanguageTag;
  const parse = vi.spyOn(json, 'parse');
  const save = async (id: string, before: string, text: string) => {
    const was = targetHash(before);
    parse.mockClear();
    const work = await write({
      ...{ project, route, source: 'en.json', target: 'de.json', language },
      ...{
        texts: [{ id, text, was, state: 'translated', now: 'translated' }],
        at: '2026-01-01T00:00:00.000Z',
      },
      ...{ seen: undefined, kept: [] },
    });
    const { bytes, written } = await work();
    if (bytes !== undefined) await writeFile(join(root, 'de.json'), bytes);
    return { readings: parse.mock.calls.length, text: written[0]?.text };
  };
  expect(await save('a', 'Eins', 'Ein')).toEqual({ readings: 2, text: 'Ein' });
  expect(await save('b', 'Zwei', 'Zwo')).toEqual({ readings: 0, text: 'Zwo' });
  await writeFile(join(root, 'de.json'), '{ "a": "Von Hand", "b": "Zwei" }');
  expect(await save('b', 'Zwei', 'Zwo')).toEqual({ readings: 1, text: 'Zwo' });
  expect(await readFile(join(root, 'de.json'), 'utf8')).toBe('{ "a": "Von Hand", "b": "Zwo" }');
  // What was decided from another text than the one that stands there is decided anew.
  await expect(save('a', 'Ein', 'Eins')).rejects.toMatchObject({
    failure: { kind: 'changed-meanwhile' },
  });
});

test('half of a character is refused: no file could hold it', async () => {
  const root = await temporaryFolder();
  const project = { ...projectOf(), root };
  const [route] = project.routes;
  if (route === undefined) throw new Error('no route');
  await writeFile(join(root, 'en.json'), '{ "a": "One", "b": "Two" }');
  await writeFile(join(root, 'de.json'), '{ "a": "Eins", "b": "Zwei" }');
  const texts = [
    { id: 'a', text: 'Ein\ud83d', was: targetHash('Eins'), state: 'translated', now: 'translated' },
    { id: 'b', text: 'Zwei 😀', was: targetHash('Zwei'), state: 'translated', now: 'translated' },
  ] as const;
  const language = 'de' as LanguageTag;
  const places = { project, route, source: 'en.json', target: 'de.json', language };
  const work = await write({
    ...places,
    texts,
    kept: [],
    seen: undefined,
    at: '2026-01-01T00:00:00.000Z',
  });
  const { refused, written } = await work();
  expect(written).toMatchObject([{ id: 'b', text: 'Zwei 😀' }]);
  expect(refused).toMatchObject([
    { id: 'a', message: expect.stringContaining('half of a character (U+D83D)') },
  ]);
});
