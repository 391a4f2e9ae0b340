/** The report that every format of findings takes. */

/** One finding with its place in the repository. */
export interface ReportedFinding {
  /** Relative to the repository, with `/`; absolute for a file outside of it. */
  readonly file: string;
  /** 1-based; columns count UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly rule: FindingRule;
  readonly message: string;
}

export interface FindingsReport {
  /** Version of this program. */
  readonly version: string;
  /** The command: `dragoman check`. */
  readonly name: string;
  readonly findings: readonly ReportedFinding[];
  /** One sentence for people. */
  readonly summary: string;
}

export type FindingRule = keyof typeof RULES;

/** Rules with their descriptions. The names are in stored reports, so they never change. */
export const RULES = {
  config: 'The config, a glossary or a style file has a fault',
  translation: 'A translation is missing, stale or damaged, or it fails a check',
  work: 'A run would have something to do',
  held: 'Something waits for a person',
} as const;
