/** Recognises in a list of files where a repository keeps its texts, and in which languages. Pure. */
import type { LanguageTag } from '../../language.ts';
import { gettextSightings } from './gettext.ts';
import { LAYOUT_RULES, type RouteSketch, type Sighting } from './layout-rules.ts';

/** A route that a repository seems to ask for. */
export interface FoundRoute {
  /** `i18next`, `Rails`, `Android` … */
  readonly layout: string;
  readonly route: RouteSketch;
}

export interface FoundLayouts {
  readonly source: LanguageTag;
  /** Languages other than the source that are there already. */
  readonly targets: readonly LanguageTag[];
  /** Languages whose spelling in paths is not their tag. */
  readonly spellings: ReadonlyMap<LanguageTag, string>;
  readonly routes: readonly FoundRoute[];
}

interface Place {
  readonly layout: string;
  readonly route: RouteSketch;
  /** Tag -> spelling. */
  readonly languages: Map<LanguageTag, string>;
  /** Whether a file is the source by its place, whatever its language. */
  hasPlainSource: boolean;
}

/** @param source the source language where somebody knows it; else English, or what most files are in */
export function findLayouts(paths: Iterable<string>, source?: LanguageTag): FoundLayouts {
  const places = collect(paths);
  const chosen = source ?? likelySource(places);
  const used = places.filter((place) => place.hasPlainSource || place.languages.has(chosen));
  const spellings = new Map<LanguageTag, string>();
  const routes: FoundRoute[] = [];
  for (const place of used) {
    // Names of catalogs are locales of the C library, whichever languages are there so far.
    const underscored =
      place.layout === 'gettext' ||
      [...place.languages.values()].some((spelled) => spelled.includes('_'));
    const token = underscored ? '{locale_underscore}' : '{locale}';
    routes.push({ layout: place.layout, route: withToken(place.route, token) });
    if (underscored) continue;
    for (const [tag, spelled] of place.languages) if (spelled !== tag) spellings.set(tag, spelled);
  }
  const languages = new Set(used.flatMap((place) => [...place.languages.keys()]));
  languages.delete(chosen);
  return { source: chosen, targets: [...languages].sort(), spellings, routes };
}

function collect(paths: Iterable<string>): Place[] {
  const places = new Map<string, Place>();
  const all = [...paths];
  const sightings = [...all.flatMap((path) => sight(path) ?? []), ...gettextSightings(all)];
  for (const { layout, route, language } of sightings) {
    const key = JSON.stringify(route);
    const place = places.get(key) ?? { layout, route, languages: new Map(), hasPlainSource: false };
    places.set(key, place);
    if (language === undefined) place.hasPlainSource = true;
    else place.languages.set(language.tag, language.spelled);
  }
  return [...places.values()];
}

function sight(path: string): Sighting | undefined {
  for (const { pattern, sight: look } of LAYOUT_RULES) {
    const match = pattern.exec(path);
    const sighting = match === null ? undefined : look(match.groups ?? {});
    if (sighting !== undefined) return sighting;
  }
  return undefined;
}

function likelySource(places: readonly Place[]): LanguageTag {
  const counts = new Map<LanguageTag, number>();
  for (const { languages, hasPlainSource } of places) {
    // Where the source is known by its place, the languages that are named are targets.
    if (hasPlainSource) continue;
    for (const tag of languages.keys()) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const english = (['en', 'en-US', 'en-GB'] as LanguageTag[]).find((tag) => counts.has(tag));
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return english ?? most?.[0] ?? ('en' as LanguageTag);
}

function withToken(route: RouteSketch, token: string): RouteSketch {
  const spell = (text: string) => text.replaceAll('{}', token);
  return {
    ...route,
    from: spell(route.from),
    ...(route.to === undefined ? {} : { to: spell(route.to) }),
  };
}
