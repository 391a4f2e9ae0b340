/** Reads `.phrase.yml` of the Phrase Strings CLI, and the older `.phraseapp.yml`. Pure. */
import { languageOfCode } from '../known-layouts.ts';
import {
  type ByHand,
  type Imported,
  type ImportedRoute,
  leftBy,
  plainPath,
  type Settings,
  settingsIn,
  stringIn,
  TOKENS,
} from './imported.ts';

const REASONS = {
  tags: 'dragoman has no tags',
  tag: 'dragoman has no tags',
  update_translations: '"human_edits" decides about texts that a person changed',
  update_descriptions: 'write notes into "keys.notes" of the route',
  skip_upload_tags: 'dragoman has no tags',
  format_options: 'files keep their layout',
  include_empty_translations: 'texts that are held are left out or keep their old translation',
  branch: 'dragoman has no branches on a server',
  defaults: 'routes have no shared defaults: write the settings into each route',
};

const LANGUAGE = /<locale_(?:name|code|slug)>/g;

const TAKEN = 'push pull project_id access_token host locale_mapping file_format'.split(' ');

export function importPhrase(settings: Settings): Imported {
  const own = settingsIn(settings['phrase'] ?? settings['phraseapp']);
  const pushed = entriesIn(settingsIn(own['push'])['sources']);
  const pulled = entriesIn(settingsIn(own['pull'])['targets']);
  const mapping = Object.entries(settingsIn(own['locale_mapping'])).flatMap(
    ([name, spelled]): [string, string][] => (typeof spelled === 'string' ? [[spelled, name]] : []),
  );
  const named = [...pulled, ...pushed].filter(({ file }) => file.search(LANGUAGE) >= 0);
  const patterns = new Set([
    ...named.map(({ file }) => patternOf(file)),
    ...oneByOne([...pushed, ...pulled].map(({ file }) => file)),
  ]);
  const byHand = [...pushed, ...pulled].flatMap(({ file, place }): ByHand[] =>
    file.search(LANGUAGE) >= 0 || isCovered(patternOf(file), patterns)
      ? []
      : [{ setting: place, reason: `${file} names no language: write a route with "to"` }],
  );
  const params = [...pushed, ...pulled].flatMap(({ params: given, place }) =>
    leftBy(given, {
      under: `${place}.params`,
      taken: ['file_format', 'locale_id', 'encoding', 'locale_mapping'],
      reasons: REASONS,
    }),
  );
  return {
    tool: 'Phrase',
    routes: [...patterns].map(
      (from): ImportedRoute => ({
        route: { from, ...(/\.(?:php|xlf|xliff|ini|toml)$/.test(from) ? { lane: 'text' } : {}) },
        tokens: TOKENS,
        spellings: new Map(mapping),
      }),
    ),
    rules: {},
    byHand: [...byHand, ...params, ...leftBy(own, { taken: TAKEN, reasons: REASONS })],
  };
}

interface FileParameters {
  readonly place: string;
  readonly file: string;
  readonly params: Settings;
}

function entriesIn(value: unknown): FileParameters[] {
  const entries = Array.isArray(value) ? value.map(settingsIn) : [];
  return entries.flatMap((entry, index) => {
    const file = stringIn(entry['file']);
    if (file === undefined) return [];
    return [
      { place: `[${index}] ${file}`, file: plainPath(file), params: settingsIn(entry['params']) },
    ];
  });
}

function patternOf(file: string): string {
  return file.replace(LANGUAGE, '{}').replaceAll('<tag>', '*');
}

/** Patterns for files that are listed one by one: `app/en.json` and `app/es.json` differ only in the language. */
function oneByOne(files: readonly string[]): string[] {
  const open = files.flatMap((file) => {
    const found = [
      ...file.matchAll(/(?<=^|[/._-])([A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?)(?=$|[/.])/g),
    ];
    const last = found.findLast(([code]) => languageOfCode(code) !== undefined);
    if (last === undefined) return [];
    const { index, 0: code } = last;
    return [{ code, pattern: `${file.slice(0, index)}{}${file.slice(index + code.length)}` }];
  });
  const codes = Map.groupBy(open, ({ pattern }) => pattern);
  return [...codes].flatMap(([pattern, found]) =>
    new Set(found.map(({ code }) => code)).size > 1 ? [pattern] : [],
  );
}

/** Whether a pattern already matches the file: `locales/en.yml` is `locales/<locale_name>.yml` in one language. */
function isCovered(file: string, patterns: ReadonlySet<string>): boolean {
  return [...patterns].some((pattern) => {
    const found = new RegExp(
      `^${pattern
        .split(/(\{\}|\*\*|\*)/)
        .map((part) =>
          part === '{}'
            ? '([^/]+)'
            : part === '*'
              ? '[^/]+'
              : part === '**'
                ? '.*'
                : RegExp.escape(part),
        )
        .join('')}$`,
    ).exec(file);
    return found !== null && languageOfCode(found[1] ?? 'en') !== undefined;
  });
}
