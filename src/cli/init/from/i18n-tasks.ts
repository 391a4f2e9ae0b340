/** Reads `config/i18n-tasks.yml`. Pure. */
import {
  type ByHand,
  type Imported,
  leftBy,
  plainPath,
  type Settings,
  settingsIn,
  stringIn,
  stringsIn,
  TOKENS,
} from './imported.ts';

const REASONS = {
  search: 'dragoman does not read programs for keys',
  ignore_unused: 'dragoman does not look for keys that no program uses',
  ignore_missing: 'write them into "keys.ignore" of the routes',
  ignore_eq_base: '"checks.untranslated" decides about texts that equal their source',
  ignore_inconsistent_interpolations: '"checks.placeholders" decides about damaged placeholders',
  translation: 'the service is the one in "service"; its key is in an environment variable',
  write: 'new keys go into the file of their source; dragoman has no router',
  external: 'locales of gems do not belong to this repository',
  internal_locale: 'messages are in English',
  yaml: 'files keep their layout',
  json: 'files keep their layout',
  adapter: 'files are read as they are',
  router: 'new keys go into the file of their source; dragoman has no router',
};

/** The default of the tool. */
const DEFAULT_READ = ['config/locales/%{locale}.yml'];

export function importI18nTasks(settings: Settings): Imported {
  const data = settingsIn(settings['data']);
  const read = stringsIn(data['read']);
  const ignore = stringsIn(settings['ignore']).flatMap(alternatives);
  const byHand: ByHand[] = [
    ...leftBy(data, { under: 'data', taken: ['read'], reasons: REASONS }),
    ...leftBy(settings, { taken: ['base_locale', 'locales', 'data', 'ignore'], reasons: REASONS }),
  ];
  const targets = stringsIn(settings['locales']);
  const source = stringIn(settings['base_locale']) ?? 'en';
  return {
    tool: 'i18n-tasks',
    source,
    ...(targets.length === 0 ? {} : { targets: targets.filter((code) => code !== source) }),
    routes: (read.length > 0 ? read : DEFAULT_READ)
      .filter((path) => path.includes('%{locale}'))
      .map((path) => ({
        route: {
          from: plainPath(path).replaceAll('%{locale}', '{}'),
          ...(ignore.length === 0 ? {} : { keys: { ignore } }),
        },
        tokens: TOKENS,
        spellings: new Map(),
      })),
    rules: {},
    byHand: [
      ...(read.some((path) => !path.includes('%{locale}'))
        ? [{ setting: 'data.read', reason: 'paths without %{locale} have one language: no route' }]
        : []),
      ...byHand,
    ],
  };
}

/** One pattern for each alternative of `{devise,simple_form}.*`: key patterns of dragoman have no braces. */
function alternatives(pattern: string): string[] {
  const found = /^(.*?)\{([^{}]*)\}(.*)$/.exec(pattern);
  if (found === null) return [pattern];
  const [, before = '', inside = '', after = ''] = found;
  return inside.split(',').flatMap((each) => alternatives(`${before}${each.trim()}${after}`));
}
