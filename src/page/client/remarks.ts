/** What is wrong with a translation while it is typed. */
import { tooLongWords } from '../../control/review/longest-text.ts';
import type { ReviewRow } from '../../control/review/report.ts';
import type { LanguageTag } from '../../language.ts';
import { checkTranslation, type Finding } from '../../segments/check.ts';
import { partsFrom } from '../../segments/raw-parts.ts';

/** The other checks warn of what may be right, and a save tells that. */
const TYPED: ReadonlySet<Finding['check']> = new Set(['placeholders', 'tags', 'length']);

/** The checks of the daemon, which makes them again before it writes. */
export function remarksOn(draft: string, row: Remarked): readonly string[] {
  const tooLong = tooLongWords(draft);
  if (tooLong !== undefined) return [tooLong];
  // Nothing is typed yet.
  if (draft.trim() === '') return [];
  const { text, language, checks } = row;
  const { check, source, maxLength } = text;
  const { parts = [source], form, syntax } = check;
  const translation = {
    source: { parts, syntax },
    target: partsFrom(draft, { source: parts, target: [] }),
    language: language as LanguageTag,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(form === undefined ? {} : { form }),
  };
  return checkTranslation(translation, checks)
    .filter((finding) => TYPED.has(finding.check))
    .map(({ message }) => message);
}

/** What of a row is looked at. */
export interface Remarked extends Pick<ReviewRow, 'language' | 'checks'> {
  readonly text: Pick<ReviewRow['text'], 'source' | 'check' | 'maxLength'>;
}

/** Unicode code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}
