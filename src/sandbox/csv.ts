/** CSV with standard conventions (RFC 4180): quoted fields, doubled quotes, any line end; blank lines are skipped. */
import { Refusal } from './refusal.ts';

/** @throws Refusal 400 for a quote that is never closed. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const found of text.matchAll(FIELD)) {
    const { quoted, plain, end } = found.groups ?? {};
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0]?.trim() !== '') rows.push(row);
    row = [];
    if (end === '') break;
  }
  if (rows.at(-1)?.some((field) => OPEN_QUOTE.test(field))) throw unclosed(rows.length - 1);
  return rows;
}

const FIELD = /(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[^,\r\n]*))(?<end>,|\r\n|\n|\r|$)/gu;
const OPEN_QUOTE = /^"/u;

function unclosed(index: number): Refusal {
  return new Refusal(400, "Bad request. Parameter 'entries' is invalid.", {
    detail: `The entry at index ${index} has a quote that is never closed.`,
  });
}
