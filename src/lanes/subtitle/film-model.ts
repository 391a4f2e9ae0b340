/**
 * The document model of subtitles: buys sentences with the film as their context, keeps the times, and checks the file before
 * it is written.
 */

import { join } from 'node:path';
import type { BaselineRecord, SegmentRecord } from '../../baseline.ts';
import { stepsInTurns, type Turns, turnsOf } from '../../clock.ts';
import { hashBytes } from '../../files/disk.ts';
import { writeIfDifferent } from '../../files/replace.ts';
import type { Right } from '../../files/right.ts';
import { partsText } from '../../format.ts';
import { reportPath, reportSteps } from '../../formats/captions/report.ts';
import { type Hold, shellWords, shortList } from '../../job.ts';
import { plural } from '../../language.ts';
import { append } from '../../parsing/append.ts';
import { finalState } from '../../segments/final-state.ts';
import { type NamedText, openCounts, openTexts, textCounts } from '../../segments/open-texts.ts';
import type { TextAnswer } from '../../segments/record-for.ts';
import {
  type BoughtText,
  boughtAgain,
  staleTerms,
  takenForRemoved,
  termsMissing,
} from '../../translate/file-notes.ts';
import type { TextCase } from '../../translate/text-case.ts';
import type { ModelSource, TextModel } from '../text-model.ts';
import { composeSubtitles, type SubtitleComposition } from './composition.ts';
import { unexplainedTimes } from './cue-times.ts';
import {
  cueInputs,
  FILM_TURN_MS,
  inspectSubtitles,
  type SubtitleInspection,
} from './inspection.ts';
import type { Twins } from './relation.ts';
import { type AnsweredSpeech, settleSubtitles } from './settlement.ts';
import { cueByCue, type SpeechPurchase, speechPurchases } from './text-orders.ts';

export const films: ModelSource = {
  lane: 'subtitle',
  reserve: async (text) => ({
    use: async (work) => {
      const seen = await inspectSubtitles(text);
      const turns = turnsOf(FILM_TURN_MS);
      const purchases = await stepsInTurns(speechPurchases(text, seen), turns);
      await turns.next();
      const facts = await factsOf(text, { seen, purchases, turns });
      return await work(modelOf(text, { seen, purchases, facts }));
    },
    [Symbol.dispose]() {},
  }),
};

/** A film has neither a frame nor texts that a plan lists. */
const WITHOUT_PARTS = {
  foresee: async () => {},
  frameConflicts: async () => 0,
  openUnits: async () => undefined,
};

interface OpenFilm {
  readonly seen: SubtitleInspection;
  readonly purchases: readonly SpeechPurchase[];
  readonly facts: TextModel['facts'];
}

function modelOf(text: TextCase, { seen, purchases, facts }: OpenFilm): TextModel {
  const { target, blocker } = seen;
  const answered: AnsweredSpeech[] = [];
  let open: readonly SpeechPurchase[] = purchases;
  let answers: TextAnswer[] = [];
  let base: BaselineRecord | undefined;
  const compose = async (at: string) => {
    const composed = await composeFilm({ text, seen, answered, at });
    base = composed.base;
    return composed;
  };
  return {
    ...WITHOUT_PARTS,
    facts,
    texts: () => [purchases.map(({ wanted }) => wanted)],
    answer: async (next) => append(answers, next),
    // Sentences come first. Those with an unfit answer are bought once more, cue by cue.
    async again() {
      const retried = open !== purchases;
      const round = open.map((purchase, nth) => ({
        ...{ purchase, retried },
        answer: answers[nth] ?? { kind: 'refused' as const, problem: 'not answered' },
      }));
      const isOver = ({ answer }: AnsweredSpeech) => retried || answer.kind === 'translated';
      append(answered, round.filter(isOver));
      answers = [];
      open = round.filter((each) => !isOver(each)).flatMap(({ purchase }) => cueByCue(purchase));
      return open.map(({ wanted }) => wanted);
    },
    compose,
    async prepare() {
      if (base !== undefined) await text.baseline.prepare(base, target?.hash ?? null);
    },
    keep: (at) => keepKnown(text, seen, at),
    report: (right) => reportFilm(text, { seen, records: base?.segments ?? [] }, right),
    async isUpToDate(at) {
      if (target === undefined || purchases.length > 0) return false;
      if (blocker !== undefined) return blocker !== 'twice' && asksNothing(seen);
      const { content, problem, state } = await compose(at);
      return problem === undefined && state.kind === 'done' && content.hash === target.hash;
    },
    records: async (at) => (await compose(at)).base,
    notes: async () => notesFor(text, seen),
  };
}

