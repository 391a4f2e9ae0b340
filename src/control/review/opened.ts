/**
 * Keeps the last sources and translations that this thread read. Then a person who saves one text after another does not wait for both
 * files each time: reading 100,000 texts takes more than a second.
 */
import type { ReadFile } from '../../files/disk.ts';
import { type OpenFile, openFile, type Reader } from '../../formats/text/open.ts';
import type { TextFile } from '../../translate/text-files.ts';

/** The most bytes of the files that are kept. In memory, a file takes about ten times as much. */
const MOST_KEPT_BYTES = 24_000_000;

interface Opened {
  /** Identifies the content of the file and how it is read. */
  readonly version: string;
  readonly file: OpenFile;
  readonly bytes: number;
}

/** By path and side; the last used ones are at the end. */
const opened = new Map<string, Opened>();

/** @throws JobFailure `malformed` */
export function openedFile({ bytes, hash, stat }: ReadFile, reader: Reader): TextFile {
  const known = opened.get(openedKey(reader));
  const file =
    known?.version === versionOf(hash, reader)
      ? known.file
      : openFile(bytes, reader.format, reader.options);
  keepOpened(file, { hash, bytes: bytes.byteLength }, reader);
  return { ...file, hash, stat };
}

/** @param content the present content of the file */
export function keepOpened(
  file: OpenFile,
  content: { readonly hash: string; readonly bytes: number },
  reader: Reader,
): void {
  const place = openedKey(reader);
  opened.delete(place);
  const { hash, bytes } = content;
  opened.set(place, { version: versionOf(hash, reader), file, bytes });
  let sum = opened.values().reduce((all, each) => all + each.bytes, 0);
  for (const [oldest, each] of opened) {
    if (sum <= MOST_KEPT_BYTES) break;
    opened.delete(oldest);
    sum -= each.bytes;
  }
}

function openedKey({ options: { role, file, language } }: Reader): string {
  return [role, language, file].join('\n');
}

function versionOf(hash: string, { format, options }: Reader): string {
  return JSON.stringify([hash, format.name, options]);
}
