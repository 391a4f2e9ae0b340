/** The YAML front matter of a document: a few keys that every site generator shows to readers; all others are settings. */
import type { Segment } from '../format.ts';
import { partsText } from '../format.ts';
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

/** `yaml` begins with as many blanks as the document has before it. Throws JobFailure `malformed` with line and column. */
export function frontMatterTexts(yaml: string, file: string): FrontMatterText[] {
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
