/** Translations of people whose texts left their files. */
import { expect, test } from 'vitest';
import { sourceHash } from '../../src/segments/statements.ts';
import { LeftTexts } from '../../src/state/left-texts.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { bought, DE } from '../contracts/memory.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a project of which no text has left a file has none, whatever was bought; the first one is known also after a restart', async () => {
  const place = { project: 'app', language: DE, format: 'json' };
  const folder = await temporaryFolder();
  {
    await using memories = new FolderMemories({ folder });
    await (await memories.open('app', DE)).remember([bought('Save', 'Sichern')]);
    const left = new LeftTexts(memories, manualClock());
    expect(await left.hasAny(place)).toBe(false);
    const text = { id: 'open', source: sourceHash('Open'), translation: ['Öffnen'] };
    await left.keep(place, 'en/app.json', [{ ...text, origin: 'human' }]);
    expect(await left.hasAny(place)).toBe(true);
  }
  await using memories = new FolderMemories({ folder });
  expect(await new LeftTexts(memories, manualClock()).hasAny(place)).toBe(true);
});
