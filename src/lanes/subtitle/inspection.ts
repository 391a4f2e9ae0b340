/** Looks at one subtitle job without paying: reads source, target and segment base, and says what stands and what is open. */

import { extname, join } from 'node:path';
import type { SegmentRecord, TranslationInputs } from '../../baseline.ts';
import { stepsInTurns, turnsOf } from '../../clock.ts';
import { type ReadFile, readBytes, readBytesIfPresent } from '../../files/disk.ts';
import { type Part, partsText } from '../../format.ts';
import type { Cue } from '../../formats/captions/cues.ts';
import { type Film, filmOf, filmSteps } from '../../formats/captions/film.ts';
import { type Group, groupSteps, sentencesOf } from '../../formats/captions/group.ts';
import { type CaptionLimits, limitsFor } from '../../formats/captions/limits.ts';
import { READ_SUBTITLES } from '../../formats/captions/parsers.ts';
import type { SubtitleFile } from '../../formats/captions/read.ts';
import type { SubtitleFormat } from '../../formats/captions/timing.ts';
import { LARGEST_SOURCE } from '../../lane.ts';
import { parse } from '../../parsing/parse.ts';
import type { Policies } from '../../project.ts';
import { align } from '../../segments/align.ts';
import type { MergeRules, WantedSegment } from '../../segments/decide.ts';
import { type Merge, merge } from '../../segments/merge.ts';
import { statedRecords } from '../../segments/stated-records.ts';
import { type TargetHash, targetHash } from '../../segments/statements.ts';
import { isOutdated } from '../../segments/translation-inputs.ts';
import { statementsAt } from '../../state/lock-file.ts';
import { originOfPair } from '../../state/lock-pairs.ts';
import { askHistory, openIn, type Past, rulesOfPast, textUnits } from '../../translate/past.ts';
import { placeOf, type TextCase } from '../../translate/text-case.ts';
import { inputsFor, wordRules } from '../../translate/text-inputs.ts';

export interface SubtitleInspection {
  readonly source: ReadSubtitles;
  readonly target: ReadSubtitles | undefined;
  readonly film: Film;
  /** What is sent for it, in order. */
  readonly groups: readonly Group[];
  /** By cue id: what decides its translation, the rest of its sentence too; none for cues that are copied. */
  readonly sentences: ReadonlyMap<string, string>;
  readonly limits: CaptionLimits;
  /** What we last saw and wrote, by cue id. */
  readonly base: ReadonlyMap<string, SegmentRecord>;
  readonly merge: Merge;
  /** By id: the target's cue with its timing and text. */
  readonly standing: ReadonlyMap<string, StandingCue>;
  /** Cues that a person added to the target, by the id of the cue behind which they stand; '' for the beginning. */
  readonly added: ReadonlyMap<string, readonly StandingCue[]>;
  /** Cues of the target that are shown at the very time of another one with other words: a merge left both. */
  readonly twins: readonly Twins[];
  /** Why the target cannot be merged: it would lose what stands there. */
  readonly blocker: 'unlike' | 'unplaced' | 'twice' | undefined;
}

export type Twins = readonly [own: StandingCue, other: StandingCue];

export interface ReadSubtitles extends Pick<ReadFile, 'bytes' | 'hash' | 'stat'> {
  readonly file: SubtitleFile;
}

export interface StandingCue extends Cue {
  /** Of the target, as it stands there. */
  readonly timingLine: string;
}

/** Milliseconds of work on a film at a time: 100,000 cues take seconds. */
export const TURN_MS = 10;

