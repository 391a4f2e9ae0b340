/** Android resource files: strings, plurals and arrays as entries, the items of each, and entries that are not for translation. */

import type { FormatOptions, Part } from '../../format.ts';
import { isPluralCategory } from '../../segments/inline/plurals.ts';
import { numberedBy } from '../text/duplicates.ts';
import { joinKey } from '../text/key-path.ts';
import { uniqueIds } from '../text/segment.ts';
import { type XmlEntry, type XmlEntryFile, xmlEntries } from './xml-entries.ts';
import type { GroupStyle } from './xml-groups.ts';
import { attributeOf, type OwnForm, type XmlContent, type XmlStyle, XmlTexts } from './xml-text.ts';
import { childElements, isSelfClosing, parseXml, type XmlElement } from './xml-tree.ts';

export interface ResourceFile {
  readonly text: string;
  readonly root: XmlElement;
  readonly texts: AndroidTexts;
  /** Strings, plurals and arrays; in a target also those that are not for translation, since aapt refuses a second one of that name. */
  readonly entries: XmlEntryFile;
  /** The same, with the other entries that are not for translation under keys of their own. */
  readonly all: XmlEntryFile;
}

/** Throws JobFailure `malformed` with line and column. */
export function openResources(
  text: string,
  { file, role }: Pick<FormatOptions, 'file' | 'role'> = { file: '', role: 'source' },
): ResourceFile {
  const root = parseXml(text, file);
  const ids = uniqueIds();
  const scanned = xmlEntries(text, root, (child) => {
    if (!isText(child)) return undefined;
    // A NUL cannot occur in a name (XML 1.0, 2.2), so these keys are unique.
    const isEntry = role === 'target' || isTranslatable(text, child);
    return isEntry ? ids(entryKey(child)) : `\0${child.start}`;
  });
  // aapt refuses a name that occurs twice, so it does not matter which one is read.
  const all = { ...scanned, entries: numberedBy(scanned.entries, 'last') };
  const entries = [...all.entries].filter(([id]) => !id.startsWith('\0'));
  return {
    text,
    root,
    texts: new AndroidTexts(text),
    entries: { ...all, entries: new Map(entries) },
    all,
  };
}

function entryKey(element: XmlElement): string {
  const product = attributeOf(element, 'product');
  const name = attributeOf(element, 'name') ?? '';
  const key = joinKey([product === undefined ? name : `${name}@${product}`]);
  switch (element.name) {
    case 'plurals':
      return `${key}.`;
    case 'string-array':
      return `${key}[]`;
    default:
      return key;
  }
}

function isText(element: XmlElement): boolean {
  return isStringResource(element) || element.name === 'plurals' || element.name === 'string-array';
}

/** Whether a resource is one string: `<item type="string">` is the same as `<string>` to aapt2 (`ResourceParser::ParseItem`). */
export function isStringResource({ name, attributes }: XmlElement): boolean {
  if (name === 'string') return true;
  return (
    name === 'item' &&
    attributes.get('type') === 'string' &&
    (attributes.get('format') ?? 'string') === 'string'
  );
}

/** `@string/title`: the name of another resource. */
const REFERENCE = /^\s*[@?](?:\+?[\w.]+:)?\w+\/[\w.]+\s*$/;

export function isTranslatable(text: string, element: XmlElement): boolean {
  if (!isText(element)) return false;
  if (element.attributes.get('translatable') === 'false') return false;
  return !isStringResource(element) || !isReference(text, element);
}

export function isReference(text: string, { openEnd, closeStart }: XmlElement): boolean {
  return REFERENCE.test(text.slice(openEnd, closeStart));
}

export interface ResourceItem {
  readonly id: string;
  readonly element: XmlElement;
  readonly group?: string;
  readonly category?: string;
}

export function itemsOf(file: ResourceFile, key: string, { element }: XmlEntry): ResourceItem[] {
  if (isStringResource(element)) return [{ id: key, element }];
  return [...groupStyle(file, key, element).items.entries].map(([id, item]) => {
    const category = item.element.attributes.get('quantity');
    return {
      id,
      element: item.element,
      group: key,
      ...(category === undefined ? {} : { category }),
    };
  });
}

