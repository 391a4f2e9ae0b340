/** The front matter of a document, YAML or TOML: a few keys that every site generator shows to readers; all others are settings. */
import type { Segment } from '../../format.ts';
import { partsText } from '../../format.ts';
import { rewriteString } from './toml-strings.ts';
import { openToml } from './toml-tree.ts';
import { openYaml } from './yaml-file.ts';
import { commentAbove } from './yaml-layout.ts';
import { rewriteScalar } from './yaml-scalar.ts';

/** Docusaurus, Hugo, Jekyll, Starlight and VitePress render these. */
const SHOWN = new Set([
  'title',
  'description',
  'linkTitle',
  'sidebar_label',
  'sidebarTitle',
  'summary',
  'tagline',
  'subtitle',
  'excerpt',
  'pagination_label',
]);

/** A shown text before it has an id and a line. */
export type FrontMatterText = Pick<Segment, 'start' | 'end' | 'parts' | 'encode' | 'context'>;

export interface FrontMatter {
  readonly kind: 'yaml' | 'toml';
  /** Begins with as many blanks as the document has before it. */
  readonly text: string;
  readonly file: string;
}

/** Throws JobFailure `malformed` with line and column. */
export function frontMatterTexts({ kind, text, file }: FrontMatter): FrontMatterText[] {
  return kind === 'yaml' ? yamlTexts(text, file) : tomlTexts(text, file);
}

function yamlTexts(yaml: string, file: string): FrontMatterText[] {
  return openYaml(yaml, file)
    .leaves()
    .flatMap(({ path, node, owner }): FrontMatterText[] => {
      const [key] = path;
      if (path.length !== 1 || node.kind !== 'string' || !SHOWN.has(String(key))) return [];
      const raw = yaml.slice(node.start, node.end);
      const comment = owner === undefined ? undefined : commentAbove(yaml, owner.start);
      return [
        {
          start: node.start,
          end: node.end,
          parts: [node.value],
          context: comment ?? `${key} of the page`,
          encode: (parts) => rewriteScalar(partsText(parts), { ...node, raw }),
        },
      ];
    });
}

function tomlTexts(toml: string, file: string): FrontMatterText[] {
  return openToml(toml, file).leaves.flatMap((leaf): FrontMatterText[] => {
    const { path, kind, value, start, end } = leaf;
    const [key] = path;
    if (path.length !== 1 || kind !== 'string' || !SHOWN.has(String(key))) return [];
    const raw = toml.slice(start, end);
    const context = commentAbove(toml, leaf.owner.start) ?? `${key} of the page`;
    return [
      {
        start,
        end,
        parts: [value],
        context,
        encode: (parts) => rewriteString(partsText(parts), raw),
      },
    ];
  });
}
