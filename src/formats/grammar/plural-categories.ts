/** Plural groups by CLDR category: the forms that a target language needs, each with the wording for a number of its own. */
import type { Part, Segment } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import {
  numbersIn,
  PLURAL_CATEGORIES,
  pluralCategories,
  sampleNumber,
} from '../../segments/plurals.ts';
import { withForms } from '../text/plural-form.ts';
import { withSample } from './plural-number.ts';

/**
 * Missing forms are made from `other`, needless ones dropped, `other` always stays. Ids are the group and the category.
 * A form keeps its own wording ("One file") only where it speaks of one number: `one` is 1, 21 and 31 in Russian.
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
  // Without the form that every language has, nothing can be said of the others.
  if (other === undefined) return [...forms];
  const wanted = new Set<string>([...pluralCategories(language), 'other']);
  // Where the author wrote `zero`, it is shown for 0 in languages whose rules know it; Apple shows it in all.
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
