/**
 * What a line of a page is, in the words of CommonMark: its containers (block quotes, list items) and the block behind their markers. No other
 * file of this room has expressions for these signs. Pure.
 */

export interface ListMarker {
  readonly kind: 'item';
  /** What is before it on its line. */
  readonly before: string;
  /** Of an item in an ordered list; empty in a bullet list. */
  readonly number: string;
  /** The bullet `-`, `*` or `+`, or the delimiter `.` or `)` behind the number. All items of a list have the same one. */
  readonly sign: string;
  /** The blanks behind it. */
  readonly blanks: string;
  /** The box of a task: `[ ] `. */
  readonly task: string;
}

export type Container = { readonly kind: 'quote' } | ListMarker;

export interface BlockLine {
  /** The outermost one comes first. */
  readonly containers: readonly Container[];
  /** Width of the blanks before its content, and before a list marker. */
  readonly indent: number;
  /** Without what is before it, and without blanks and the line end behind it. */
  readonly content: string;
}

const CONTAINER =
  /[ \t]*(?:(?<quote>>)|(?:(?<bullet>[-*+])|(?<number>\d{1,9})(?<delimiter>[.)]))(?<blanks>[ \t]+)(?<task>\[[ xX]\][ \t]+)?)/gy;

/** @param line of a page, or its beginning before a text */
export function readLine(line: string): BlockLine {
  const containers: Container[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of line.matchAll(CONTAINER)) {
    const { quote, bullet, number = '', delimiter = '', blanks = '', task = '' } = groups;
    const before = line.slice(0, index) + (/^[ \t]*/.exec(found)?.[0] ?? '');
    const sign = bullet ?? delimiter;
    containers.push(
      quote === undefined
        ? { kind: 'item', before, number, sign, blanks, task }
        : { kind: 'quote' },
    );
    end = index + found.length;
  }
  const [blanks = ''] = /^[ \t>]*/.exec(line) ?? [];
  return {
    containers,
    indent: blanks.replaceAll('\t', '    ').length,
    content: line.slice(end).trim(),
  };
}

/** The marker of the list item whose text is right behind it. */
export function markerBefore(sign: string): ListMarker | undefined {
  const last = readLine(sign).containers.at(-1);
  return last?.kind === 'item' && markerText(last) === sign ? last : undefined;
}

export function markerText({ before, number, sign, blanks, task }: ListMarker): string {
  return `${before}${number}${sign}${blanks}${task}`;
}

/** The level of a heading whose line begins so: `## `. */
export function headingLevel({ content }: BlockLine): number {
  return /^#{1,6}(?![^\s])/.exec(content)?.[0].length ?? 0;
}

/** The level of the heading whose underline a line is: `=====` or `-----`; 0: it is none. */
export function underlineLevel(line: string): 0 | 1 | 2 {
  const [, sign] = /^[ \t>]*([=-])\1*[ \t]*(?:\r\n?|\n)?$/.exec(line) ?? [];
  return sign === undefined ? 0 : sign === '=' ? 1 : 2;
}
