/** Reads documents: the work behind `parsers.ts`. */

import { describeFailure, failureOf } from '../../failure.ts';
import { readFailure } from '../../files/disk.ts';
import { CONTENT_TYPES } from '../../files/ooxml-parts.ts';
import { openRegular } from '../../files/regular-file.ts';
import { openZip } from '../../files/zip.ts';
import { decodeBytes } from '../../formats/text/decode.ts';
import type { ThreadWork } from '../../parsing/thread-call.ts';
import { asksForPassword } from './decisions/pdf-lock.ts';
import { plainTexts, type TextSide } from './decisions/plain-text.ts';
import { missingMedia, withMedia, withoutMedia } from './minify.ts';
import { isWordless, officeTexts } from './office-text.ts';

export interface DocumentFile {
  /** Absolute. */
  readonly path: string;
  /** Lower-case, without the dot; the file itself may have another name. */
  readonly extension: string;
  /** For messages. */
  readonly name: string;
  readonly side: TextSide;
}

export interface NamedFile {
  /** Absolute. */
  readonly path: string;
  /** For messages. */
  readonly name: string;
}

/** A result, and the document that it was made from. */
export interface Translated extends NamedFile {
  /** Absolute. */
  readonly source: string;
}

export const texts: ThreadWork<DocumentFile, string[]> = async ({
  path,
  extension,
  name,
  side,
}) => {
  const bytes = await readWhole(path);
  return () => {
    switch (extension) {
      case 'docx':
      case 'pptx':
      case 'xlsx':
        return officeTexts(bytes, { extension, file: name });
      default: {
        const { text } = decodeBytes(bytes, { file: name, fallback: 'windows-1252' });
        return plainTexts(text, { extension, file: name, side });
      }
    }
  };
};

export const wordless: ThreadWork<NamedFile, boolean> = async ({ path, name }) => {
  const bytes = await readWhole(path);
  return () => isWordless(bytes, name);
};

export const locked: ThreadWork<NamedFile, boolean> = async ({ path }) => {
  const text = (await readWhole(path)).toString('latin1');
  return () => asksForPassword(text);
};

export const office: ThreadWork<NamedFile, string | undefined> = async ({
  path,
  name: extension,
}) => {
  const bytes = await readWhole(path);
  return () => {
    try {
      const { entries } = openZip(bytes, `the translated ${extension}`);
      return entries.some(({ name }) => name === CONTENT_TYPES)
        ? undefined
        : `the result is an archive, but no ${extension}`;
    } catch (error) {
      return describeFailure(failureOf(error));
    }
  };
};

export const lighter: ThreadWork<NamedFile, Uint8Array> = async ({ path, name }) => {
  const bytes = await readWhole(path);
  return () => withoutMedia(bytes, name);
};

export const heavier: ThreadWork<Translated, Uint8Array> = async ({ path, source, name }) => {
  const [result, original] = [await readWhole(path), await readWhole(source)];
  return () => withMedia(result, original, name);
};

export const missing: ThreadWork<Translated, string | undefined> = async ({
  path,
  source,
  name,
}) => {
  const [result, original] = [await readWhole(path), await readWhole(source)];
  return () => missingMedia(result, original, name);
};

/** @throws JobFailure `unreadable` */
async function readWhole(file: string): Promise<Buffer> {
  try {
    await using handle = await openRegular(file);
    return await handle.readFile();
  } catch (error) {
    throw readFailure(file, error);
  }
}
