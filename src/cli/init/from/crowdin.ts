/** Reads `crowdin.yml`. Pure. */
import type { LanguageToken } from '../../../routes/tokens.ts';
import { languageOfCode, type RouteSketch } from '../known-layouts.ts';
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

const LANGUAGE_TOKENS: ReadonlyMap<string, LanguageToken> = new Map(
  Object.entries<LanguageToken>({
    two_letters_code: 'locale',
    locale: 'locale',
    locale_with_underscore: 'locale_underscore',
    android_code: 'android',
    osx_code: 'apple',
    osx_locale: 'locale_underscore',
    three_letters_code: 'locale',
    language: 'locale',
  }),
);

const REASONS = {
  dest: 'dragoman keeps no second tree of files on a server',
  update_option: '"human_edits" decides about texts whose source changes',
  labels: 'dragoman has no labels',
  type: 'the extension decides the format; "lane" in the route overrides it',
  scheme: 'name the columns in "columns" of the route',
  export_only_approved: '"checks.unreviewed" decides about texts without review',
  skip_untranslated_strings: 'texts that are held are left out or keep their old translation',
  skip_untranslated_files: 'files are written as far as they are translated',
  excluded_target_languages: 'make a project with the other languages',
  content_segmentation: 'formats are always read text by text',
  translate_attributes: '"attributes" in the route names attributes',
};

/** Settings of the account and of the files on the server. */
const ABOUT_SERVER = [
  ...['project_id', 'project_id_env', 'api_token', 'api_token_env', 'base_url', 'base_url_env'],
  ...['project_identifier', 'project_identifier_env', 'api_key', 'api_key_env', 'base_path_env'],
  ...['preserve_hierarchy', 'commit_message', 'append_commit_message', 'pull_request_title'],
  ...['pull_request_labels', 'pull_request_assignees', 'pull_request_reviewers'],
];

export function importCrowdin(settings: Settings): Imported {
  const listed = settings['files'];
  const mapped = { languages_mapping: settings['languages_mapping'] };
  const files = (Array.isArray(listed) ? listed : []).map((file, index) =>
    crowdinFile({ ...mapped, ...settingsIn(file) }, `files[${index}]`),
  );
  const root = stringIn(settings['base_path']);
  return {
    tool: 'Crowdin',
    ...(root === undefined || plainPath(`${root}/`) === '' || root === '.'
      ? {}
      : { root: plainPath(root).replace(/\/$/, '') }),
    routes: files.flatMap(({ routes }) => routes),
    rules: {},
    byHand: [
      ...files.flatMap(({ byHand }) => byHand),
      ...leftBy(settings, {
        taken: ['files', 'base_path', 'languages_mapping', ...ABOUT_SERVER],
        reasons: REASONS,
      }),
    ],
  };
}

function crowdinFile(
  file: Settings,
  under: string,
): { readonly routes: readonly ImportedRoute[]; readonly byHand: readonly ByHand[] } {
  const [source, translation] = [stringIn(file['source']), stringIn(file['translation'])];
  const table = tableOf(file);
  const taken = ['source', 'translation', 'ignore', 'languages_mapping'];
  if (table !== undefined)
    taken.push('scheme', 'first_line_contains_header', 'multilingual_spreadsheet');
  const left = leftBy(file, { under, taken, reasons: REASONS });
  if (source === undefined || translation === undefined) {
    return {
      routes: [],
      byHand: [{ setting: under, reason: 'it has no source or no translation' }, ...left],
    };
  }
  const from = plainPath(source);
  const named = LANGUAGE_TOKENS.keys().find((name) => translation.includes(`%${name}%`));
  const exclude = stringsIn(file['ignore']).map((path) => excluded(plainPath(path)));
  const isCatalog = /\.(?:xcstrings|csv)$/.test(from);
  const route: RouteSketch = {
    from,
    ...(isCatalog ? {} : { to: targetOf(plainPath(translation), from) }),
    ...(exclude.length === 0 ? {} : { exclude }),
    ...(table === undefined ? {} : { columns: table.columns }),
    ...(/\.(?:php|toml|ini|js|html?|txt|xlf|xliff)$/.test(from) ? { lane: 'text' } : {}),
  };
  const reason = misfit(translation, isCatalog ? '' : named);
  if (reason !== undefined) {
    return { routes: [], byHand: [{ setting: `${under}.translation`, reason }, ...left] };
  }
  const imported = {
    ...{ route, tokens: tokensFor(named), spellings: spellingsIn(file) },
    ...(table === undefined ? {} : { languages: table.languages }),
  };
  return { routes: [imported], byHand: left };
}

