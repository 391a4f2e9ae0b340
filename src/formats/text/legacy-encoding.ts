/** Encoders for the legacy encodings that Node can only decode: the decoder, run over all bytes and byte pairs, is the table. */

type Decoder = InstanceType<typeof TextDecoder>;

export interface LegacyCoding {
  decode(bytes: Uint8Array): string;
  /** The bytes, or the offset of the first character that the encoding cannot hold. */
  encode(text: string): Uint8Array | number;
}

/** Knows every stateless WHATWG encoding of one or two bytes a character; undefined for other labels. */
export function legacyEncoder(label: string): LegacyCoding | undefined {
  const decoder = lossyDecoder(label);
  if (decoder === undefined) return undefined;
  let table: ReadonlyMap<string, readonly number[]> | undefined;
  return {
    decode: (bytes) => decoder.decode(bytes),
    encode: (text) => {
      table ??= encodingTable(decoder);
      return encodeWith(table, text);
    },
  };
}

function lossyDecoder(label: string): Decoder | undefined {
  try {
    return new TextDecoder(label, { ignoreBOM: true });
  } catch {
    return undefined;
  }
}

function encodingTable(decoder: Decoder): Map<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  for (let lead = 0; lead < 256; lead += 1) {
    const single = decoder.decode(Uint8Array.of(lead));
    if (single !== '\uFFFD') {
      if (single !== '' && !table.has(single)) table.set(single, [lead]);
    } else {
      addPairs(table, decoder, lead);
    }
  }
  return table;
}

function addPairs(table: Map<string, readonly number[]>, decoder: Decoder, lead: number): void {
  for (let trail = 0x30; trail < 256; trail += 1) {
    const pair = decoder.decode(Uint8Array.of(lead, trail));
    const isOneCharacter =
      pair.length === 1 || (pair.length === 2 && pair.codePointAt(0) !== pair.charCodeAt(0));
    if (isOneCharacter && pair !== '\uFFFD' && !table.has(pair)) table.set(pair, [lead, trail]);
  }
}

function encodeWith(
  table: ReadonlyMap<string, readonly number[]>,
  text: string,
): Uint8Array | number {
  const bytes: number[] = [];
  let offset = 0;
  for (const character of text) {
    const code = table.get(character);
    if (code === undefined) return offset;
    bytes.push(...code);
    offset += character.length;
  }
  return Uint8Array.from(bytes);
}
