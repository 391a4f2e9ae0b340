/** Takes the media of Word and PowerPoint files out before the upload and puts them back into the result, so that large files fit the limits. */
import { JobFailure } from '../failure.ts';
import { openZip, replaceEntries, unpackEntry, type Zip } from '../zip.ts';

/** Kinds whose media lie where we know them, and are named in the result as in the source. */
export function canBeMinified(extension: string): boolean {
  return extension === 'docx' || extension === 'pptx';
}

const MEDIA = /^(?:word|ppt)\/media\/[^/]+$/;
/** A transparent PNG of one pixel: whoever opens an image finds one. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * The document with a pixel in place of each medium; everything else keeps its packed bytes.
 * @throws JobFailure `malformed`, `unsupported`
 */
export function withoutMedia(bytes: Uint8Array, file: string): Uint8Array {
  const zip = openZip(bytes, file);
  return replaceEntries(zip, new Map(mediaOf(zip).map((name) => [name, PIXEL])));
}

/**
 * The result with the source's media, byte for byte.
 * @throws JobFailure `malformed` when the result lacks one of them
 */
export function withMedia(result: Uint8Array, source: Uint8Array, file: string): Uint8Array {
  const translated = openZip(result, file);
  const original = openZip(source, file);
  const names = new Set(translated.entries.map(({ name }) => name));
  const media = mediaOf(original);
  const missing = media.find((name) => !names.has(name));
  if (missing !== undefined) {
    throw new JobFailure({
      kind: 'malformed',
      where: { file },
      message: `${missing} is not in the translated document: it cannot be put back`,
    });
  }
  return replaceEntries(
    translated,
    new Map(media.map((name) => [name, contentOf(original, name)])),
  );
}

function mediaOf(zip: Zip): string[] {
  return zip.entries.filter(({ name }) => MEDIA.test(name)).map(({ name }) => name);
}

function contentOf(zip: Zip, name: string): Uint8Array {
  const entry = zip.entries.find((each) => each.name === name);
  if (entry === undefined) throw new RangeError(`no entry ${name}`);
  return unpackEntry(zip, entry);
}
