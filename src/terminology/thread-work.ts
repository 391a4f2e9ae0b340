/** The work behind `parsers.ts`. */
import type { ThreadWork } from '../parsing/thread-call.ts';
import {
  type PackedDictionary,
  packDictionary,
  type TermDictionary,
} from '../segments/dictionary.ts';
import { type AppendedRows, type Appending, appendTerms } from './append.ts';
import { type GlossaryFile, type ReadGlossary, readGlossary } from './read.ts';
import { rewriteTable } from './rewrite.ts';
import { type Catalogue, type ReadStyle, readStyle } from './style-read.ts';
import type { Expected, TableText } from './table.ts';

export interface RewrittenTable {
  readonly table: TableText;
  readonly expected: Expected;
  readonly dictionaries: readonly TermDictionary[];
}

export interface StyleText {
  readonly text: string;
  readonly file: string;
  readonly catalogue: Catalogue;
}

/** What was read, as a thread sends it. */
export type PackedGlossary = Omit<ReadGlossary, 'dictionaries'> & {
  readonly dictionaries: readonly PackedDictionary[];
};

export const glossary: ThreadWork<readonly GlossaryFile[], PackedGlossary> = async (files) => {
  return () => {
    const { dictionaries, ...more } = readGlossary(files);
    return { ...more, dictionaries: dictionaries.map(packDictionary) };
  };
};

export const rewritten: ThreadWork<RewrittenTable, string | undefined> = async (rewriting) => {
  const { table, expected, dictionaries } = rewriting;
  return () => rewriteTable(table, expected, dictionaries);
};

export const appended: ThreadWork<Appending, AppendedRows> = async (appending) => {
  return () => appendTerms(appending);
};

export const style: ThreadWork<StyleText, ReadStyle> = async ({ text, file, catalogue }) => {
  return () => readStyle(text, file, catalogue);
};
