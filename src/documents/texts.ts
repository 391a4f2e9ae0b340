/** The texts of a document as its readers see them, from its own bytes. */
import { readFile, stat } from 'node:fs/promises';
import { decode } from '../text/decode.ts';
import { isWordless, officeTexts } from './office-text.ts';
import { isOpaque } from './rules/kinds.ts';
import { plainTexts, type Side } from './rules/plain-text.ts';

export interface DocumentFile {
  /** Absolute. */
  readonly path: string;
  /** Lower-case, without the dot; the file itself may lie under another name. */
  readonly extension: string;
  /** For messages. */
  readonly name: string;
  readonly side: Side;
}

/** Bytes of a file that is read whole; the service takes 30 MB. */
const MAX_READ = 32 * 1024 * 1024;

/**
 * @returns undefined for kinds that only the service can read, and for what is too large
 * @throws JobFailure `malformed`, `unsupported` for a damaged file
 */
export async function readTexts(document: DocumentFile): Promise<string[] | undefined> {
  const { path, extension, name: file, side } = document;
  if (isOpaque(extension) || (await stat(path)).size > MAX_READ) return undefined;
  const bytes = await readFile(path);
  switch (extension) {
    case 'docx':
    case 'pptx':
    case 'xlsx':
      return officeTexts(bytes, { extension, file });
    default: {
      const { text } = decode(bytes, { file, fallback: 'windows-1252' });
      return plainTexts(text, { extension, file, side });
    }
  }
}

/**
 * Whether there is surely nothing to translate in it.
 * @param texts what its readers see
 */
export async function holdsNoWord(
  { path, extension, name }: Omit<DocumentFile, 'side'>,
  texts: readonly string[],
): Promise<boolean> {
  if (texts.some((text) => /\p{L}/u.test(text))) return false;
  const isOffice = extension === 'docx' || extension === 'pptx' || extension === 'xlsx';
  return isOffice ? isWordless(await readFile(path), name) : true;
}
