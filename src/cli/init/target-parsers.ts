/** The parsers of `check` and `init`: what is wrong with one file, and how much text is in it, as plain data. */
import type { Project, Route } from '../../config.ts';
import type { LanguageTag } from '../../language.ts';
import type { Parser } from '../../parsing/parser.ts';
import type { Entries } from '../../segments/dictionary.ts';
import type { Finding } from './findings.ts';

export interface SourceToInspect {
  readonly project: Project;
  readonly route: Route;
  /** Relative to the root. */
  readonly source: string;
}

export interface PackedSource extends SourceToInspect {
  /** Relative to the root. */
  readonly target: string;
  readonly language: LanguageTag;
}

/** A target, and everything that it is looked at with, as plain data. */
export interface PackedTarget extends PackedSource {
  /** What was seen and written last, as it is stored. */
  readonly stored?: Uint8Array;
  /** Folder of the lock. */
  readonly lockFolder?: string;
  /** Terms of the project in this language. */
  readonly terms?: { readonly entries: Entries; readonly version: string };
  /** Version of the style list. */
  readonly style?: string;
}

export const INSPECT_SOURCE: Parser<PackedSource, readonly Finding[]> = {
  name: 'inspect source',
  load: async () => (await import('./target-readings.ts')).readSource,
};

export const INSPECT_TARGET: Parser<PackedTarget, readonly Finding[]> = {
  name: 'inspect target',
  load: async () => (await import('./target-readings.ts')).readTarget,
};

/** Characters that a file would bill in one language. */
export const COUNT_TEXTS: Parser<{ readonly file: string }, number> = {
  name: 'count texts',
  load: async () => (await import('./target-readings.ts')).countTexts,
};