function notesFor(text: TextCase, seen: SubtitleInspection): readonly string[] {
  const inputs = (record: SegmentRecord) => cueInputs(text, record, seen.sentences);
  return [
    ...boughtAgain(text, seen),
    ...unclear(text, seen),
    ...staleTerms(text, { merge: seen.merge, inputs }),
  ];
}

/** What stays as it is because nobody knows what a person did. */
function unclear(text: TextCase, seen: SubtitleInspection): readonly string[] {
  return [...takenForRemoved(text, seen.merge.decisions), ...movedByNobody(text, seen)];
}

function movedByNobody({ job }: TextCase, seen: SubtitleInspection): string[] {
  const cues = seen.isStated ? unexplainedTimes(seen, seen.film.cues) : [];
  if (cues.length === 0) return [];
  const [what, than] =
    cues.length === 1 ? ['has another time', 'its source'] : ['have other times', 'their sources'];
  const lines = shortList(cues.map(({ line }) => `line ${line}`));
  return [
    `${job.source} (${job.language}): ${plural(cues.length, 'subtitle')} ${what} than ${than} (${lines}), and nothing shows who moved them: they stay; where the source moved, give the translation its times`,
  ];
}

async function factsOf(
  text: TextCase,
  { seen, purchases, turns }: Omit<OpenFilm, 'facts'> & { readonly turns: Turns },
): Promise<OpenFilm['facts']> {
  const { source, target, blocker, merge } = seen;
  const named = openTexts(merge.decisions, (nth) => cueAt(seen, nth), 'sequence');
  await turns.next();
  const work = blocker === undefined ? workOf(seen, purchases) : {};
  await turns.next();
  return {
    source: { hash: source.hash, stat: source.stat },
    target: target && { hash: target.hash, stat: target.stat },
    blocker: blocker && blockerHold(seen, text.targetPath),
    named,
    states: openCounts(merge.decisions),
    ...work,
    damage: [],
    removed: unclear(text, seen),
    needsNothing:
      text.instructions.keepsTarget === true || (blocker !== 'twice' && asksNothing(seen)),
  };
}

/** Subtitles are bought by the sentence: as many sentences count as bought. One that only gives a version to choose does not. */
function workOf(
  { merge: { decisions } }: SubtitleInspection,
  purchases: readonly SpeechPurchase[],
): Pick<TextModel['facts'], 'counts' | 'sizes'> {
  const isPlain = ({ group: { members } }: SpeechPurchase) =>
    members.some(({ cue }) => decisions[cue]?.kind === 'buy');
  const sizes = Int32Array.from(purchases, (purchase) => (isPlain(purchase) ? 1 : -1));
  const bought = sizes.filter((size) => size > 0).length;
  return { counts: { ...textCounts(decisions), bought }, sizes };
}

/** Keeps the records of the target: without them the next inspection would be a first contact. */
async function keepKnown(text: TextCase, seen: SubtitleInspection, at: string): Promise<void> {
  const { target } = seen;
  // The lock itself holds what only the lock paired, with its author.
  const segments = [...seen.base.values()].filter(({ isPairing }) => isPairing !== true);
  if (target === undefined || segments.length === 0) return;
  const known = { segments, targetHash: target.hash, recipe: text.recipe.key, at };
  await text.baseline.prepare(known, target.hash);
}

function cueAt({ film, source }: SubtitleInspection, nth: number): NamedText | undefined {
  const cue = film.cues[nth];
  return cue && { id: cue.id, text: cue.text, line: source.file.cues[nth]?.line ?? 1 };
}

interface AnsweredFilm {
  readonly text: TextCase;
  readonly seen: SubtitleInspection;
  readonly answered: readonly AnsweredSpeech[];
  readonly at: string;
}

