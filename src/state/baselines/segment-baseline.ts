/**
 * The baseline of one source in one language, with its stored bytes. They have two records, because a crash may come before or
 * after the target is replaced.
 */
import type {
  BaselineRecord,
  SegmentBaseline,
  SegmentRecord,
  StoredBaseline,
} from '../../baseline.ts';
import { stepsInTurns, turnsOf } from '../../clock.ts';
import type { Hash } from '../../job.ts';
import { lineOfPieces, lineSpan, parseLine } from '../journal-line.ts';

export interface BaselineSubject {
  readonly stored: StoredBaseline;
  /** Path of the source. */
  readonly path: string;
  /** Hash of the target in the ledger, as dragoman left it; undefined before the first delivery. */
  readonly wrote: Hash | undefined;
  /** Of the claim that reads and prepares it. Absent: unknown. */
  readonly fence?: number | undefined;
}

export function segmentBaseline({ stored, path, wrote, fence }: BaselineSubject): SegmentBaseline {
  let known: Promise<StoredRecords | undefined> | undefined;
  const load = async () => await parseInTurns(await stored.read());
  const candidates = async (found: Hash | null) => {
    known = load();
    const both = await known;
    return both === undefined ? [] : chosen(both, { found, wrote, fence });
  };
  const record = async (found: Hash | null) => (await candidates(found))[0];
  return {
    stored,
    record,
    candidates,
    read: async (found) =>
      new Map((await record(found))?.segments.map((segment) => [segment.id, segment])),
    prepare: async (prepared, replacing) => {
      // Only the holder of the claim writes this baseline: so what was read is still what is stored.
      const both = await (known ?? load());
      known = undefined;
      const earlier = (both && choose(both, { found: replacing, wrote, fence })) ?? null;
      const next: StoredRecords = { path, prepared, earlier, replacing, ...(fence && { fence }) };
      await stored.write(await encode(next));
    },
    withdraw: async () => {
      const both = await load();
      if (both !== undefined) await stored.write(await encode({ ...both, fence: WITHDRAWN }));
    },
  };
}

/** The texts of the source when it was last seen. */
export function preparedSegments(bytes: Uint8Array | undefined): readonly SegmentRecord[] {
  return parse(bytes)?.prepared.segments ?? [];
}

/** When it was written, ISO 8601; undefined when it cannot be read. */
export function preparedAt(bytes: Uint8Array): string | undefined {
  return parse(bytes)?.prepared.at;
}

interface StoredRecords {
  readonly path: string;
  /** The record of the target that was about to be put in place. */
  readonly prepared: BaselineRecord;
  /** The record of the target before. */
  readonly earlier: BaselineRecord | null;
  /** Hash of the target on the disk before; null: there was none. */
  readonly replacing: Hash | null;
  /** Of the claim that prepared it, or `WITHDRAWN`; absent in records of earlier versions. */
  readonly fence?: number;
}

/** The fence of a record whose target was not put in place: lower than that of every claim. */
const WITHDRAWN = 0;

/** Milliseconds of a turn: a film with 100,000 cues takes a second. */
const TURN_MS = 10;
/** Bytes that are encoded together. */
const CHUNK = 64 * 1024;

/** The line that `journalLine` makes, in turns. */
async function encode(stored: StoredRecords): Promise<Buffer> {
  const turns = turnsOf(TURN_MS);
  const chunks: Buffer[] = [];
  let pending = '';
  for (const piece of jsonOf(stored)) {
    pending += piece;
    if (pending.length < CHUNK) continue;
    chunks.push(Buffer.from(pending));
    pending = '';
    if (turns.over()) await turns.next();
  }
  chunks.push(Buffer.from(pending));
  return await stepsInTurns(lineOfPieces(chunks), turns);
}

function* jsonOf({ path, prepared, earlier, replacing, fence }: StoredRecords): Generator<string> {
  yield `{"path":${JSON.stringify(path)},"prepared":`;
  yield* jsonOfRecord(prepared);
  yield ',"earlier":';
  if (earlier === null) yield 'null';
  else yield* jsonOfRecord(earlier);
  yield `,"replacing":${JSON.stringify(replacing)}`;
  yield fence === undefined ? '}' : `,"fence":${fence}}`;
}

function* jsonOfRecord({ segments, ...others }: BaselineRecord): Generator<string> {
  yield '{"segments":[';
  for (const [nth, segment] of segments.entries()) {
    yield `${nth === 0 ? '' : ','}${JSON.stringify(segment)}`;
  }
  yield `],${JSON.stringify(others).slice(1)}`;
}

