/** The characters that a document would bill, found in its bytes before anything is sent. */
import { stat } from 'node:fs/promises';
import { JobFailure } from '../../failure.ts';
import { readFileHead } from '../../files/disk.ts';
import { parse } from '../../parsing/parse.ts';
import { codePoints } from '../../segments/bill.ts';
import { whyNeverSent } from '../../translate/request.ts';
import { billedFor, isOffice, isOpaque, wrongBeginning } from './decisions/kinds.ts';
import { documentTexts, holdsNoWord } from './texts.ts';
import { IS_LOCKED } from './thread-calls.ts';

/** `bought`: sent and billed. `copied`: it has no words, so it is copied as it is, at no cost. */
export type DocumentEstimate =
  | {
      readonly kind: 'bought';
      /** Unicode code points, with the minimum of its kind. */
      readonly characters: number;
      /** Whether the service may bill more. */
      readonly atLeast: boolean;
    }
  | { readonly kind: 'copied'; readonly characters: 0; readonly atLeast: false };

const HEAD_BYTES = 4096;
/** Bytes of a PDF that is looked into; the service takes 30 MB. */
const MAX_PDF = 32 * 1024 * 1024;

/**
 * @param path absolute
 * @param extension of the source, lower-case; the file itself may have another name
 * @param name for messages
 * @throws JobFailure `malformed` for a damaged or protected file, whose minimum price would be paid in vain, and for half of a character
 */
export async function estimateDocument(
  path: string,
  { extension, name }: { extension: string; name: string },
): Promise<DocumentEstimate> {
  const wrong = wrongBeginning(extension, await readFileHead(path, HEAD_BYTES));
  if (wrong !== undefined) {
    throw new JobFailure({ kind: 'malformed', where: { file: name }, message: wrong });
  }
  if (extension === 'pdf' && (await isLocked(path, name))) {
    throw new JobFailure({
      kind: 'malformed',
      where: { file: name },
      message: 'it is protected with a password',
    });
  }
  const texts = await documentTexts({ path, extension, name, side: 'source' });
  if (texts === undefined) {
    const isText = !isOpaque(extension) && !isOffice(extension);
    const least = isText ? await leastCharacters(path) : 0;
    return { kind: 'bought', characters: billedFor(extension, least), atLeast: true };
  }
  if (await holdsNoWord({ path, extension, name }, texts)) {
    return { kind: 'copied', characters: 0, atLeast: false };
  }
  const problem = texts.map(whyNeverSent).find((why) => why !== undefined);
  if (problem !== undefined) {
    throw new JobFailure({ kind: 'malformed', where: { file: name }, message: problem });
  }
  const characters = texts.reduce((sum, text) => sum + codePoints(text), 0);
  return { kind: 'bought', characters: billedFor(extension, characters), atLeast: false };
}

async function isLocked(path: string, name: string): Promise<boolean> {
  const { size } = await stat(path);
  if (size > MAX_PDF) return false;
  return await parse(IS_LOCKED, { path, name }, { file: name, bytes: size });
}

/** A code point has at most four bytes. */
async function leastCharacters(path: string): Promise<number> {
  return Math.ceil((await stat(path)).size / 4);
}
