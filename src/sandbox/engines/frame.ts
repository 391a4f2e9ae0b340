/**
 * The frame around an answer: `[de·more·style-1a2b3c4d.3 text ~~]` shows the language and what was applied,
 * and lets the answer be undone. White space and tags at the edges stay outside.
 */
import type { EngineRecipe } from '../engine.ts';

export interface Framed {
  readonly lead: string;
  readonly core: string;
  readonly tail: string;
}

/** Splits off white space and tags at both ends. */
export function splitEdges(text: string): Framed {
  const lead = LEAD.exec(text)?.[0] ?? '';
  const end = tailStart(text, lead.length);
  return { lead, core: text.slice(lead.length, end), tail: text.slice(end) };
}

/** @param padding characters that the frame adds at its end, for languages that need more room. */
export function frame(core: string, recipe: EngineRecipe, padding: number): string {
  const header = [recipe.target, ...recipe.marks].join('·');
  return `[${header} ${core}${padding === 0 ? '' : ` ${'~'.repeat(padding)}`}]`;
}

/** Takes the frame off; undefined when there is none. */
export function unframe(text: string): { core: string; target: string } | undefined {
  const found = FRAME.exec(text);
  const [core, target] = [found?.[2], found?.[1]];
  return core === undefined || target === undefined ? undefined : { core, target };
}

const TAG = '<[/!?]?[A-Za-z][^<>]*>';
const LEAD = new RegExp(`^(?:\\s|${TAG})*`, 'u');
const WHOLE_TAG = new RegExp(`^${TAG}$`, 'u');
const FRAME = /^\[([a-z]{2,3}(?:-[A-Za-z0-9]+)*)(?:·[^\s·]+)* ([\s\S]*?)(?: ~+)?\]$/u;

function tailStart(text: string, from: number): number {
  let end = text.length;
  for (;;) {
    const blank = from + text.slice(from, end).trimEnd().length;
    const open = text.lastIndexOf('<', blank - 1);
    if (text[blank - 1] !== '>' || open < from || !WHOLE_TAG.test(text.slice(open, blank))) {
      return blank;
    }
    end = open;
  }
}
