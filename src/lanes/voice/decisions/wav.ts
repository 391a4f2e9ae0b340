/** The WAV header for raw PCM (RIFF WAVE, "Multimedia Programming Interface and Data Specifications 1.0"). Pure. */

/** Raw sound as the service sends it. */
export interface Pcm {
  /** Samples per second. */
  readonly rate: number;
  readonly channels: number;
  readonly bitsPerSample: number;
}

export const WAV_HEADER_BYTES = 44;
const FORMAT_BYTES = 16;
const PCM_FORMAT = 1;
/** RIFF counts in 32 bits. Programs that read to the end of the file also play the sound after the counted bytes. */
const MAX_LENGTH = 0xffff_ffff;

/** @param dataBytes bytes of sound after the header */
export function wavHeader(dataBytes: number, { rate, channels, bitsPerSample }: Pcm): Uint8Array {
  const frameBytes = (channels * bitsPerSample) / 8;
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(Math.min(MAX_LENGTH, WAV_HEADER_BYTES - 8 + dataBytes), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(FORMAT_BYTES, 16);
  header.writeUInt16LE(PCM_FORMAT, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(bitsPerSample, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(Math.min(MAX_LENGTH, dataBytes), 40);
  return header;
}

/** Reads a type such as `audio/pcm;encoding=s16le;rate=16000`; undefined for any other type (docs/design/api.md, "Voice jobs"). */
export function pcmOf(type: string): Pcm | undefined {
  const [media, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  if (media !== 'audio/pcm') return undefined;
  const values = new Map(parameters.map((each) => each.split('=', 2) as [string, string]));
  const rate = Number(values.get('rate') ?? 16_000);
  if (values.get('encoding') !== 's16le' || !Number.isInteger(rate) || rate <= 0) return undefined;
  return { rate, channels: Number(values.get('channels') ?? 1), bitsPerSample: 16 };
}

export function pcmBytes(seconds: number, { rate, channels, bitsPerSample }: Pcm): number {
  return Math.ceil((seconds * rate * channels * bitsPerSample) / 8);
}
