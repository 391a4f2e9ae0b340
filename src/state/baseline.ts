/** The baselines of a state folder, in one log that is opened at its first use. */
import type {
  BaselineKey,
  BaselineMove,
  BaselineReader,
  Baselines,
  SegmentBaseline,
  SegmentRecord,
  StoredBaseline,
} from '../baseline.ts';
import { JobFailure } from '../failure.ts';
import type { Hash } from '../job.ts';
import type { Claim } from '../ledger.ts';
import { baselineIdOf, moveFilesIntoLog, readBaselineFile } from './baselines/file-per-target.ts';
import { BaselineLog, openLogReader } from './baselines/log.ts';
import { preparedSegments, segmentBaseline } from './baselines/segment-baseline.ts';

/**
 * @param folder absolute; made at the first use. Only one process may write it: take the lock first
 * @throws JobFailure from every method: `unreadable`, `unwritable`, `disk-full`
 */
export function openBaselines(folder: string): Baselines {
  return new LoggedBaselines(folder);
}

/**
 * Reads baselines while a daemon may be writing them.
 * @param folder absolute; it may not exist
 */
export async function readBaselines(folder: string): Promise<BaselineReader> {
  const log = await openLogReader(folder);
  return {
    of: (key, wrote, claim) => {
      const stored = unwritable(() => read(key));
      return segmentBaseline({ stored, path: key.path, wrote, fence: claim?.fence });
    },
    [Symbol.asyncDispose]: async () => await log?.[Symbol.asyncDispose](),
  };

  async function read(key: BaselineKey): Promise<Uint8Array | undefined> {
    return (await log?.read(baselineIdOf(key))) ?? (await readBaselineFile(folder, key));
  }
}

class LoggedBaselines implements Baselines {
  readonly #folder: string;
  #log: Promise<BaselineLog> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  of(key: BaselineKey, wrote: Hash | undefined, claim?: Claim): SegmentBaseline {
    const id = baselineIdOf(key);
    const stored: StoredBaseline = {
      read: async () => await (await this.#open()).read(id),
      write: async (bytes) => await (await this.#open()).write(id, bytes),
    };
    return segmentBaseline({ stored, path: key.path, wrote, fence: claim?.fence });
  }

  async sources(key: BaselineKey): Promise<readonly Pick<SegmentRecord, 'id' | 'source'>[]> {
    return preparedSegments(await this.copyOf(key));
  }

  async move(moves: readonly BaselineMove[]): Promise<void> {
    const log = await this.#open();
    await log.move(
      moves.map(({ from, to }) => ({ from: baselineIdOf(from), to: baselineIdOf(to) })),
    );
  }

  async copyOf(key: BaselineKey): Promise<Uint8Array | undefined> {
    return await (await this.#open()).read(baselineIdOf(key));
  }

  async putBack(key: BaselineKey, copy: Uint8Array): Promise<void> {
    await (await this.#open()).write(baselineIdOf(key), copy);
  }

  async remove(key: BaselineKey): Promise<void> {
    await (await this.#open()).remove(baselineIdOf(key));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const log = await this.#log?.catch(() => undefined); // its callers got the failure
    this.#log = undefined;
    await log?.[Symbol.asyncDispose]();
  }

  #open(): Promise<BaselineLog> {
    this.#log ??= openLog(this.#folder).catch((error: unknown) => {
      this.#log = undefined;
      throw error;
    });
    return this.#log;
  }
}

async function openLog(folder: string): Promise<BaselineLog> {
  const log = await BaselineLog.open(folder);
  try {
    await moveFilesIntoLog(folder, log);
    return log;
  } catch (error) {
    await log[Symbol.asyncDispose]();
    throw error;
  }
}

function unwritable(read: StoredBaseline['read']): StoredBaseline {
  return {
    read,
    async write() {
      throw new JobFailure({
        kind: 'internal',
        message: 'a process that only reads prepared a baseline',
      });
    },
  };
}
