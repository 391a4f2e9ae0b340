/** The work behind `parsers.ts`. */
import type { Reading } from '../parsing/parser.ts';
import type { RewrittenTable, StyleText } from './parsers.ts';
import { type GlossaryFile, type ReadGlossary, readGlossary } from './read.ts';
import { rewriteTable } from './rewrite.ts';
import { type ReadStyle, readStyle } from './style-read.ts';

export const glossary: Reading<readonly GlossaryFile[], ReadGlossary> = async (files) => {
  return () => readGlossary(files);
};

export const rewritten: Reading<RewrittenTable, string | undefined> = async (rewriting) => {
  const { table, expected, dictionaries } = rewriting;
  return () => rewriteTable(table, expected, dictionaries);
};

export const style: Reading<StyleText, ReadStyle> = async ({ text, file, catalogue }) => {
  return () => readStyle(text, file, catalogue);
};
