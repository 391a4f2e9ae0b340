/** Checks that a result is a complete document of its kind. */

import { HEAD_BYTES, missingPart, TAIL_BYTES } from '../../files/completeness.ts';
import { openRegular } from '../../files/regular-file.ts';
import { extensionsOf } from '../../formats/all.ts';
import { parse } from '../../parsing/parse.ts';
import { isOffice, wrongBeginning } from './decisions/kinds.ts';
import { CHECK_OFFICE } from './thread-calls.ts';

/** Bytes of an archive that is checked; the service returns smaller ones. */
const MAX_READ = 128 * 1024 * 1024;

const PAGES = extensionsOf('html');
/** The service writes them in UTF-8; where the source is in another encoding, its result may be, too. */
const PLAIN: ReadonlySet<string> = new Set([...PAGES, 'txt', 'srt', 'xlf', 'xliff']);
const PAGE = /^(?:\xef\xbb\xbf)?\s*(?:<\?xml.*?\?>\s*)?(?:<!doctype\s+html|<html)[\s>]/isv;

/** @returns what is wrong with the file, for people; undefined: nothing */
export async function wrongResult(file: string, extension: string): Promise<string | undefined> {
  const { head, tail, size } = await readEnds(file);
  if (size === 0) return 'the result is empty';
  const wrong = wrongBeginning(extension, head) ?? missingPart(extension, { head, tail, size });
  if (wrong !== undefined) return `the result is incomplete: ${wrong}`;
  if (!isPage(extension) && PAGE.test(head.toString('latin1'))) {
    return 'the result is a page of HTML, such as a proxy sends in place of an answer';
  }
  if (PLAIN.has(extension) && !(await isUtf8(file))) {
    return 'the result is incomplete: it is no text in UTF-8';
  }
  if (!isOffice(extension) || size > MAX_READ) return undefined;
  return await parse(CHECK_OFFICE, { path: file, name: extension }, { file, bytes: size });
}

export function isPage(extension: string): boolean {
  return PAGES.has(extension);
}

/** Reads the file in pieces: it may be large. */
async function isUtf8(file: string): Promise<boolean> {
  await using handle = await openRegular(file);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const piece = Buffer.alloc(64 * 1024);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length, null);
      decoder.decode(piece.subarray(0, bytesRead), { stream: bytesRead > 0 });
      if (bytesRead === 0) return true;
    }
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function readEnds(file: string) {
  await using handle = await openRegular(file);
  const { size } = await handle.stat();
  const at = async (position: number, length: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  return {
    size,
    head: await at(0, HEAD_BYTES),
    tail: await at(Math.max(0, size - TAIL_BYTES), TAIL_BYTES),
  };
}
