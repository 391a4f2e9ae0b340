/** What decides the texts of a job beside their sources: recipe, terms, style, and a person's word. */
import type { TranslationInputs } from '../baseline.ts';
import type { Part } from '../format.ts';
import { partsText } from '../format.ts';
import type { MergeRules } from '../segments/decide.ts';
import { inputsScope, translationInputsOf } from '../segments/translation-inputs.ts';
import type { PersonsWord, TextCase } from './text-case.ts';

/** What a text of this job is bought with now. */
export function inputsFor(
  { recipe, projectTerms }: TextCase,
  source: readonly Part[],
): TranslationInputs {
  const { terms, style } = projectTerms;
  return translationInputsOf(partsText(source), {
    options: recipe.options,
    ...(terms === undefined ? {} : { terms: terms.index }),
    ...(style === undefined ? {} : { style }),
  });
}

/** Under which scope the memory holds a text of this job. */
export function scopeFor(text: TextCase, source: readonly Part[]): { scope?: string } {
  const { retranslateOn } = text.route.policies;
  if (!retranslateOn.has('glossary') && !retranslateOn.has('style')) return {};
  const scope = inputsScope(inputsFor(text, source), retranslateOn);
  return scope === undefined ? {} : { scope };
}

/** How a person's word bears on a merge. */
export function wordRules({
  retryHeld = false,
  approved = false,
  choices,
}: PersonsWord): Pick<MergeRules, 'retryHeld' | 'approved' | 'resolution'> {
  return { retryHeld, approved, resolution: (id) => choices?.get(id) };
}
