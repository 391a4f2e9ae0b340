/** The most characters of a text that is saved on the page. Pure. */
import { inEnglish } from '../../language.ts';

/** Unicode code points, as the page counts them. */
const LONGEST_TEXT = 20_000;

/** @returns what to do when a text is too long; undefined when it is not */
export function tooLongMessage(text: string): string | undefined {
  if (text.length <= LONGEST_TEXT) return undefined;
  const length = [...text].length;
  if (length <= LONGEST_TEXT) return undefined;
  return `The text has ${inEnglish(length)} characters, and this page saves ${inEnglish(LONGEST_TEXT)} at most. Shorten it, or ask a maintainer to edit the file.`;
}
