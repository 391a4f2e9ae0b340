/** The names by which texts of two pages are pairs at any place: keys of front matter, and labels of footnotes and definitions. Pure. */
import type { FeatureSides, Features } from './likeness.ts';

/** By name: the index of the segment. A name that occurs twice is left out. */
export function placesByName(features: readonly Features[]): Map<string, number> {
  const counts = countsByName(features);
  return new Map(
    features.flatMap(({ name }, at) => (counts.get(name ?? '') === 1 ? [[name ?? '', at]] : [])),
  );
}

function countsByName(features: readonly Features[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of features) {
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Names that occur twice on either side are removed. */
export function withNamesOnce(sides: FeatureSides): FeatureSides {
  const [ours, theirs] = [countsByName(sides.source), countsByName(sides.target)];
  const isTwice = (name: string) => (ours.get(name) ?? 0) > 1 || (theirs.get(name) ?? 0) > 1;
  const once = (each: Features): Features =>
    each.name !== undefined && isTwice(each.name) ? { ...each, name: undefined } : each;
  return { source: sides.source.map(once), target: sides.target.map(once) };
}

/**
 * Labels that both sides have once are names. Numbers count only if both sides have the same ones: with a note of their own, people count
 * all notes anew.
 */
export function withLabels({ source, target }: FeatureSides): FeatureSides {
  const [ours, theirs] = [labelsOnce(source), labelsOnce(target)];
  const shared = ours.intersection(theirs);
  if (shared.size === 0) return { source, target };
  const isNumber = (label: string) => /\d/.test(label);
  const areCounted = ![...ours.symmetricDifference(theirs)].some(isNumber);
  const named = (each: Features): Features => {
    const { name, label = '' } = each;
    const isName = shared.has(label) && (areCounted || !isNumber(label));
    return name === undefined && isName ? { ...each, name: label } : each;
  };
  return { source: source.map(named), target: target.map(named) };
}

function labelsOnce(features: readonly Features[]): ReadonlySet<string> {
  const labels = Map.groupBy(features, ({ label }) => label);
  const once = [...labels].flatMap(([label, { length }]) => (length === 1 ? (label ?? []) : []));
  return new Set(once);
}