/** @throws JobFailure `malformed` with the line, `unreadable`, `unsupported`, `changed-meanwhile` */
export async function inspectSubtitles(text: TextCase): Promise<SubtitleInspection> {
  const { route, root, targetPath, job } = text;
  const read = await readBytes(text.sourcePath, LARGEST_SOURCE.subtitle);
  const source = await readAs(read, text.sourcePath, text);
  const targetFile = join(root, targetPath);
  const found = await readBytesIfPresent(targetFile, LARGEST_SOURCE.subtitle);
  const target = found && (await readAs(found, targetFile, text));
  // Between steps that take long for 100,000 cues, others have their turn.
  const turns = turnsOf(TURN_MS);
  const format = formatOfTarget(text, source.file);
  const film = await stepsInTurns(filmSteps(source.file, format, route.subtitles), turns);
  const joins = route.subtitles.group;
  const groups = await stepsInTurns(groupSteps(film.cues, { joins }), turns);
  if (turns.over()) await turns.next();
  const sentences = byId(film, groups);
  if (turns.over()) await turns.next();
  const wanted = film.cues.map(wantedCue);
  const index = await text.lock?.index(job);
  const statements = index && statementsAt(index, placeOf(text));
  const records = statedRecords({
    wanted,
    found: (target?.file.cues ?? []).map((cue) => [cue.text]),
    statements: statements ?? [],
    records: [...(await text.baseline.read(target?.hash ?? null)).values()],
  });
  if (turns.over()) await turns.next();
  const { existing } = route.policies;
  const ours = new Set(
    (statements ?? []).flatMap((each) => (each.mark === 'human' ? [] : [each.target])),
  );
  const relation = relate({ film, wanted, records, ours, target: target?.file, existing });
  if (turns.over()) await turns.next();
  const parts = new Map([...relation.standing].map(([id, cue]) => [id, [cue.text]]));
  const rules: MergeRules = {
    ...mergeRules(text, sentences),
    ...(statements === undefined ? {} : { statements: () => statements }),
    ...(index && { statedElsewhere: (...pair) => originOfPair(index, ...pair) }),
    ...(text.buyConflicts === undefined ? {} : { buyConflicts: text.buyConflicts }),
  };
  const all = { wanted, found: parts, base: relation.base };
  if (turns.over()) await turns.next();
  const first = merge({ ...all, rules });
  if (turns.over()) await turns.next();
  const past = statements && (await pastOf(text, { read, wanted, found: parts, merge: first }));
  const merged = past ? merge({ ...all, rules: { ...rules, ...rulesOfPast(past) } }) : first;
  const limits = limitsFor(route.subtitles, job.language);
  return { source, target, film, groups, sentences, limits, merge: merged, ...relation };
}

interface SeenCues {
  readonly read: ReadFile;
  readonly wanted: readonly WantedSegment[];
  readonly found: ReadonlyMap<string, readonly Part[]>;
  readonly merge: Merge;
}

/** What the history of the repository says of cues. */
async function pastOf(
  text: TextCase,
  { read, wanted, found, merge }: SeenCues,
): Promise<Past | undefined> {
  const { lock, job, root } = text;
  if (lock === undefined) return undefined;
  const sources = new Map(wanted.map(({ id, source }) => [id, partsText(source)]));
  const files = [text.sourcePath, join(root, text.targetPath)] as const;
  return await askHistory({
    ...{ job, lock, files, ...openIn(merge.decisions), ...textUnits(text, false) },
    texts: (id) => {
      const target = found.get(id);
      return { source: sources.get(id) ?? '', target: target && partsText(target) };
    },
    read: async (side, bytes) => {
      const file = files[side === 'source' ? 0 : 1];
      // What could not be read then holds no text.
      const then = await readAs({ ...read, bytes }, file, text).catch(() => undefined);
      if (then === undefined) return undefined;
      const { cues } =
        side === 'source' ? filmOf(then.file, then.file.format, text.route.subtitles) : then.file;
      return cues.map((cue, nth) => ({ id: `${nth}`, parts: [cue.text] }));
    },
  });
}

/** What a cue is bought with now: a term may stand half in one cue and half in the next. */
export function cueInputs(
  text: TextCase,
  { id, source }: Pick<SegmentRecord, 'id' | 'source'>,
  sentences: ReadonlyMap<string, string>,
): TranslationInputs {
  return inputsFor(text, [sentences.get(id) ?? source]);
}

function byId({ cues }: Film, groups: readonly Group[]): Map<string, string> {
  const sentences = [...sentencesOf(groups)];
  return new Map(sentences.map(([cue, sentence]) => [cues[cue]?.id ?? '', sentence]));
}

function mergeRules(text: TextCase, sentences: ReadonlyMap<string, string>): MergeRules {
  const { policies } = text.route;
  return {
    ...wordRules(text.word),
    policies,
    recipeChanged: ({ id, source }, { made }) => {
      if (made === undefined) return false;
      const now = cueInputs(text, { id, source: partsText(source) }, sentences);
      return isOutdated(made, now, policies.retranslateOn);
    },
  };
}

async function readAs(read: ReadFile, file: string, { route }: TextCase): Promise<ReadSubtitles> {
  const fallback = route.encoding ?? route.subtitles.fallbackEncoding;
  const { bytes } = read;
  const subject = { file, bytes: bytes.byteLength };
  return { ...read, file: await parse(READ_SUBTITLES, { bytes, file, fallback }, subject) };
}

