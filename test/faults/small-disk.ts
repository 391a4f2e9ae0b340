/** A real disk of a given size in a folder, where the system lets us mount one. */

import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../src/files/disk.ts';
import { execFileSync } from '../in-time.ts';

export class SmallDisk implements Disposable {
  readonly #path: string;

  /** @param size bytes @param limits other options of tmpfs @throws where mounting is not permitted */
  constructor(path: string, size: number, ...limits: readonly string[]) {
    mkdirSync(path, { recursive: true });
    const options = [`size=${size}`, ...limits].join();
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'pipe' });
    this.#path = path;
  }

  /** @param left bytes that stay free */
  fill(left = 0): void {
    this.makeRoom();
    const { bavail, bsize } = statfsSync(this.#path);
    try {
      writeFileSync(join(this.#path, FILLER), Buffer.alloc(Math.max(0, bavail * bsize - left)));
    } catch (error) {
      // Another process wrote there meanwhile and took some of the space: the disk is full anyway.
      if (errorCode(error) !== 'ENOSPC') throw error;
    }
  }

  makeRoom(): void {
    rmSync(join(this.#path, FILLER), { force: true });
  }

  become(what: 'read-only' | 'writable'): void {
    const option = what === 'read-only' ? 'remount,ro' : 'remount,rw';
    execFileSync('mount', ['-o', option, this.#path], { stdio: 'pipe' });
  }

  [Symbol.dispose](): void {
    execFileSync('umount', ['--lazy', this.#path], { stdio: 'pipe' });
  }
}

const FILLER = 'filler.bin';

/** Root may, and nobody else; a container may be forbidden to. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-disk-'));
  try {
    using _disk = new SmallDisk(folder, 65_536);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
