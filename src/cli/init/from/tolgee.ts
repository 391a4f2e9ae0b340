/** Reads `.tolgeerc` of the Tolgee CLI. Pure. */
import type { LanguageToken } from '../../../routes/tokens.ts';
import {
  type ByHand,
  type Imported,
  type ImportedRoute,
  leftBy,
  pathWithoutSource,
  plainPath,
  type Settings,
  settingsIn,
  stringIn,
  stringsIn,
  TOKENS,
} from './imported.ts';

const REASONS = {
  tags: 'dragoman has no tags',
  tagNewKeys: 'dragoman has no tags',
  states: 'export XLIFF there, then "dragoman review import FILE"',
  patterns: 'dragoman does not read programs for keys',
  extractor: 'dragoman does not read programs for keys',
  languages: 'name the languages in "targets"',
  language: 'name the languages in "targets"',
  namespaces: 'narrow "from" of the route',
  format: 'the extension decides the format; "lane" in the route overrides it',
  forceMode: '"human_edits" decides about texts that a person changed',
  overrideKeyDescriptions: 'write notes into "keys.notes" of the route',
  convertPlaceholdersToIcu: 'dragoman does not change placeholders',
};

const SPELLED: ReadonlyMap<string, LanguageToken> = new Map(
  Object.entries<LanguageToken>({
    languageTag: 'locale',
    androidLanguageTag: 'android',
    snakeLanguageTag: 'locale_underscore',
  }),
);
const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    JSON_TOLGEE: 'json',
    JSON_ICU: 'json',
    JSON_I18NEXT: 'json',
    JSON_C: 'json',
    JSON_JAVA: 'json',
    JSON_PHP: 'json',
    JSON_RUBY: 'json',
    PO_ICU: 'po',
    PO_C: 'po',
    PO_JAVA: 'po',
    PO_PHP: 'po',
    PO_RUBY: 'po',
    APPLE_STRINGS: 'strings',
    ANDROID_XML: 'xml',
    FLUTTER_ARB: 'arb',
    PROPERTIES_ICU: 'properties',
    PROPERTIES_JAVA: 'properties',
    YAML: 'yaml',
    YAML_ICU: 'yaml',
    YAML_RUBY: 'yaml',
    RESX_ICU: 'resx',
  }),
);

export function importTolgee(settings: Settings): Imported {
  const [push, pull] = [settingsIn(settings['push']), settingsIn(settings['pull'])];
  const byHand: ByHand[] = [];
  const patterns = [
    ...stringsIn(push['filesTemplate']),
    ...filesIn(push, byHand),
    ...pulled(pull, { format: stringIn(settings['format']), byHand }),
  ].map((path) => plainPath(path.replace(/^\.\.\//, '')));
  return {
    tool: 'Tolgee',
    routes: [...new Set(patterns)].flatMap((pattern) => routeFor(pattern, byHand)),
    rules: {},
    byHand: [
      ...byHand,
      ...leftBy(push, { under: 'push', taken: ['files', 'filesTemplate'], reasons: REASONS }),
      ...leftBy(pull, {
        under: 'pull',
        taken: ['path', 'fileStructureTemplate', 'emptyDir'],
        reasons: REASONS,
      }),
      ...leftBy(settings, {
        taken: ['$schema', 'push', 'pull', 'projectId', 'apiUrl', 'apiKey', 'format'],
        reasons: REASONS,
      }),
    ],
  };
}

/** Patterns from entries for single languages: `{}` replaces the language in each path. */
function filesIn(push: Settings, byHand: ByHand[]): string[] {
  const files = Array.isArray(push['files']) ? push['files'].map(settingsIn) : [];
  return files.flatMap((file) => {
    const [path, language] = [stringIn(file['path']), stringIn(file['language'])];
    if (path === undefined) return [];
    if (language === undefined) return [path];
    const open = pathWithoutSource(path, language);
    if (open !== undefined) return [open];
    byHand.push({
      setting: 'push.files',
      reason: `${language} is not in ${path}: write a route with "to"`,
    });
    return [];
  });
}

/** Patterns of pulled files. */
function pulled(
  pull: Settings,
  { format = '', byHand }: { format: string | undefined; byHand: ByHand[] },
): string[] {
  const folder = stringIn(pull['path']);
  if (folder === undefined) return [];
  const template = stringIn(pull['fileStructureTemplate']);
  const extension = EXTENSIONS.get(format);
  if (template === undefined && extension === undefined) {
    byHand.push({
      setting: 'format',
      reason: 'dragoman does not know its extension: write the route',
    });
    return [];
  }
  const names = template === undefined ? [`{languageTag}.{extension}`] : [template];
  return names.map((name) => `${folder}/${name}`.replaceAll('{extension}', extension ?? '*'));
}

function routeFor(pattern: string, byHand: ByHand[]): ImportedRoute[] {
  const named = SPELLED.keys().find((name) => pattern.includes(`{${name}}`));
  const from = pattern
    .replaceAll(/\{(?:languageTag|androidLanguageTag|snakeLanguageTag)\}/g, '{}')
    .replaceAll('{namespace}', '*');
  if (!from.includes('{}')) {
    byHand.push({ setting: pattern, reason: 'it names no language: no route' });
    return [];
  }
  const token = SPELLED.get(named ?? '') ?? 'locale';
  const tokens = [token, ...TOKENS.filter((each) => each !== token)];
  return [{ route: { from }, tokens, spellings: new Map() }];
}