async function composeFilm({ text, seen, answered, at }: AnsweredFilm) {
  const { film, limits } = seen;
  const screen = { format: film.format, language: text.job.language, limits };
  const settled = await settleSubtitles(seen, answered, screen);
  const turns = turnsOf(FILM_TURN_MS);
  const records: SegmentRecord[] = [];
  for (const record of settled) {
    if (turns.over()) await turns.next();
    records.push(withInputs(text, record, seen));
  }
  const { bytes, problem, times } = await composeSubtitles(seen, records, text.targetPath);
  await turns.next();
  const hash = hashBytes(bytes);
  await turns.next();
  const state = finalState(at, records, nameIn(seen));
  await turns.next();
  const bought = sentencesIn(answered, seen);
  await turns.next();
  return {
    content: { bytes, hash },
    state,
    termsMissing: termsMissing(text, bought),
    base: { segments: withTimes(records, times), recipe: text.recipe.key, at, targetHash: hash },
    ...(problem === undefined ? {} : { problem: unsound(text, problem) }),
  };
}

/** The first cue has what is known of the whole film. */
function withTimes(
  [first, ...others]: readonly SegmentRecord[],
  times: SubtitleComposition['times'],
): SegmentRecord[] {
  if (first?.cue === undefined || times === undefined) return first ? [first, ...others] : [];
  return [{ ...first, cue: { ...first.cue, times } }, ...others];
}

/** Few films have a text that a person must look at, so the indexes are made for the first one. */
function nameIn(seen: SubtitleInspection): (record: SegmentRecord) => string {
  let indexes: ReadonlyMap<string, number> | undefined;
  return ({ id }) => {
    indexes ??= new Map(seen.film.cues.map((cue, nth) => [cue.id, nth]));
    return `line ${cueAt(seen, indexes.get(id) ?? 0)?.line ?? 1}`;
  };
}

/** Adds to a new translation the inputs that it was made with, so that a changed rule finds it. */
function withInputs(
  text: TextCase,
  record: SegmentRecord,
  { sentences }: SubtitleInspection,
): SegmentRecord {
  const isNew = record.origin === 'machine' && record.state === 'ok' && record.made === undefined;
  return isNew ? { ...record, made: cueInputs(text, record, sentences) } : record;
}

/** The bought sentences as a whole: a term may be divided between two cues. */
function sentencesIn(
  answered: readonly AnsweredSpeech[],
  { film }: SubtitleInspection,
): BoughtText[] {
  return answered.flatMap(({ purchase: { group }, answer }) => {
    const id = film.cues[group.members[0]?.cue ?? 0]?.id ?? '';
    return answer.kind === 'translated'
      ? [{ id, source: group.text, target: partsText(answer.parts) }]
      : [];
  });
}

function asksNothing({ merge }: SubtitleInspection): boolean {
  return merge.decisions.every(({ kind }) => kind === 'keep');
}

interface DeliveredFilm {
  readonly seen: SubtitleInspection;
  readonly records: readonly SegmentRecord[];
}

async function reportFilm(
  text: TextCase,
  { seen, records }: DeliveredFilm,
  right: Right,
): Promise<void> {
  if (!text.route.subtitles.report) return;
  const steps = reportSteps(records, {
    format: seen.film.format,
    limits: seen.limits,
    source: text.sourceLanguage,
    target: text.job.language,
  });
  const report = await stepsInTurns(steps, turnsOf(FILM_TURN_MS));
  const path = join(text.root, reportPath(text.targetPath));
  const content = `${JSON.stringify(report, null, 2)}\n`;
  await writeIfDifferent({ path, root: text.root, content, durability: 'cached', right });
}

/** The hold of a target that cannot be merged. */
export function blockerHold(
  { blocker, source, target, twins }: SubtitleInspection,
  path: string,
): Hold {
  if (blocker === 'unplaced') return { kind: 'edited-target', beside: null };
  if (blocker === 'twice') {
    return { kind: 'edited-target', beside: null, message: describeTwins(twins) };
  }
  const [ours, theirs] = [source, target].map((read) => read?.file.cues.length ?? 0);
  return {
    kind: 'unsuitable',
    message: `${path} has ${theirs} subtitles, its source ${ours}, at other times: it was not changed`,
    advice: `give both the same subtitles, or have it replaced by a translation: dragoman retry ${shellWords(path)}`,
  };
}

export function describeTwins(twins: readonly Twins[]): string {
  const lines = twins.map((pair) => `lines ${pair.map(({ line }) => line).join(' and ')}`);
  return `two subtitles are shown at the same time (${shortList(lines)}), as a merge leaves them: take one out, or give it another time`;
}

function unsound({ targetPath }: TextCase, problem: string): Hold {
  return {
    kind: 'unsuitable',
    message: `${targetPath} was not written: the check of the new file found that ${problem}`,
    advice: `change the text that broke it, or: dragoman retry ${shellWords(targetPath)}`,
  };
}
