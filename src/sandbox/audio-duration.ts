/** The duration of a recording, from its first bytes and headers, never from its name; undefined when it is not a recording. */
import { open } from 'node:fs/promises';

/** Enough for the headers at the start, and for the last page of an Ogg stream. */
const EDGE_BYTES = 256 * 1024;

interface Edges {
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Bytes of the whole file. */
  readonly size: number;
}

type Measure = (edges: Edges) => number | undefined;

/** Milliseconds; undefined when the file is not a known audio or video format. */
export async function audioDuration(file: string): Promise<number | undefined> {
  const edges = await readEdges(file);
  const found = KINDS.find(({ marks }) => marks.some(([at, mark]) => marked(edges.head, at, mark)));
  if (found === undefined) return undefined;
  return Math.round(found.measure(edges) ?? guess(edges));
}

interface AudioContainer {
  /** Latin-1 strings at their offsets; one of them must match. */
  readonly marks: readonly (readonly [at: number, mark: string])[];
  readonly measure: Measure;
}

const KINDS: readonly AudioContainer[] = [
  { marks: [[8, 'WAVE']], measure: wave },
  { marks: [[0, 'fLaC']], measure: flac },
  { marks: [[0, 'OggS']], measure: ogg },
  { marks: [[4, 'ftyp']], measure: mp4 },
  {
    marks: [
      [0, 'ID3'],
      [0, '\xff\xfb'],
      [0, '\xff\xfa'],
      [0, '\xff\xf3'],
      [0, '\xff\xf2'],
    ],
    measure: mp3,
  },
  // Matroska and WebM, ADTS, AMR: accepted as recordings, with a guessed duration.
  {
    marks: [
      [0, '\x1a\x45\xdf\xa3'],
      [0, '\xff\xf1'],
      [0, '\xff\xf9'],
      [0, '#!AMR'],
    ],
    measure: () => undefined,
  },
];

/** 128 kbit/s, the most common rate of speech and music on the web. */
function guess({ size }: Edges): number {
  return size / 16;
}

async function readEdges(file: string): Promise<Edges> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const length = Math.min(size, EDGE_BYTES);
  const read = async (position: number) =>
    (await handle.read(Buffer.alloc(length), 0, length, position)).buffer;
  return { size, head: await read(0), tail: await read(size - length) };
}

function marked(head: Buffer, at: number, mark: string): boolean {
  return head.toString('latin1', at, at + mark.length) === mark;
}

/** Data bytes divided by bytes per second (RIFF WAVE, `fmt ` and `data` chunks). */
function wave({ head, size }: Edges): number | undefined {
  let bytesPerSecond: number | undefined;
  for (let at = 12; at + 20 <= head.length; ) {
    const id = head.toString('latin1', at, at + 4);
    const length = head.readUInt32LE(at + 4);
    if (id === 'fmt ') bytesPerSecond = head.readUInt32LE(at + 16);
    if (id === 'data') {
      const data = Math.min(length, size - at - 8);
      return bytesPerSecond ? (data / bytesPerSecond) * 1000 : undefined;
    }
    at += 8 + length + (length % 2);
  }
  return undefined;
}

/** Samples divided by the sample rate (RFC 9639, 8.2). */
function flac({ head }: Edges): number | undefined {
  if (head.length < 26) return undefined;
  const rate = head.readUIntBE(18, 3) >> 4;
  const samples = (head.readUInt8(21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22);
  return rate > 0 && samples > 0 ? (samples / rate) * 1000 : undefined;
}

/** The granule position of the last page (RFC 3533); Opus always counts at 48 kHz (RFC 7845). */
function ogg({ head, tail }: Edges): number | undefined {
  const last = tail.lastIndexOf('OggS', undefined, 'latin1');
  if (last < 0 || last + 14 > tail.length) return undefined;
  const samples = Number(tail.readBigUInt64LE(last + 6));
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1');
  const rate = vorbis < 0 ? 48_000 : head.readUInt32LE(vorbis + 12);
  return rate > 0 ? (samples / rate) * 1000 : undefined;
}

/** Duration divided by timescale of the movie header, which may be at the start or the end (ISO 14496-12, 8.2.2). */
function mp4({ head, tail }: Edges): number | undefined {
  for (const part of [head, tail]) {
    const at = part.indexOf('mvhd', 0, 'latin1') + 4;
    if (at < 4 || at + 32 > part.length) continue;
    const wide = part.readUInt8(at) === 1;
    const scale = part.readUInt32BE(at + (wide ? 20 : 12));
    const length = wide ? Number(part.readBigUInt64BE(at + 24)) : part.readUInt32BE(at + 16);
    if (scale > 0) return (length / scale) * 1000;
  }
  return undefined;
}

const KBITS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBITS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/** Bytes divided by the bit rate of the first frame of layer III (ISO 11172-3, 2.4.2.3). */
function mp3({ head, size }: Edges): number | undefined {
  const tag = marked(head, 0, 'ID3') ? 10 + syncSafe(head.subarray(6, 10)) : 0;
  for (let at = tag; at + 4 <= head.length; at++) {
    if (head[at] !== 0xff || ((head[at + 1] ?? 0) & 0xe6) !== 0xe2) continue;
    const rates = ((head[at + 1] ?? 0) & 0x18) === 0x18 ? KBITS_MPEG1 : KBITS_MPEG2;
    const kbits = rates[(head[at + 2] ?? 0) >> 4];
    if (kbits) return ((size - at) * 8) / kbits;
  }
  return undefined;
}

function syncSafe(bytes: Buffer): number {
  return bytes.reduce((value, byte) => value * 128 + (byte & 0x7f), 0);
}
