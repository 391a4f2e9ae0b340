/** The work behind `parsers.ts`. */
import type { Reading } from '../parsing/parser.ts';
import { parseConfig } from './parse.ts';

export interface ConfigText {
  readonly text: string;
  readonly file: string;
}

export const tryConfig: Reading<ConfigText, void> = async ({ text, file }) => {
  return () => void parseConfig(text, { file, env: {} });
};
