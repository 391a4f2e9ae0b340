/** Turns the service's reply for a group into a speech for each of its cues; damage never leaves the group. Pure. */
import type { Part } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import type { FilmCue } from './film.ts';
import type { Group } from './group.ts';
import { isIdeographic } from './limits.ts';
import { recut } from './recut.ts';
import { moveClosingSigns, spaceFor } from './repair.ts';
import { type Speech, slice, speechOf } from './speech.ts';

/** How the reply was cut. `repeated`: it has fewer words than cues, so every cue shows all of them. */
export type Cutting = 'as sent' | 're-cut' | 'repeated';

export interface CutReply {
  readonly cutting: Cutting;
  /** One for each member of the group, none empty. */
  readonly speeches: readonly Speech[];
}

/** A reply shorter than this share of its source lost something. */
const LEAST = 0.2;
/** And a line longer than this times its share holds more than its cue. */
const MOST = 4;

/** @returns why a reply cannot be the translation of the group, in one sentence; undefined when it can */
export function replyProblem(
  { text }: Pick<Group, 'text'>,
  reply: readonly Part[],
  language: LanguageTag,
): string | undefined {
  const answer = speechOf(reply).text.trim();
  if (answer === '') return 'the translation is empty';
  // An ideograph says what two or three letters say.
  const weight = isIdeographic(language) ? 3 : 1;
  if (answer.length * weight >= text.length * LEAST) return undefined;
  return `the translation has ${answer.length} characters for ${text.length}: something is lost`;
}

/** @param reply one that has no problem */
export function cutReply(
  group: Group,
  reply: readonly Part[],
  { cues, language }: { readonly cues: readonly FilmCue[]; readonly language: LanguageTag },
): CutReply {
  const whole = speechOf(reply);
  const { cutting, pieces } = cut(group, whole, { cues, language });
  const speeches = moveClosingSigns(pieces).map((piece) => spaceFor(piece, language));
  return { cutting, speeches };
}

interface Cut {
  readonly cutting: Cutting;
  readonly pieces: readonly Speech[];
}

function cut(
  { members }: Group,
  whole: Speech,
  { cues, language }: { readonly cues: readonly FilmCue[]; readonly language: LanguageTag },
): Cut {
  const flat = { ...whole, text: whole.text.replace(/[\r\n]/g, ' ') };
  const all = slice(flat, 0, flat.text.length);
  if (members.length === 1) return { cutting: 'as sent', pieces: [squeeze(all)] };
  const lines = linesOf(whole);
  if (
    fitsSource(
      lines,
      members.map(({ speech }) => speech.text),
    )
  ) {
    return { cutting: 'as sent', pieces: lines };
  }
  const source = members.map(({ cue, speech }) => {
    const { start = 0, end = 0 } = cues[cue] ?? {};
    return { text: speech.text, duration: end - start };
  });
  const places = recut(all.text, source, language);
  if (places === undefined) return { cutting: 'repeated', pieces: members.map(() => squeeze(all)) };
  const bounds = [0, ...places, all.text.length];
  const pieces = members.map((_, nth) => slice(all, bounds[nth] ?? 0, bounds[nth + 1] ?? 0));
  return { cutting: 're-cut', pieces };
}

function linesOf(whole: Speech): Speech[] {
  const lines: Speech[] = [];
  let start = 0;
  for (const { index, 0: newline } of [...whole.text.matchAll(/\r\n|[\r\n]/g)]) {
    lines.push(slice(whole, start, index));
    start = index + newline.length;
  }
  lines.push(slice(whole, start, whole.text.length));
  return lines;
}

/** As many lines as cues, none empty, each within bounds of its cue's share. */
function fitsSource(lines: readonly Speech[], source: readonly string[]): boolean {
  if (lines.length !== source.length) return false;
  const total = lines.reduce((sum, { text }) => sum + text.length, 0);
  const sent = source.reduce((sum, text) => sum + text.length, 0);
  return lines.every(({ text }, nth) => {
    const share = (total * (source[nth]?.length ?? 0)) / sent;
    return text !== '' && text.length >= share * LEAST && text.length <= share * MOST;
  });
}

/** A line break that came uncalled for left two blanks where one belongs. */
function squeeze(speech: Speech): Speech {
  return speech.spans.length > 0 ? speech : { ...speech, text: speech.text.replace(/ {2,}/g, ' ') };
}
