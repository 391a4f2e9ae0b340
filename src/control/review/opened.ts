/**
 * Sources and translations as they were last read on this thread. Whoever saves text after text would otherwise wait each time
 * until both files are read: a hundred thousand texts take a second and more.
 */
import type { ReadFile } from '../../files/disk.ts';
import { type OpenFile, openFile, type Reader } from '../../formats/text/open.ts';
import type { TextFile } from '../../translate/text-files.ts';

/** Bytes of the files that stay; read they take some ten times as much. */
const MOST_BYTES = 24_000_000;

interface Opened {
  /** All that decides how the file is read, its content included. */
  readonly version: string;
  readonly file: OpenFile;
  readonly bytes: number;
}

/** By path and side, those that were used last at the end. */
const opened = new Map<string, Opened>();

/** @throws JobFailure `malformed` */
export function openedFile({ bytes, hash, stat }: ReadFile, reader: Reader): TextFile {
  const known = opened.get(placeOf(reader));
  const file =
    known?.version === versionOf(hash, reader)
      ? known.file
      : openFile(bytes, reader.format, reader.options);
  keepOpened(file, { hash, bytes: bytes.byteLength }, reader);
  return { ...file, hash, stat };
}

/** @param content what the file holds now */
export function keepOpened(
  file: OpenFile,
  content: { readonly hash: string; readonly bytes: number },
  reader: Reader,
): void {
  const place = placeOf(reader);
  opened.delete(place);
  const { hash, bytes } = content;
  opened.set(place, { version: versionOf(hash, reader), file, bytes });
  let sum = opened.values().reduce((all, each) => all + each.bytes, 0);
  for (const [oldest, each] of opened) {
    if (sum <= MOST_BYTES) break;
    opened.delete(oldest);
    sum -= each.bytes;
  }
}

function placeOf({ options: { role, file, language } }: Reader): string {
  return [role, language, file].join('\n');
}

function versionOf(hash: string, { format, options }: Reader): string {
  return JSON.stringify([hash, format.name, options]);
}
