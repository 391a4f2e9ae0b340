/** Apple .stringsdict, UTF-8 or UTF-16: plural rules by the categories of the target, and texts by width. */

import type { Doc, Duplicate, Edit, Format, FormatOptions, Insertion, Segment } from '../format.ts';
import { append } from '../parsing/append.ts';
import { isPluralCategory } from '../segments/inline/plurals.ts';
import { removeEntries } from './grammar/flat-entries.ts';
import { type PlistDict, type PlistPair, parsePlist } from './grammar/plist-dicts.ts';
import { addPairs, isPlistText } from './grammar/plist-insert.ts';
import { expandCategories } from './grammar/plural-categories.ts';
import { renamedKeys } from './grammar/renamed-keys.ts';
import {
  escapeXml,
  insertedContent,
  placeIn,
  type XmlStyle,
  XmlTexts,
} from './grammar/xml-text.ts';
import { isSelfClosing } from './grammar/xml-tree.ts';
import { joinKey, type KeyPath, messageOfKey, splitKey } from './text/key-path.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment } from './text/segment.ts';

export const stringsdict: Format = {
  name: 'stringsdict',
  shape: 'keyed',
  messageOf: messageOfKey,
  parse,
  expect: (source, { language }) => expandCategories(source.segments, language),
};

const STYLE: XmlStyle = {
  lead: /(?!)/,
  escapes: [],
  required: () => () => undefined,
  isOpaque: () => true,
};

interface PlistText {
  readonly path: KeyPath;
  readonly pair: PlistPair;
  /** Whether the text is one of several plural forms. */
  readonly isForm: boolean;
}

function parse(text: string, { file }: FormatOptions): Doc {
  const root = parsePlist(text, file);
  const texts = new XmlTexts(text, STYLE);
  const positionAt = positionsOf(text);
  const segments = textsIn(root, []).map((each) =>
    plistSegment(text, each, { texts, line: positionAt(each.pair.keyStart).line }),
  );
  const ids = segments.map(({ id }) => id);
  const duplicates = repeatedIn(root, [], (offset) => positionAt(offset).line);
  return {
    segments,
    warnings: [],
    ...(duplicates.length === 0 ? {} : { duplicates, localeEdits: () => withoutRepeated(root) }),
    insert: (insertions) => insert(root, insertions, texts),
    remove: (gone) => remove(root, [], gone).edits,
    rename: (renames) => rename(root, [], renamedKeys(ids, renames)),
  };
}

function textsIn(dict: PlistDict, path: KeyPath): PlistText[] {
  const isPlural = dict.entries.has('NSStringFormatSpecTypeKey');
  return [...dict.entries].flatMap(([key, pair]): PlistText[] => {
    if (dict.shadowed.has(key)) return [];
    const own = [...path, pair.key];
    if (pair.dict !== undefined) return textsIn(pair.dict, own);
    if (!isPlistText(pair.key, pair.value.name)) return [];
    return [{ path: own, pair, isForm: isPlural && isPluralCategory(pair.key) }];
  });
}

function plistSegment(
  text: string,
  { path, pair, isForm }: PlistText,
  { texts, line }: { readonly texts: XmlTexts; readonly line: number },
): Segment {
  const content = placeIn(text, pair.value, texts);
  const id = joinKey(path);
  const group = id.slice(0, id.length - pair.key.length);
  return makeSegment(text, {
    id,
    start: content.start,
    end: content.end,
    line,
    parts: content.parts,
    ...(isSelfClosing(pair.value) ? { gap: 'value' } : {}),
    ...(isForm ? { plural: { group, category: pair.key } } : {}),
    syntax: 'apple',
    encode: (parts) => content.before + texts.write(parts, content) + content.after,
  });
}

function insert(root: PlistDict, insertions: readonly Insertion[], texts: XmlTexts): Edit[] {
  const [first] = insertions;
  if (first === undefined) return [];
  const source = parsePlist(first.sourceText, '');
  const additions = insertions.map((insertion) => ({
    path: splitKey(insertion.segment.id),
    after: insertion.after === null ? null : splitKey(insertion.after),
    content: insertedContent(insertion, texts),
  }));
  return addPairs(root, source, additions);
}

/** @param keys new key by the id of the path that ends with the old one */
function rename(dict: PlistDict, path: KeyPath, keys: ReadonlyMap<string, string>): Edit[] {
  return [...dict.entries.values()].flatMap((pair) => {
    const own = [...path, pair.key];
    const key = keys.get(joinKey(own));
    const inner = pair.dict === undefined ? [] : rename(pair.dict, own, keys);
    return key === undefined ? inner : [{ ...pair.name, text: escapeXml(key) }, ...inner];
  });
}

/** A dictionary that loses its last text is removed whole. */
function remove(
  dict: PlistDict,
  path: KeyPath,
  ids: ReadonlySet<string>,
): { readonly edits: readonly Edit[]; readonly isEmpty: boolean } {
  const gone = new Set<string>();
  const edits: Edit[] = [];
  let texts = 0;
  for (const [key, { dict: inner, value }] of dict.entries) {
    if (dict.shadowed.has(key)) continue;
    const own = [...path, key];
    if (inner !== undefined) {
      const cleared = remove(inner, own, ids);
      if (cleared.isEmpty) gone.add(key);
      else append(edits, cleared.edits);
    } else if (!isPlistText(key, value.name)) continue;
    else if (ids.has(joinKey(own))) gone.add(key);
    texts += 1;
  }
  const isEmpty = texts > 0 && gone.size === texts;
  for (const key of dict.shadowed) if (gone.has(shadowedKey(key))) gone.add(key);
  return { edits: [...removeEntries(dict, gone), ...edits], isEmpty };
}

function shadowedKey(shadowed: string): string {
  return shadowed.slice(0, shadowed.indexOf('\0'));
}

function repeatedIn(
  { entries, shadowed }: PlistDict,
  path: KeyPath,
  lineAt: (offset: number) => number,
): Duplicate[] {
  const keys = new Set([...shadowed].map(shadowedKey));
  const own = [...keys].map((key): Duplicate => {
    const same = [...entries.values()].filter((pair) => pair.key === key);
    const lines = same.map(({ keyStart }) => lineAt(keyStart));
    return { id: joinKey([...path, key]), lines, read: lines.at(-1) ?? 1 };
  });
  const inner = [...entries].flatMap(([key, { dict }]) =>
    dict === undefined || shadowed.has(key) ? [] : repeatedIn(dict, [...path, key], lineAt),
  );
  return [...own, ...inner];
}

/** Pairs that are never read are left out of copies. */
function withoutRepeated(dict: PlistDict): Edit[] {
  const inner = [...dict.entries].flatMap(([key, { dict: own }]) =>
    own === undefined || dict.shadowed.has(key) ? [] : withoutRepeated(own),
  );
  return [...removeEntries(dict, dict.shadowed), ...inner];
}
