/** The segment base: what we last saw and wrote of a source in a language. A cache: lost, it is built again from memory and target. */

import { constants, createReadStream } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaselineKey, BaselineRecord, SegmentBaseline, SegmentRecord } from '../baseline.ts';
import { hashBytes, isAbsent, readBytesIfPresent, writeFailure } from '../files/disk.ts';
import { replaceFile } from '../files/replace.ts';
import type { Hash } from '../job.ts';
import { frame, parseLine } from './frame.ts';

/** All bases of a state folder. */
export class Baselines {
  readonly #folder: string;

  /** @param folder absolute; made when the first base is written */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param wrote hash of the target that the ledger says we left; undefined before the first delivery */
  of(key: BaselineKey, wrote: Hash | undefined): SegmentBaseline {
    let known: Promise<Stored | undefined> | undefined;
    const record: SegmentBaseline['record'] = async (found) => {
      known = this.#load(key);
      const stored = await known;
      return (stored && choose(stored, { found, wrote })) ?? undefined;
    };
    return {
      record,
      read: async (found) =>
        new Map((await record(found))?.segments.map((segment) => [segment.id, segment])),
      prepare: async (prepared, replacing) => {
        // Whoever has a claim on a job is alone with its base: what was read for it is what stands.
        const stored = await (known ?? this.#load(key));
        known = undefined;
        const earlier = (stored && choose(stored, { found: replacing, wrote })) ?? null;
        await this.#save(key, { path: key.path, prepared, earlier, replacing });
      },
    };
  }

  /** The source's texts as they were when it was last seen; empty when there is no base. */
  async sources(key: BaselineKey): Promise<readonly Pick<SegmentRecord, 'id' | 'source'>[]> {
    return (await this.#load(key))?.prepared.segments ?? [];
  }

  /** Sources were renamed: their bases go along, also where they took each other's names. */
  async move(
    moves: readonly { readonly from: BaselineKey; readonly to: BaselineKey }[],
  ): Promise<void> {
    const found = await Promise.all(
      moves.map(async ({ from, to }) => ({ from, to, stored: await this.#load(from) })),
    );
    const taken = new Set<string>();
    for (const { to, stored } of found) {
      if (stored === undefined) continue;
      await this.#save(to, { ...stored, path: to.path });
      taken.add(this.#pathOf(to));
    }
    for (const { from } of found) {
      if (!taken.has(this.#pathOf(from))) await this.remove(from);
    }
  }

  /** @returns false when there is none */
  async copy(key: BaselineKey, to: string): Promise<boolean> {
    try {
      await copyFile(this.#pathOf(key), to, constants.COPYFILE_FICLONE);
      return true;
    } catch (error) {
      if (isAbsent(error)) return false;
      throw writeFailure(to, error);
    }
  }

  /** Puts a copy back. */
  async putBack(key: BaselineKey, from: string): Promise<void> {
    const content = createReadStream(from);
    await replaceFile({
      path: this.#pathOf(key),
      root: this.#folder,
      tempIn: this.#folder,
      content,
      mode: 0o600,
    });
  }

  async remove(key: BaselineKey): Promise<void> {
    const path = this.#pathOf(key);
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw writeFailure(path, error);
    }
  }

  /** Undefined also when it is damaged: that is as good as lost. */
  async #load(key: BaselineKey): Promise<Stored | undefined> {
    const file = await readBytesIfPresent(this.#pathOf(key), Number.POSITIVE_INFINITY);
    const line = file && parseLine(file.bytes, 0);
    return line?.kind === 'line' ? (JSON.parse(line.json) as Stored) : undefined;
  }

  async #save(key: BaselineKey, stored: Stored): Promise<void> {
    await replaceFile({
      path: this.#pathOf(key),
      root: this.#folder,
      // In one folder: what a killed run leaves is found without a walk through thousands of folders.
      tempIn: this.#folder,
      content: frame(JSON.stringify(stored), 0),
      durability: 'cached',
      mode: 0o600,
    });
  }

  // Sources may be nested deeper, and named longer, than the state folder allows.
  #pathOf({ project, language, path }: BaselineKey): string {
    const name = hashBytes(`${project}\n${path}`);
    return join(this.#folder, language, name.slice(0, 2), `${name.slice(2, 32)}.json`);
  }
}

interface Stored {
  readonly path: string;
  /** What the target was about to hold when this was written. */
  readonly prepared: BaselineRecord;
  /** What it held until then. */
  readonly earlier: BaselineRecord | null;
  /** Hash of the target until then, as it stood on the disk. */
  readonly replacing: Hash | null;
}

interface Evidence {
  readonly found: Hash | null;
  readonly wrote: Hash | undefined;
}

/** Whether the target was replaced after the base was prepared, and so which of the two records is true. */
function choose(stored: Stored, { found, wrote }: Evidence): BaselineRecord | null {
  const { prepared, earlier, replacing } = stored;
  if (found === prepared.targetHash || wrote === prepared.targetHash) return prepared;
  const isEarlier = wrote !== undefined && wrote === earlier?.targetHash;
  if (found === replacing || isEarlier) return earlier;
  // Neither the disk nor the ledger knows either of them. Without the ledger's word the last one is the best guess;
  // against it, the base is older than what we wrote, and no base is better than a wrong one.
  return wrote === undefined ? prepared : null;
}
