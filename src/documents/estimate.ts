/** What a document would bill, found out from its own bytes before anything is sent. */
import { readFile, stat } from 'node:fs/promises';
import { readHead } from '../disk.ts';
import { JobFailure } from '../failure.ts';
import { decode } from '../text/decode.ts';
import { officeCharacters } from './office-text.ts';
import { billedFor, isOpaque, wrongBeginning } from './rules/kinds.ts';
import { textCharacters } from './rules/plain-text.ts';

export interface DocumentEstimate {
  /** Unicode code points, with the minimum of its kind. */
  readonly characters: number;
  /** Whether the service may bill more. */
  readonly atLeast: boolean;
}

/** Bytes of a file that is read whole for its estimate; the service takes 30 MB. */
const MAX_READ = 64 * 1024 * 1024;
const HEAD_BYTES = 4096;

/**
 * @param file absolute path
 * @param extension of the source, lower-case; the file itself may lie under another name
 * @param name for messages
 * @throws JobFailure `malformed` for a damaged or protected file, which would cost its minimum for nothing
 */
export async function estimateDocument(
  file: string,
  { extension, name }: { extension: string; name: string },
): Promise<DocumentEstimate> {
  const head = await readHead(file, HEAD_BYTES);
  const { size } = await stat(file);
  const wrong = wrongBeginning(extension, head);
  if (wrong !== undefined) {
    throw new JobFailure({ kind: 'malformed', where: { file: name }, message: wrong });
  }
  if (isOpaque(extension)) return { characters: billedFor(extension, 0), atLeast: true };
  // A code point has at most four bytes.
  if (size > MAX_READ) {
    return { characters: billedFor(extension, Math.ceil(size / 4)), atLeast: true };
  }
  const characters = charactersIn(await readFile(file), { extension, name });
  return { characters: billedFor(extension, characters), atLeast: false };
}

function charactersIn(
  bytes: Uint8Array,
  { extension, name }: { extension: string; name: string },
): number {
  switch (extension) {
    case 'docx':
    case 'pptx':
    case 'xlsx':
      return officeCharacters(bytes, name);
    default: {
      const { text } = decode(bytes, { file: name, fallback: 'windows-1252' });
      return textCharacters(extension, text, name);
    }
  }
}
