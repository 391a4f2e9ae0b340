/** Splits gettext catalogs without a template: those that exist in the source language, and those that hold their own source texts. Pure. */
import { fileNameOf } from '../../files/listing.ts';
import type { LanguageTag } from '../../language.ts';
import { type LayoutFiles, type LayoutLanguage, sourceIn, sourcesOf } from './layouts.ts';

/** @returns the place unchanged, or as its own source, or two places: catalogs that the source language has, and catalogs that it lacks */
export function catalogPaths(
  layoutFiles: LayoutFiles,
  source: LanguageTag,
  paths: readonly string[],
): readonly LayoutFiles[] {
  if (layoutFiles.layout !== 'gettext' || layoutFiles.hasPlainSource) return [layoutFiles];
  const own = sourceIn(layoutFiles, source);
  if (own === undefined) return [itsOwnSource(layoutFiles)];
  const names = (spelled: string) => sourcesOf(layoutFiles.route, spelled, paths).map(fileNameOf);
  const ours = new Set(names(own.spelled));
  const lacking = new Set(
    [...layoutFiles.languages.values()]
      .flatMap(({ spelled }) => names(spelled))
      .filter((name) => !ours.has(name)),
  );
  if (lacking.size === 0 || !layoutFiles.route.from.endsWith('/*.po')) return [layoutFiles];
  const only = (wanted: ReadonlySet<string>): LayoutFiles => ({
    ...layoutFiles,
    route: { ...layoutFiles.route, from: layoutFiles.route.from.replace('*.po', oneOf(wanted)) },
    languages: new Map(
      [...layoutFiles.languages].flatMap(([tag, { spelled }]): [LanguageTag, LayoutLanguage][] => {
        const files = names(spelled).filter((name) => wanted.has(name)).length;
        return files === 0 ? [] : [[tag, { spelled, files }]];
      }),
    ),
  });
  return [only(ours), itsOwnSource(only(lacking))];
}

function itsOwnSource(layoutFiles: LayoutFiles): LayoutFiles {
  return {
    ...layoutFiles,
    hasPlainSource: true,
    route: { ...layoutFiles.route, embedded_source: true },
  };
}

function oneOf(names: ReadonlySet<string>): string {
  const [first = '', ...others] = [...names].sort();
  return others.length === 0 ? first : `{${[first, ...others].join(',')}}`;
}
