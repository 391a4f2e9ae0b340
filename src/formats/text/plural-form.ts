/** How each plural form of a target may differ from its source. */
import type { Part, Segment } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import { isOfOne } from '../../segments/inline/plurals.ts';

/** For formats whose forms are CLDR categories. @param source the wordings of all forms of a group apply to each form of it */
export function withForms(
  wanted: readonly Segment[],
  source: readonly Segment[],
  language: LanguageTag,
): readonly Segment[] {
  if (!wanted.some(({ plural }) => plural !== undefined)) return wanted;
  const wordings = wordingsOf(source);
  return wanted.map((segment) => {
    if (segment.plural === undefined) return segment;
    const { group, category } = segment.plural;
    const type = group.endsWith('_ordinal_') ? 'ordinal' : 'cardinal';
    const own = wordings.get(group) ?? [segment.parts];
    return { ...segment, form: { wordings: own, isOfOne: isOfOne(category, language, type) } };
  });
}

function wordingsOf(source: readonly Segment[]): ReadonlyMap<string, readonly (readonly Part[])[]> {
  const wordings = new Map<string, (readonly Part[])[]>();
  for (const { plural, parts } of source) {
    if (plural === undefined) continue;
    const known = wordings.get(plural.group);
    if (known === undefined) wordings.set(plural.group, [parts]);
    else known.push(parts);
  }
  return wordings;
}
