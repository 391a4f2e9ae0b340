/** The parsers of glossaries and style lists. */
import type { ThreadCall } from '../parsing/thread-call.ts';
import type { AppendedRows, Appending } from './append.ts';
import type { GlossaryFile } from './read.ts';
import type { ReadStyle } from './style-read.ts';
import type { PackedGlossary, RewrittenTable, StyleText } from './thread-work.ts';

/** Relative to JSON files, which are read and written: reading CSV is four times as fast. */
const SLOWNESS = 0.25;

export const READ_GLOSSARY: ThreadCall<readonly GlossaryFile[], PackedGlossary> = {
  name: 'read glossary',
  slowness: SLOWNESS,
  load: async () => (await import('./thread-work.ts')).glossary,
};

/** The table updated to the dictionaries; undefined when it has nothing to keep. */
export const REWRITE_TABLE: ThreadCall<RewrittenTable, string | undefined> = {
  name: 'rewrite table',
  slowness: SLOWNESS,
  load: async () => (await import('./thread-work.ts')).rewritten,
};

/** Rows for terms; each of them makes a reading of the whole file. */
export const APPEND_TERMS: ThreadCall<Appending, AppendedRows> = {
  name: 'append terms',
  slowness: SLOWNESS,
  load: async () => (await import('./thread-work.ts')).appended,
};

export const READ_STYLE: ThreadCall<StyleText, ReadStyle> = {
  name: 'read style',
  load: async () => (await import('./thread-work.ts')).style,
};
