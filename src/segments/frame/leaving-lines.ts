/** Which lines of a person leave together with the texts of a stretch. Pure. */
import { append } from '../../parsing/append.ts';
import { TAG } from '../../parsing/markup.ts';
import { contentColumn, readBlock, readLine, underlineLevel, widthOf } from './block-syntax.ts';
import { shifted } from './item-indents.ts';
import { type ContainerSign, containerSigns, type UnitLine } from './unit-lines.ts';

/**
 * The indices of the lines that leave: those of texts, those that the source had, and those of containers without anything in them.
 * Undefined: it is not sure. A person changed the code, or wrote something in a container, or a container would lose one of its ends.
 * @param known indices of the lines that the source had
 */
export function leavingLines(
  lines: readonly UnitLine[],
  known: ReadonlySet<number>,
): ReadonlySet<number> | undefined {
  if (lines.some(({ text }) => /<\/?[A-Za-z]/.test(text.replace(ANY_TAG, '')))) return undefined;
  const code = codeIn(lines);
  if (code === undefined) return undefined;
  const goes = new Set(
    lines.keys().filter((at) => {
      const line = lines[at];
      if (line === undefined || line.isEmpty) return false;
      const isUnderline = underlineLevel(line.text) > 0 && lines[at - 1]?.texts.length === 1;
      return line.texts.length > 0 || known.has(at) || isUnderline;
    }),
  );
  const isLeaving = (at: number) => lines[at]?.isEmpty === true || goes.has(at);
  const stays = (at: number) => !isLeaving(at);
  const isOther = (ends: BlockEnds) =>
    inside(ends).some(stays) && inside(ends).some((at) => goes.has(at));
  if (code.some(isOther)) return undefined;
  const { pairs, loose } = containersIn(lines, new Set(code.flatMap(inside)));
  for (const [from, to] of pairs) {
    const own = range(from + 1, to).filter(stays);
    if (own.length === 0) goes.add(from).add(to);
    const isOwn = !goes.has(from) && !goes.has(to) && !isOther([from, to]);
    const hasNotes = goes.has(from) && goes.has(to) && own.every((at) => isNote(lines[at]));
    if (own.length > 0 && !isOwn && !hasNotes) return undefined;
  }
  return loose.length === 0 ? goes : undefined;
}

const ANY_TAG = new RegExp(TAG, 'g');

function inside([from, to]: BlockEnds): number[] {
  return range(from, to + 1);
}

/** A comment on one line. */
function isNote(line: UnitLine | undefined): boolean {
  return /^(?:<!--.*-->|\{\/\*.*\*\/\}|\[\/\/\]: #.*)$/.test(line?.text.trim() ?? '');
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, nth) => from + nth);
}

type BlockEnds = readonly [from: number, to: number];

/** The first and last lines of code and comments. Undefined: one of them has no end here. */
function codeIn(lines: readonly UnitLine[]): readonly BlockEnds[] | undefined {
  const found: BlockEnds[] = [];
  let open: { readonly at: number; readonly fence: string } | undefined;
  for (const [at, { text }] of lines.entries()) {
    const block = readBlock(readLine(text).content);
    if (open !== undefined) {
      const isEnd =
        open.fence === ''
          ? text.includes('-->')
          : block.kind === 'fence' && block.isBare && block.fence.startsWith(open.fence);
      if (!isEnd) continue;
      found.push([open.at, at]);
      open = undefined;
    } else if (block.kind === 'fence') open = { at, fence: block.fence };
    else if (/<!--(?!.*-->)/.test(text)) open = { at, fence: '' };
  }
  return open === undefined ? found : undefined;
}

/** The lines of containers, the inner ones first, and the lines with an end whose other end is not here. */
function containersIn(lines: readonly UnitLine[], inCode: ReadonlySet<number>) {
  const [pairs, loose]: [BlockEnds[], ContainerSign[]] = [[], []];
  let open: (ContainerSign & { readonly at: number })[] = [];
  for (const [at, { text }] of lines.entries()) {
    for (const sign of inCode.has(at) ? [] : containerSigns(text)) {
      if (!sign.isEnd) {
        open.push({ at, ...sign });
        continue;
      }
      const nth = open.findLastIndex(({ name }) => name === sign.name);
      append(
        loose,
        open.slice(nth < 0 ? open.length : nth + 1).filter((each) => !each.isAlone),
      );
      const first = open[nth];
      open = open.slice(0, nth < 0 ? open.length : nth);
      if (first === undefined) loose.push(sign);
      else if (first.at !== at) pairs.push([first.at, at]);
    }
  }
  append(
    loose,
    open.filter(({ isAlone }) => !isAlone),
  );
  return { pairs, loose };
}

/** Whether all containers that begin or end in these lines are whole. */
export function areWhole(lines: readonly UnitLine[]): boolean {
  const code = codeIn(lines);
  if (code === undefined) return false;
  return containersIn(lines, new Set(code.flatMap(inside))).loose.length === 0;
}

/** Lines that stay although their list item leaves are no longer indented as in it: they would be code. */
export function outdented(lines: readonly UnitLine[], goes: ReadonlySet<number>): UnitLine[] {
  let items: { readonly column: number; readonly before: number }[] = [];
  return lines.map((line, at) => {
    if (line.isEmpty) return line;
    const { containers, indent } = readLine(line.text);
    items = items.filter(({ column }) => indent >= column);
    if (goes.has(at)) {
      for (const each of containers) {
        if (each.kind === 'item')
          items.push({ column: contentColumn(each), before: widthOf(each.before) });
      }
      return line;
    }
    const [outer] = items;
    return outer === undefined ? line : moved(line, outer.before - outer.column);
  });
}

function moved(line: UnitLine, shift: number): UnitLine {
  const [first, ...rest] = line.units;
  if (first?.piece?.kind !== 'line') return line;
  const piece = { kind: 'line', text: shifted(first.piece.text, shift) } as const;
  return { ...line, units: [{ ...first, piece }, ...rest] };
}
