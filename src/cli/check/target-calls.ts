/** The parsers of `check` and `init`: findings of one file, its number of characters, its pairs of texts, as plain data. */
import type { ThreadCall } from '../../parsing/thread-call.ts';
import type { PackedSource, PackedTarget } from '../../translate/inspected-case.ts';
import type { PlacedFinding } from './findings.ts';
import type { SourceFindings, TextPair } from './target-work.ts';

export const INSPECT_SOURCE: ThreadCall<PackedSource, SourceFindings> = {
  name: 'inspect source',
  load: async () => (await import('./target-work.ts')).readSource,
};

export const INSPECT_TARGET: ThreadCall<PackedTarget, readonly PlacedFinding[]> = {
  name: 'inspect target',
  load: async () => (await import('./target-work.ts')).readTarget,
};

/** Characters (Unicode code points) that a file would bill in one language. */
export const COUNT_TEXTS: ThreadCall<{ readonly file: string }, number> = {
  name: 'count texts',
  load: async () => (await import('./target-work.ts')).countTexts,
};

/** For formats with keys; an empty list for others. */
export const PAIR_TEXTS: ThreadCall<PackedSource, readonly TextPair[]> = {
  name: 'pair texts',
  load: async () => (await import('./target-work.ts')).pairTexts,
};
