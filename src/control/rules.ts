/** What commands ask about glossaries and style lists. */

/** What to do with glossaries or style lists. */
export interface RulesRequest {
  readonly kind: 'glossary' | 'style';
  /** Empty: all of the config. */
  readonly names: readonly string[];
  /** `diff` writes nothing; `pull` writes files, only of glossaries. */
  readonly act: 'diff' | 'push' | 'pull';
}

/** One glossary or style list: how its file differs from the service, and what makes them equal. */
export interface RulesReport {
  readonly kind: RulesRequest['kind'];
  readonly name: string;
  /** Null: not on the service yet. */
  readonly id: string | null;
  /** Of its files, with file and line: nothing of them is sent. */
  readonly faults: readonly string[];
  /** What a person should know of: rules that the catalogue does not have. */
  readonly warnings: readonly string[];
  /** From the service to the file. */
  readonly differences: readonly RulesDifference[];
  /** What push sends, or sent. */
  readonly calls: readonly string[];
  /** Files that pull wrote, absolute. */
  readonly wrote: readonly string[];
}

export interface RulesDifference {
  /** `en-de`, `name`, `list`. */
  readonly where: string;
  readonly change: '+' | '-' | '~';
  readonly what: string;
  readonly from?: string;
  readonly to?: string;
}
