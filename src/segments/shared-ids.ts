/**
 * Sections of two pages that have the same id are pairs at any place: people sort a glossary anew in their language. The rest of the
 * pairing compares paragraphs in order, so the translation is put into the order of the source first. Pure.
 */
import { TAG } from '../parsing/markup.ts';
import type { FeatureSides, Features } from './likeness.ts';

/** A tag, or the id of a heading in Markdown: `{#id}`. */
const TAG_OR_HEADING_ID = new RegExp(String.raw`${TAG}|\{#([\w.:-]+)\s*\}`, 'g');
const ID = /\sid\s*=\s*["']?([^\s"'>]+)/i;
const LINK_TARGET = /^<a\s(?:.*?\s)?name\s*=\s*["']?([^\s"'>]+)/is;

/** @param syntax outside of texts and of code */
export function elementIds(syntax: string): string[] {
  if (!/id|name|\{#/i.test(syntax)) return [];
  return [...syntax.matchAll(TAG_OR_HEADING_ID)].flatMap(
    ([tag, ofHeading]) => ofHeading ?? (ID.exec(tag) ?? LINK_TARGET.exec(tag))?.[1] ?? [],
  );
}

/** Gives each text the first of its ids that both sides have once. */
export function withSharedIds({ source, target }: FeatureSides): FeatureSides {
  const [ours, theirs] = [idsOnce(source), idsOnce(target)];
  const counted = stemsOf(ours.difference(theirs)).intersection(stemsOf(theirs.difference(ours)));
  const isName = (id: string) => {
    const stem = stemOf(id);
    return stem === undefined || !counted.has(stem);
  };
  const shared = new Set([...ours.intersection(theirs)].filter(isName));
  if (shared.size === 0) return { source, target };
  const named = (each: Features): Features => {
    const id = each.ids?.find((one) => shared.has(one));
    return id === undefined ? each : { ...each, id };
  };
  return { source: source.map(named), target: target.map(named) };
}

/** What stands before the number of an id. Where each page has such ids that the other lacks, a program counted them in each (`idm1829`). */
function stemOf(id: string): string | undefined {
  return /^(.*?)\d+$/.exec(id)?.[1];
}

function stemsOf(ids: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...ids].flatMap((id) => stemOf(id) ?? []));
}

function idsOnce(features: readonly Features[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { ids = [] } of features) {
    for (const id of new Set(ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return new Set([...counts].flatMap(([id, count]) => (count === 1 ? [id] : [])));
}

/**
 * The texts of the translation in the order of the sections of the source. A section has as many texts as in the source: what follows, and a
 * section of the translation alone, stay behind the sections before them.
 * @returns the places in the translation; undefined when both have the same order
 */
export function orderByIds({ source, target }: FeatureSides): number[] | undefined {
  const places = new Map(source.flatMap(({ id }, at) => (id === undefined ? [] : [[id, at]])));
  const known = target.flatMap(({ id }) => places.get(id ?? '') ?? []);
  if (known.every((place, nth) => nth === 0 || place > (known[nth - 1] ?? 0))) return undefined;
  let [section, last, left] = [-1, -1, Number.POSITIVE_INFINITY];
  const sections = target.map(({ id, ids = [] }) => {
    const place = places.get(id ?? '');
    if (place !== undefined) {
      section = place;
      last = Math.max(last, place);
      left = lengthOfSection(source, place);
    } else if (ids.length > 0 || left <= 0) {
      section = last;
    }
    left -= 1;
    return section;
  });
  return [...sections.keys()].sort((one, other) => (sections[one] ?? 0) - (sections[other] ?? 0));
}

function lengthOfSection(source: readonly Features[], start: number): number {
  const next = source.findIndex(({ ids = [] }, at) => at > start && ids.length > 0);
  return next < 0 ? Number.POSITIVE_INFINITY : next - start;
}
