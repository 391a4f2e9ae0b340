/** JSON, JSONC and JSON5 string files: every string is a segment, its id the key path; plural groups follow the target language. */
import type { Doc, Format, FormatOptions, Insertion, Segment } from '../format.ts';
import { partsText } from '../format.ts';
import { type JsonFile, type JsonLeaf, openJson } from '../syntax/json-file.ts';
import type { JsonChild, JsonDialect } from '../syntax/json-tree.ts';
import { joinKey, splitKey } from '../text/key-path.ts';
import { expandKeyPlurals, pluralOfKey } from '../text/key-plurals.ts';
import { positionsOf } from '../text/position.ts';
import { makeSegment, markDuplicates, uniqueIds } from '../text/segment.ts';
import { syntaxOfTexts } from '../text/syntax.ts';

export const json: Format = jsonFormat('json');
export const jsonc: Format = jsonFormat('jsonc');
export const json5: Format = jsonFormat('json5');

function jsonFormat(dialect: JsonDialect): Format {
  return {
    name: dialect,
    shape: 'keyed',
    parse: (text, options) => parse(openJson(text, dialect, options.file), options),
    expect: (source, { language }) => expandKeyPlurals(source.segments, language),
  };
}

function parse(file: JsonFile, options: FormatOptions): Doc {
  const leaves = file.leaves();
  const ids = uniqueIds();
  const positionAt = positionsOf(file.text);
  const children = new Map<string, JsonChild>();
  const drafts = leaves.map((leaf) => {
    const id = ids(joinKey(leaf.path));
    children.set(id, leaf.child);
    return draftOf(file, leaf, { id, line: positionAt(leaf.child.start).line });
  });
  const syntaxOf = syntaxOfTexts(drafts, options.file);
  const isPlural = pluralOfKey(drafts.map(({ id }) => id));
  const segments = drafts.map((draft) => {
    const plural = isPlural(draft.id);
    return makeSegment(file.text, {
      ...draft,
      syntax: syntaxOf(draft),
      ...(plural === undefined ? {} : { plural }),
    });
  });
  return {
    segments: markDuplicates(segments),
    warnings: [],
    insert: (insertions) => file.insert(insertions.map(additionOf)),
    remove: (removed) => file.remove({ removed: childrenOf(removed, children) }),
  };
}

function draftOf(
  file: JsonFile,
  { child, isElement }: JsonLeaf,
  place: { readonly id: string; readonly line: number },
): Segment {
  const listed = isElement ? ({ positional: true } as const) : {};
  const common = { ...place, ...listed, syntax: 'none' } as const;
  const { start, end, kind } = child.value;
  if (kind !== 'string') {
    const raw = file.text.slice(start, end);
    return {
      ...common,
      start,
      end,
      parts: [{ raw }],
      state: 'do-not-translate',
      encode: partsText,
    };
  }
  return {
    ...common,
    start: start + 1,
    end: end - 1,
    parts: [file.strings.read(start + 1, end - 1)],
    encode: (parts) => file.strings.rewrite(start + 1, end - 1, partsText(parts)),
  };
}

function additionOf({ segment, after, parts }: Insertion) {
  const isLiteral = segment.parts.some((part) => typeof part !== 'string');
  return {
    path: splitKey(segment.id),
    after: after === null ? null : splitKey(after),
    value: isLiteral ? { literal: partsText(parts) } : { text: partsText(parts) },
  };
}

function childrenOf(
  ids: ReadonlySet<string>,
  children: ReadonlyMap<string, JsonChild>,
): ReadonlySet<JsonChild> {
  return new Set([...ids].map((id) => children.get(id)).filter((child) => child !== undefined));
}
