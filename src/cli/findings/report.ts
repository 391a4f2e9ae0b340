/** Findings as every form of them gets them. */

/** Something that is wrong, where a reader of a pull request sees it. */
export interface ReportedFinding {
  /** Relative to the repository, with `/`; absolute where the file lies outside of it. */
  readonly file: string;
  /** 1-based; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly rule: FindingRule;
  readonly message: string;
}

export interface FindingsReport {
  /** Of this program. */
  readonly version: string;
  /** What was asked: `dragoman check`. */
  readonly name: string;
  readonly findings: readonly ReportedFinding[];
  /** One sentence for people. */
  readonly summary: string;
}

export type FindingRule = keyof typeof RULES;

/** Their names stand in reports that are kept: they never change. */
export const RULES = {
  config: 'The config, a glossary or a style file is at fault',
  translation: 'A translation is missing, stale, damaged, or not as the checks want it',
  work: 'A run would have something to do',
  held: 'Something waits for a person',
} as const;
