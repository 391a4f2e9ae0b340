/** CSV with standard conventions (RFC 4180): quoted fields, doubled quotes, any line end; blank lines are skipped. */
import { Refusal } from './refusal.ts';

/** @throws Refusal 400 for a quote that is not closed where its field ends. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const found of text.matchAll(FIELD)) {
    const { quoted, plain = '', end } = found.groups ?? {};
    if (quoted === undefined && plain.startsWith('"')) throw unclosed(rows.length);
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0]?.trim() !== '') rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows;
}

const FIELD = /(?:"(?<quoted>[^"]*(?:""[^"]*)*)"|(?<plain>[^,\r\n]*))(?<end>,|\r\n|\n|\r|$)/gu;

function unclosed(index: number): Refusal {
  return new Refusal(400, "Bad request. Parameter 'entries' is invalid.", {
    detail: `The entry at index ${index} has a quote that is not closed where the field ends.`,
  });
}
