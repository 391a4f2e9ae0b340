/**
 * The entries of the log: lines with `put`, `remove` or `move`. After a `put` come the bytes of the baseline, which are a line of
 * their own. So one baseline can be read without the others.
 */
import type { FileHandle } from 'node:fs/promises';
import { bad, journalLine, type Parsed, parseLine } from '../journal-line.ts';
import { readAt } from './bytes.ts';
import type { BaselineId, BaselineIndex } from './hash-index.ts';

/** A baseline gets another id. */
export interface IdMove {
  readonly from: BaselineId;
  readonly to: BaselineId;
}

const ID = /^[0-9a-f]{24}$/;
const CHUNK = 1024 * 1024;

export function putLine(id: BaselineId, length: number): string {
  return journalLine(`put ${id} ${length}`, 0);
}

export function removeLine(id: BaselineId): string {
  return journalLine(`remove ${id}`, 0);
}

/** All moves in one line: after a crash either all of them count or none. Two ids may have been exchanged. */
export function moveLine(moves: readonly IdMove[]): string {
  return journalLine(`move ${moves.map(({ from, to }) => `${from} ${to}`).join(' ')}`, 0);
}

export function moveEntries(index: BaselineIndex, moves: readonly IdMove[]): void {
  const found = moves.map(({ from, to }) => ({ to, location: index.get(from) }));
  for (const { from, to } of moves) {
    index.delete(from);
    // The moved baseline may be damaged: then no baseline is better than a wrong one.
    index.delete(to);
  }
  for (const { to, location } of found) {
    if (location !== undefined) index.set(to, location);
  }
}

export interface LogPart {
  readonly handle: FileHandle;
  readonly from: number;
  /** Size of the file. */
  readonly size: number;
}

/**
 * Applies the entries of a part of the log to the index. Bytes that are not an entry are skipped: a baseline that cannot be read is lost,
 * the others stay.
 * @returns the end of the last complete entry; later bytes are from a write that did not finish
 */
export async function applyEntries(part: LogPart, index: BaselineIndex): Promise<number> {
  const { handle, from, size } = part;
  let window: Buffer = Buffer.alloc(0);
  let begins = from;
  let at = from;
  let end = from;
  while (at < size) {
    let parsed: Parsed = parseLine(window, at - begins);
    if (parsed.kind === 'incomplete') {
      if (begins + window.length < size) {
        const rest = begins + window.length - at;
        window = await readAt(handle, { offset: at, length: Math.max(CHUNK, 2 * rest) });
        begins = at;
        continue;
      }
      parsed = bad(window, at - begins);
    }
    at += parsed.bytes;
    const entry = parsed.kind === 'line' ? baselineEntry(parsed.json) : undefined;
    if (entry === undefined) continue;
    if (at + entry.length > size) break;
    entry.apply(index, at);
    at += entry.length;
    end = at;
  }
  return end;
}

/** Whether each byte belongs to an entry, and each baseline can be read. Reads the whole part. */
export async function areEntriesWhole({ handle, from, size }: LogPart): Promise<boolean> {
  let window: Buffer = Buffer.alloc(0);
  let begins = from;
  let at = from;
  let baseline = 0;
  while (at < size) {
    const parsed = parseLine(window, at - begins);
    if (parsed.kind === 'incomplete' && begins + window.length < size) {
      const rest = begins + window.length - at;
      window = await readAt(handle, { offset: at, length: Math.max(CHUNK, 2 * rest) });
      begins = at;
      continue;
    }
    if (parsed.kind !== 'line') return false;
    const entry = baseline === 0 ? baselineEntry(parsed.json) : undefined;
    if (baseline === 0 ? entry === undefined : parsed.bytes !== baseline) return false;
    baseline = entry?.length ?? 0;
    at += parsed.bytes;
  }
  return baseline === 0;
}

interface BaselineEntry {
  /** Length of the baseline that follows. */
  readonly length: number;
  /** @param offset of that baseline */
  apply(index: BaselineIndex, offset: number): void;
}

/** Undefined also for the bytes of a baseline: they are read as a line when the `put` before them is damaged. */
function baselineEntry(line: string): BaselineEntry | undefined {
  if (line.startsWith('{')) return undefined;
  const [kind, ...words] = line.split(' ');
  const ids = words.filter((word) => ID.test(word)) as BaselineId[];
  const [id, to] = ids;
  if (id === undefined) return undefined;
  switch (kind) {
    case 'put': {
      const length = Number(words[1]);
      return { length, apply: (index, offset) => index.set(id, { offset, length }) };
    }
    case 'remove':
      return { length: 0, apply: (index) => index.delete(id) };
    case 'move':
      if (to === undefined) return undefined;
      return { length: 0, apply: (index) => moveEntries(index, pairs(ids)) };
    default:
      return undefined;
  }
}

function pairs(ids: readonly BaselineId[]): IdMove[] {
  return ids.flatMap((from, at): IdMove[] => {
    const to = ids[at + 1];
    return at % 2 === 0 && to !== undefined ? [{ from, to }] : [];
  });
}
