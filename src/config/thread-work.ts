/** The work behind `parsers.ts`. */
import type { ThreadWork } from '../parsing/thread-call.ts';
import { parseConfig } from './parse.ts';

export interface ConfigText {
  readonly text: string;
  readonly file: string;
}

export const tryConfig: ThreadWork<ConfigText, void> = async ({ text, file }) => {
  return () => void parseConfig(text, { file, env: {} });
};
