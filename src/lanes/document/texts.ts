/** The texts of a document as its readers see them, from its own bytes. */
import { stat } from 'node:fs/promises';
import { parse } from '../../parsing/parse.ts';
import { type DocumentFile, IS_WORDLESS, READ_TEXTS } from './parsers.ts';
import { isOffice, isOpaque } from './rules/kinds.ts';

/** Bytes of a text that is read whole; the service takes 10 MB at most. */
const MAX_TEXT = 32 * 1024 * 1024;
/** Of an Office file, whose media are most of it and may be taken out before the upload; of its parts only those with words are unpacked. */
const MAX_OFFICE = 1024 * 1024 * 1024;

/**
 * @returns undefined for kinds that only the service can read, and for what is too large
 * @throws JobFailure `malformed`, `unsupported` for a damaged file
 */
export async function readTexts(document: DocumentFile): Promise<string[] | undefined> {
  const { path, extension, name } = document;
  const most = isOffice(extension) ? MAX_OFFICE : MAX_TEXT;
  const { size } = await stat(path);
  if (isOpaque(extension) || size > most) return undefined;
  return await parse(READ_TEXTS, document, { file: name, bytes: size });
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
  if (!isOffice(extension)) return true;
  return await parse(IS_WORDLESS, { path, name }, { file: name, bytes: (await stat(path)).size });
}
