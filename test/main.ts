/** The program that tests and benchmarks start: the bundle that build-program.ts made, outside of vitest the source. */
import { join } from 'node:path';

export const MAIN =
  process.env['DRAGOMAN_TESTED_MAIN'] ?? join(import.meta.dirname, '..', 'src', 'main.ts');
