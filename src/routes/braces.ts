/** `*.{md,mdx}` -> `*.md`, `*.mdx`: expands braces, and keeps tokens such as `{locale}`. */
import { PatternError, unknownToken } from './tokens.ts';

/** Most alternatives of a pattern, so that nested braces do not fill the memory. People write fewer. */
const MOST_ALTERNATIVES = 256;
/** UTF-16 code units of all alternatives together: each one is read and compared with other routes. */
const MOST_CHARACTERS = 250_000;

/** @throws PatternError for braces that do not match, and for too many or too long alternatives */
export function expandBraces(pattern: string): string[] {
  const brace = firstChoice(pattern);
  if (brace === undefined) return [pattern];
  const before = pattern.slice(0, brace.start);
  const after = pattern.slice(brace.end);
  const expanded = brace.choices.flatMap((choice) => expandBraces(before + choice + after));
  if (expanded.length > MOST_ALTERNATIVES) {
    throw new PatternError(`has more than ${MOST_ALTERNATIVES} alternatives; split the route`);
  }
  if (expanded.length * pattern.length > MOST_CHARACTERS && expanded.length > 1) {
    throw new PatternError(
      'has alternatives of more than 250,000 characters together; split the route',
    );
  }
  return expanded;
}

interface BraceGroup {
  readonly start: number;
  /** After the closing brace. */
  readonly end: number;
  readonly choices: readonly string[];
}

function firstChoice(pattern: string): BraceGroup | undefined {
  for (let start = 0; start < pattern.length; start++) {
    if (pattern[start] === '\\') start++;
    else if (pattern[start] === '}') throw new PatternError('has a "}" without its "{"');
    else if (pattern[start] === '{') {
      const { end, commas } = closing(pattern, start);
      if (commas.length > 0)
        return { start, end, choices: cutAtMarks(pattern, [start, ...commas, end - 1]) };
      const inside = pattern.slice(start + 1, end - 1);
      if (!/^\w+$/.test(inside)) throw unknownToken(inside, 'pattern');
      start = end - 1;
    }
  }
  return undefined;
}

function closing(pattern: string, start: number): { end: number; commas: number[] } {
  const commas: number[] = [];
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === ',' && depth === 1) commas.push(at);
    else if (character === '}' && --depth === 0) return { end: at + 1, commas };
  }
  throw new PatternError('has a "{" without its "}"');
}

function cutAtMarks(pattern: string, marks: readonly number[]): string[] {
  return marks.slice(1).map((mark, index) => pattern.slice((marks[index] ?? 0) + 1, mark));
}
