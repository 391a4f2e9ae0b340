/** Which jobs need a person, why, and what to type. Pure. */
import type { AttentionLine } from '../control.ts';
import { adviceFor, describeFailure } from '../failure.ts';
import { adviceForHold, describeHold, type Hold, targetList } from '../job.ts';
import type { JobRecord } from '../ledger.ts';

/** @returns undefined for a job that needs nobody */
export function attentionFor(job: JobRecord): AttentionLine | undefined {
  const { project, source, language, state } = job;
  const target = targetList(job.targets)[0] ?? source;
  const about = { project, source, target, language };
  switch (state.kind) {
    case 'held':
      return {
        ...about,
        state: 'held',
        reason: describeHold(state.hold),
        next_step: adviceForHold(state.hold, target),
        price_characters: priceOfHold(state.hold),
      };
    case 'failed':
      return {
        ...about,
        state: 'failed',
        reason: describeFailure(state.failure),
        next_step: adviceFor(state.failure),
        price_characters: job.estimate,
      };
    case 'queued':
    case 'running':
    case 'done':
      return undefined;
  }
}

/** Characters that releasing it is expected to bill; null where nothing is bought. */
function priceOfHold(hold: Hold): number | null {
  switch (hold.kind) {
    case 'budget':
      return hold.unit === 'minutes' ? null : hold.needs;
    case 'approval':
    case 'guard':
    case 'in-doubt':
    case 'lost-result':
    case 'state-lost':
      return hold.characters;
    case 'conflict':
    case 'edited-target':
    case 'damaged-segments':
    case 'mass-deletion':
    case 'incomplete':
    case 'unsuitable':
      return null;
  }
}
