/** The parsers of documents: for their texts, their media, and whether they are complete. */
import type { Parser } from '../../parsing/parser.ts';
import type { DocumentFile, NamedFile, Translated } from './readings.ts';

/** The texts of a document. */
export const READ_TEXTS: Parser<DocumentFile, string[]> = {
  name: 'read texts',
  load: async () => (await import('./readings.ts')).texts,
};

/** Whether an Office file has no letter in it. */
export const IS_WORDLESS: Parser<NamedFile, boolean> = {
  name: 'is wordless',
  load: async () => (await import('./readings.ts')).wordless,
};

/** Whether a PDF wants a password. */
export const IS_LOCKED: Parser<NamedFile, boolean> = {
  name: 'is locked',
  load: async () => (await import('./readings.ts')).locked,
};

/** The fault of the archive of an Office file, in words for people. */
export const CHECK_OFFICE: Parser<NamedFile, string | undefined> = {
  name: 'check office',
  load: async () => (await import('./readings.ts')).office,
};

/** A document with a pixel in place of each medium. */
export const WITHOUT_MEDIA: Parser<NamedFile, Uint8Array> = {
  name: 'without media',
  load: async () => (await import('./readings.ts')).lighter,
};

/** A result with the media of its source. */
export const WITH_MEDIA: Parser<Translated, Uint8Array> = {
  name: 'with media',
  load: async () => (await import('./readings.ts')).heavier,
};

/** Which media of the source a result has no place for, for people. */
export const MISSING_MEDIA: Parser<Translated, string | undefined> = {
  name: 'missing media',
  load: async () => (await import('./readings.ts')).missing,
};
