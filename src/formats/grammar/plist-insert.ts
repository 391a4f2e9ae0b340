/** New pairs of a property list: copied from the source's file with new texts, or from a neighbouring pair. */

import type { Edit } from '../../format.ts';
import { append } from '../../parsing/append.ts';
import type { KeyStep } from '../text/key-path.ts';
import { splice } from '../text/splice.ts';
import {
  entryLayout,
  insertEntries,
  lineEndOf,
  type NewEntry,
  removeEntries,
  withLineEnds,
} from './flat-entries.ts';
import type { PlistDict, PlistPair } from './plist-dicts.ts';
import { escapeXml } from './xml-text.ts';

/** A text to add under a path of a dictionary. */
export interface PlistAddition {
  readonly path: readonly KeyStep[];
  /** Path of the text before it; null: first. */
  readonly after: readonly KeyStep[] | null;
  /** The content between the tags. */
  readonly content: string;
}

/** The edits that add texts to a dictionary. @param source the same dictionary in the source's file */
export function addPairs(
  dict: PlistDict,
  source: PlistDict | undefined,
  additions: readonly PlistAddition[],
): Edit[] {
  const added: NewEntry[] = [];
  const edits: Edit[] = [];
  const lineEnd = lineEndOf(dict.text);
  for (const [key, group] of byKey(additions)) {
    const current = dict.entries.get(key)?.dict;
    const origin = source?.entries.get(key);
    if (current !== undefined) {
      append(edits, addPairs(current, origin?.dict, withoutFirstStep(group)));
      continue;
    }
    const isKnown = source !== undefined && origin !== undefined;
    const text = isKnown ? copyOf(source, origin, group) : likeSibling(dict, key, group);
    if (text === undefined) continue;
    const place = isKnown
      ? entryLayout(source, origin, { lineEnd, texts: group.map(({ content }) => content) })
      : {};
    added.push({
      after: anchorOf(dict, group[0]),
      text: withLineEnds(text, lineEnd),
      gap: undefined,
      ...place,
    });
  }
  return [...edits, ...insertEntries(dict, added)];
}

function byKey(additions: readonly PlistAddition[]): Map<string, PlistAddition[]> {
  return Map.groupBy(additions, ({ path }) => `${path[0]}`);
}

/** The additions, with paths relative to the dictionary under their key. */
function withoutFirstStep(additions: readonly PlistAddition[]): PlistAddition[] {
  return additions.map(({ path, after, content }) => ({
    path: path.slice(1),
    after: after?.[0] === path[0] ? (after?.slice(1) ?? null) : null,
    content,
  }));
}

/** The pair before the new one; plural forms go behind the pair that makes the dictionary a plural. */
function anchorOf({ entries }: PlistDict, addition: PlistAddition | undefined): string | null {
  const before = `${addition?.after?.[0]}`;
  if (addition?.after && entries.has(before)) return before;
  return entries.has('NSStringFormatValueTypeKey') ? 'NSStringFormatValueTypeKey' : null;
}

function likeSibling(
  { text, entries }: PlistDict,
  key: string,
  [addition]: readonly PlistAddition[],
): string | undefined {
  const model = [...entries.values()].findLast(({ value }) => value.name === 'string');
  if (model === undefined || addition === undefined) return undefined;
  return pairText(text, model, addition.content).replace(
    /^<key>[^<]*<\/key>/,
    () => `<key>${escapeXml(key)}</key>`,
  );
}

function pairText(text: string, { keyStart, value, end }: PlistPair, content: string): string {
  return text.slice(keyStart, value.openEnd) + content + text.slice(value.closeStart, end);
}

/** A copy of the source's pair with the given texts only, including those that the source does not have. */
function copyOf(
  { text }: PlistDict,
  { start, end, dict, ...pair }: PlistPair,
  additions: readonly PlistAddition[],
): string | undefined {
  const [first] = additions;
  if (dict === undefined)
    return first && pairText(text, { start, end, dict, ...pair }, first.content);
  const edits = fillEdits(dict, withoutFirstStep(additions));
  return splice(
    text.slice(start, end),
    edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  );
}

function fillEdits(dict: PlistDict, additions: readonly PlistAddition[]): Edit[] {
  const wanted = byKey(additions);
  const gone = new Set<string>();
  const edits: Edit[] = [];
  for (const [key, { value, dict: inner }] of dict.entries) {
    const group = wanted.get(key) ?? [];
    if (inner !== undefined) append(edits, fillEdits(inner, withoutFirstStep(group)));
    else if (group[0] !== undefined) {
      edits.push({ start: value.openEnd, end: value.closeStart, text: group[0].content });
    } else if (isPlistText(key, value.name)) gone.add(key);
  }
  const missing = additions.filter(({ path }) => !dict.entries.has(`${path[0]}`));
  return [...removeEntries(dict, gone), ...edits, ...addPairs(dict, undefined, missing)];
}

/** Whether a pair holds a text for people; the other pairs say how that text is read. */
export function isPlistText(key: string, element: string): boolean {
  return element === 'string' && !/^NSStringFormat(?:SpecType|ValueType)Key$/.test(key);
}
