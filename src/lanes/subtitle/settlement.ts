/** Turns decisions and bought sentences into one record for each cue: its text in the new target, and its notes. */

import type { CueNote, SegmentRecord } from '../../baseline.ts';
import { stepsInTurns, type Turns, turnsOf } from '../../clock.ts';
import { partsText } from '../../format.ts';
import type { FilmCue } from '../../formats/captions/film.ts';
import { type CaptionScreen, fitCue } from '../../formats/captions/fit.ts';
import { blocksOf, frameOf } from '../../formats/captions/frame.ts';
import { cutReply } from '../../formats/captions/reply.ts';
import type { Speech } from '../../formats/captions/speech.ts';
import type { Decision } from '../../segments/decision.ts';
import type { TextAnswer } from '../../segments/record-for.ts';
import { recordFor } from '../../segments/record-for.ts';
import { FILM_TURN_MS, type SubtitleInspection } from './inspection.ts';
import type { SpeechPurchase } from './text-orders.ts';

/** A sentence with its answer. `retried`: it is one cue of a sentence whose answer was unfit. */
export interface AnsweredSpeech {
  readonly purchase: SpeechPurchase;
  readonly answer: TextAnswer;
  readonly retried: boolean;
}

/** @returns one record for each cue, in order; its `target` is the text of the new target */
export async function settleSubtitles(
  seen: SubtitleInspection,
  answered: readonly AnsweredSpeech[],
  screen: CaptionScreen,
): Promise<SegmentRecord[]> {
  const turns = turnsOf(FILM_TURN_MS);
  const answers = await collect(answered, {
    cues: seen.film.cues,
    language: screen.language,
    turns,
  });
  await turns.next();
  const frame = await stepsInTurns(frameOf(seen.source.file, seen.film.format), turns);
  const blocks = await stepsInTurns(blocksOf(seen.source.file), turns);
  const begun = Map.groupBy(seen.groups, ({ members }) => members[0]?.cue);
  const records: SegmentRecord[] = [];
  for (const [index, decision] of seen.merge.decisions.entries()) {
    if (turns.over()) await turns.next();
    const cue = seen.film.cues[index];
    const record = cue && recordOfCue(decision, { cue, answers: answers.get(index), screen });
    if (record === undefined || cue === undefined) continue;
    const texts = begun.get(index)?.length ?? 0;
    const place = { timing: cue.timing, texts, ...(index === 0 ? { frame, blocks } : {}) };
    records.push({ ...record, cue: { ...place, notes: notesOf(record, seen) } });
  }
  return records;
}

/** The answers for one cue: a speech for each speaker's turn. */
interface CueAnswers {
  readonly speeches: Map<number, Speech>;
  readonly notes: Set<CueNote>;
  problem: string | undefined;
}

interface CueTurns {
  readonly cues: readonly FilmCue[];
  readonly language: CaptionScreen['language'];
  readonly turns: Turns;
}

/** Divides answers among the cues. @returns by index of the cue */
async function collect(
  answered: readonly AnsweredSpeech[],
  { cues, language, turns }: CueTurns,
): Promise<Map<number, CueAnswers>> {
  const answers = new Map<number, CueAnswers>();
  for (const { purchase, answer, retried } of answered) {
    if (turns.over()) await turns.next();
    const { group } = purchase;
    const reply =
      answer.kind === 'translated' ? cutReply(group, answer.parts, { cues, language }) : undefined;
    for (const [nth, { cue, turn, speech }] of group.members.entries()) {
      const own = answers.get(cue) ?? { speeches: new Map(), notes: new Set(), problem: undefined };
      answers.set(cue, own);
      const bought = reply?.speeches[nth];
      if (bought !== undefined) own.speeches.set(turn, bought);
      else own.problem = answer.kind === 'refused' ? answer.problem : 'not answered';
      if (reply !== undefined && reply.cutting !== 'as sent') own.notes.add(reply.cutting);
      if (retried) own.notes.add('retried');
      const lost = bought !== undefined && bought.spans.length < speech.spans.length;
      if (lost || cues[cue]?.apart.dropped === true) own.notes.add('markup dropped');
    }
  }
  return answers;
}

interface AnsweredCue {
  readonly cue: FilmCue;
  readonly answers: CueAnswers | undefined;
  readonly screen: CaptionScreen;
}

function recordOfCue(
  decision: Decision,
  { cue, answers, screen }: AnsweredCue,
): SegmentRecord | undefined {
  const record = recordFor(decision, answers && boughtFor(cue, answers, screen), 'sequence');
  if (record === undefined || answers === undefined || answers.problem !== undefined) return record;
  const cueRecord = { timing: cue.timing, notes: [...answers.notes] };
  if (decision.kind === 'buy') return { ...record, cue: cueRecord };
  // The cue is part of a sentence that was bought again: a machine's text is replaced with it, a person's stays.
  if (decision.kind === 'conflict' || record.origin !== 'machine') return record;
  const target = [cueText(cue, answers, screen)];
  return {
    id: record.id,
    source: record.source,
    target,
    origin: 'machine',
    state: 'ok',
    cue: cueRecord,
  };
}

function boughtFor(cue: FilmCue, answers: CueAnswers, screen: CaptionScreen): TextAnswer {
  if (answers.problem !== undefined) return { kind: 'refused', problem: answers.problem };
  return { kind: 'translated', parts: [cueText(cue, answers, screen)] };
}

function cueText({ apart }: FilmCue, { speeches }: CueAnswers, screen: CaptionScreen): string {
  return fitCue(
    apart,
    apart.turns.map((turn, nth) => speeches.get(nth) ?? turn.speech),
    screen,
  );
}

/** The notes of a cue: they stay until its text changes. */
function notesOf(record: SegmentRecord, { base }: SubtitleInspection): readonly CueNote[] {
  const old = base.get(record.id);
  const isOld = partsText(old?.target ?? []) === partsText(record.target ?? []);
  return record.cue?.notes ?? (isOld ? old?.cue?.notes : undefined) ?? [];
}
