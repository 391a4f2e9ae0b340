/** XLIFF 1.2 and 2.x as units: each text with its source, the place of its target, and its state. */
import type { SegmentState } from '../../format.ts';
import { flatId } from './flat-entries.ts';
import { attributeOf, elementText } from './xml-text.ts';
import { childElements, isElement, type XmlElement } from './xml-tree.ts';
import type { UnitHome } from './xml-units.ts';

export type XliffVersion = '1.2' | '2.x';

/** A `trans-unit` of 1.2 or a `segment` of 2.x. */
export interface XliffText {
  readonly id: string;
  /** The element that is inserted and removed as a whole: `trans-unit`, `unit`. */
  readonly unit: XmlElement;
  /** The element with source and target, and in 2.x with the state. */
  readonly holder: XmlElement;
  readonly source: XmlElement;
  readonly target: XmlElement | undefined;
  /** The element that a new target follows: the source, or its segments (`seg-source`). */
  readonly beforeTarget: XmlElement;
  readonly state: SegmentState | undefined;
  /** `translate="no"`. */
  readonly isLocked: boolean;
  readonly notes: string | undefined;
  /** Unicode code points. */
  readonly maxLength: number | undefined;
}

export interface XliffUnits {
  readonly version: XliffVersion;
  readonly texts: readonly XliffText[];
  readonly files: readonly XmlElement[];
  readonly homes: ReadonlyMap<XmlElement, UnitHome>;
  readonly empty: readonly UnitHome[];
}

/** The name without a prefix such as `xliff:`. */
export function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1);
}

export function readUnits(text: string, root: XmlElement): XliffUnits {
  const version = attributeOf(root, 'version')?.startsWith('1') ? '1.2' : '2.x';
  const files = childElements(root).filter((child) => localName(child) === 'file');
  const walk = new Walk(text, version);
  for (const file of files) {
    walk.visit(file, {
      file,
      fileKey: files.length > 1 ? `${fileKey(file)}|` : '',
      isLocked: false,
    });
  }
  return { version, texts: walk.texts, files, homes: walk.homes, empty: walk.empty };
}

/** The key that distinguishes the files of an XLIFF. */
function fileKey(file: XmlElement): string {
  return flatId(attributeOf(file, 'original') ?? attributeOf(file, 'id') ?? '');
}

interface UnitContext {
  readonly file: XmlElement;
  /** Prefix of the unit ids; empty when there is only one file. */
  readonly fileKey: string;
  /** `translate="no"` on an element around it. */
  readonly isLocked: boolean;
}

/** Elements inside a home of units. */
const HOLDS = /^(?:trans-unit|unit|group|body)$/;

class Walk {
  readonly texts: XliffText[] = [];
  /** The home of each unit. */
  readonly homes = new Map<XmlElement, UnitHome>();
  /** The innermost elements without units. */
  readonly empty: UnitHome[] = [];
  readonly #text: string;
  readonly #version: XliffVersion;

  constructor(text: string, version: XliffVersion) {
    this.#text = text;
    this.#version = version;
  }

  visit(element: XmlElement, outer: UnitContext): void {
    const inner = { ...outer, isLocked: isLocked(element, outer) };
    const home = { element, outer: inner.file, key: fileKey(inner.file) };
    for (const child of element.children.filter(isElement)) {
      const name = localName(child);
      if (name === 'trans-unit' || name === 'unit') {
        this.homes.set(child, home);
        this.#unit(child, inner);
      } else if (name === 'group' || name === 'body') {
        this.visit(child, inner);
      }
    }
    if (!element.children.some((child) => isElement(child) && HOLDS.test(localName(child)))) {
      this.empty.push(home);
    }
  }

  #unit(unit: XmlElement, outer: UnitContext): void {
    const inner = { ...outer, isLocked: isLocked(unit, outer) };
    const key = outer.fileKey + flatId(attributeOf(unit, 'id') ?? '');
    const notes = notesOf(this.#text, unit);
    if (this.#version === '1.2') {
      this.#add(unit, { id: key, holder: unit, inner, notes });
      return;
    }
    const segments = childElements(unit).filter((child) => localName(child) === 'segment');
    for (const [index, holder] of segments.entries()) {
      const own = attributeOf(holder, 'id') ?? `${index}`;
      this.#add(unit, { id: segments.length > 1 ? `${key}/${own}` : key, holder, inner, notes });
    }
  }

  #add(
    unit: XmlElement,
    {
      id,
      holder,
      inner,
      notes,
    }: Pick<XliffText, 'id' | 'holder' | 'notes'> & { inner: UnitContext },
  ): void {
    const child = (name: string) => childElements(holder).find((each) => localName(each) === name);
    const source = child('source');
    if (source === undefined) return;
    const target = child('target');
    this.texts.push({
      id,
      unit,
      holder,
      source,
      target,
      beforeTarget: child('seg-source') ?? source,
      state: inner.isLocked ? lockedState(this.#text, target) : unitState(unit, holder, target),
      isLocked: inner.isLocked,
      notes,
      maxLength: maxLengthOf(unit),
    });
  }
}

/** A locked text is final. A locked unit without one may be a copy of the source's, which says nothing of its translation. */
function lockedState(text: string, target: XmlElement | undefined): SegmentState | undefined {
  return elementText(text, target).trim() === '' ? undefined : 'final';
}

function isLocked(element: XmlElement, outer: UnitContext): boolean {
  const translate = element.attributes.get('translate');
  return translate === undefined ? outer.isLocked : translate === 'no';
}

/** XLIFF 1.2, 2.4.1 "state"; XLIFF 2.0, 4.7.2.3 "state". */
function unitState(
  unit: XmlElement,
  holder: XmlElement,
  target: XmlElement | undefined,
): SegmentState | undefined {
  if (unit.attributes.get('approved') === 'yes') return 'final';
  const state = target?.attributes.get('state') ?? holder.attributes.get('state');
  switch (state) {
    case 'final':
    case 'signed-off':
      return 'final';
    case 'translated':
    case 'reviewed':
      return 'translated';
    case 'new':
    case 'initial':
    case 'needs-translation':
      return 'new';
    default:
      return state === undefined ? undefined : 'needs-review';
  }
}

function notesOf(text: string, unit: XmlElement): string | undefined {
  const holders = childElements(unit).filter((child) => localName(child) === 'notes');
  const notes = [unit, ...holders]
    .flatMap((holder) => childElements(holder))
    .filter((child) => localName(child) === 'note')
    .map((note) => elementText(text, note).replace(/\s+/g, ' ').trim())
    .filter((note) => note !== '');
  return notes.length === 0 ? undefined : notes.join(' ');
}

/** In characters. The unit of 1.2 is pixels unless it says characters; the size restriction module of 2.x counts code points. */
function maxLengthOf({ attributes }: XmlElement): number | undefined {
  const isCharacters = attributes.get('size-unit') === 'char';
  const limit = isCharacters ? attributes.get('maxwidth') : attributes.get('slr:sizeRestriction');
  return limit !== undefined && /^\d+$/.test(limit) ? Number(limit) : undefined;
}
