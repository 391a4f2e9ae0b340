/** The purchases of a subtitle job: the sentences of its open cues, with the film as their context. Pure. */

import type { StepwiseWork } from '../../clock.ts';
import { hashBytes } from '../../files/disk.ts';
import type { Part } from '../../format.ts';
import { countSpokenWords } from '../../formats/captions/breaks.ts';
import type { FilmCue } from '../../formats/captions/film.ts';
import { type Group, groupFrom, type Member } from '../../formats/captions/group.ts';
import { replyProblem } from '../../formats/captions/reply.ts';
import { buys } from '../../segments/decision.ts';
import type { JobText, Scene } from '../../translate/order.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { scopeFor } from '../../translate/text-inputs.ts';
import type { SubtitleInspection } from './inspection.ts';

/** One sentence that is bought. */
export interface SpeechPurchase {
  readonly group: Group;
  readonly wanted: JobText;
}

/** A step for each sentence. @returns the sentences with an open cue, and no others */
export function* speechPurchases(
  text: TextCase,
  { film, groups, merge }: SubtitleInspection,
): StepwiseWork<SpeechPurchase[]> {
  const open = new Set(merge.decisions.flatMap((decision, cue) => (buys(decision) ? [cue] : [])));
  const texts = groups.map((group) => group.text);
  const purchases: SpeechPurchase[] = [];
  for (const [at, group] of groups.entries()) {
    yield;
    if (!group.members.some(({ cue }) => open.has(cue))) continue;
    const scene = { texts, at, pause: pauseBefore(film.cues, groups[at - 1], group) };
    purchases.push({ group, wanted: wantedFor(text, group, scene) });
  }
  return purchases;
}

/** Divides a sentence into its cues, to be sent when the answer to the whole was unfit. */
export function cueByCue({ group, wanted }: SpeechPurchase): SpeechPurchase[] {
  return group.members.map((member) => {
    const alone = groupFrom([member]);
    const check = checkFor(alone, wanted);
    const parts = partsToSend(alone, wanted);
    return { group: alone, wanted: { ...wanted, parts, check, unplanned: true } };
  });
}

function wantedFor(text: TextCase, group: Group, scene: Scene): JobText {
  const { job, recipe } = text;
  const scope = scopeOf(text, group);
  const wanted = {
    job: job.id,
    project: job.project,
    lane: job.lane,
    recipe,
    parts: partsToSend(group, text),
    syntax: 'subtitle',
    scene,
    ...(scope === undefined ? {} : { scope }),
  } as const;
  return { ...wanted, check: checkFor(group, wanted) };
}

/** Text improvement takes no tags (docs/design/api.md, "Text improvement"): the text is sent without its inner markup. */
function partsToSend(group: Group, { recipe }: Pick<JobText, 'recipe'>): readonly Part[] {
  return recipe.conversion === undefined ? group.parts : [group.text];
}

function checkFor(group: Group, { recipe }: Pick<JobText, 'recipe'>) {
  return (reply: readonly Part[]) => replyProblem(group, reply, recipe.target);
}

/** A text with fewer words may need another translation in another film ("Right."). */
const FEW_WORDS = 3;

/** The reach of the answer: it may be used again for any text with its recipe, in films only, or in this film only. */
function scopeOf(text: TextCase, group: Group): string | undefined {
  const { scope } = scopeFor(text, [group.text]);
  const scopes = [scope, filmScope(group, text.job.source)].filter((each) => each !== undefined);
  return scopes.length === 0 ? undefined : scopes.join('/');
}

/** Sentences over several cues are shared with films only: in strings, line breaks are counted. */
function filmScope({ text, members }: Group, source: string): string | undefined {
  if (countSpokenWords(text) < FEW_WORDS) return hashBytes(source).slice(0, 12);
  return members.length > 1 ? 'film' : undefined;
}

function pauseBefore(cues: readonly FilmCue[], previous: Group | undefined, next: Group): number {
  const end = cueOf(cues, previous?.members.at(-1))?.end;
  const start = cueOf(cues, next.members[0])?.start;
  if (end === undefined || start === undefined) return Number.MAX_SAFE_INTEGER;
  return Math.max(0, start - end);
}

function cueOf(cues: readonly FilmCue[], member: Member | undefined): FilmCue | undefined {
  return member === undefined ? undefined : cues[member.cue];
}
