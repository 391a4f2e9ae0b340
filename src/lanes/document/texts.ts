/** The texts of a document as its readers see them, from its own bytes. */
import { readFile, stat } from 'node:fs/promises';
import { decode } from '../../formats/text/decode.ts';
import { isWordless, officeTexts } from './office-text.ts';
import { isOffice, isOpaque } from './rules/kinds.ts';
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

/** Bytes of a text that is read whole; the service takes 10 MB at most. */
const MAX_TEXT = 32 * 1024 * 1024;
/** Of an Office file, whose media are most of it and may be taken out before the upload; of its parts only those with words are unpacked. */
const MAX_OFFICE = 1024 * 1024 * 1024;

/**
 * @returns undefined for kinds that only the service can read, and for what is too large
 * @throws JobFailure `malformed`, `unsupported` for a damaged file
 */
export async function readTexts(document: DocumentFile): Promise<string[] | undefined> {
  const { path, extension, name: file, side } = document;
  const most = isOffice(extension) ? MAX_OFFICE : MAX_TEXT;
  if (isOpaque(extension) || (await stat(path)).size > most) return undefined;
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
  return isOffice(extension) ? isWordless(await readFile(path), name) : true;
}
