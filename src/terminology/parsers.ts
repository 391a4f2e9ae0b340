/** The parsers of glossaries and style lists. */
import type { Parser } from '../parsing/parser.ts';
import type { TermDictionary } from '../segments/dictionary.ts';
import type { GlossaryFile, ReadGlossary } from './read.ts';
import type { Catalogue, ReadStyle } from './style-read.ts';
import type { Expected, TableText } from './table.ts';

/** Relative to JSON files, which are read and written: reading CSV is four times as fast. */
const SLOWNESS = 0.25;

export const READ_GLOSSARY: Parser<readonly GlossaryFile[], ReadGlossary> = {
  name: 'read glossary',
  slowness: SLOWNESS,
  load: async () => (await import('./readings.ts')).glossary,
};

export interface RewrittenTable {
  readonly table: TableText;
  readonly expected: Expected;
  readonly dictionaries: readonly TermDictionary[];
}

/** The table updated to the dictionaries; undefined when it has nothing to keep. */
export const REWRITE_TABLE: Parser<RewrittenTable, string | undefined> = {
  name: 'rewrite table',
  slowness: SLOWNESS,
  load: async () => (await import('./readings.ts')).rewritten,
};

export interface StyleText {
  readonly text: string;
  readonly file: string;
  readonly catalogue: Catalogue;
}

export const READ_STYLE: Parser<StyleText, ReadStyle> = {
  name: 'read style',
  load: async () => (await import('./readings.ts')).style,
};
