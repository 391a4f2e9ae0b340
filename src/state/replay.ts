/** Reads a journal: every line that was acknowledged as durable, and the rest of lines that were not. */
import type { FileHandle } from 'node:fs/promises';
import { readFailure } from '../files/disk.ts';
import { openRegular } from '../files/regular-file.ts';
import { bad, type Parsed, parseLine } from './journal-line.ts';

export interface Replayed {
  readonly lines: number;
  /** The offset to continue at. Nothing after it was acknowledged. */
  readonly end: number;
  /** Bytes after `end`, of a write that did not finish. */
  readonly torn: number;
  /** Bytes that were acknowledged and cannot be read any more. */
  readonly damaged: readonly Damage[];
}

export interface Damage {
  readonly offset: number;
  readonly bytes: number;
}

const CHUNK = 1024 * 1024;

/** A line that can be read, and its offset. */
export interface JournalLine {
  readonly json: string;
  readonly offset: number;
}

/** @param visit gets the JSON and the offset of each line, in order */
export async function replay(
  path: string,
  visit: (json: string, offset: number) => void,
): Promise<Replayed> {
  const lines = readLines(path);
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return value;
    for (const { json, offset } of value) visit(json, offset);
  }
}

/** The lines in order, in portions of one read each. */
export async function* readLines(path: string): AsyncGenerator<readonly JournalLine[], Replayed> {
  const reader = new JournalReader();
  try {
    await using handle = await openRegular(path);
    let rest: Buffer = Buffer.alloc(0);
    let offset = 0;
    for (;;) {
      const { buffer, last } = await readOn(handle, rest);
      const used = reader.read(buffer, { offset, last });
      yield reader.take();
      if (last) return reader.report(offset + buffer.length);
      rest = buffer.subarray(used);
      offset += used;
    }
  } catch (error) {
    throw readFailure(path, error);
  }
}

// The buffer doubles: so a long line is copied at most twice its length.
async function readOn(
  handle: FileHandle,
  rest: Buffer,
): Promise<{ buffer: Buffer; last: boolean }> {
  const buffer = Buffer.allocUnsafe(rest.length + Math.max(CHUNK, rest.length));
  rest.copy(buffer);
  const { bytesRead } = await handle.read(buffer, rest.length);
  return { buffer: buffer.subarray(0, rest.length + bytesRead), last: bytesRead === 0 };
}

interface Held {
  readonly offset: number;
  readonly bytes: number;
  /** Absent: unreadable. */
  readonly json?: string;
}

class JournalReader {
  /** Lines from the first unreadable one on, until a later line proves that they were acknowledged. */
  #held: Held[] = [];
  #good: JournalLine[] = [];
  #lines = 0;
  readonly #damaged: Damage[] = [];

  /** @returns how many bytes of the buffer are read completely */
  read(buffer: Buffer, { offset, last }: { offset: number; last: boolean }): number {
    let at = 0;
    while (at < buffer.length) {
      let parsed: Parsed = parseLine(buffer, at);
      if (parsed.kind === 'incomplete') {
        if (!last) break;
        parsed = bad(buffer, at);
      }
      if (parsed.kind === 'line') this.#place(parsed, offset + at);
      else this.#held.push({ offset: offset + at, bytes: parsed.bytes });
      at += parsed.bytes;
    }
    return at;
  }

  /** The readable lines since the last call. */
  take(): JournalLine[] {
    const good = this.#good;
    this.#good = [];
    return good;
  }

  report(size: number): Replayed {
    const end = this.#held[0]?.offset ?? size;
    return { lines: this.#lines, end, torn: size - end, damaged: this.#damaged };
  }

  #place(line: Extract<Parsed, { kind: 'line' }>, offset: number): void {
    const acknowledged = this.#held.findIndex((held) => held.offset >= line.durable);
    const proven = this.#held.splice(0, acknowledged < 0 ? this.#held.length : acknowledged);
    for (const held of proven) this.#release(held);
    const held = { offset, bytes: line.bytes, json: line.json };
    if (this.#held.length > 0) this.#held.push(held);
    else this.#release(held);
  }

  #release({ offset, bytes, json }: Held): void {
    if (json === undefined) {
      this.#damaged.push({ offset, bytes });
      return;
    }
    this.#lines++;
    this.#good.push({ json, offset });
  }
}
