import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conflictIn, conflictLine } from '../../src/files/conflict-markers.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('conflict markers are all three of them, in their order', () => {
  expect(conflictLine('a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n')).toBe(2);
  expect(conflictLine('<<<<<<< HEAD\r\nb\r\n||||||| base\r\n=======\r\nc\r\n>>>>>>> x')).toBe(1);
  expect(conflictLine('Title\n=======\n\n>>>>>>> quoted\n')).toBeUndefined();
  expect(conflictLine('<<<<<<< HEAD\nonly begun\n')).toBeUndefined();
});

test('in pages they are content between code fences, and a conflict elsewhere', async () => {
  const folder = await temporaryFolder();
  const fenced = new Set(['md']);
  const lineIn = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return await conflictIn(join(folder, name), fenced);
  };
  const markers = '<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\n';
  expect(await lineIn('git.md', `# Git\n\n\`\`\`\n${markers}\`\`\`\n`)).toBeUndefined();
  expect(await lineIn('git.md', `# Git\n\n\`\`\`\ncode\n\`\`\`\n${markers}`)).toBe(6);
  expect(await lineIn('a.json', `{\n${markers}}`)).toBe(2);
  expect(await conflictIn(join(folder, 'none'), fenced)).toBeUndefined();
});
