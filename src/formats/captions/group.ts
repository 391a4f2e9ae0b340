/** Joins cues into sentences. A sentence is sent as one text, with a newline between its cues. Pure. */

import { allSteps, type StepwiseWork } from '../../clock.ts';
import type { Part } from '../../format.ts';
import { append } from '../../parsing/append.ts';
import { endingOf } from './breaks.ts';
import type { FilmCue } from './film.ts';
import { type Speech, speechParts } from './speech.ts';

/** One text for the service: a sentence over several cues, a cue, or one speaker's part of a cue. */
export interface Group {
  readonly members: readonly Member[];
  /** The texts of the members, a newline between them. */
  readonly text: string;
  /** The same text as parts, with markup around some words. */
  readonly parts: readonly Part[];
}

export interface Member {
  /** Index of the cue. */
  readonly cue: number;
  /** Index of the turn in its cue. */
  readonly turn: number;
  readonly speech: Speech;
}

const MAX_GAP_MS = 1500;
const MAX_CUES = 6;
const MAX_CHARACTERS = 400;

/** @param joins false: every cue is a text of its own */
export function sentenceGroups(...film: Parameters<typeof groupSteps>): Group[] {
  return allSteps(groupSteps(...film));
}

/** Like `sentenceGroups`, one step for each cue. */
export function* groupSteps(
  cues: readonly FilmCue[],
  { joins }: { readonly joins: boolean },
): StepwiseWork<Group[]> {
  const groups: Group[] = [];
  let sentence: Member[] = [];
  const finish = () => {
    if (sentence.length > 0) groups.push(groupFrom(sentence));
    sentence = [];
  };
  for (const [index, cue] of cues.entries()) {
    const members = membersOf(cue, index);
    const previous = cues[index - 1];
    if (previous === undefined || !joins || !continues(sentence, { previous, cue, members }))
      finish();
    if (members.length === 1 && cue.apart.kind === 'speech') append(sentence, members);
    else
      append(
        groups,
        members.map((member) => groupFrom([member])),
      );
    yield;
  }
  finish();
  return groups;
}

/** By index of the cue: everything that is sent together with it, including the rest of its sentence. */
export function* sentenceSteps(groups: readonly Group[]): StepwiseWork<Map<number, string>> {
  const sentences = new Map<number, string>();
  for (const { members, text } of groups) {
    yield;
    for (const cue of new Set(members.map((member) => member.cue))) {
      const before = sentences.get(cue);
      sentences.set(cue, before === undefined ? text : `${before}\n${text}`);
    }
  }
  return sentences;
}

/** Joins the texts of the members to one. */
export function groupFrom(members: readonly Member[]): Group {
  let parts: readonly Part[] = [];
  let pairs = 0;
  for (const [nth, { speech }] of members.entries()) {
    parts = joinedParts(joinedParts(parts, nth === 0 ? [] : ['\n']), speechParts(speech, pairs));
    pairs += speech.spans.length;
  }
  return { members, text: members.map(({ speech }) => speech.text).join('\n'), parts };
}

/** Joins the last and the first part if both are text. */
function joinedParts(left: readonly Part[], right: readonly Part[]): readonly Part[] {
  const last = left.at(-1);
  const [first] = right;
  if (typeof last !== 'string' || typeof first !== 'string') return [...left, ...right];
  return [...left.slice(0, -1), last + first, ...right.slice(1)];
}

/** The parts of a cue that are translated. */
function membersOf({ apart, treatment }: FilmCue, cue: number): Member[] {
  if (treatment === 'copy') return [];
  return apart.turns.flatMap(({ speech }, turn) =>
    /\p{L}/u.test(speech.text) ? [{ cue, turn, speech }] : [],
  );
}

interface Next {
  readonly previous: FilmCue;
  readonly cue: FilmCue;
  readonly members: readonly Member[];
}

function continues(sentence: readonly Member[], { previous, cue, members }: Next): boolean {
  const last = sentence.at(-1);
  const [next] = members;
  if (last === undefined || next === undefined || cue.apart.kind !== 'speech') return false;
  const gap = cue.start - previous.end;
  // Cues that begin at the same time are shown together (a sign above, speech below) and are not one sentence.
  if (gap > MAX_GAP_MS || cue.start <= previous.start) return false;
  if (sentence.length >= MAX_CUES || changesVoice(previous, cue)) return false;
  const characters = sentence.reduce((total, { speech }) => total + speech.text.length + 1, 0);
  if (characters + next.speech.text.length > MAX_CHARACTERS) return false;
  return endingOf(last.speech.text) !== 'sentence';
}

/** A name, a dash or a note before a cue begins a new speech; so does the end of a song. */
function changesVoice(previous: FilmCue, cue: FilmCue): boolean {
  const [before = '', now = ''] = [previous, cue].map(({ apart }) => apart.turns[0]?.before);
  const sings = (text: string) => /[♪♫♬#]/.test(text);
  if (sings(before) || sings(now)) return sings(before) !== sings(now) || sings(before);
  return now.trim() !== '' || /[[(（［]/.test(before);
}
