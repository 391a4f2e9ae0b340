/** The subtitle lane: translates films sentence by sentence. A damaged file waits for a person. */
import { isoTime } from '../../clock.ts';
import { describeFailure, failureOf } from '../../failure.ts';
import type { Hold } from '../../job.ts';
import type { LaneWorker } from '../../lane.ts';
import { type ModelLaneOptions, modelLane } from '../model-lane.ts';
import { films } from './film-model.ts';

export function subtitleLane(options: ModelLaneOptions): LaneWorker {
  const lane = modelLane(options, films);
  return {
    ...lane,
    async run(run) {
      try {
        return await lane.run(run);
      } catch (error) {
        const hold = holdForDamage(error);
        return { kind: 'held', state: { kind: 'held', at: isoTime(options.clock), hold } };
      }
    },
    async estimate(job, counted, detail) {
      try {
        return await lane.estimate(job, counted, detail);
      } catch (error) {
        return { job, characters: 0, atLeast: false, hold: holdForDamage(error) };
      }
    },
  };
}

/** The hold of a job whose source or target is damaged. @throws `error` when it is another failure */
function holdForDamage(error: unknown): Hold {
  const failure = failureOf(error);
  if (failure.kind !== 'malformed') throw error;
  return {
    kind: 'unsuitable',
    message: describeFailure(failure),
    advice: 'correct the file; a running daemon or the next run then continues',
  };
}
