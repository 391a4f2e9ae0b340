/** What decides the texts of a job beside their sources: recipe, terms, style, and a person's word. */
import type { TranslationInputs } from '../baseline.ts';
import type { Part } from '../format.ts';
import { partsText } from '../format.ts';
import type { MergeRules } from '../segments/decide.ts';
import { noteOf } from '../segments/key-pattern.ts';
import { inputsScope, translationInputsOf } from '../segments/translation-inputs.ts';
import type { PersonsWord, TextCase } from './text-case.ts';

/** What a text of this job is bought with now. @param id of its segment, where keys have notes */
export function inputsFor(
  { recipe, projectTerms, route }: TextCase,
  source: readonly Part[],
  id?: string,
): TranslationInputs {
  const { terms, style } = projectTerms;
  const note = id === undefined ? undefined : noteOf(route.keys.notes, id);
  return translationInputsOf(partsText(source), {
    options: recipe.options,
    ...(terms === undefined ? {} : { terms: terms.index }),
    ...(style === undefined ? {} : { style }),
    ...(note === undefined ? {} : { note }),
  });
}

/** Under which scope the memory holds a text of this job. */
export function scopeFor(text: TextCase, source: readonly Part[], id?: string): { scope?: string } {
  const { retranslateOn } = text.route.policies;
  if (!SCOPED.some((change) => retranslateOn.has(change))) return {};
  const scope = inputsScope(inputsFor(text, source, id), retranslateOn);
  return scope === undefined ? {} : { scope };
}

const SCOPED = ['glossary', 'style', 'notes'] as const;

/** How a person's word bears on a merge. */
export function wordRules({
  retryHeld = false,
  approved = false,
  choices,
}: PersonsWord): Pick<MergeRules, 'retryHeld' | 'approved' | 'resolution'> {
  return { retryHeld, approved, resolution: (id) => choices?.get(id) };
}