/** Why no route can express a `translation`; undefined when one can. @param named the placeholder of the language in it */
function misfit(translation: string, named: string | undefined): string | undefined {
  if (/%original_path%[^/]/.test(translation)) {
    return 'after %original_path% comes a part of a folder name: write a route for each folder';
  }
  return named === undefined ? 'it names no language: write "to" of the route' : undefined;
}

interface Table {
  readonly columns: NonNullable<RouteSketch['columns']>;
  readonly languages: readonly string[];
}

/** The columns by number, from a scheme such as `identifier,source_phrase,context,uk,ru`. */
function tableOf(file: Settings): Table | undefined {
  const names =
    stringIn(file['scheme'])
      ?.split(',')
      .map((name) => name.trim()) ?? [];
  const columnOf = (...kinds: string[]) => names.findIndex((name) => kinds.includes(name)) + 1;
  const [key, source] = [
    columnOf('identifier'),
    columnOf('source_phrase', 'source_or_translation'),
  ];
  if (source === 0) return undefined;
  const targets = Object.fromEntries(
    names.flatMap((name, index) => (languageOfCode(name) === undefined ? [] : [[name, index + 1]])),
  );
  const languages = Object.keys(targets);
  return {
    columns: {
      key: key === 0 ? source : key,
      source,
      header: file['first_line_contains_header'] === true,
      ...(languages.length === 0 ? {} : { targets }),
    },
    languages,
  };
}

function tokensFor(named: string | undefined): LanguageToken[] {
  const token = LANGUAGE_TOKENS.get(named ?? '') ?? 'locale';
  return [token, ...TOKENS.filter((each) => each !== token)];
}

/** A pattern to exclude: placeholders become `*`, since they stand for languages. */
function excluded(path: string): string {
  return path.replaceAll(/%\w+%/g, '*');
}

function targetOf(translation: string, from: string): string {
  const wild = from.search(/[*?{[]/);
  const before = wild < 0 ? from : from.slice(0, wild);
  const fixed = before.slice(0, before.lastIndexOf('/') + 1);
  const isDeep = from.includes('**');
  const original = `${fixed}${isDeep ? '{dir}' : ''}`.replace(/\/$/, '');
  return plainPath(
    translation
      .replaceAll('%original_path%', original)
      // %osx_code% of Crowdin is the folder with its ending.
      .replaceAll(/%osx_code%(?!\.lproj)/g, '%osx_code%.lproj')
      .replaceAll('%original_file_name%', '{name}.{ext}')
      .replaceAll('%file_name%', '{name}')
      .replaceAll('%file_extension%', '{ext}')
      .replaceAll(/%(\w+)%/g, (text, name: string) => (LANGUAGE_TOKENS.has(name) ? '{}' : text))
      .replaceAll('**', '{dir}'),
  );
}

/** Spelling -> code, from `languages_mapping: { two_letters_code: { pt-BR: pt_BR } }`. */
function spellingsIn(file: Settings): Map<string, string> {
  const maps = Object.values(settingsIn(file['languages_mapping'])).map(settingsIn);
  return new Map(
    maps.flatMap((map) =>
      Object.entries(map).flatMap(([code, spelled]): [string, string][] =>
        typeof spelled === 'string' ? [[spelled, code]] : [],
      ),
    ),
  );
}
