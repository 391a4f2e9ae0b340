/**
 * Texts that a spreadsheet would compute or change: `=1+1`, `007`, `1/2`, `True`. The export writes an apostrophe before them, which marks
 * them as text; the import removes it. Pure.
 */

/** A spreadsheet computes a cell that begins with one of these (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/;
/** Words that occur in dates, in the languages of many spreadsheets; also `e` of a number, `am` and `pm` of a time. */
const DATE_WORDS = [
  'e am pm jan janv feb febr fev févr mar mär märz mars mrt apr avr abr may mai mei maj mag jun juin giu jul juil lug aug août ago',
  'sep sept set oct okt ott out nov dec dez déc dic january february march april june july august september october november december',
  'januar februar juni juli oktober dezember',
]
  .join(' ')
  .replaceAll(' ', '|');
/** Characters of a number, an amount, a time or a date: a spreadsheet turns `007` into 7, and `1/2` into the first of February. */
const SIGNS = String.raw`[\d .,:;/%()+\-\u00a0\u202f\p{Sc}]*`;
const FIGURES = new RegExp(String.raw`^(?=.*\d)${SIGNS}(?:(?:${DATE_WORDS})${SIGNS})?$`, 'iu');
/** Truth values in the languages of many spreadsheets: `True` becomes TRUE. */
const TRUTH = /^(?:true|false|wahr|falsch|vrai|faux|verdadero|verdadeiro|falso|vero)$/i;

/** Whether the export writes an apostrophe before it. A text that begins with apostrophes gets one more. */
export function needsApostrophe(text: string): boolean {
  const bare = text.replace(/^'+/, '');
  return FORMULA.test(bare) || FIGURES.test(bare) || TRUTH.test(bare.trim());
}

export function withApostrophe(text: string): string {
  return needsApostrophe(text) ? `'${text}` : text;
}

/**
 * The text of a cell that nobody knows more about. A program may have removed the white space or a person the sign for which the
 * apostrophe was written: then it stays.
 */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && needsApostrophe(cell) ? cell.slice(1) : cell;
}
