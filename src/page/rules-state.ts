/** How glossaries stand beside their files, and what is wrong with those files, from what the daemon told last. */
import type { Listener } from '../event.ts';
import type { RuleLine } from '../overview.ts';

/** A glossary or style list with what is known of it; `unknown`: nothing was compared since the start. */
export interface RuleState extends RuleLine {
  readonly state: 'equal' | 'differs' | 'unknown';
}

export class RulesState {
  /** Pairs that differ, by project; a project without an entry was not compared yet. */
  readonly #differing = new Map<string, Set<string>>();
  #faults: readonly string[] = [];

  readonly listener: Listener = (event) => {
    switch (event.kind) {
      case 'glossary-compared': {
        const pairs = this.#differing.get(event.project) ?? new Set();
        this.#differing.set(event.project, pairs);
        if (event.differs) pairs.add(event.pair);
        else pairs.delete(event.pair);
        break;
      }
      case 'rules-refused':
        this.#faults = event.faults;
        break;
      case 'rules-changed':
      case 'rules-synced':
      case 'config-reloaded':
        this.#faults = [];
        break;
      default:
        break;
    }
  };

  /** Of glossary and style files: what was valid before them stays in use. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  of(rules: readonly RuleLine[]): RuleState[] {
    return rules.map((rule) => ({ ...rule, state: this.#stateOf(rule) }));
  }

  #stateOf({ kind, project }: RuleLine): RuleState['state'] {
    const differing = kind === 'glossary' ? this.#differing.get(project) : undefined;
    if (differing === undefined) return 'unknown';
    return differing.size > 0 ? 'differs' : 'equal';
  }
}
