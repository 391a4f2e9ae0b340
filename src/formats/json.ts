/** JSON, JSONC and JSON5 string files; i18next's plural keys and nested groups of categories follow the target language. */
import type { Format } from '../format.ts';
import { openJson } from './grammar/json-file.ts';
import type { JsonDialect } from './grammar/json-tree.ts';
import { literalDoc } from './grammar/literal-doc.ts';
import { expandKeyPlurals } from './text/key-plurals.ts';

export const json: Format = jsonFormat('json');
export const jsonc: Format = jsonFormat('jsonc');
export const json5: Format = jsonFormat('json5');

function jsonFormat(dialect: JsonDialect): Format {
  return {
    name: dialect,
    shape: 'keyed',
    parse: (text, { file }) => literalDoc(openJson(text, dialect, file), { path: file }),
    expect: (source, { language }) => expandKeyPlurals(source.segments, language),
  };
}
