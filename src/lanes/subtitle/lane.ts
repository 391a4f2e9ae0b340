/** The subtitle lane: films, sentence by sentence; a file that is no sound film waits for a person. */
import { isoTime } from '../../clock.ts';
import { describeFailure, failureOf } from '../../failure.ts';
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
        const failure = failureOf(error);
        if (failure.kind !== 'malformed') throw error;
        const hold = {
          kind: 'unsuitable',
          message: describeFailure(failure),
          advice: 'mend the file; it is picked up by itself',
        } as const;
        return { kind: 'held', state: { kind: 'held', at: isoTime(options.clock), hold } };
      }
    },
  };
}
