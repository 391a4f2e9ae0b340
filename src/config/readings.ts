/** The work behind `parsers.ts`. */
import type { Reading } from '../parsing/parser.ts';
import { parseConfig } from './parse.ts';
import type { ConfigText } from './parsers.ts';

export const tried: Reading<ConfigText, void> = async ({ text, file }) => {
  return () => void parseConfig(text, { file, env: {} });
};
