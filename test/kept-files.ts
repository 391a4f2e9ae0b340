/** Tests of many rows begin each one with the same files, which one run of the program made. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rig } from './rig.ts';

/** Keeps a copy of all files, with their times. */
export function keptFiles(rig: Rig): Disposable & { restore(): void } {
  const kept = mkdtempSync(join(tmpdir(), 'dragoman-kept-'));
  const copy = { recursive: true, preserveTimestamps: true };
  cpSync(rig.root, kept, copy);
  return {
    restore() {
      rmSync(rig.root, { recursive: true });
      cpSync(kept, rig.root, copy);
    },
    [Symbol.dispose]: () => rmSync(kept, { recursive: true }),
  };
}
