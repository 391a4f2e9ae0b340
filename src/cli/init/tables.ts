/** Finds tables of texts: one with a column for each language (Godot, Unity), or a table of two columns for each language (Magento). Pure. */
import { CODE, type LayoutMatch, languageOfCode, type SeenLanguage } from './known-layouts.ts';
import type { Repository } from './repository.ts';

const PAIRS = new RegExp(`^((?:.*/)?i18n)/(${CODE})\\.csv$`);

export function tableMatches(repository: Repository, paths: readonly string[]): LayoutMatch[] {
  return paths
    .filter((path) => /\.(?:csv|tsv)$/i.test(path))
    .flatMap((path) => tableAt(path, (repository.head(path) ?? '').split(/\r?\n/, 2)));
}

function tableAt(path: string, [first = '', second = '']: readonly string[]): LayoutMatch[] {
  const delimiter = ['\t', ';', ','].find((each) => first.includes(each)) ?? ',';
  const cells = cellsOf(first, delimiter);
  const texts = cellsOf(second, delimiter);
  const [, head, code = ''] = PAIRS.exec(path) ?? [];
  const tag = languageOfCode(code);
  if (tag !== undefined && cells.length === 2) {
    const columns = { key: 1, source: 2, header: false, ...separated(delimiter) };
    const language = { tag, spelled: code };
    const route = { from: `${head}/{}.csv`, columns };
    return [{ path, layout: 'Magento', content: 'strings', route, language, isConvention: true }];
  }
  const languages = cells.flatMap((cell, at) =>
    at > 0 && /\p{L}/u.test(texts[at] ?? '') ? (languageIn(cell) ?? []) : [],
  );
  const [key = ''] = cells;
  const columns = { key, source: '', targets: {}, ...separated(delimiter) };
  return languages.map((language) => ({
    ...{ path, layout: 'table', content: 'strings', language, leastLanguages: 2 },
    route: { from: path, columns },
  }));
}

function separated(delimiter: string): { readonly delimiter?: string } {
  return delimiter === ',' ? {} : { delimiter };
}

/** Splits a line into cells. Delimiters inside quotes are not handled: names of columns have none. */
function cellsOf(line: string, delimiter: string): string[] {
  if (line.trim() === '') return [];
  return line
    .replace(/^\uFEFF/, '')
    .split(delimiter)
    .map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

/** The language of a column: `pt_BR`, or `German(de)` as Unity writes it. */
function languageIn(cell: string): SeenLanguage | undefined {
  const code = /\(([^()]+)\)$/.exec(cell)?.[1] ?? cell;
  const tag = languageOfCode(code);
  return tag === undefined ? undefined : { tag, spelled: cell };
}
