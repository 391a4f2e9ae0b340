/** Updates a table to dictionaries and keeps everything else: notes, rows of other pairs, quotes, line ends. Pure. */

import type { TermDictionary } from '../segments/dictionary.ts';
import { Collection } from './collect.ts';
import { isRemark, readRows, separatorOf, type TermRow, type TermSheet } from './rows.ts';
import {
  languagePairOf,
  MAX_COLUMNS,
  type TableLayout,
  type TableReading,
  type TableTarget,
  type TableText,
  tableLayoutOf,
} from './table.ts';
import { rowText } from './write.ts';

/** @returns the new text; undefined for a table without rows or with an unclosed quote, which has nothing to keep */
export function rewriteTable(
  { file, text, kind }: TableText,
  expected: TableTarget['expected'],
  dictionaries: readonly TermDictionary[],
): string | undefined {
  const separator = kind === 'tsv' ? '\t' : separatorOf(text);
  const { rows, unclosed } = readRows(text, separator);
  if (rows.length === 0 || unclosed !== undefined) return undefined;
  // Faults of single rows are reported when the file is read.
  const asked = new Set(expected.targets);
  const reading = { file, expected, asked, into: new Collection() };
  const wanted = new Map(dictionaries.map((each) => [each.target, each.entries]));
  const sheet = { text, rows, separator };
  const layout = tableLayoutOf(
    rows.filter((row) => !isRemark(row)),
    reading,
  );
  switch (layout.kind) {
    case 'languages':
      return languagesRewritten(sheet, { layout, wanted, expected });
    case 'phrases':
      return phrasesRewritten(sheet, { rows: layout.rows, wanted, reading });
    case 'unclear':
      return undefined;
  }
}

/** Target language -> entries. */
type TermsByLanguage = ReadonlyMap<TermDictionary['target'], TermDictionary['entries']>;

/** New cells of a row, or `gone`; a row without an entry does not change. */
type Edits = Map<TermRow, readonly string[] | 'gone'>;

function languagesRewritten(
  sheet: TermSheet,
  { layout: { heading, rows, columns }, wanted, expected }: LanguageSheet,
): string {
  const edits: Edits = new Map();
  const places = new Map(columns.targets);
  for (const target of expected.targets) {
    if (wanted.has(target) && !places.has(target))
      places.set(target, heading.cells.length + places.size - columns.targets.size);
  }
  if (places.size > columns.targets.size) {
    const missing = [...places.keys()].filter((target) => !columns.targets.has(target));
    edits.set(heading, [...heading.cells, ...missing]);
  }
  const cellsFor = (phrase: string) =>
    [...places].map(([target, at]) => [at, wanted.get(target)?.get(phrase) ?? ''] as const);
  const seen = new Set<string>();
  for (const row of rows) {
    const phrase = row.cells[columns.source] ?? '';
    if (phrase === '') continue;
    const cells = seen.has(phrase)
      ? [...places.values()].map((at) => [at, ''] as const)
      : cellsFor(phrase);
    seen.add(phrase);
    const isSame = cells.every(([at, cell]) => (row.cells[at] ?? '') === cell);
    if (isSame) continue;
    const others = columns.others.some((at) => (row.cells[at] ?? '') !== '');
    const isEmpty = cells.every(([, cell]) => cell === '');
    edits.set(row, isEmpty && !others ? 'gone' : withCells(row.cells, cells));
  }
  const phrases = new Set([...wanted.values()].flatMap((entries) => [...entries.keys()]));
  const added = [...phrases].filter((phrase) => !seen.has(phrase));
  return edited(
    sheet,
    edits,
    added.map((phrase) => withCells([], [[columns.source, phrase], ...cellsFor(phrase)])),
  );
}

interface LanguageSheet {
  readonly layout: Extract<TableLayout, { kind: 'languages' }>;
  readonly wanted: TermsByLanguage;
  readonly expected: TableTarget['expected'];
}

function phrasesRewritten(
  sheet: TermSheet,
  {
    rows,
    wanted,
    reading,
  }: { rows: readonly TermRow[]; wanted: TermsByLanguage; reading: TableReading },
): string {
  const { source: language, targets } = reading.expected;
  const edits: Edits = new Map();
  const seen = new Set<string>();
  for (const row of rows) {
    const [source = '', phrase = '', ...codes] = row.cells;
    if (row.cells.length < 2 || row.cells.length > MAX_COLUMNS) continue;
    const pair = languagePairOf(codes, {
      ...reading,
      place: { file: reading.file, line: row.line },
    });
    if (pair === undefined || pair === 'other') continue;
    const id = `${pair.target}\t${source}`;
    const now = seen.has(id) ? undefined : wanted.get(pair.target)?.get(source);
    seen.add(id);
    if (now === undefined) edits.set(row, 'gone');
    else if (now !== phrase) edits.set(row, withCells(row.cells, [[1, now]]));
  }
  const named = targets.length > 1 || rows.some(({ cells }) => cells.length > 2);
  const added = [...wanted].flatMap(([target, entries]) =>
    [...entries].flatMap(([source, phrase]) => {
      if (seen.has(`${target}\t${source}`)) return [];
      return [named ? [source, phrase, language, target] : [source, phrase]];
    }),
  );
  return edited(sheet, edits, added);
}

function withCells(
  cells: readonly string[],
  changes: readonly (readonly [at: number, cell: string])[],
): string[] {
  const width = Math.max(cells.length, ...changes.map(([at]) => at + 1));
  const row = Array.from({ length: width }, (_, at) => cells[at] ?? '');
  for (const [at, cell] of changes) row[at] = cell;
  return row;
}

function edited(
  { text, rows, separator }: TermSheet,
  edits: Edits,
  added: readonly (readonly string[])[],
): string {
  const lineEnd = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const parts = [text.slice(0, rows[0]?.start)];
  for (const [at, row] of rows.entries()) {
    const edit = edits.get(row);
    if (edit === 'gone') continue;
    const own = edit === undefined ? text.slice(row.start, row.end) : rowText(edit, separator);
    parts.push(own, text.slice(row.end, rows[at + 1]?.start));
  }
  const kept = parts.join('');
  if (added.length === 0) return kept;
  const isOpen = kept !== '' && !/[\r\n]$/.test(kept);
  const lines = added.map((cells) => `${rowText(cells, separator)}${lineEnd}`);
  return `${kept}${isOpen ? lineEnd : ''}${lines.join('')}`;
}