/** Undefined also when it is damaged: then it is lost. */
function parse(bytes: Uint8Array | undefined): StoredRecords | undefined {
  if (bytes === undefined) return undefined;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const line = parseLine(buffer, 0);
  return line.kind === 'line' ? (JSON.parse(line.json) as StoredRecords) : undefined;
}

/** The most bytes that are parsed in one step. */
const SLICE = 128 * 1024;
/** The end of one segment and the start of the next. Inside a text, a quote has a backslash before it, so this cannot occur there. */
const BETWEEN = Buffer.from('},{"id":');

/** Parses like `parse`, in steps when there are many bytes. */
async function parseInTurns(bytes: Uint8Array | undefined): Promise<StoredRecords | undefined> {
  if (bytes === undefined || bytes.byteLength <= SLICE) return parse(bytes);
  const turns = turnsOf(TURN_MS);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const span = lineSpan(buffer);
  if (span === undefined) return undefined;
  const slices: unknown[][] = [];
  const rest: string[] = [];
  for (let from = span.start; from < span.end; ) {
    if (turns.over()) await turns.next();
    const found = buffer.indexOf(BETWEEN, from + SLICE);
    const to = found < 0 || found > span.end ? span.end : found + 1;
    const text = buffer.toString('utf8', from, to);
    const segments = listOf(text);
    rest.push(segments === undefined ? text : `{"slice":${slices.push(segments) - 1}}`);
    from = to + 1;
  }
  await turns.next();
  return recordsOfSlices(JSON.parse(rest.join(',')) as StoredRecords, slices) ?? parse(bytes);
}

/** The segments in a slice; undefined when the slice has anything else, such as the start of the record. */
function listOf(text: string): unknown[] | undefined {
  try {
    return JSON.parse(`[${text}]`) as unknown[];
  } catch {
    return undefined;
  }
}

/** Puts the segments of the slices into the record; undefined when a segment was cut apart. */
function recordsOfSlices(
  stored: StoredRecords,
  slices: readonly unknown[][],
): StoredRecords | undefined {
  let placed = 0;
  const whole = <R extends BaselineRecord | null>(record: R): R =>
    record && {
      ...record,
      segments: record.segments.flatMap((segment) => {
        if (!('slice' in segment)) return segment;
        placed += 1;
        return slices[Number(segment.slice)] as SegmentRecord[];
      }),
    };
  const { prepared, earlier } = stored;
  const next = { ...stored, prepared: whole(prepared), earlier: whole(earlier) };
  return placed === slices.length ? next : undefined;
}

interface ReadingOfTarget extends Pick<BaselineSubject, 'wrote' | 'fence'> {
  readonly found: Hash | null;
}

/** The record that `choose` takes, and the other one where that could be the true one. */
function chosen(stored: StoredRecords, reading: ReadingOfTarget): BaselineRecord[] {
  const record = choose(stored, reading);
  if (record === null) return [];
  const { prepared, earlier, replacing, fence } = stored;
  const { found, wrote } = reading;
  const isUnsure = record === earlier && found !== null && found !== replacing;
  return isUnsure && found !== wrote && fence !== WITHDRAWN ? [record, prepared] : [record];
}

/** Which of the two records is true: it depends on whether the target was replaced after the baseline was prepared. */
function choose(stored: StoredRecords, reading: ReadingOfTarget): BaselineRecord | null {
  const { prepared, earlier, replacing } = stored;
  const { found, wrote } = reading;
  if (found === prepared.targetHash || wrote === prepared.targetHash) return prepared;
  const isEarlier = wrote !== undefined && wrote === earlier?.targetHash;
  if (found === replacing || isEarlier || isOvertaken(stored, reading)) return earlier;
  // Neither the disk nor the ledger has the hash of either record. Without a hash in the ledger, the last record is the best guess.
  // With another hash there, the baseline is older than the target: no baseline is better than a wrong one.
  return wrote === undefined ? prepared : null;
}

/**
 * Whether an earlier claim of the same ledger prepared it, and delivered nothing: somebody else wrote the target before. A person has
 * removed none of the prepared texts then. A ledger that was lost counts its claims anew, so its fence is not higher.
 */
function isOvertaken(
  { prepared, replacing, fence }: StoredRecords,
  reading: ReadingOfTarget,
): boolean {
  if (reading.wrote !== undefined || replacing === prepared.targetHash) return false;
  if (fence === WITHDRAWN) return true;
  // Where no file was before, a file of somebody else is less likely than ours with an edit.
  return replacing !== null && fence !== undefined && (reading.fence ?? 0) > fence;
}
