/** The parsers of documents: for their texts, their media, and whether they are complete. */
import type { ThreadCall } from '../../parsing/thread-call.ts';
import type { DocumentFile, NamedFile, Translated } from './thread-work.ts';

/** The texts of a document. */
export const READ_TEXTS: ThreadCall<DocumentFile, string[]> = {
  name: 'read texts',
  load: async () => (await import('./thread-work.ts')).texts,
};

/** Whether an Office file has no letter in it. */
export const IS_WORDLESS: ThreadCall<NamedFile, boolean> = {
  name: 'is wordless',
  load: async () => (await import('./thread-work.ts')).wordless,
};

/** Whether a PDF wants a password. */
export const IS_LOCKED: ThreadCall<NamedFile, boolean> = {
  name: 'is locked',
  load: async () => (await import('./thread-work.ts')).locked,
};

/** The fault of the archive of an Office file, in words for people. */
export const CHECK_OFFICE: ThreadCall<NamedFile, string | undefined> = {
  name: 'check office',
  load: async () => (await import('./thread-work.ts')).office,
};

/** A document with a pixel in place of each medium. */
export const WITHOUT_MEDIA: ThreadCall<NamedFile, Uint8Array> = {
  name: 'without media',
  load: async () => (await import('./thread-work.ts')).lighter,
};

/** A result with the media of its source. */
export const WITH_MEDIA: ThreadCall<Translated, Uint8Array> = {
  name: 'with media',
  load: async () => (await import('./thread-work.ts')).heavier,
};

/** Which media of the source a result has no place for, for people. */
export const MISSING_MEDIA: ThreadCall<Translated, string | undefined> = {
  name: 'missing media',
  load: async () => (await import('./thread-work.ts')).missing,
};
