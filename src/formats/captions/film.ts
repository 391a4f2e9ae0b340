/** A source in the form of the target: its cues in the target's format, split into speeches, each to be translated or not. Pure. */
import { allSteps, type StepwiseWork } from '../../clock.ts';
import type { SubtitleSettings } from '../../project.ts';
import { convertCue } from './convert.ts';
import { type CueText, splitCue } from './cue-text.ts';
import type { Cue } from './cues.ts';
import type { SubtitleFile } from './read.ts';
import type { SubtitleFormat } from './timing.ts';

export interface FilmCue {
  /** The id for people: the cue's own number or name, else its index. If two ids are equal, all cues use their index. */
  readonly id: string;
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
  /** Timing line in the target's format. */
  readonly timing: string;
  /** In the target's format, lines joined by LF. */
  readonly text: string;
  readonly apart: CueText;
  readonly treatment: 'translate' | 'copy';
}

export interface Film {
  readonly format: SubtitleFormat;
  readonly cues: readonly FilmCue[];
}

export function filmOf(...film: Parameters<typeof filmSteps>): Film {
  return allSteps(filmSteps(...film));
}

/** Like `filmOf`, one step for each cue. */
export function* filmSteps(
  { cues, text, format: from }: SubtitleFile,
  format: SubtitleFormat,
  rules: Pick<SubtitleSettings, 'sdh'>,
): StepwiseWork<Film> {
  const ids = yield* idsOf(cues);
  const shown: FilmCue[] = [];
  for (const [nth, cue] of cues.entries()) {
    const own = { timing: text.slice(cue.timing.start, cue.timing.end), text: cue.text };
    const written = from === format ? own : convertCue(cue, from, format);
    const { start, end } = from === format ? cue : notBeforeZero(cue);
    const apart = splitCue(written.text, format);
    const id = ids[nth] ?? String(nth + 1);
    shown.push({ ...written, id, start, end, apart, treatment: treat(apart, rules) });
    yield;
  }
  return { format, cues: shown };
}

function notBeforeZero({ start, end }: Cue): Pick<Cue, 'start' | 'end'> {
  return { start: Math.max(0, start), end: Math.max(0, end) };
}

function treat({ kind }: CueText, { sdh }: Pick<SubtitleSettings, 'sdh'>): FilmCue['treatment'] {
  return kind === 'nothing' || (kind === 'sound' && sdh === 'keep') ? 'copy' : 'translate';
}

function* idsOf(cues: readonly Cue[]): StepwiseWork<string[]> {
  const own = new Set<string>();
  for (const [nth, { id }] of cues.entries()) {
    own.add(id === '' ? String(nth + 1) : id);
    yield;
  }
  return own.size === cues.length ? [...own] : cues.map((_, nth) => String(nth + 1));
}
