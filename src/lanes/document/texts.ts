/** Reads the visible texts of a document from its bytes. */
import { stat } from 'node:fs/promises';
import { parse } from '../../parsing/parse.ts';
import { isOffice, isOpaque } from './decisions/kinds.ts';
import { IS_WORDLESS, READ_TEXTS } from './thread-calls.ts';
import type { DocumentFile } from './thread-work.ts';

/** In bytes, for text files; the service accepts at most 10 MB. */
const MAX_TEXT = 32 * 1024 * 1024;
/**
 * In bytes, for Office files: most of such a file are media, which may be removed before the upload. Only parts with text are
 * unpacked.
 */
const MAX_OFFICE = 1024 * 1024 * 1024;

/**
 * @returns undefined for kinds that only the service can read, and for files that are too large
 * @throws JobFailure `malformed`, `unsupported` for a damaged file
 */
export async function documentTexts(document: DocumentFile): Promise<string[] | undefined> {
  const { path, extension, name } = document;
  const most = isOffice(extension) ? MAX_OFFICE : MAX_TEXT;
  const { size } = await stat(path);
  if (isOpaque(extension) || size > most) return undefined;
  return await parse(READ_TEXTS, document, { file: name, bytes: size });
}

/**
 * Whether the document certainly has nothing to translate.
 * @param texts its visible texts
 */
export async function holdsNoWord(
  { path, extension, name }: Omit<DocumentFile, 'side'>,
  texts: readonly string[],
): Promise<boolean> {
  if (texts.some((text) => /\p{L}/u.test(text))) return false;
  if (!isOffice(extension)) return true;
  return await parse(IS_WORDLESS, { path, name }, { file: name, bytes: (await stat(path)).size });
}
