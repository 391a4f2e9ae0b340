/** Finds the messages that replace those of an edited source, in formats whose key is the text (gettext, Qt). Pure. */
import { alikeness } from '../../segments/similarity.ts';

/** The facts about a message in its program and file. */
export interface Message {
  readonly id: string;
  readonly text: string;
  readonly context: string | undefined;
  /** Lines of the program, as `file:line`. */
  readonly references: readonly string[];
}

/** A new message of the source. */
export interface NewMessage {
  readonly entry: Message;
  /** Id of the target's message before it; null: first. */
  readonly after: string | null;
}

interface MessagePair {
  readonly from: Message;
  readonly to: Message;
  readonly score: number;
}

/**
 * The message that replaces each leaving one, by the id of the leaving one; messages without a clear replacement are left out.
 * @param entries messages of the target, by id, in its order
 */
export function successors(
  entries: ReadonlyMap<string, Message>,
  gone: ReadonlySet<string>,
  comers: readonly NewMessage[],
): ReadonlyMap<string, Message> {
  const leaving = [...entries.values()].filter(({ id }) => gone.has(id));
  const pairs = [
    ...pairsOfPlaces(placesOfGone(entries, gone), comers),
    ...pairsOfKeys(leaving, comers),
    ...pairsOfTexts(leaving, comers),
  ];
  const found = new Map<string, Message>();
  const taken = new Set<Message>();
  for (const { from, to } of pairs.sort((a, b) => b.score - a.score)) {
    if (found.has(from.id) || taken.has(to)) continue;
    found.set(from.id, to);
    taken.add(to);
  }
  return found;
}

/** Leaving entries, by the entry before them that stays. */
function placesOfGone(
  entries: ReadonlyMap<string, Message>,
  gone: ReadonlySet<string>,
): Map<string | null, Message[]> {
  const places = new Map<string | null, Message[]>();
  let after: string | null = null;
  for (const entry of entries.values()) {
    if (gone.has(entry.id)) places.set(after, [...(places.get(after) ?? []), entry]);
    else after = entry.id;
  }
  return places;
}

// A whole file may change at once, and 100,000 entries must take seconds.
const NEIGHBOURS = 20;

/** Pairs between the same neighbours: similar texts, or as many entries as before in the same order. */
function pairsOfPlaces(
  places: ReadonlyMap<string | null, readonly Message[]>,
  comers: readonly NewMessage[],
): MessagePair[] {
  const coming = Map.groupBy(comers, ({ after }) => after);
  return [...places].flatMap(([after, leaving]) => {
    const here = (coming.get(after) ?? []).map(({ entry }) => entry);
    const isOrdered = here.length === leaving.length;
    return leaving.flatMap((from, index) => {
      const first = Math.max(0, index - NEIGHBOURS);
      return here.slice(first, index + NEIGHBOURS).flatMap((to, offset) => {
        const isInPlace = isOrdered && first + offset === index && agree(from, to);
        const isCertainSuccessor = isInPlace || isAlike(from, to) || isSameUse(from, to);
        return isCertainSuccessor
          ? [{ from, to, score: scoreOf(from, to) + (isInPlace ? 0.5 : 0.25) }]
          : [];
      });
    });
  });
}

/** Pairs anywhere: the same msgid in another context or with other forms, or the same line of the program. */
function pairsOfKeys(leaving: readonly Message[], comers: readonly NewMessage[]): MessagePair[] {
  const byKey = new Map<string, Message[]>();
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

// Each pair of texts is compared.
const COMPARED = 2000;

/** Similar texts anywhere: a person's file may have its messages in another order. */
function pairsOfTexts(leaving: readonly Message[], comers: readonly NewMessage[]): MessagePair[] {
  if (leaving.length * comers.length > COMPARED) return [];
  return leaving.flatMap((from) =>
    comers.flatMap(({ entry: to }) =>
      isAlike(from, to) ? [{ from, to, score: scoreOf(from, to) }] : [],
    ),
  );
}

function keysOf(entry: Message): string[] {
  return [`msgid ${entry.text}`, ...entry.references.map((place) => `#: ${place}`)];
}

function scoreOf(from: Message, to: Message): number {
  const isSame = from.id === to.id ? 2 : 0;
  const isSameContext = from.context !== undefined && from.context === to.context ? 0.25 : 0;
  const text = alikeness(from.text, to.text);
  return isSame + text + isSameContext + (isSameUse(from, to) ? 0.5 : 0);
}

function isAlike(from: Message, to: Message): boolean {
  return alikeness(from.text, to.text) >= 0.5;
}

function isSameUse(from: Message, to: Message): boolean {
  const places = new Set(to.references);
  return from.references.some((place) => places.has(place));
}

/** Nothing shows that they are two messages: they have the same context, and common program files if both name some. */
function agree(from: Message, to: Message): boolean {
  const files = (entry: Message) =>
    new Set(entry.references.map((place) => place.replace(/:\d+$/, '')));
  const [before, now] = [files(from), files(to)];
  const isOtherFile = before.size > 0 && now.size > 0 && before.isDisjointFrom(now);
  return from.context === to.context && !isOtherFile;
}
