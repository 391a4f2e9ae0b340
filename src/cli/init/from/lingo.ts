/** Reads `i18n.json` of lingo.dev. Pure. */
import type { RouteSketch } from '../known-layouts.ts';
import {
  type ByHand,
  type Imported,
  type ImportedRoute,
  leftBy,
  plainPath,
  type Settings,
  settingsIn,
  stringIn,
  stringsIn,
  TOKENS,
} from './imported.ts';

const REASONS = {
  provider: 'the service translates; dragoman calls no language model',
  formatter: 'files keep their format',
  preservedKeys: 'an existing text is kept until its source changes',
  localizableKeys: 'all keys with letters are translated',
  injectLocale: 'dragoman writes the language into formats that have a place for it',
  extraSource: 'a project has one source language: make another project',
};

/** Formats that mostly are programs or settings: the route must say that they hold texts. */
const ON_REQUEST = new Set(['php', 'typescript', 'ini', 'toml', 'html', 'txt', 'xliff']);

export function importLingo(settings: Settings): Imported {
  const locale = settingsIn(settings['locale']);
  const buckets = Object.entries(settingsIn(settings['buckets'])).map(([type, bucket]) =>
    bucketOf(type, settingsIn(bucket)),
  );
  return {
    tool: 'lingo.dev',
    source: stringIn(locale['source']) ?? 'en',
    targets: stringsIn(locale['targets']),
    routes: buckets.flatMap(({ routes }) => routes),
    rules: {},
    byHand: [
      ...buckets.flatMap(({ byHand }) => byHand),
      ...leftBy(locale, { under: 'locale', taken: ['source', 'targets'], reasons: REASONS }),
      ...leftBy(settings, { taken: ['$schema', 'version', 'locale', 'buckets'], reasons: REASONS }),
    ],
  };
}

interface LingoItem {
  readonly path: string;
  readonly delimiter: string | undefined;
}

function itemsIn(value: unknown): LingoItem[] {
  const items = Array.isArray(value) ? value : [];
  return items.flatMap((item) => {
    const path = stringIn(item) ?? stringIn(settingsIn(item)['path']);
    const delimiter = stringIn(settingsIn(item)['delimiter']);
    return path === undefined ? [] : [{ path: plainPath(path), delimiter }];
  });
}

function bucketOf(
  type: string,
  bucket: Settings,
): { readonly routes: readonly ImportedRoute[]; readonly byHand: readonly ByHand[] } {
  const spell = (path: string) => path.replaceAll('[locale]', '{}');
  // lingo.dev joins the keys of groups with slashes.
  const keys = (name: string) => stringsIn(bucket[name]).map((key) => key.replaceAll('/', '.'));
  const [lock, ignore] = [keys('lockedKeys'), keys('ignoredKeys')];
  const exclude = itemsIn(bucket['exclude']).map(({ path }) => path.replaceAll('[locale]', '*'));
  const routes = itemsIn(bucket['include']).map(({ path, delimiter }): ImportedRoute => {
    const route: RouteSketch = {
      from: spell(path),
      ...(exclude.length === 0 ? {} : { exclude }),
      ...(lock.length + ignore.length === 0
        ? {}
        : {
            keys: {
              ...(ignore.length === 0 ? {} : { ignore }),
              ...(lock.length === 0 ? {} : { lock }),
            },
          }),
      ...(ON_REQUEST.has(type) ? { lane: 'text' } : {}),
    };
    const first = delimiter === '_' ? (['locale_underscore'] as const) : [];
    return { route, tokens: [...first, ...TOKENS], spellings: new Map() };
  });
  const columns = bucket['keyColumn'];
  const byHand =
    type === 'csv' || columns !== undefined
      ? [
          {
            setting: `buckets.${type}`,
            reason: 'name the columns of the file in "columns" of its route',
          },
        ]
      : [];
  const left = leftBy(bucket, {
    under: `buckets.${type}`,
    taken: ['include', 'exclude', 'lockedKeys', 'ignoredKeys', 'keyColumn'],
    reasons: REASONS,
  });
  return { routes: byHand.length > 0 ? [] : routes, byHand: [...byHand, ...left] };
}
