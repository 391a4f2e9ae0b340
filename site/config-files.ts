/** Writes the two files that are made from the schema: `node site/config-files.ts`. Tests check that both are current. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchema, type SchemaNode } from '../src/config/json-schema.ts';

const ROOT = join(import.meta.dirname, '..');
const SCHEMA_FILE = join(ROOT, 'config', 'dragoman.schema.json');
const REFERENCE_FILE = join(ROOT, 'docs', 'config.md');

/** The content of `config/dragoman.schema.json`. */
export function schemaText(): string {
  return `${JSON.stringify(jsonSchema(), null, 2)}\n`;
}

/** The content of `docs/config.md`: every setting with its values, default and meaning. */
export function referencePage(): string {
  return referenceText(jsonSchema());
}

interface Row {
  readonly setting: string;
  readonly values: string;
  readonly default: string;
  readonly meaning: string;
}

const HEAD = `# Config reference

Made from the schema by \`node site/config-files.ts\`. \`<name>\` stands for any name, \`[]\` for the items of a list. Settings of a project
may stand in a route as well where the route's section lists them.

`;

function referenceText(root: SchemaNode): string {
  const sections = Object.entries(root.properties ?? {})
    .filter(([name]) => name !== '$schema')
    .map(([name, node]) => section(name, rowsOf(name, node)));
  return HEAD + sections.join('\n');
}

function section(name: string, rows: readonly Row[]): string {
  const lines = rows.map(
    ({ setting, values, default: fallback, meaning }) =>
      `| \`${setting}\` | ${values} | ${fallback} | ${meaning} |`,
  );
  return `## ${name}\n\n| setting | values | default | meaning |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
}

function rowsOf(setting: string, node: SchemaNode): Row[] {
  const own: Row = {
    setting,
    values: cell(valuesOf(node)),
    default: node.default === undefined ? '' : `\`${cell(JSON.stringify(node.default))}\``,
    meaning: cell(node.description ?? ''),
  };
  return [own, ...children(setting, node)];
}

function children(setting: string, node: SchemaNode): Row[] {
  const own = Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    rowsOf(`${setting}.${name}`, child),
  );
  const named =
    typeof node.additionalProperties === 'object'
      ? children(`${setting}.<name>`, node.additionalProperties)
      : [];
  const items = node.items === undefined ? [] : children(`${setting}[]`, node.items);
  const choices = (node.anyOf ?? node.oneOf ?? []).flatMap((choice) => children(setting, choice));
  const seen = new Set<string>();
  return [...own, ...named, ...items, ...choices].filter(
    (row) => !seen.has(row.setting) && seen.add(row.setting),
  );
}

function valuesOf(node: SchemaNode): string {
  if (node.enum !== undefined) return node.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (node.const !== undefined) return `\`${String(node.const)}\``;
  const choices = node.anyOf ?? node.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(valuesOf))].join(' or ');
  if (node.items !== undefined) return `list of ${valuesOf(node.items)}`;
  if (node.type === 'object') return node.properties === undefined ? 'by name' : 'settings';
  return typeof node.type === 'string' ? node.type : 'any';
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

// At the end of the file: it needs the constants above.
if (import.meta.main) {
  writeFileSync(SCHEMA_FILE, schemaText());
  writeFileSync(REFERENCE_FILE, referencePage());
}
