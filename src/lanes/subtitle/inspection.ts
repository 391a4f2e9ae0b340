/** Inspects one subtitle job without a purchase: reads source, target and baseline, and merges them. */

import { extname, join } from 'node:path';
import type { SegmentRecord, TranslationInputs } from '../../baseline.ts';
import { stepsInTurns, type Turns, turnsOf } from '../../clock.ts';
import { type ReadFile, readBytes, readBytesIfPresent, requireOwnFile } from '../../files/disk.ts';
import { type Part, partsText } from '../../format.ts';
import { type Film, filmOf, filmSteps } from '../../formats/captions/film.ts';
import { type Group, groupSteps, sentenceSteps } from '../../formats/captions/group.ts';
import { type CaptionLimits, captionLimits } from '../../formats/captions/limits.ts';
import { unpackSubtitles } from '../../formats/captions/packed.ts';
import type { SubtitleFile } from '../../formats/captions/read.ts';
import { READ_SUBTITLES } from '../../formats/captions/thread-calls.ts';
import type { SubtitleFormat } from '../../formats/captions/timing.ts';
import { LARGEST_SOURCE } from '../../lane.ts';
import { parse } from '../../parsing/parse.ts';
import type { MergePolicy, WantedSegment } from '../../segments/decision.ts';
import { FRAME } from '../../segments/lock-section.ts';
import { type Merge, mergeSteps } from '../../segments/merge.ts';
import { recordInPlace } from '../../segments/record.ts';
import { statedRecords } from '../../segments/stated-records.ts';
import { type Assertion, NO_TARGET } from '../../segments/statements.ts';
import { changedInputs } from '../../segments/translation-inputs.ts';
import { type LockIndex, statementsAt } from '../../state/lock-file.ts';
import { originOfPair } from '../../state/lock-pairs.ts';
import {
  askHistory,
  openQuestions,
  type Past,
  policyOfPast,
  textUnits,
} from '../../translate/past.ts';
import { isOfEarlierSource, lockedSourceOf, type TextCase } from '../../translate/text-case.ts';
import { inputsFor, instructionRules } from '../../translate/text-inputs.ts';
import { timesByLock, type WrittenTiming } from './cue-times.ts';
import { type CueRelation, type CurrentFilm, relateSteps } from './relation.ts';

export interface SubtitleInspection extends CueRelation {
  readonly source: ReadSubtitles;
  readonly target: ReadSubtitles | undefined;
  readonly film: Film;
  /** The sentences of the film, as they are sent, in order. */
  readonly groups: readonly Group[];
  /** By cue id: the sentence that decides the translation of the cue; none for cues that are copied. */
  readonly sentences: ReadonlyMap<string, string>;
  readonly limits: CaptionLimits;
  readonly merge: Merge;
  /** The timing line of the source when the target was written, as the lock states it. */
  readonly written: WrittenTiming;
  /** Whether the lock has lines of the film. */
  readonly isStated: boolean;
}

export interface ReadSubtitles extends Pick<ReadFile, 'bytes' | 'hash' | 'stat'> {
  readonly file: SubtitleFile;
}

/** Milliseconds of work on a film before other work of the process runs: 100,000 cues take seconds. */
export const FILM_TURN_MS = 10;

