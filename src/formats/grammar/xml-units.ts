/** New units of a bilingual XML file: copied from the source's file with their targets, behind the unit before them. */
import { type Edit, type Insertion, partsText, sourceParts } from '../../format.ts';
import { splice } from '../text/splice.ts';
import {
  entryLayout,
  type FlatEntry,
  insertEntries,
  lineEndOf,
  type NewEntry,
  withLineEnds,
} from './flat-entries.ts';
import { type XmlEntryFile, xmlEntries } from './xml-entries.ts';
import { isElement, type XmlElement } from './xml-tree.ts';

/** The parent element of units. */
export interface UnitHome {
  readonly element: XmlElement;
  /** Its ancestor below the root: `file` of XLIFF, `context` of Qt. */
  readonly outer: XmlElement;
  /** The key that distinguishes that ancestor from its siblings. */
  readonly key: string;
}

export interface XmlUnitFile {
  readonly text: string;
  readonly root: XmlElement;
  /** By id of a segment or of its plural group: the element that is inserted and removed as a whole. */
  readonly units: ReadonlyMap<string, XmlElement>;
  readonly homes: ReadonlyMap<XmlElement, UnitHome>;
  /** Homes that lost all their units. */
  readonly empty: readonly UnitHome[];
}

export interface UnitStyle {
  open(text: string): XmlUnitFile;
  /** The edits that put the texts of one unit into its copy; offsets of the source's text. */
  fill(unit: XmlElement, insertions: readonly Insertion[]): readonly Edit[];
}

export function newUnits(
  file: XmlUnitFile,
  insertions: readonly Insertion[],
  { open, fill }: UnitStyle,
): Edit[] {
  const [first] = insertions;
  if (first === undefined) return [];
  const source = open(first.sourceText);
  const lineEnd = lineEndOf(file.text);
  const [current, origins] = [new CurrentUnits(file), new CurrentUnits(source)];
  const added = new AddedUnits();
  for (const [home, units] of byHome(source, insertions)) {
    const copy = (entry: FlatEntry, filled: Filled) => {
      const edits = [...filled].flatMap(([unit, group]) => fill(unit, group));
      return withLineEnds(copied(source.text, entry, edits), lineEnd);
    };
    if (!current.knows(home)) {
      const { entries, last } = current.outers();
      const siblings = origins.outers().entries;
      const entry = siblings.entries.get(`${home.outer.start}`);
      if (entry === undefined) continue;
      const place = entryLayout(siblings, entry, fromIn(lineEnd, [...units.values()].flat()));
      added.add(entries, { after: last, text: copy(entry, units), ...place, gap: undefined });
      continue;
    }
    const siblings = origins.entriesOf(home.element);
    for (const [unit, group] of units) {
      const entry = siblings.entries.get(`${unit.start}`);
      if (entry === undefined) continue;
      const { entries, after } = current.placeFor(group[0]?.after ?? null, origins.headOf(home));
      const text = copy(entry, [[unit, group]]);
      added.add(entries, {
        after,
        text,
        ...entryLayout(siblings, entry, fromIn(lineEnd, group)),
      });
    }
  }
  return added.edits();
}

function fromIn(lineEnd: string, insertions: readonly Insertion[]) {
  const texts = insertions.flatMap(({ parts, segment }) => [parts, sourceParts(segment)]);
  return { lineEnd, texts: texts.map(partsText) };
}

type Filled = Iterable<readonly [XmlElement, readonly Insertion[]]>;

function byHome(source: XmlUnitFile, insertions: readonly Insertion[]) {
  const homes = new Map<UnitHome, Map<XmlElement, Insertion[]>>();
  for (const insertion of insertions) {
    const { id, plural } = insertion.segment;
    const unit = source.units.get(plural?.group ?? id);
    const home = unit && source.homes.get(unit);
    if (unit === undefined || home === undefined) continue;
    const units = homes.get(home) ?? new Map<XmlElement, Insertion[]>();
    homes.set(home, units.set(unit, [...(units.get(unit) ?? []), insertion]));
  }
  return homes;
}

function copied(text: string, { start, end }: FlatEntry, edits: readonly Edit[]): string {
  return splice(
    text.slice(start, end),
    edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  );
}

class AddedUnits {
  readonly #entries = new Map<XmlEntryFile, NewEntry[]>();

  add(file: XmlEntryFile, entry: NewEntry): void {
    const known = this.#entries.get(file);
    if (known === undefined) this.#entries.set(file, [entry]);
    else known.push(entry);
  }

  edits(): Edit[] {
    return [...this.#entries].flatMap(([file, entries]) => insertEntries(file, entries));
  }
}

interface Head extends Pick<UnitHome, 'key'> {
  readonly names: ReadonlySet<string>;
}

/** The homes and units of a file. */
class CurrentUnits {
  readonly #file: XmlUnitFile;
  readonly #entries = new Map<XmlElement, XmlEntryFile>();
  readonly #homes: ReadonlyMap<string, UnitHome>;

  constructor(file: XmlUnitFile) {
    this.#file = file;
    const homes = [...(file.empty ?? []), ...[...file.homes.values()].toReversed()];
    this.#homes = new Map(homes.map((home) => [home.key, home]));
  }

  knows({ key }: UnitHome): boolean {
    return this.#homes.has(key);
  }

  /** The elements of a home before its units: `<name>` of Qt's contexts, `<note>` of XLIFF's groups. */
  headOf({ key, element }: UnitHome): Head {
    const children = element.children.filter(isElement);
    const first = children.findIndex((child) => this.#file.homes.has(child));
    const names = children.slice(0, first < 0 ? undefined : first).map(({ name }) => name);
    return { key, names: new Set(names) };
  }

  /** Behind the unit before it, if that is in the same home; else behind the head of the home. */
  placeFor(after: string | null, { key, names }: Head) {
    const before = this.#file.units.get(after ?? '');
    const home = before && this.#file.homes.get(before);
    if (before !== undefined && home?.key === key) {
      return { entries: this.entriesOf(home.element), after: `${before.start}` };
    }
    const first = this.#homes.get(key)?.element ?? this.#file.root;
    const children = first.children.filter(isElement);
    const end = children.findIndex((child) => !names.has(child.name));
    const head = children.slice(0, end < 0 ? undefined : end).at(-1);
    return { entries: this.entriesOf(first), after: head === undefined ? null : `${head.start}` };
  }

  outers(): { readonly entries: XmlEntryFile; readonly last: string | null } {
    const entries = this.entriesOf(this.#file.root);
    return { entries, last: [...entries.entries.keys()].at(-1) ?? null };
  }

  entriesOf(element: XmlElement): XmlEntryFile {
    const known = this.#entries.get(element);
    if (known !== undefined) return known;
    const entries = xmlEntries(this.#file.text, element, (child) => `${child.start}`);
    this.#entries.set(element, entries);
    return entries;
  }
}
