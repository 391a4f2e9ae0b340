/** Keys that stand twice in a file: what the readers of each format do with them, in one table. Pure. */
import { JobFailure } from '../../failure.ts';
import {
  type Doc,
  type Duplicate,
  type FormatOptions,
  keyName,
  type Segment,
} from '../../format.ts';

/**
 * `last`, `first`: that one counts, the others are never read. `refused`: no reader takes the file. `each`: every entry has a
 * source of its own and stands for itself.
 */
export type Counting = 'last' | 'first' | 'refused' | 'each';

export const COUNTING = {
  // RFC 8259, 4: most readers report the last; JSON.parse does (ECMA-262, "CreateDataProperty"), and so do Dart and PHP.
  json: 'last',
  arb: 'last',
  js: 'last',
  php: 'last',
  // Xcode writes each key once, and merges no two.
  xcstrings: 'refused',
  // YAML 1.2.2, 3.2.1.1: keys are unique. TOML 1.0: "Defining a key multiple times is invalid."
  yaml: 'refused',
  toml: 'refused',
  // Python's configparser raises DuplicateOptionError.
  ini: 'refused',
  // java.util.Properties.load puts each into one table.
  properties: 'last',
  // Property lists are read into dictionaries (PlistBuddy prints the second value).
  strings: 'last',
  stringsdict: 'last',
  // aapt2: "duplicate value for resource".
  android: 'refused',
  // MSBuild, MSB3568: "Duplicate resource name is not allowed, ignored."
  resx: 'first',
  // FluentBundle.addResource: "Attempt to override an existing message", the first stays.
  ftl: 'first',
  // msgfmt: "duplicate message definition".
  po: 'refused',
  qt: 'each',
  xliff: 'each',
  csv: 'each',
} as const satisfies Readonly<Record<string, Counting>>;

/** A target that no reader takes is mended, not refused: its last entry counts, as most of them would have it. */
export function countingOf(
  format: keyof typeof COUNTING,
  { role }: Pick<FormatOptions, 'role'>,
): Counting {
  const counting = COUNTING[format];
  return counting === 'refused' && role === 'target' ? 'last' : counting;
}

/**
 * Entries numbered in the order of the file (`a`, `a#1`), with the plain id for the one that counts.
 * @param entries as `uniqueIds` numbered them: the first has the plain id
 */
export function numberedBy<E>(entries: ReadonlyMap<string, E>, counting: Counting): Map<string, E> {
  if (counting === 'first' || counting === 'each') return new Map(entries);
  const last = new Map([...entries.keys()].map((id) => [keyOf(id), id]));
  return new Map(
    [...entries].map(([id, entry]) => {
      const key = keyOf(id);
      if (last.get(key) === id) return [key, entry];
      return [`${key}#${1 + Number(numberOf(id))}`, entry];
    }),
  );
}

const NUMBER = /(?<!\\)#(\d+)$/;

function numberOf(id: string): number {
  return Number(NUMBER.exec(id)?.[1] ?? 0);
}

/** The id that an entry would have if it counted. */
export function keyOf(id: string): string {
  return id.replace(NUMBER, '');
}

/** What `check` says of it. */
export function describeDuplicate({ id, lines, read }: Duplicate): string {
  return `the key "${keyName(id)}" is in lines ${lines.join(' and ')}; readers take the one in line ${read}`;
}

/** Whether an id is that of an entry which another one shadows. */
export function isNumbered(id: string): boolean {
  return NUMBER.test(id);
}

interface Where {
  readonly counting: Counting;
  readonly file: string;
  /** All entries, where they are not the segments. */
  readonly entries?: readonly Pick<Segment, 'id' | 'line'>[];
}

/**
 * A document without the texts that are never read: they go with the one that counts, and are left out of copies.
 * @param doc all its segments, numbered by `numberedBy`
 * @throws JobFailure `malformed` with both lines
 */
export function withoutShadowed(doc: Doc, where: Where): Doc {
  const { counting, entries = doc.segments } = where;
  const shadowed = entries.filter(({ id }) => isNumbered(id));
  if (counting === 'each' || shadowed.length === 0) return doc;
  const keys = new Set(shadowed.map(({ id }) => keyOf(id)));
  const groups = Map.groupBy(
    entries.filter(({ id }) => keys.has(keyOf(id))),
    ({ id }) => keyOf(id),
  );
  const duplicates = [...groups].map(([id, same]): Duplicate => {
    const lines = same.map(({ line }) => line);
    return { id, lines, read: same.find((entry) => entry.id === id)?.line ?? 1 };
  });
  if (counting === 'refused') throw refusal(duplicates, where.file);
  return onlyCounting(doc, { groups, duplicates });
}

export function refusal(duplicates: readonly Duplicate[], file: string): JobFailure {
  const [first] = duplicates;
  const [one, line = 1] = first?.lines ?? [];
  const more = duplicates.length > 1 ? `; ${duplicates.length - 1} more keys are there twice` : '';
  return new JobFailure({
    kind: 'malformed',
    where: { file, line, column: 1 },
    message: `the key "${keyName(first?.id ?? '')}" is in line ${one} already${more}`,
  });
}

interface Shadows {
  readonly groups: ReadonlyMap<string, readonly Pick<Segment, 'id'>[]>;
  readonly duplicates: readonly Duplicate[];
}

function onlyCounting(doc: Doc, { groups, duplicates }: Shadows): Doc {
  const namesakes = (id: string) => groups.get(id)?.map((entry) => entry.id) ?? [id];
  const shadowed = [...groups.values()].flat().flatMap(({ id }) => (isNumbered(id) ? [id] : []));
  const { remove, rename } = doc;
  return {
    ...doc,
    segments: doc.segments.filter(({ id }) => !isNumbered(id)),
    duplicates,
    localeEdits: (language) => [
      ...(doc.localeEdits?.(language) ?? []),
      ...(remove?.(new Set(shadowed)) ?? []),
    ],
    ...(remove && { remove: (ids) => remove(new Set([...ids].flatMap(namesakes))) }),
    // One of two that is called otherwise would bring the other to light: such a key is taken out and put in anew.
    ...(rename && {
      rename: (renames) => rename(new Map([...renames].filter(([from]) => !groups.has(from)))),
    }),
  };
}
