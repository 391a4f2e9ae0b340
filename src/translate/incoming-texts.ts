/** The texts of a draft that may have come from other files of the project, and their translations there. */
import type { TranslationElsewhere } from '../segments/decision.ts';
import { type IncomingText, incomingTexts } from '../segments/moving-texts.ts';
import type { TextFindings, TextInspection } from './inspection.ts';
import type { TextCase } from './text-case.ts';

/** Asks other files for the translations of people of the texts that would be bought. @returns undefined when nothing is found */
export async function movedInto(
  { moved }: TextCase,
  { merge, segments, reader }: TextInspection,
): Promise<TextFindings['moved']> {
  if (moved === undefined || !(await moved.mayFind())) return undefined;
  const sought = incomingTexts(merge.decisions, segments);
  if (sought.length === 0) return undefined;
  return movedById(sought, await moved.find(reader.format.name, sought));
}

/** @param found one per sought text, in order @returns undefined when nothing is found */
export function movedById(
  sought: readonly IncomingText[],
  found: readonly (TranslationElsewhere | undefined)[],
): TextFindings['moved'] {
  const byId = sought.flatMap(({ id }, at) => {
    const text = found[at];
    return text === undefined ? [] : [[id, text] as const];
  });
  return byId.length === 0 ? undefined : new Map(byId);
}