/** @throws JobFailure `malformed` with the line, `unreadable`, `unsupported`, `changed-meanwhile` */
export async function inspectSubtitles(text: TextCase): Promise<SubtitleInspection> {
  const { route, job } = text;
  const { read, source, target } = await readFiles(text);
  // Other work of the process runs between the steps: they take long for 100,000 cues.
  const turns = turnsOf(FILM_TURN_MS);
  const format = formatOfTarget(text, source.file);
  const film = await stepsInTurns(filmSteps(source.file, format, route.subtitles), turns);
  const { group: joins } = route.subtitles;
  const groups = await stepsInTurns(groupSteps(film.cues, { joins }), turns);
  if (turns.over()) await turns.next();
  const sentences = await byId(film, groups, turns);
  if (turns.over()) await turns.next();
  const wanted = film.cues.map(wantedCue);
  const index = await text.lock?.index(job);
  const statements = index && statementsAt(index, lockedSourceOf(text));
  const cues = target?.file.cues ?? [];
  const known = await recordsInPlace(text, target);
  await turns.next();
  const current = cues.map((cue) => [cue.text]);
  const texts = { wanted, found: current, statements: statements ?? [], records: known };
  const records = statedRecords(texts);
  if (turns.over()) await turns.next();
  const between = {
    ...{ film, wanted, records, target: target?.file, existing: route.policies.existing },
    ...{ ...statedCues(statements ?? []), isUnseen: known.length === 0 },
  };
  const relation = await stepsInTurns(relateSteps(between), turns);
  if (turns.over()) await turns.next();
  const parts = new Map([...relation.current].map(([id, cue]) => [id, [cue.text]]));
  const policy: MergePolicy = {
    ...subtitleMergePolicy(text, sentences),
    missing: cues.length === 0 ? 'restore' : 'leave',
    ...(statements === undefined ? {} : { statements: () => statements }),
    ...(index && { statedElsewhere: (...pair) => originOfPair(index, ...pair) }),
    ...(text.buyConflicts === undefined ? {} : { buyConflicts: text.buyConflicts }),
    ...(index === undefined && known.length === 0 ? lossOf(text, read) : {}),
  };
  const all = { wanted, found: parts, base: relation.base };
  if (turns.over()) await turns.next();
  const first = await stepsInTurns(mergeSteps({ ...all, policy }), turns);
  if (turns.over()) await turns.next();
  const past =
    statements && (await pastOf(text, { read, wanted, found: parts, merge: first, cues }));
  const again = past && mergeSteps({ ...all, policy: { ...policy, ...policyOfPast(past) } });
  const merged = again === undefined ? first : await stepsInTurns(again, turns);
  const limits = captionLimits(route.subtitles, job.language);
  const stated = { ...statedTimes(text, { index, film, target }), isStated: !!statements?.length };
  const parsed = { source, target, film, groups, sentences, limits };
  return { ...parsed, merge: merged, ...stated, ...relation };
}

async function recordsInPlace(
  { baseline }: TextCase,
  target: SubtitleInspection['target'],
): Promise<readonly SegmentRecord[]> {
  const candidates = await baseline.candidates(target?.hash ?? null);
  // Its 100,000 cues are only looked at where they decide.
  const cues = candidates.length > 1 ? target?.file.cues : undefined;
  const found = cues?.map(({ text }) => ({ parts: [text] }));
  return recordInPlace(candidates, found)?.segments ?? [];
}

function statedTimes(
  text: TextCase,
  {
    index,
    film,
    target,
  }: Pick<SubtitleInspection, 'film' | 'target'> & { index: LockIndex | undefined },
): Pick<SubtitleInspection, 'written'> {
  const about = index && statementsAt(index, lockedSourceOf(text), FRAME);
  return { written: timesByLock(about ?? [], film.cues, timingLines(target)) };
}

function timingLines(target: ReadSubtitles | undefined): readonly string[] {
  if (target === undefined) return [];
  const { cues, text } = target.file;
  return cues.map(({ timing }) => text.slice(timing.start, timing.end));
}

/** @param source of the film, about which nothing is known */
function lossOf(
  text: TextCase,
  source: Pick<ReadFile, 'hash'>,
): Pick<MergePolicy, 'areRecordsLost'> {
  return isOfEarlierSource(text, source.hash) ? { areRecordsLost: true } : {};
}

function statedCues(statements: readonly Assertion[]): Pick<CurrentFilm, 'ours' | 'takenOut'> {
  const { human = [], ours = [] } = Object.groupBy(statements, ({ mark }) =>
    mark === 'human' ? 'human' : 'ours',
  );
  const takenOut = human.filter(({ target }) => target === NO_TARGET);
  return {
    ours: new Set(ours.map(({ target }) => target)),
    takenOut: new Set(takenOut.map(({ source }) => source)),
  };
}

