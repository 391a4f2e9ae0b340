/** Which gettext entries take the place of entries that an edited source left behind. Pure. */
import { alikeness } from '../../segments/similarity.ts';
import type { PoEntry, PoFile } from './po-entries.ts';

/** An entry that comes in, as the source has it. */
export interface Comer {
  readonly entry: PoEntry;
  /** Id of the entry of the target that it stands behind; null: first. */
  readonly after: string | null;
}

interface Pair {
  readonly from: PoEntry;
  readonly to: PoEntry;
  readonly score: number;
}

/** The entries that take the place of entries that go, by the id of the latter; without those of which it cannot be told. */
export function successors(
  { entries }: PoFile,
  gone: ReadonlySet<string>,
  comers: readonly Comer[],
): ReadonlyMap<string, PoEntry> {
  const leaving = [...entries.values()].filter(({ id }) => gone.has(id));
  const pairs = [
    ...pairsOfPlaces(placesOf(entries, gone), comers),
    ...pairsOfKeys(leaving, comers),
  ];
  const found = new Map<string, PoEntry>();
  const taken = new Set<PoEntry>();
  for (const { from, to } of pairs.sort((a, b) => b.score - a.score)) {
    if (found.has(from.id) || taken.has(to)) continue;
    found.set(from.id, to);
    taken.add(to);
  }
  return found;
}

/** Entries that go, by the entry before them that stays. */
function placesOf(
  entries: ReadonlyMap<string, PoEntry>,
  gone: ReadonlySet<string>,
): Map<string | null, PoEntry[]> {
  const places = new Map<string | null, PoEntry[]>();
  let after: string | null = null;
  for (const entry of entries.values()) {
    if (gone.has(entry.id)) places.set(after, [...(places.get(after) ?? []), entry]);
    else after = entry.id;
  }
  return places;
}

// A whole file may change at once: 100,000 entries must take seconds.
const NEIGHBOURS = 20;

/** Between the same neighbours: alike texts, or as many entries as before in the same order. */
function pairsOfPlaces(
  places: ReadonlyMap<string | null, readonly PoEntry[]>,
  comers: readonly Comer[],
): Pair[] {
  const coming = Map.groupBy(comers, ({ after }) => after);
  return [...places].flatMap(([after, leaving]) => {
    const here = (coming.get(after) ?? []).map(({ entry }) => entry);
    const isOrdered = here.length === leaving.length;
    return leaving.flatMap((from, index) => {
      const first = Math.max(0, index - NEIGHBOURS);
      return here.slice(first, index + NEIGHBOURS).flatMap((to, offset) => {
        const isInPlace = isOrdered && first + offset === index && agree(from, to);
        const isTold = isInPlace || isAlike(from, to) || isSameUse(from, to);
        return isTold ? [{ from, to, score: scoreOf(from, to) + (isInPlace ? 0.5 : 0.25) }] : [];
      });
    });
  });
}

/** Anywhere: the same msgid in another context or with other forms, or the same line of the program. */
function pairsOfKeys(leaving: readonly PoEntry[], comers: readonly Comer[]): Pair[] {
  const byKey = new Map<string, PoEntry[]>();
  for (const { entry } of comers) {
    for (const key of keysOf(entry)) byKey.set(key, [...(byKey.get(key) ?? []), entry]);
  }
  return leaving.flatMap((from) =>
    keysOf(from).flatMap((key) => {
      const [to, ...others] = byKey.get(key) ?? [];
      return to === undefined || others.length > 0 ? [] : [{ from, to, score: scoreOf(from, to) }];
    }),
  );
}

function keysOf(entry: PoEntry): string[] {
  return [`msgid ${entry.msgid.text}`, ...referencesOf(entry).map((place) => `#: ${place}`)];
}

function scoreOf(from: PoEntry, to: PoEntry): number {
  const isSame = from.id === to.id ? 2 : 0;
  const isSameContext = from.context !== undefined && from.context === to.context ? 0.25 : 0;
  const text = alikeness(from.msgid.text, to.msgid.text);
  return isSame + text + isSameContext + (isSameUse(from, to) ? 0.5 : 0);
}

function isAlike(from: PoEntry, to: PoEntry): boolean {
  return alikeness(from.msgid.text, to.msgid.text) >= 0.5;
}

function isSameUse(from: PoEntry, to: PoEntry): boolean {
  const places = new Set(referencesOf(to));
  return referencesOf(from).some((place) => places.has(place));
}

/** Nothing says that they are two: the same context, and files of the program in common where both name some. */
function agree(from: PoEntry, to: PoEntry): boolean {
  const files = (entry: PoEntry) =>
    new Set(referencesOf(entry).map((place) => place.replace(/:\d+$/, '')));
  const [before, now] = [files(from), files(to)];
  const isOtherFile = before.size > 0 && now.size > 0 && before.isDisjointFrom(now);
  return from.context === to.context && !isOtherFile;
}

function referencesOf({ comments }: PoEntry): string[] {
  return comments.flatMap(({ text }) =>
    text.startsWith('#:') ? text.slice(2).trim().split(/\s+/) : [],
  );
}
