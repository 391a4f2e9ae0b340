/** The parser of a target alone, whatever its source is. */
import type { Parser } from '../parsing/parser.ts';
import type { TargetHash } from '../segments/statements.ts';
import type { PackedSource } from './standing-case.ts';

/** By id of its segment, each text that stands in a target. */
export const HASH_TEXTS: Parser<PackedSource, ReadonlyMap<string, TargetHash>> = {
  name: 'hash texts',
  load: async () => (await import('./readings.ts')).hashTexts,
};