async function readFiles(text: TextCase) {
  const read = await readBytes(text.sourcePath, LARGEST_SOURCE.subtitle);
  const source = await readAs(read, text.sourcePath, text);
  const targetFile = join(text.root, text.targetPath);
  const found = await readBytesIfPresent(targetFile, LARGEST_SOURCE.subtitle);
  if (found?.hash === read.hash) requireOwnFile(text.sourcePath, targetFile);
  return { read, source, target: found && (await readAs(found, targetFile, text)) };
}

interface SeenCues {
  readonly read: ReadFile;
  readonly wanted: readonly WantedSegment[];
  readonly found: ReadonlyMap<string, readonly Part[]>;
  readonly merge: Merge;
  /** The target. */
  readonly cues: readonly { readonly text: string }[];
}

/** Asks the history of the repository about cues that the merge leaves open; undefined without lock files. */
async function pastOf(
  text: TextCase,
  { read, wanted, found, merge, cues }: SeenCues,
): Promise<Past | undefined> {
  const { lock, job, root } = text;
  if (lock === undefined) return undefined;
  const sources = new Map(wanted.map(({ id, source }) => [id, partsText(source)]));
  const files = [text.sourcePath, join(root, text.targetPath)] as const;
  return await askHistory({
    ...{ job, lock, files, ...openQuestions(merge.decisions), ...textUnits(text, false) },
    texts: (id) => {
      const target = found.get(id);
      return { source: sources.get(id) ?? '', target: target && partsText(target) };
    },
    present: () => cues.map((cue) => cue.text),
    read: async (side, bytes) => {
      const file = files[side === 'source' ? 0 : 1];
      // A version that cannot be read holds no text.
      const then = await readAs({ ...read, bytes }, file, text).catch(() => undefined);
      if (then === undefined) return undefined;
      const { cues } =
        side === 'source' ? filmOf(then.file, then.file.format, text.route.subtitles) : then.file;
      return cues.map((cue, nth) => ({ id: `${nth}`, parts: [cue.text] }));
    },
  });
}

/** The inputs with which a cue would be bought now, for its whole sentence: a term may be divided between two cues. */
export function cueInputs(
  text: TextCase,
  { id, source }: Pick<SegmentRecord, 'id' | 'source'>,
  sentences: ReadonlyMap<string, string>,
): TranslationInputs {
  return inputsFor(text, [sentences.get(id) ?? source]);
}

async function byId(
  { cues }: Film,
  groups: readonly Group[],
  turns: Turns,
): Promise<Map<string, string>> {
  const sentences = new Map<string, string>();
  for (const [cue, sentence] of await stepsInTurns(sentenceSteps(groups), turns)) {
    if (turns.over()) await turns.next();
    sentences.set(cues[cue]?.id ?? '', sentence);
  }
  return sentences;
}

function subtitleMergePolicy(text: TextCase, sentences: ReadonlyMap<string, string>): MergePolicy {
  const { policies } = text.route;
  return {
    ...instructionRules(text.instructions),
    policies,
    changedInputs: ({ id, source }, { made }) => {
      if (made === undefined) return [];
      const now = cueInputs(text, { id, source: partsText(source) }, sentences);
      return changedInputs(made, now, policies.retranslateOn);
    },
  };
}

async function readAs(read: ReadFile, file: string, { route }: TextCase): Promise<ReadSubtitles> {
  const fallback = route.encoding ?? route.subtitles.fallbackEncoding;
  const { bytes } = read;
  const subject = { file, bytes: bytes.byteLength };
  const packed = await parse(READ_SUBTITLES, { bytes, file, fallback }, subject);
  return { ...read, file: await stepsInTurns(unpackSubtitles(packed), turnsOf(FILM_TURN_MS)) };
}

/** The format of the target: by its extension when that differs from the source's, otherwise the format of the source's content. */
function formatOfTarget(
  { targetPath, sourcePath }: Pick<TextCase, 'targetPath' | 'sourcePath'>,
  { format }: SubtitleFile,
): SubtitleFormat {
  const [from, to] = [sourcePath, targetPath].map((path) => extname(path).toLowerCase());
  if (from === to) return format;
  return to === '.vtt' ? 'vtt' : to === '.srt' ? 'srt' : format;
}

function wantedCue({ id, text, treatment }: Film['cues'][number]): WantedSegment {
  return { id, source: [text], treatment };
}
