/**
 * The lock as text: one statement per line, under the path of its source. Conflict markers of git are ignored: the statements of both
 * sides of a conflict are true. Any other line is damage. Pure.
 */
import { hash } from 'node:crypto';
import { allSteps, type StepwiseWork } from '../clock.ts';
import {
  type Mark,
  type SourceHash,
  type Statement,
  type TargetHash,
  type UnitId,
  unionInSteps,
} from '../segments/statements.ts';

/** Changes when the way of hashing or the meaning of a line changes. */
export const LOCK_VERSION = 1;

/** The beginning of each file of a lock. */
export const HEADER_START = '# dragoman lock ';
const HEADER = `${HEADER_START}${LOCK_VERSION}; written by dragoman, merges by keeping both sides`;

/** Statements by the path of their source. A merge may have put one under another path. */
export type Sections = ReadonlyMap<string, readonly Statement[]>;

export interface LockText {
  /** The newest version in the text: a merge may have joined two. */
  readonly version: number;
  /** The number of the first line that nobody writes: the file is damaged, and statements are missing. 0: the file is empty. */
  readonly unreadable?: number;
  /** The text has conflict markers of git. */
  readonly hasMarkers: boolean;
  readonly sections: Sections;
}

export function parseLock(text: string): LockText {
  return allSteps(lockIn(text));
}

/** A language of a hundred thousand texts has three million characters. */
export function* lockIn(text: string): StepwiseWork<LockText> {
  const sections = new Map<string, Statement[]>();
  let version = 0;
  let hasMarkers = false;
  let section = sectionOf(sections, '');
  let unreadable: number | undefined;
  let number = 0;
  for (const line of linesIn(text)) {
    yield;
    number += 1;
    const statement = parseStatement(line);
    if (statement !== undefined) section.push(statement);
    else if (MARKER.test(line)) hasMarkers = true;
    else if (line.startsWith('# ')) {
      const header = /^# dragoman lock (\d+);/.exec(line);
      if (header === null) section = sectionOf(sections, pathFrom(line.slice(2)));
      else version = Math.max(version, Number(header[1]));
    } else if (!IS_IGNORED.test(line)) unreadable ??= number;
  }
  // Even the lock of no text has a header: an empty file was cut off.
  if (text.trim() === '') unreadable = 0;
  return {
    version: version === 0 ? LOCK_VERSION : version,
    ...(unreadable === undefined ? {} : { unreadable }),
    ...{ hasMarkers, sections },
  };
}

/** The paths of all sections, without reading their statements. */
export function pathsOfLock(text: string): string[] {
  const paths: string[] = [];
  for (let at = text.indexOf('\n# '); at >= 0; at = text.indexOf('\n# ', at + 1)) {
    const end = text.indexOf('\n', at + 1);
    const line = text.slice(at + 3, end < 0 ? undefined : end).replace(/\r$/, '');
    if (!line.startsWith(HEADER_START.slice(2))) paths.push(pathFrom(line));
  }
  return [...new Set(paths)];
}

function* linesIn(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    if (end < 0) return yield text.slice(from);
    yield text.slice(from, text[end - 1] === '\r' ? Math.max(from, end - 1) : end);
    from = end + 1;
  }
}

