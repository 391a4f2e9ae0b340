/** The inputs of a job's texts beside their sources: recipe, terms, style, and a person's decisions. */
import type { TranslationInputs } from '../baseline.ts';
import type { Part } from '../format.ts';
import { partsText } from '../format.ts';
import type { MergePolicy } from '../segments/decision.ts';
import { noteOf } from '../segments/key-pattern.ts';
import { sourceHash } from '../segments/statements.ts';
import { inputsScope, translationInputsOf } from '../segments/translation-inputs.ts';
import type { PersonsInstructions, TextCase } from './text-case.ts';

/** The inputs with which a text of this job is bought now. @param id of its segment, if keys have notes */
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

/** The memory scope of a text of this job. */
export function scopeFor(text: TextCase, source: readonly Part[], id?: string): { scope?: string } {
  const { retranslateOn } = text.route.policies;
  if (!SCOPED.some((change) => retranslateOn.has(change))) return {};
  const scope = inputsScope(inputsFor(text, source, id), retranslateOn);
  return scope === undefined ? {} : { scope };
}

const SCOPED = ['glossary', 'style', 'notes'] as const;

/** The merge rules that follow from a person's decisions. */
export function instructionRules({
  retryHeld = false,
  approved = false,
  choices,
  chosenFor,
}: PersonsInstructions): Pick<MergePolicy, 'retryHeld' | 'approved' | 'resolution'> {
  const resolution = (id: string, source: string) => {
    const seen = chosenFor?.get(id);
    return seen === undefined || seen === sourceHash(source) ? choices?.get(id) : undefined;
  };
  return { retryHeld, approved, resolution };
}
