/** A disk that is full for a while. A limit on the size of files, set and removed while a real process runs, refuses the same writes. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { RecipeKey } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { execFileSync } from '../in-time.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const VICTIM = fileURLToPath(new URL('./full-disk.ts', import.meta.url));

interface Said {
  readonly texts: { readonly kept: string[]; readonly failure?: string };
  readonly facts: { readonly kept: string[]; readonly failure?: string };
}

/** Runs the victim under a limit of 16 KiB, which is lifted when it has met it. */
async function liveThroughFullDisk(folder: string): Promise<{ full: Said; again: Said }> {
  const command = `trap '' XFSZ; ulimit -S -f 16; exec "$0" "$1" "$2"`;
  const child = spawn('bash', ['-c', command, process.execPath, VICTIM, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said: Said[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(JSON.parse(line) as Said);
    if (said.length > 1) break;
    execFileSync('/usr/bin/prlimit', ['--pid', `${child.pid}`, '--fsize=unlimited:']);
    child.stdin.write('go on\n');
  }
  return { full: said[0] as Said, again: said[1] as Said };
}

test.runIf(process.platform === 'linux')(
  'a full disk loses nothing: the memory goes on when there is space, the ledger after a restart',
  async () => {
    const folder = await temporaryFolder();
    const { full, again } = await liveThroughFullDisk(folder);
    expect([full.texts.failure, full.facts.failure]).toEqual(['unwritable', 'unwritable']);
    expect([full.texts.kept.length > 0, full.facts.kept.length > 0]).toEqual([true, true]);
    expect(again).toMatchObject({
      texts: { kept: { length: 3 } },
      facts: { kept: [], failure: 'unwritable' },
    });
    await using ledger = await openLedger({ folder, clock: systemClock });
    await using memories = new FolderMemories({ folder: `${folder}/memory` });
    const memory = await memories.open('app', 'de' as LanguageTag);
    const texts = [...full.texts.kept, ...again.texts.kept];
    expect(full.facts.kept.filter((id) => !ledger.get('remotes', id))).toEqual([]);
    const asked = texts.map((text) => ({ recipe: 'r' as RecipeKey, parts: [text] }));
    expect((await memory.find(asked)).filter((found) => found === undefined)).toEqual([]);
    expect(ledger.condition).not.toBe('facts-lost');
  },
);
