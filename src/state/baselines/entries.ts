/**
 * What stands in the log: lines that say `put`, `remove` or `move`. Behind a `put` follow the bytes of the baseline, a line of
 * their own, so that whoever looks for one of them never reads the others.
 */
import type { FileHandle } from 'node:fs/promises';
import { bad, frame, type Parsed, parseLine } from '../frame.ts';
import { readAt } from './bytes.ts';
import type { BaselineId, BaselineIndex } from './index.ts';

/** A baseline goes from one id to the other. */
export interface IdMove {
  readonly from: BaselineId;
  readonly to: BaselineId;
}

const ID = /^[0-9a-f]{24}$/;
const CHUNK = 1024 * 1024;

export function putLine(id: BaselineId, length: number): string {
  return frame(`put ${id} ${length}`, 0);
}

export function removeLine(id: BaselineId): string {
  return frame(`remove ${id}`, 0);
}

/** All of them or, after a crash, none: also where two took each other's place. */
export function moveLine(moves: readonly IdMove[]): string {
  return frame(`move ${moves.map(({ from, to }) => `${from} ${to}`).join(' ')}`, 0);
}

export function applyMoves(index: BaselineIndex, moves: readonly IdMove[]): void {
  const found = moves.map(({ from, to }) => ({ to, location: index.get(from) }));
  for (const { from, to } of moves) {
    index.delete(from);
    // Where nothing comes, because what should is damaged: no baseline is better than a wrong one.
    index.delete(to);
  }
  for (const { to, location } of found) {
    if (location !== undefined) index.set(to, location);
  }
}

export interface LogPart {
  readonly handle: FileHandle;
  readonly from: number;
  /** Where the file ends. */
  readonly size: number;
}

/**
 * Applies the entries of a part of the log to the index. Bytes that are no entry are skipped: a baseline that cannot be read
 * is as good as lost, the others stay.
 * @returns where the last whole entry ends; what stands behind it is a write that did not finish
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
    const entry = parsed.kind === 'line' ? entryOf(parsed.json) : undefined;
    if (entry === undefined) continue;
    if (at + entry.length > size) break;
    entry.apply(index, at);
    at += entry.length;
    end = at;
  }
  return end;
}

interface Entry {
  /** Of the baseline that follows. */
  readonly length: number;
  /** @param offset where that begins */
  apply(index: BaselineIndex, offset: number): void;
}

/** Undefined also for the text of a baseline, which is met where the line before it is damaged. */
function entryOf(line: string): Entry | undefined {
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
      return { length: 0, apply: (index) => applyMoves(index, pairs(ids)) };
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
