/** Plural forms by index (gettext, Qt): as many segments as the target has forms, each with its wording. */
import type { Part, Segment } from '../../format.ts';
import { formSamples, numbersOfForms } from '../../segments/inline/plural-forms.ts';
import type { PluralForms } from '../../segments/inline/plural-formula.ts';
import { saysOne } from '../../segments/inline/plurals.ts';
import { sameParts } from '../text/parts.ts';
import { withSample } from './plural-number.ts';

/** @param forms of the target; ids are the group and the index of the form in brackets */
export function expandForms(segments: readonly Segment[], forms: PluralForms): readonly Segment[] {
  const groups = Map.groupBy(
    segments.filter(({ plural }) => plural !== undefined),
    ({ plural }) => plural?.group,
  );
  return segments.flatMap((segment) => {
    if (segment.plural === undefined) return [segment];
    if (segment.plural.category !== '0') return [];
    return formsOf(groups.get(segment.plural.group) ?? [segment], forms);
  });
}

function formsOf(group: readonly Segment[], forms: PluralForms): Segment[] {
  const [one] = group;
  const other = group.at(-1);
  if (one?.plural === undefined || other === undefined) return [];
  const { group: id } = one.plural;
  const both = [one.source ?? [], other.source ?? []];
  const numbers = numbersOfForms(forms);
  return wordings(one, other, forms).map((source, index) => ({
    ...(index === 0 ? one : other),
    id: `${id}[${index}]`,
    plural: { group: id, category: `${index}` },
    form: { wordings: both, isOfOne: saysOne(numbers[index] ?? []) },
    source,
  }));
}

/** The source's singular is right for 1 alone. A language with a single form gets the plural, which is also right for 1. */
function wordings(one: Segment, other: Segment, forms: PluralForms): (readonly Part[])[] {
  const [singular = [], plural = []] = [one.source, other.source];
  const isOneWording = sameParts(singular, plural);
  let last = plural;
  return formSamples(forms).map((sample) => {
    // A form that no whole number selects gets the wording of the last selected one.
    if (sample === undefined) return last;
    last = withSample(sample === 1 && !isOneWording ? singular : plural, sample);
    return last;
  });
}