/** Blank lines and comments. */
const IS_IGNORED = /^\s*(?:#|$)/;
const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

function sectionOf(sections: Map<string, Statement[]>, path: string): Statement[] {
  const known = sections.get(path);
  if (known !== undefined) return known;
  const section: Statement[] = [];
  sections.set(path, section);
  return section;
}

const STATEMENT_LINE = /^([\w-]{6}) ([\w-]{8}) ([\w-]{6}) ([mahx])([?+]?)(?: ([\w-]{6}))?$/;
const MARK_OF_LETTER: ReadonlyMap<string, Mark> = new Map(
  Object.entries<Mark>({
    m: 'machine',
    a: 'adopted',
    h: 'human',
    x: 'held',
  }),
);
const LETTERS: Readonly<Record<Mark, string>> = {
  machine: 'm',
  adopted: 'a',
  human: 'h',
  held: 'x',
};

function parseStatement(line: string): Statement | undefined {
  const [, unit, source, target, letter = '', sign, recipe] = STATEMENT_LINE.exec(line) ?? [];
  const mark = MARK_OF_LETTER.get(letter);
  if (mark === undefined) return undefined;
  return {
    unit: unit as UnitId,
    source: source as SourceHash,
    target: target as TargetHash,
    mark,
    ...(sign ? { review: sign === '+' ? 'reviewed' : 'wanted' } : {}),
    ...(recipe === undefined ? {} : { recipe }),
  };
}

/** Equal sets of statements make equal texts, except for the order within a section. */
export function formatLock(sections: LockText['sections']): string {
  return allSteps(textOfLock(sections));
}

/** @param before the sections that were written last: a section in which a few statements changed is not formatted again */
export function* textOfLock(
  sections: LockText['sections'],
  before?: LockText['sections'],
): StepwiseWork<string> {
  const parts: { readonly path: string; readonly order: string; readonly lines: string }[] = [];
  for (const [path, statements] of sections) {
    const lines = yield* linesOf(statements, before?.get(path));
    if (lines !== '') parts.push({ path, lines, order: hash('sha256', path) });
  }
  parts.sort((a, b) => (a.order < b.order ? -1 : 1));
  const lines = parts.flatMap(({ path, lines }) => [
    ...(path === '' ? [] : [`# ${pathLine(path)}`]),
    lines,
  ]);
  return `${[HEADER, ...lines].join('\n\n')}\n`;
}

/** The lines of each section: a section that did not change is not formatted again. A single save changes one section of hundreds. */
const FORMATTED = new WeakMap<readonly Statement[], string>();

function* linesOf(
  statements: readonly Statement[],
  before: readonly Statement[] | undefined,
): StepwiseWork<string> {
  const known = FORMATTED.get(statements) ?? changedLines(statements, before);
  if (known !== undefined) {
    FORMATTED.set(statements, known);
    return known;
  }
  const lines: string[] = [];
  for (const statement of yield* unionInSteps(statements)) {
    yield;
    lines.push(formatStatement(statement));
  }
  const text = lines.join('\n\n');
  FORMATTED.set(statements, text);
  return text;
}

/** A save changes one statement of a section, which may have a hundred thousand. */
const MOST_CHANGED = 100;

/** The lines of a section that differs from another one in a few statements, all in one place. Undefined: it must be formatted. */
function changedLines(
  now: readonly Statement[],
  before: readonly Statement[] | undefined,
): string | undefined {
  const text = before && FORMATTED.get(before);
  if (before === undefined || text?.length !== lengthOfLines(before)) return undefined;
  const [first, last] = samePartsOf(now, before);
  const added = now.slice(first, now.length - last);
  const removed = before.slice(first, before.length - last);
  if (added.length + removed.length > MOST_CHANGED) return undefined;
  // Several statements about one pair of texts become one line.
  const units = new Set(added.map(({ unit }) => unit));
  const others = now.filter(({ unit }) => units.has(unit));
  if (others.length > units.size) return undefined;
  const head = text.slice(0, lengthOfLines(now.slice(0, first)));
  const tail = text.slice(text.length - lengthOfLines(now.slice(now.length - last)));
  return [head, ...added.map(formatStatement), tail].filter((lines) => lines !== '').join('\n\n');
}

/** How many of the first and of the last statements are the same. */
function samePartsOf(now: readonly Statement[], before: readonly Statement[]) {
  const least = Math.min(now.length, before.length);
  let first = 0;
  while (first < least && now[first] === before[first]) first += 1;
  let last = 0;
  while (last < least - first && now.at(-1 - last) === before.at(-1 - last)) last += 1;
  return [first, last] as const;
}

/** Characters of these statements as lines, if each of them is one. */
function lengthOfLines(statements: readonly Statement[]): number {
  const lengths = statements.map(
    ({ review, recipe = '' }) =>
      24 + (review === undefined ? 0 : 1) + (recipe === '' ? 0 : 1 + recipe.length),
  );
  return lengths.reduce((sum, length) => sum + length + 2, -2 * Math.min(1, lengths.length));
}

export function formatStatement({ unit, source, target, mark, review, recipe }: Statement): string {
  const sign = review === undefined ? '' : review === 'reviewed' ? '+' : '?';
  return `${unit} ${source} ${target} ${LETTERS[mark]}${sign}${recipe === undefined ? '' : ` ${recipe}`}`;
}

/** Escapes control characters: a file name may have a line break. */
function pathLine(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand in a line
  return path.replace(/[\u0000-\u001f\\]/g, (found) =>
    found === '\\' ? '\\\\' : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function pathFrom(line: string): string {
  return line.replace(/\\(?:u([0-9a-f]{4})|(\\))/g, (_, code?: string) =>
    code === undefined ? '\\' : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
