/**
 * Removes the media of Word and PowerPoint files before the upload, and puts them back into the result: so large files are
 * within the limits.
 */
import {
  openZip,
  type PackedEntry,
  packedEntry,
  replaceEntries,
  type Zip,
} from '../../files/zip.ts';

const MEDIA = /^(?:word|ppt)\/media\/[^/]+$/;
/** A transparent PNG of one pixel: so each place for an image has a valid image. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * The document with one pixel in the place of each medium; everything else keeps its packed bytes.
 * @throws JobFailure `malformed`, `unsupported`
 */
export function withoutMedia(bytes: Uint8Array, file: string): Uint8Array {
  const zip = openZip(bytes, file);
  return replaceEntries(zip, new Map(mediaOf(zip).map((name) => [name, PIXEL])));
}

/**
 * The result with the media of the source, byte for byte, where it has places for them.
 * @throws JobFailure `malformed` for what is not an archive
 */
export function withMedia(result: Uint8Array, source: Uint8Array, file: string): Uint8Array {
  const translated = openZip(result, file);
  const original = openZip(source, file);
  const places = new Set(mediaOf(translated));
  const media = mediaOf(original).filter((name) => places.has(name));
  return replaceEntries(translated, new Map(media.map((name) => [name, packed(original, name)])));
}

/** Which media of the source a result has no place for, for people; undefined: none. */
export function missingMedia(
  result: Uint8Array,
  source: Uint8Array,
  file: string,
): string | undefined {
  const places = new Set(mediaOf(openZip(result, file)));
  const missing = mediaOf(openZip(source, file)).filter((name) => !places.has(name));
  if (missing.length === 0) return undefined;
  return `the translated document has no place for ${missing.join(', ')}`;
}

function mediaOf(zip: Zip): string[] {
  return zip.entries.filter(({ name }) => MEDIA.test(name)).map(({ name }) => name);
}

// Not unpacked: a video may be larger than the limit for unpacking, and the result is paid.
function packed(zip: Zip, name: string): PackedEntry {
  const entry = zip.entries.find((each) => each.name === name);
  if (entry === undefined) throw new RangeError(`no entry ${name}`);
  return packedEntry(zip, entry);
}
