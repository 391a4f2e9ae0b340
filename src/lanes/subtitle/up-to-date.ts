/** Whether subtitles that stand are what they shall be already: nothing would be written, and nothing is asked of them. */
import { hashBytes } from '../../files/disk.ts';
import type { Decision } from '../../segments/decide.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { composeSubtitles } from './composition.ts';
import type { SubtitleInspection } from './inspection.ts';
import { settleSubtitles } from './settlement.ts';

/** Whether a run would leave the target's bytes as they are. */
export async function isAsItShallBe(seen: SubtitleInspection, text: TextCase): Promise<boolean> {
  const { target, blocker, merge } = seen;
  if (target === undefined) return false;
  if (blocker !== undefined) return merge.decisions.every((each) => asksNothing(each, seen));
  const records = settleSubtitles(seen, [], screenOf(seen, text));
  const { bytes, problem } = await composeSubtitles(seen, records, text.targetPath);
  return problem === undefined && hashBytes(bytes) === target.hash;
}

export function screenOf({ film, limits }: SubtitleInspection, { job }: TextCase) {
  return { format: film.format, language: job.language, limits };
}

/** A cue that a person joined to its neighbour has no place of its own any more, and the source asks for nothing. */
export function asksNothing({ kind, id }: Decision, { standing }: SubtitleInspection): boolean {
  return kind === 'keep' || (kind === 'restore' && !standing.has(id));
}
