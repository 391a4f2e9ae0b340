/** TOML string files, for routes that say `lane: text`: string values in tables, inline tables and lists. */
import type { Doc, Format, Insertion, Part, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import { renamedKeys } from './grammar/renamed-keys.ts';
import {
  insertionEdits,
  removalEdits,
  renameEdits,
  type TomlAddition,
} from './grammar/toml-edits.ts';
import { newString, rewriteString } from './grammar/toml-strings.ts';
import { openToml, type TomlLeaf } from './grammar/toml-tree.ts';
import { joinKey, messageOfKey, splitKey } from './text/key-path.ts';
import { keyPlurals, pluralOfKey } from './text/key-plurals.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, markDuplicates, uniqueIds } from './text/segment.ts';
import { syntaxOfTexts } from './text/syntax.ts';

export const toml: Format = {
  name: 'toml',
  shape: 'keyed',
  messageOf: messageOfKey,
  parse: (text, { file }) => parse(text, file),
  expect: (source, target) => keyPlurals(source.segments, target),
  expectsByMaker: 'shapes',
};

function parse(text: string, file: string): Doc {
  const tree = openToml(text, file);
  const ids = uniqueIds();
  const positionAt = positionsOf(text);
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  const leaves = new Map(tree.leaves.map((leaf) => [ids(joinKey(leaf.path)), leaf]));
  const drafts = [...leaves].map(([id, leaf]) =>
    draftOf(text, leaf, { id, line: positionAt(leaf.start).line, lineEnd }),
  );
  const syntaxOf = syntaxOfTexts(drafts, file);
  const pluralOf = pluralOfKey([...leaves.keys()]);
  const segments = drafts.map((draft) => {
    const plural = pluralOf(draft.id);
    const known = plural === undefined ? {} : { plural };
    return makeSegment(text, { ...draft, ...known, syntax: syntaxOf(draft) });
  });
  return {
    segments: markDuplicates(segments),
    warnings: [],
    insert: (insertions) =>
      insertionEdits(
        { ...tree, text, file },
        insertions.map((one) => additionOf(one, leaves)),
      ),
    remove: (removed) =>
      removalEdits(
        text,
        tree,
        new Set([...leaves].filter(([id]) => removed.has(id)).map(([, leaf]) => leaf)),
      ),
    rename: (renames) => renameEdits(tree, renamedKeys([...leaves.keys()], renames)),
  };
}

function draftOf(
  text: string,
  { start, end, kind, value, inside }: TomlLeaf,
  { lineEnd, ...place }: { readonly id: string; readonly line: number; readonly lineEnd: string },
): Segment {
  const raw = text.slice(start, end);
  const listed = inside === 'list' ? ({ positional: true } as const) : {};
  const encode = (parts: readonly Part[]) => rewriteString(partsText(parts), { raw, lineEnd });
  const common = { ...place, ...listed, start, end, syntax: 'none' } as const;
  if (kind === 'literal') {
    return { ...common, parts: [{ raw }], state: 'do-not-translate', encode: partsText };
  }
  return { ...common, parts: [value], encode };
}

function additionOf(
  { segment, after, parts }: Insertion,
  leaves: ReadonlyMap<string, TomlLeaf>,
): TomlAddition {
  const isLiteral = segment.parts.some((part) => typeof part !== 'string');
  return {
    path: splitKey(segment.id),
    after: after === null ? undefined : leaves.get(after),
    written: isLiteral ? partsText(parts) : newString(partsText(parts)),
  };
}
