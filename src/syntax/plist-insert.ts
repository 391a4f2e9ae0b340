/** New pairs of a property list: copied from the source's file with their new texts, or from a pair beside them. */
import type { Edit } from '../format.ts';
import type { KeyStep } from '../text/key-path.ts';
import { splice } from '../text/splice.ts';
import {
  gapOf,
  insertEntries,
  lineEndOf,
  type NewEntry,
  removeEntries,
  withLineEnds,
} from './flat-entries.ts';
import type { PlistDict, PlistPair } from './plist-dicts.ts';
import { escapeXml } from './xml-text.ts';

/** A text that is to stand under a path. */
export interface PlistAddition {
  readonly path: readonly KeyStep[];
  readonly after: readonly KeyStep[] | null;
  /** What stands between the tags. */
  readonly content: string;
}

/** The edits that add texts to a dictionary. `source`: the same dictionary where they come from. */
export function addPairs(
  dict: PlistDict,
  source: PlistDict | undefined,
  additions: readonly PlistAddition[],
  depth = 0,
): Edit[] {
  const added: NewEntry[] = [];
  const edits: Edit[] = [];
  for (const [key, group] of Map.groupBy(additions, ({ path }) => `${path[depth]}`)) {
    const standing = dict.entries.get(key);
    const origin = source?.entries.get(key);
    if (standing?.dict !== undefined) {
      edits.push(...addPairs(standing.dict, origin?.dict, group, depth + 1));
      continue;
    }
    const text =
      origin === undefined ? likeSibling(dict, key, group) : copyOf(source, origin, group, depth);
    if (text === undefined) continue;
    const lineEnd = lineEndOf(dict.text);
    const gap = origin && source ? gapOf(source, origin, lineEnd) : undefined;
    added.push({ after: anchorOf(dict, group[0], depth), text: withLineEnds(text, lineEnd), gap });
  }
  return [...edits, ...insertEntries(dict, added)];
}

/** Behind the pair before it; forms of a plural behind what says that it is one. */
function anchorOf(
  dict: PlistDict,
  addition: PlistAddition | undefined,
  depth: number,
): string | null {
  const { after, path } = addition ?? { after: null, path: [] };
  const isSibling = after !== null && path.slice(0, depth).every((step, at) => after[at] === step);
  const before = isSibling ? `${after?.[depth]}` : '';
  if (dict.entries.has(before)) return before;
  return dict.entries.has('NSStringFormatValueTypeKey') ? 'NSStringFormatValueTypeKey' : null;
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

/** A source's pair with the texts that are there, without those that are not, and with those that it does not have itself. */
function copyOf(
  source: PlistDict | undefined,
  pair: PlistPair,
  additions: readonly PlistAddition[],
  depth: number,
): string | undefined {
  if (source === undefined) return undefined;
  const [first] = additions;
  if (pair.dict === undefined) {
    return first && pairText(source.text, pair, first.content);
  }
  const edits = fillEdits(pair.dict, additions, depth + 1);
  return splice(
    source.text.slice(pair.start, pair.end),
    edits.map((edit) => ({ ...edit, start: edit.start - pair.start, end: edit.end - pair.start })),
  );
}

function fillEdits(dict: PlistDict, additions: readonly PlistAddition[], depth: number): Edit[] {
  const wanted = Map.groupBy(additions, ({ path }) => `${path[depth]}`);
  const gone = new Set<string>();
  const edits: Edit[] = [];
  for (const [key, { value, dict: inner }] of dict.entries) {
    const group = wanted.get(key);
    if (inner !== undefined) edits.push(...fillEdits(inner, group ?? [], depth + 1));
    else if (group?.[0] !== undefined) {
      edits.push({ start: value.openEnd, end: value.closeStart, text: group[0].content });
    } else if (isText(key, value.name)) gone.add(key);
  }
  const missing = additions.filter(({ path }) => !dict.entries.has(`${path[depth]}`));
  return [...removeEntries(dict, gone), ...edits, ...addPairs(dict, undefined, missing, depth)];
}

/** Whether a pair holds a text for people; the others say how it is to be read. */
export function isText(key: string, element: string): boolean {
  return element === 'string' && !/^NSStringFormat(?:SpecType|ValueType)Key$/.test(key);
}
