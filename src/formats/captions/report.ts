/** The report on a film: counts that show people whether it needs another look. Pure. */

import type { CueNote, SegmentRecord } from '../../baseline.ts';
import type { StepwiseWork } from '../../clock.ts';
import { partsText } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import { append } from '../../parsing/append.ts';
import { type CaptionLimits, width } from './limits.ts';
import { withoutMarkup } from './markup.ts';
import { readTiming, type SubtitleFormat } from './timing.ts';

/** Snake case: these names are printed by `--json` and in the report beside the target. */
export interface SubtitleReport {
  readonly cues: number;
  /** Number of texts that are sent: sentences over one cue or several, and what each speaker says. */
  readonly groups: number;
  /** Cues by the origin of their text. */
  readonly machine: number;
  readonly human: number;
  readonly adopted: number;
  readonly copied: number;
  /** Cues that wait for a person. */
  readonly held: number;
  readonly conflicts: number;
  /** Cues of sentences over several cues: those whose reply had as many lines as were sent, and those that were split again. */
  readonly anchors_kept: number;
  readonly re_cut: number;
  /** Cues that repeat a sentence with fewer words than cues. */
  readonly repeated: number;
  readonly retried: number;
  readonly markup_dropped: number;
  readonly line_length: number;
  readonly longest_line: number;
  readonly lines_over_length: number;
  readonly cues_over_lines: number;
  /** Cues with more characters per second than the limit, in the target and in the source. */
  readonly over_cps: number;
  readonly over_cps_in_source: number;
  readonly unreadable: number;
  readonly unreadable_in_source: number;
}

/** Path of the report beside a target, which config may ask for. */
export function reportPath(target: string): string {
  return `${target}.report.json`;
}

export interface ReportedLimits {
  readonly format: SubtitleFormat;
  readonly limits: CaptionLimits;
  readonly source: LanguageTag | undefined;
  readonly target: LanguageTag;
}

/** One step for each cue. */
export function* reportSteps(
  all: readonly SegmentRecord[],
  { format, limits, source, target }: ReportedLimits,
): StepwiseWork<SubtitleReport> {
  // Without the cues that a person removed.
  const records = all.filter(({ target, state }) => target !== null || state !== 'ok');
  let high = 0;
  const lines: number[] = [];
  const speeds: { readonly before: number; readonly now: number }[] = [];
  for (const record of records) {
    const text = partsText(record.target ?? []);
    if (text.split('\n').length > limits.lines) high += 1;
    append(lines, lengths(text, format, target));
    speeds.push({
      before: speed(record, record.source, { format, language: source ?? target }),
      now: speed(record, text, { format, language: target }),
    });
    yield;
  }
  const had = yield* countSteps(records);
  const noted = (note: CueNote) => had.get(note) ?? 0;
  yield;
  return {
    cues: records.length,
    groups: had.get('texts') ?? 0,
    machine: had.get('machine') ?? 0,
    human: had.get('human') ?? 0,
    adopted: had.get('adopted') ?? 0,
    copied: had.get('copied') ?? 0,
    held: had.get('held') ?? 0,
    conflicts: had.get('conflict') ?? 0,
    anchors_kept: (had.get('shared') ?? 0) - noted('re-cut') - noted('repeated'),
    re_cut: noted('re-cut'),
    repeated: noted('repeated'),
    retried: noted('retried'),
    markup_dropped: noted('markup dropped'),
    line_length: limits.lineLength,
    longest_line: lines.reduce((longest, length) => Math.max(longest, length), 0),
    lines_over_length: lines.filter((length) => length > limits.lineLength).length,
    cues_over_lines: high,
    over_cps: speeds.filter(({ now }) => now > limits.fast).length,
    over_cps_in_source: speeds.filter(({ before }) => before > limits.fast).length,
    unreadable: speeds.filter(({ now }) => now > limits.unreadable).length,
    unreadable_in_source: speeds.filter(({ before }) => before > limits.unreadable).length,
  };
}

type Count = CueNote | SegmentRecord['origin'] | 'held' | 'conflict' | 'texts' | 'shared';

/** Counts the cues by their notes and origins, in one pass. */
function* countSteps(records: readonly SegmentRecord[]): StepwiseWork<ReadonlyMap<Count, number>> {
  const had = new Map<Count, number>();
  const count = (what: Count, by = 1) => had.set(what, (had.get(what) ?? 0) + by);
  for (const [nth, record] of records.entries()) {
    const { cue, origin, state } = record;
    count('texts', cue?.texts ?? 1);
    for (const note of new Set(cue?.notes)) count(note);
    if (state !== 'held') count(origin);
    if (state === 'held' || state === 'conflict') count(state);
    if (isShared(record, records[nth + 1])) count('shared');
    yield;
  }
  return had;
}

/** A short description, for people who do not read JSON. */
export function describeReport(report: SubtitleReport): string {
  const facts = [
    `${report.cues} in ${report.groups} sentences`,
    `${report.machine} by the service`,
    ...some(report.human, 'by people'),
    ...some(report.adopted, 'adopted'),
    ...some(report.held, 'held'),
    ...some(report.conflicts, 'in conflict'),
    ...some(report.re_cut, 're-cut'),
    ...some(report.repeated, 'repeated'),
    ...some(report.retried, 'retried'),
    ...some(report.markup_dropped, 'without their inner markup'),
    ...some(report.lines_over_length, `lines over ${report.line_length}`),
    `${report.over_cps} too fast (${report.over_cps_in_source} in the source)`,
  ];
  return facts.join(', ');
}

function some(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

/** Number of machine cues that share a sentence with a neighbour, separated by a line break. */
function isShared(record: SegmentRecord, next: SegmentRecord | undefined): boolean {
  const goesOn = (each: SegmentRecord | undefined) =>
    each?.cue?.texts === 0 && each.origin !== 'copied';
  return record.origin === 'machine' && record.state !== 'held' && (goesOn(record) || goesOn(next));
}

function lengths(text: string, format: SubtitleFormat, language: LanguageTag): number[] {
  return text.split('\n').map((line) => width(withoutMarkup(line, format).trim(), language));
}

/** Characters per second; undefined for a cue without duration. */
function speed(
  { cue }: SegmentRecord,
  text: string,
  { format, language }: { readonly format: SubtitleFormat; readonly language: LanguageTag },
): number {
  const timing = cue === undefined ? undefined : readTiming(cue.timing);
  if (timing === undefined || timing.end <= timing.start) return 0;
  const characters = lengths(text, format, language).reduce((sum, length) => sum + length, 0);
  return (characters * 1000) / (timing.end - timing.start);
}
