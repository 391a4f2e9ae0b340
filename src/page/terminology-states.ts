/** Whether glossaries and style lists are equal to their files, and the faults of these files, from the last events. */

import type { TerminologyLine } from '../control/report.ts';
import type { Listener } from '../event.ts';

/** A glossary or style list with its state; `unknown`: not compared since the start. */
export interface TerminologyState extends TerminologyLine {
  readonly state: 'equal' | 'differs' | 'unknown';
}

export class TerminologyStates {
  /** Differing pairs by project; a project without an entry was not compared yet. */
  readonly #differing = new Map<string, Set<string>>();
  /** Whether a style list differs, by its file; one without an entry was not compared yet. */
  readonly #styles = new Map<string, boolean>();
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
      case 'style-compared':
        this.#styles.set(event.file, event.differs);
        break;
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

  /** Faults of glossary and style files; the earlier content stays in force. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  of(rules: readonly TerminologyLine[]): TerminologyState[] {
    return rules.map((rule) => ({ ...rule, state: this.#stateOf(rule) }));
  }

  #stateOf({ kind, project, file }: TerminologyLine): TerminologyState['state'] {
    const differs =
      kind === 'style' ? this.#styles.get(file ?? '') : this.#glossaryDiffers(project);
    if (differs === undefined) return 'unknown';
    return differs ? 'differs' : 'equal';
  }

  #glossaryDiffers(project: string): boolean | undefined {
    const differing = this.#differing.get(project);
    return differing === undefined ? undefined : differing.size > 0;
  }
}
