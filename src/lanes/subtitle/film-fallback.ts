/** Films in languages that only document translation supports: when the service refuses their texts, they are planned as documents. */

import { isSubRip, type LanguageSupport } from '../../config/load-language-support.ts';
import { failureOf } from '../../failure.ts';
import { type Job, sourceId } from '../../job.ts';
import type { LaneWorker } from '../../lane.ts';
import type { LedgerView } from '../../ledger.ts';
import type { InForce } from '../../plan/in-force.ts';
import type { Planner } from '../../plan/planner.ts';

export interface FallbackOptions {
  readonly languageSupport: LanguageSupport;
  readonly ledger: LedgerView;
  readonly inForce: InForce;
}

/** Extends the subtitle lane: plans a film as a document when the service refuses its languages for texts. A refusal bills nothing. */
export function fallingBack(lane: LaneWorker, options: FallbackOptions): LaneWorker {
  const { languageSupport, ledger, inForce } = options;
  return {
    ...lane,
    async run(run) {
      try {
        return await lane.run(run);
      } catch (error) {
        if (failureOf(error).kind !== 'rejected' || !isSubRip(run.job)) throw error;
        const source = ledger.get('sources', sourceId(run.job.project, run.job.source));
        await languageSupport.learn();
        if (source === undefined || !inForce.planner.isFilmForDocuments(source, run.job))
          throw error;
        run.replan(source);
        return { kind: 'superseded' };
      }
    },
  };
}

/** Extends the document lane: its estimate explains why a film is a document although no route says so. */
export function explainingFilms(
  lane: LaneWorker,
  { inForce }: Pick<FallbackOptions, 'inForce'>,
): LaneWorker {
  return {
    ...lane,
    async estimate(job, ...asked) {
      const estimate = await lane.estimate(job, ...asked);
      if (!isFallback(job, inForce.planner)) return estimate;
      const note = `${job.source} is sent as one document for ${job.language}, not cue by cue: the service translates no single texts into this language`;
      return { ...estimate, notes: [...(estimate.notes ?? []), note] };
    },
  };
}

function isFallback(job: Job, planner: Planner): boolean {
  return isSubRip(job) && planner.routeOf(job.project, job.source)?.lane === undefined;
}
