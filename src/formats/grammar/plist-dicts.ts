/** Property lists in XML as dictionaries of pairs; each pair is inserted and removed as a whole. */
import { malformed } from '../text/position.ts';
import type { EntryFile, FlatEntry } from './flat-entries.ts';
import { homeIn } from './xml-entries.ts';
import { elementText } from './xml-text.ts';
import { childElements, parseXml, type XmlElement } from './xml-tree.ts';

export interface PlistPair extends FlatEntry {
  readonly key: string;
  /** Offset of `<key>`; `start` may be that of a comment above. */
  readonly keyStart: number;
  /** Span of the text between the tags of the key. */
  readonly name: { readonly start: number; readonly end: number };
  readonly value: XmlElement;
  /** The value, if it is a dictionary. */
  readonly dict: PlistDict | undefined;
}

export interface PlistDict extends EntryFile {
  /** By key, in file order. A shadowed pair has a name that no key can have. */
  readonly entries: ReadonlyMap<string, PlistPair>;
  readonly shadowed: ReadonlySet<string>;
}

/** The dictionary of a property list. Throws JobFailure `malformed` with line and column. */
export function parsePlist(text: string, file: string): PlistDict {
  const root = parseXml(text, file);
  const [dict] = root.name === 'plist' ? childElements(root) : [];
  if (dict?.name !== 'dict') {
    throw malformed(file, { text, offset: root.start }, 'no property list with a dictionary');
  }
  return readDict(text, dict, file);
}

function readDict(text: string, dict: XmlElement, file: string): PlistDict {
  const pairs: PlistPair[] = [];
  let gap = dict.openEnd;
  let start: number | undefined;
  let key: XmlElement | undefined;
  for (const child of dict.children) {
    if (child.kind === 'comment') start ??= child.start;
    if (child.kind !== 'element') continue;
    if (key === undefined) {
      if (child.name !== 'key') {
        throw malformed(
          file,
          { text, offset: child.start },
          `a <key> is missing before <${child.name}>`,
        );
      }
      key = child;
      continue;
    }
    pairs.push({
      key: elementText(text, key),
      gap,
      start: start ?? key.start,
      end: child.end,
      keyStart: key.start,
      name: { start: key.openEnd, end: key.closeStart },
      value: child,
      dict: child.name === 'dict' ? readDict(text, child, file) : undefined,
    });
    [gap, start, key] = [child.end, undefined, undefined];
  }
  if (key !== undefined) {
    throw malformed(file, { text, offset: key.start }, 'this <key> has no value');
  }
  return { text, ...byKey(pairs), home: homeIn(text, dict, '\t') };
}

/** When keys are equal, the last one counts (PlistBuddy prints the second value). NUL cannot occur in XML, so it marks the names of shadowed pairs. */
function byKey(pairs: readonly PlistPair[]): Pick<PlistDict, 'entries' | 'shadowed'> {
  const last = new Map(pairs.map((pair) => [pair.key, pair]));
  const entries = new Map(
    pairs.map((pair, index) => [
      last.get(pair.key) === pair ? pair.key : `${pair.key}\0${index}`,
      pair,
    ]),
  );
  return { entries, shadowed: new Set([...entries.keys()].filter((key) => key.includes('\0'))) };
}
