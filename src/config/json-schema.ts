/** The JSON Schema of the config (draft 7, which YAML editors read), also with the names of a repository as examples. Pure. */
import * as z from 'zod';
import { ConfigSettings } from '../config.ts';

export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly propertyNames?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  examples?: readonly string[];
}

export function jsonSchema(): SchemaNode {
  return z.toJSONSchema(ConfigSettings, { io: 'input', target: 'draft-7' }) as SchemaNode;
}

/** Names found in a repository, for an editor to suggest. */
export interface RepositoryNames {
  readonly routes: readonly string[];
  readonly targetPaths: readonly string[];
  readonly folders: readonly string[];
  readonly languages: readonly string[];
  readonly glossaries: readonly string[];
  readonly tables: readonly string[];
  readonly styles: readonly string[];
}

/**
 * The schema with the names as `examples`. An editor suggests examples and does not require them: a new file or language is not a
 * fault.
 */
export function schemaWith(names: RepositoryNames): SchemaNode {
  const schema = jsonSchema();
  const project = 'projects.*';
  const completions: readonly (readonly [setting: string, values: readonly string[]])[] = [
    [`${project}.root`, names.folders],
    [`${project}.source`, names.languages],
    [`${project}.targets.[]`, names.languages],
    [`${project}.glossary.name`, names.glossaries],
    [`${project}.glossary.csv`, names.tables],
    [`${project}.style.*`, names.styles],
    [`${project}.routes.[].from`, names.routes],
    [`${project}.routes.[].to`, names.targetPaths],
    [`${project}.routes.[].exclude.[]`, names.folders.map((folder) => `${folder}/**`)],
  ];
  for (const [setting, values] of completions) {
    for (const node of nodesAt(schema, setting.split('.'))) {
      if (node.type !== 'string' || values.length === 0) continue;
      // The built-in example patterns are of other ecosystems and do not help; the built-in languages do.
      const others = setting.endsWith('from') ? [] : (node.examples ?? []);
      node.examples = [...new Set([...values, ...others])];
    }
  }
  return schema;
}

/** All nodes at a path; `anyOf` and `oneOf` may give several. In the path, `*` is any name and `[]` any item of a list. */
function nodesAt(node: SchemaNode, path: readonly string[]): SchemaNode[] {
  const shapes = [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  const [name, ...rest] = path;
  if (name === undefined) return shapes;
  return shapes.flatMap((shape) => {
    const next = childOf(shape, name);
    return next === undefined ? [] : nodesAt(next, rest);
  });
}

function childOf(
  { properties, additionalProperties, items }: SchemaNode,
  name: string,
): SchemaNode | undefined {
  if (name === '[]') return items;
  if (name !== '*') return properties?.[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
