/** The parser of a target alone, without its source. */
import type { ThreadCall } from '../parsing/thread-call.ts';
import type { TargetHash } from '../segments/statements.ts';
import type { PackedSource } from './inspected-case.ts';

/** By segment id: the hash of each text in a target. */
export const HASH_TEXTS: ThreadCall<PackedSource, ReadonlyMap<string, TargetHash>> = {
  name: 'hash texts',
  load: async () => (await import('./thread-work.ts')).hashTexts,
};