/** A name with another extension asks for the other format; with the same one the content stays what it is. */
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

interface Standing {
  readonly film: Film;
  readonly wanted: readonly WantedSegment[];
  readonly records: readonly SegmentRecord[];
  /** Texts that the lock names, and that no person wrote. */
  readonly ours: ReadonlySet<TargetHash>;
  readonly target: SubtitleFile | undefined;
  readonly existing: Policies['existing'];
}

type Relation = Pick<SubtitleInspection, 'base' | 'standing' | 'added' | 'twins' | 'blocker'>;

/** Which cue of the target belongs to which of the source: by neighbours and texts, at first contact by place or time. */
function relate({ film, wanted, records, ours, target, existing }: Standing): Relation {
  const cues = (target?.cues ?? []).map((cue) => standingCue(cue, target));
  if (records.length === 0) return meet(film, cues, existing);
  // Texts are found again by identity: `align` hands out the very arrays that it was given.
  const owner = new Map(cues.map((cue): [readonly Part[], StandingCue] => [[cue.text], cue]));
  const { base, found, unplaced } = align({ wanted, records, found: [...owner.keys()] });
  const standing = new Map<string, StandingCue>();
  for (const [id, parts] of found) {
    const cue = owner.get(parts);
    if (cue !== undefined) standing.set(id, cue);
  }
  const more = unplaced.flatMap((parts) => owner.get(parts) ?? []);
  // A credit that a person put in stays there; a cue that was split or joined has lost its place.
  const isWhole = standing.size === records.length;
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const atOnce = new Map(
    [...standing].flatMap(([id, cue]) => (wantedIds.has(id) ? [[spanOf(cue), cue]] : [])),
  );
  const alone = more.filter((cue) => !atOnce.has(spanOf(cue)));
  const added = isWhole ? placesOf(alone, { standing, wantedIds }) : new Map();
  // One that says the same at the same time, or that the machine said of another source, goes.
  const twins = more.flatMap((cue): Twins[] => {
    const own = atOnce.get(spanOf(cue));
    if (own === undefined || own.text === cue.text || ours.has(targetHash(cue.text))) return [];
    return [[own, cue]];
  });
  const lost = isWhole || more.length === 0 ? undefined : 'unplaced';
  return { base, standing, added, twins, blocker: twins.length > 0 ? 'twice' : lost };
}

function spanOf({ start, end }: Pick<Cue, 'start' | 'end'>): string {
  return `${start} ${end}`;
}

/** Behind which cue of the film each added one stands. */
function placesOf(
  more: readonly StandingCue[],
  {
    standing,
    wantedIds,
  }: { standing: ReadonlyMap<string, StandingCue>; wantedIds: ReadonlySet<string> },
): Map<string, StandingCue[]> {
  const known = [...standing]
    .filter(([id]) => wantedIds.has(id))
    .map(([id, { line }]) => ({ id, line }))
    .sort((a, b) => a.line - b.line);
  return Map.groupBy(more, (cue) => known.findLast(({ line }) => line < cue.line)?.id ?? '');
}

function standingCue(cue: Cue, target: SubtitleFile | undefined): StandingCue {
  return { ...cue, timingLine: target?.text.slice(cue.timing.start, cue.timing.end) ?? '' };
}

/** First contact: as many cues belong together by place; fewer ones by the time at which they are shown. */
function meet(
  { cues }: Film,
  found: readonly StandingCue[],
  existing: Policies['existing'],
): Relation {
  const none = {
    ...{ base: new Map(), standing: new Map(), added: new Map() },
    ...{ twins: [], blocker: undefined },
  };
  if (found.length === cues.length) {
    return {
      ...none,
      standing: new Map(cues.map(({ id }, nth) => [id, found[nth]]).flatMap(pair)),
    };
  }
  const byTime = new Map(found.map((cue) => [spanOf(cue), cue]));
  const standing = new Map(cues.map((cue) => [cue.id, byTime.get(spanOf(cue))]).flatMap(pair));
  const isLost = standing.size < found.length && existing === 'adopt';
  const blocker = isLost ? 'unlike' : undefined;
  return { ...none, standing, blocker };
}

function pair([id, cue]: (string | StandingCue | undefined)[]): [string, StandingCue][] {
  return typeof id === 'string' && typeof cue === 'object' ? [[id, cue]] : [];
}
