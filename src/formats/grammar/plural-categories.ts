/** Plural groups by CLDR category: the forms that a target language needs, each with a wording for its number. */
import type { Part, Segment } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import {
  numbersIn,
  PLURAL_CATEGORIES,
  pluralCategories,
  sampleNumber,
} from '../../segments/inline/plurals.ts';
import { withForms } from '../text/plural-form.ts';
import { withSample } from './plural-number.ts';

/**
 * Adds missing forms, made from `other`, and drops those that are not needed; `other` always stays. Ids are the group and the category. A
 * form keeps its own wording ("One file") only when its category has one number: in Russian, `one` is 1, 21 and 31.
 */
export function expandCategories(
  segments: readonly Segment[],
  language: LanguageTag,
): readonly Segment[] {
  const groups = Map.groupBy(
    segments.filter(({ plural }) => plural !== undefined),
    ({ plural }) => plural?.group ?? '',
  );
  const done = new Set<string>();
  const expanded = segments.flatMap((segment) => {
    const group = segment.plural?.group;
    if (group === undefined) return [segment];
    if (done.has(group)) return [];
    done.add(group);
    return formsOf(group, groups.get(group) ?? [], language);
  });
  return withForms(expanded, segments, language);
}

function formsOf(group: string, forms: readonly Segment[], language: LanguageTag): Segment[] {
  const byCategory = new Map(forms.map((form) => [form.plural?.category ?? '', form]));
  const other = byCategory.get('other');
  // Every language has `other`; without it no form can be made.
  if (other === undefined) return [...forms];
  const wanted = new Set<string>([...pluralCategories(language), 'other']);
  // If the author wrote `zero`, programs show it for 0 in languages whose rules know it; Apple shows it in all languages.
  if (byCategory.has('zero')) wanted.add('zero');
  return PLURAL_CATEGORIES.filter((category) => wanted.has(category)).map((category) => {
    const numbers = numbersIn(category, language);
    const own = byCategory.get(category);
    const isOwnUsable = own !== undefined && (numbers.length < 2 || hasNumber(own.parts));
    const form = isOwnUsable ? own : other;
    const sample = sampleNumber(numbers);
    return {
      ...form,
      id: group + category,
      plural: { group, category },
      parts: sample === undefined ? form.parts : withSample(form.parts, sample),
    };
  });
}

function hasNumber(parts: readonly Part[]): boolean {
  return withSample(parts, 2) !== parts;
}
