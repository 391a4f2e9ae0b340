/**
 * The front matter of a document, YAML or TOML: a few keys that every site generator shows to readers are texts; all others are settings.
 */
import type { Segment } from '../../format.ts';
import { partsText } from '../../format.ts';
import type { KeyPath } from '../text/key-path.ts';
import { rewriteString } from './toml-strings.ts';
import { openToml } from './toml-tree.ts';
import { openYaml } from './yaml-file.ts';
import { commentAbove } from './yaml-layout.ts';
import { rewriteScalar } from './yaml-scalar.ts';

/** A visible text that has no id and no line yet. */
export type FrontMatterText = Pick<
  Segment,
  'start' | 'end' | 'parts' | 'encode' | 'context' | 'name'
>;

export interface FrontMatter {
  readonly kind: 'yaml' | 'toml';
  /** Begins with as many blanks as the document has characters before it, so that offsets are those of the document. */
  readonly text: string;
  readonly file: string;
  /** Patterns of the visible keys. */
  readonly shown: readonly string[];
}

/** Throws JobFailure `malformed` with line and column. */
export function frontMatterTexts(matter: FrontMatter): FrontMatterText[] {
  return matter.kind === 'yaml' ? yamlTexts(matter) : tomlTexts(matter);
}

function isShown(path: KeyPath, { shown }: FrontMatter): boolean {
  return shown.some((pattern) => {
    const steps = pattern.split('.');
    return (
      steps.length === path.length &&
      steps.every((step, index) => step === '*' || step === String(path[index]))
    );
  });
}

/**
 * YAML reserves `@` and the backtick, and no reader gives them a meaning: `title: @scope/name` is read literally. Another letter replaces
 * each, so that offsets stay. Only for keys at the margin: an indented line may belong to a block of text.
 */
const RESERVED = /(?<=^|[\r\n])(?<key>[\w.-]+[ \t]*:[ \t]+)[`@]/g;

function yamlTexts(matter: FrontMatter): FrontMatterText[] {
  const { text: yaml, file } = matter;
  return openYaml(yaml.replace(RESERVED, '$<key>x'), file)
    .leaves()
    .flatMap(({ path, node, owner }): FrontMatterText[] => {
      if (node.kind !== 'string' || !isShown(path, matter)) return [];
      const raw = yaml.slice(node.start, node.end);
      const isReserved = node.style === 'plain' && /^[`@]/.test(raw);
      const value = isReserved ? raw.charAt(0) + node.value.slice(1) : node.value;
      const comment = owner === undefined ? undefined : commentAbove(yaml, owner.start);
      return [
        {
          start: node.start,
          end: node.end,
          parts: [value],
          name: path.join('.'),
          context: comment ?? `${path.join('.')} of the page`,
          encode: (parts) => rewriteScalar(partsText(parts), { ...node, raw }),
        },
      ];
    });
}

function tomlTexts(matter: FrontMatter): FrontMatterText[] {
  const { text: toml, file } = matter;
  const lineEnd = /\r?\n/.exec(toml)?.[0] ?? '\n';
  return openToml(toml, file).leaves.flatMap((leaf): FrontMatterText[] => {
    const { path, kind, value, start, end } = leaf;
    if (kind !== 'string' || !isShown(path, matter)) return [];
    const raw = toml.slice(start, end);
    const context = commentAbove(toml, leaf.owner.start) ?? `${path.join('.')} of the page`;
    return [
      {
        start,
        end,
        parts: [value],
        name: path.join('.'),
        context,
        encode: (parts) => rewriteString(partsText(parts), { raw, lineEnd }),
      },
    ];
  });
}
