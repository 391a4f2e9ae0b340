/** TOML string files, for routes that say `lane: text`: string values in tables, inline tables and lists. */
import type { Arrangement, Doc, Format, Insertion, Part, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import { newElement } from './grammar/insertions.ts';
import { renamedKeys } from './grammar/renamed-keys.ts';
import { removalEdits, renameEdits } from './grammar/toml-edits.ts';
import { insertionEdits, type TomlAddition } from './grammar/toml-insert.ts';
import { arrangedList, type TomlElement } from './grammar/toml-lists.ts';
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
        { ...tree, text, file, lineEnd },
        insertions.map((one) => additionOf(one, leaves)),
      ),
    remove: (removed) =>
      removalEdits(
        text,
        tree,
        new Set([...leaves].filter(([id]) => removed.has(id)).map(([, leaf]) => leaf)),
      ),
    arrange: ({ list, length, elements }) => {
      const path = splitKey(list);
      const made = elements.flatMap((each) => newElementOf(each, path.length + 1));
      return arrangedList({ ...tree, text, lineEnd }, path, { length, elements: made });
    },
    rename: (renames, along) => renameEdits(tree, renamedKeys([...leaves.keys()], renames, along)),
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

function newElementOf(element: Arrangement['elements'][number], depth: number): TomlElement[] {
  if (typeof element === 'number') return [element];
  const made = newElement(
    element.map((insertion) => ({
      path: splitKey(insertion.segment.id).slice(depth),
      value: writtenText(insertion),
    })),
  );
  return made === undefined ? [] : [made];
}

function additionOf(insertion: Insertion, leaves: ReadonlyMap<string, TomlLeaf>): TomlAddition {
  const { segment, after } = insertion;
  return {
    path: splitKey(segment.id),
    after: after === null ? undefined : leaves.get(after),
    written: writtenText(insertion),
  };
}

function writtenText({ segment, parts }: Insertion): string {
  const isLiteral = segment.parts.some((part) => typeof part !== 'string');
  return isLiteral ? partsText(parts) : newString(partsText(parts));
}