/** The items of plurals by category, those of arrays by index. */
export function groupStyle(file: ResourceFile, key: string, element: XmlElement): GroupStyle {
  const { text, texts } = file;
  const items = xmlEntries(text, element, itemId(key, childElements(element, 'item')));
  return {
    items,
    spanOf(id) {
      const item = items.entries.get(id)?.element;
      return item === undefined || isSelfClosing(item) ? undefined : texts.read(item);
    },
    rename(item, id) {
      const category = id.slice(key.length);
      if (!isPluralCategory(category)) return item;
      return item.replace(/(quantity\s*=\s*)(["'])\w+\2/, `$1$2${category}$2`);
    },
  };
}

function itemId(
  key: string,
  items: readonly XmlElement[],
): (item: XmlElement) => string | undefined {
  if (key.endsWith('[]')) {
    const places = new Map(items.map((item, index) => [item, index]));
    return (item) => {
      const place = places.get(item);
      return place === undefined ? undefined : `${key.slice(0, -2)}[${place}]`;
    };
  }
  return (item) => {
    const category = item.attributes.get('quantity') ?? '';
    return isPluralCategory(category) ? key + category : undefined;
  };
}

/**
 * Texts of Android string resources: backslash escapes, quotes that keep blanks, and runs of blanks that are read as one
 * (https://developer.android.com/guide/topics/resources/string-resource, "Handle special characters").
 */
const NEEDED: ReadonlyMap<string, string> = new Map(
  Object.entries({ "'": "\\'", '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' }),
);

const STYLE: XmlStyle = {
  lead: /\\/,
  escapes: [
    {
      pattern: /\\u([0-9a-fA-F]{4})/y,
      read: ([, hex = '']) => String.fromCharCode(Number.parseInt(hex, 16)),
    },
    { pattern: /\\n/y, read: () => '\n' },
    { pattern: /\\t/y, read: () => '\t' },
    { pattern: /\\(['"\\@?#])/y, read: ([, sign = '']) => sign },
  ],
  isOpaque: ({ name }) => name === 'xliff:g',
  required:
    ({ isFirst, isLast, own }) =>
    (character, index, text) => {
      const isStart = isFirst && index === 0;
      if (isStart && !own.isQuoted && (character === '@' || character === '?')) {
        return `\\${character}`;
      }
      if (character === "'" && own.isQuoted) return undefined;
      // Markup attributes in a CDATA section keep their quotes.
      if (character === '"' && own.isCdata && /(?<!\\)"/.test(own.raw ?? '')) return undefined;
      if (character === ' ') {
        if (own.isQuoted) return undefined;
        if (isStart || (isLast && index === text.length - 1)) return '\\u0020';
        // A second blank would be lost. It is escaped only if the old text also had two.
        const isFolded = text.charAt(index - 1) === ' ' && !TWO_BLANKS.test(own.raw ?? '');
        return isFolded ? '\\u0020' : undefined;
      }
      if (character === '\\' && isBare(own) && !/^(?:[\\ntu'"@?#]|$)/.test(text.slice(index + 1))) {
        return undefined;
      }
      return NEEDED.get(character);
    },
  trims: true,
  unfold: (raw) => raw.replace(/(?<![ \t])[ \t]*[\r\n]\s*/g, ' '),
  syntax: /((?<!\\)")/,
};

const TWO_BLANKS = / {2}/;
/** A backslash that escapes nothing: aapt2 drops it (`\F` of `C:\Files`). */
const BARE_BACKSLASH = /(?<=(?<!\\)(?:\\\\)*)\\(?![\\ntu'"@?#])/;

function isBare({ raw = '' }: OwnForm): boolean {
  return BARE_BACKSLASH.test(raw) && !raw.includes('\\\\');
}

class AndroidTexts {
  readonly #text: string;
  readonly #texts: XmlTexts;

  constructor(text: string) {
    this.#text = text;
    this.#texts = new XmlTexts(text, STYLE);
  }

  /** The content, without quotes around the whole, which only keep its blanks. */
  read(element: XmlElement): XmlContent {
    const content = this.#texts.read(element);
    const { parts, start, end } = content;
    if (content.raw === '""') {
      return { ...content, start: start + 1, end: end - 1, parts: [], raw: '', isQuoted: true };
    }
    const blanks = this.#text.slice(element.openEnd, element.closeStart);
    // aapt drops these blanks, but the author wrote them.
    if (/^[ \t]+$/.test(blanks)) {
      return {
        ...content,
        start: element.openEnd,
        end: element.closeStart,
        parts: [{ raw: blanks }],
      };
    }
    const inner = parts.slice(1, -1);
    const isQuoted = parts.length > 1 && isQuote(parts[0]) && isQuote(parts.at(-1));
    if (!isQuoted || inner.some(isQuote)) return content;
    const raw = content.raw?.slice(1, -1) ?? '';
    return { ...content, start: start + 1, end: end - 1, parts: inner, raw, isQuoted: true };
  }

  write(parts: readonly Part[], form: OwnForm): string {
    return this.#texts.write(parts, form);
  }
}

function isQuote(part: Part | undefined): boolean {
  return typeof part === 'object' && part.raw === '"';
}
