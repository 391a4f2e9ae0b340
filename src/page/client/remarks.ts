/** Remarks on a translation while it is typed. */
import { tooLongMessage } from '../../control/review/longest-text.ts';
import type { ReviewRow } from '../../control/review-report.ts';
import type { LanguageTag } from '../../language.ts';
import { checkTranslation, type Finding } from '../../segments/inline/check.ts';
import { partsFrom } from '../../segments/raw-parts.ts';

/** The other checks only warn; the answer to a save has their messages. */
const TYPED: ReadonlySet<Finding['check']> = new Set(['placeholders', 'tags', 'length']);

/** The same checks as in the daemon, which repeats them before it writes. */
export function remarksOnTypedText(typed: string, row: Remarked): readonly string[] {
  const tooLong = tooLongMessage(typed);
  if (tooLong !== undefined) return [tooLong];
  // The person has not typed yet.
  if (typed.trim() === '') return [];
  const { text, language, checks } = row;
  const { check, source, max_length: maxLength } = text;
  const { parts = [source], form, syntax } = check;
  const translation = {
    source: { parts, syntax },
    target: partsFrom(typed, { source: parts, target: [] }),
    language: language as LanguageTag,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(form === undefined ? {} : { form }),
  };
  return checkTranslation(translation, checks)
    .filter((finding) => TYPED.has(finding.check))
    .map(({ message }) => message);
}

/** The parts of a row that are checked. */
export interface Remarked extends Pick<ReviewRow, 'language' | 'checks'> {
  readonly text: Pick<ReviewRow['text'], 'source' | 'check' | 'max_length'>;
}

/** Unicode code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}
