/** Texts that are followed together: a table row with all its cells, or one text. Pure. */

import type { CellRow, RowList } from './frame/table-rows.ts';
import { alikeness } from './similarity.ts';
import { commonSubsequence, type IndexPair } from './subsequence.ts';

export interface TextUnit {
  /** Positions of its texts. */
  readonly members: readonly number[];
  readonly text: string;
  /** Equal for units with the same texts and the same code. */
  readonly key: string;
  readonly row?: CellRow;
}

export function rowUnitsOf(texts: readonly string[], rows: RowList = []): TextUnit[] {
  const units: TextUnit[] = [];
  for (let at = 0; at < texts.length; at++) {
    const row = rows[at];
    if (row === undefined) {
      const text = texts[at] ?? '';
      units.push({ members: [at], text, key: text });
      continue;
    }
    const members = [at];
    while (rows[at + 1] === row) members.push(++at);
    const text = members.map((index) => texts[index] ?? '').join(CELL);
    units.push({ members, text, key: `${CELL}${row.code}${CELL}${text}`, row });
  }
  return units;
}

const CELL = '\0';

/** A row is recognized by its code, if it has some. Else by its texts, of which the first one names it. */
export function rowAlikeness(a: TextUnit, b: TextUnit): number {
  if (a.row === undefined || b.row === undefined) return 0;
  const [x, y] = [a.row.code, b.row.code];
  if (x !== '' && x === y) return 1;
  const texts = alikeness(a.text, b.text);
  if (x !== '' && y !== '') return texts * alikeness(x, y);
  const [first, other] = [firstCell(a), firstCell(b)];
  return (texts + (first === other ? 1 : alikeness(first, other))) / 2;
}

function firstCell({ text }: TextUnit): string {
  return text.split(CELL)[0] ?? '';
}

/** Pairs the cells of two rows by column; by equal texts where the columns changed. */
export function cellPairs(
  texts: { readonly before: readonly string[]; readonly now: readonly string[] },
  then: TextUnit | undefined,
  current: TextUnit | undefined,
): IndexPair[] {
  const [a, b] = [then?.members ?? [], current?.members ?? []];
  const before = a.map((at) => texts.before[at] ?? '');
  const now = b.map((at) => texts.now[at] ?? '');
  const pairOf = (x: number, y: number) => ({ a: a[x] ?? 0, b: b[y] ?? 0 });
  const isOnce = (row: readonly string[]) => new Set(row).size === row.length;
  const areOnce = isOnce(now) && isOnce(before);
  const kept = areOnce ? new Set(before).intersection(new Set(now)) : new Set<string>();
  const equal = () =>
    before.flatMap((text, at) => (kept.has(text) ? pairOf(at, now.indexOf(text)) : []));
  if (a.length !== b.length) {
    if (areOnce) return equal();
    return commonSubsequence(before, now).map((pair) => pairOf(pair.a, pair.b));
  }
  // One cell may be edited while the columns change places.
  const areMoved = kept.size > 0 && kept.size >= before.length - 1;
  if (!areMoved) return before.map((_, at) => pairOf(at, at));
  const edited = now.findIndex((text) => !kept.has(text));
  return before.map((text, at) => pairOf(at, kept.has(text) ? now.indexOf(text) : edited));
}
