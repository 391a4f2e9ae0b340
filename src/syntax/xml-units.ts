/** New units of an XLIFF file: copied from the source's file with their targets, behind the unit that comes before them. */
import type { Edit, Insertion } from '../format.ts';
import { splice } from '../text/splice.ts';
import { gapOf, insertEntries, lineEndOf, type NewEntry, withLineEnds } from './flat-entries.ts';
import { fileKey, type XliffContainer, type XliffText, type XliffUnits } from './xliff-units.ts';
import { type XmlEntryFile, xmlEntries } from './xml-entries.ts';
import type { XmlElement } from './xml-tree.ts';

export interface OpenXliff extends XliffUnits {
  readonly text: string;
}

export function newUnits(
  file: OpenXliff,
  insertions: readonly Insertion[],
  open: (text: string) => OpenXliff,
): Edit[] {
  const [first] = insertions;
  if (first === undefined) return [];
  const source = open(first.sourceText);
  const unitOf = new Map(source.texts.map((each) => [each.id, each]));
  const groups = Map.groupBy(insertions, ({ segment }) => unitOf.get(segment.id)?.unit);
  const [standing, sources] = [new Standing(file), new Standing(source)];
  const added = new Map<XmlEntryFile, NewEntry[]>();
  for (const [unit, group] of groups) {
    if (unit === undefined) continue;
    const home = source.homes.get(unit);
    if (home === undefined) continue;
    const { entries, after } = standing.placeFor(group[0]?.after ?? null, home);
    const sourceEntries = sources.entriesOf(home.element);
    const entry = sourceEntries.entries.get(`${unit.start}`);
    if (entries === undefined || entry === undefined) continue;
    const lineEnd = lineEndOf(file.text);
    const text = withLineEnds(unitText(source.text, entry, group), lineEnd);
    const gap = gapOf(sourceEntries, entry, lineEnd);
    const known = added.get(entries);
    if (known === undefined) added.set(entries, [{ after, text, gap }]);
    else known.push({ after, text, gap });
  }
  return [...added].flatMap(([entries, list]) => insertEntries(entries, list));
}

function unitText(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  insertions: readonly Insertion[],
): string {
  const edits = insertions.map(({ segment, parts }) => ({
    start: segment.start - start,
    end: segment.end - start,
    text: segment.encode(parts),
  }));
  return splice(text.slice(start, end), edits);
}

/** Where the units of a file stand. */
class Standing {
  readonly #file: OpenXliff;
  readonly #entries = new Map<XmlElement, XmlEntryFile>();
  readonly #texts: ReadonlyMap<string, XliffText>;

  constructor(file: OpenXliff) {
    this.#file = file;
    this.#texts = new Map(file.texts.map((each) => [each.id, each]));
  }

  placeFor(after: string | null, home: XliffContainer) {
    const before = this.#texts.get(after ?? '')?.unit;
    const container = before && this.#file.homes.get(before);
    if (before !== undefined && container !== undefined && sameFile(container, home)) {
      return { entries: this.entriesOf(container.element), after: `${before.start}` };
    }
    // Nothing of that file stands before it: it comes first there, or first of all where the file is not known.
    const { containers } = this.#file;
    const own = containers.find((each) => sameFile(each, home)) ?? containers.at(-1);
    return { entries: own && this.entriesOf(own.element), after: null };
  }

  entriesOf(element: XmlElement): XmlEntryFile {
    const known = this.#entries.get(element);
    if (known !== undefined) return known;
    const entries = xmlEntries(this.#file.text, element, (child) => `${child.start}`);
    this.#entries.set(element, entries);
    return entries;
  }
}

function sameFile(a: XliffContainer, b: XliffContainer): boolean {
  return fileKey(a.file) === fileKey(b.file);
}
