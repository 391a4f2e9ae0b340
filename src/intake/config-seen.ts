/** What earlier starts have looked at: with the same config, and the same lock and records, it is not looked at again. */
import { join } from 'node:path';
import { readBytesIfPresent } from '../files/disk.ts';
import { writeIfDifferent } from '../files/replace.ts';

/** Digests. Empty: nothing was looked at. */
interface SeenDigests {
  /** Of config and lock, when no file of the lock had lines of others. */
  readonly lines: string;
  /** Of config and foreign projects of the ledger, when all records had been carried. */
  readonly records: string;
}

/** In the state folder: both digests, with a space between them. */
const SEEN = 'config-seen';
const LARGEST_SEEN = 200;

/** @param state the state folder */
export async function readSeen(state: string): Promise<SeenDigests> {
  const read = await readBytesIfPresent(join(state, SEEN), LARGEST_SEEN).catch(() => undefined);
  const [lines = '', records = ''] = read?.bytes.toString().split(' ') ?? [];
  return { lines, records };
}

/** @param state the state folder */
export async function recordSeen(state: string, seen: Partial<SeenDigests>): Promise<void> {
  const { lines, records } = { ...(await readSeen(state)), ...seen };
  const content = `${lines} ${records}`;
  await writeIfDifferent({ path: join(state, SEEN), root: state, content, durability: 'cached' });
}
