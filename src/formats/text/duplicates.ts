/** Keys that occur twice in a file: one table of how the readers of each format treat them. Pure. */
import { JobFailure } from '../../failure.ts';
import {
  type Doc,
  type Duplicate,
  type FormatOptions,
  keyName,
  type Segment,
} from '../../format.ts';

/**
 * `last`, `first`: that entry is read, the others never are. `refused`: readers refuse the file. `each`: every entry has a source of its
 * own and is read by itself.
 */
export type Counting = 'last' | 'first' | 'refused' | 'each';

export const COUNTING = {
  // RFC 8259, 4: most readers report the last; JSON.parse does (ECMA-262, "CreateDataProperty"), and so do Dart and PHP.
  json: 'last',
  arb: 'last',
  js: 'last',
  php: 'last',
  // Xcode never writes a key twice, and does not merge two entries.
  xcstrings: 'refused',
  // YAML 1.2.2, 3.2.1.1: keys are unique. TOML 1.0: "Defining a key multiple times is invalid."
  yaml: 'refused',
  toml: 'refused',
  // Python's configparser raises DuplicateOptionError.
  ini: 'refused',
  // java.util.Properties.load puts every entry into one table.
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

/** A target that readers would refuse is repaired instead: its last entry is read, as most readers would do. */
export function countingOf(
  format: keyof typeof COUNTING,
  { role }: Pick<FormatOptions, 'role'>,
): Counting {
  const counting = COUNTING[format];
  return counting === 'refused' && role === 'target' ? 'last' : counting;
}

/**
 * Numbers equal keys in file order (`a`, `a#1`) so that the entry that is read has the plain id.
 * @param entries as `uniqueIds` numbered them: the first has the plain id
 */
export function numberedBy<E>(entries: ReadonlyMap<string, E>, counting: Counting): Map<string, E> {
  if (counting === 'first' || counting === 'each') return new Map(entries);
  const last = new Map([...entries.keys()].map((id) => [plainId(id), id]));
  return new Map(
    [...entries].map(([id, entry]) => {
      const key = plainId(id);
      if (last.get(key) === id) return [key, entry];
      return [`${key}#${1 + Number(numberOf(id))}`, entry];
    }),
  );
}

const NUMBER_OF_DUPLICATE = /(?<!\\)#(\d+)$/;

function numberOf(id: string): number {
  return Number(NUMBER_OF_DUPLICATE.exec(id)?.[1] ?? 0);
}

/** The id without the number of a duplicate. */
export function plainId(id: string): string {
  return id.replace(NUMBER_OF_DUPLICATE, '');
}

/** The sentence of `check` about a duplicate. */
export function describeDuplicate({ id, lines, read }: Duplicate): string {
  const where = `the key "${keyName(id)}" is in lines ${lines.join(' and ')}`;
  return read === undefined
    ? `${where}; a program that looks texts up by their keys takes one of them`
    : `${where}; readers take the one in line ${read}`;
}

/** Formats whose entries are each read by themselves: the keys that several of them have. */
export function keysWithNamesakes(entries: readonly Pick<Segment, 'id' | 'line'>[]): Duplicate[] {
  if (!entries.some(({ id }) => isNumbered(id))) return [];
  return [...Map.groupBy(entries, ({ id }) => plainId(id))].flatMap(([id, same]) =>
    same.length < 2 ? [] : [{ id, lines: same.map(({ line }) => line) }],
  );
}

/** Whether the id is that of a duplicate that is never read. */
export function isNumbered(id: string): boolean {
  return NUMBER_OF_DUPLICATE.test(id);
}

interface Where {
  readonly counting: Counting;
  readonly file: string;
  /** All entries, when they are not the segments. */
  readonly entries?: readonly Pick<Segment, 'id' | 'line'>[];
}

/**
 * The document without entries that are never read. They are removed with the entry that is read, and are left out of copies.
 * @param doc with all its segments, numbered by `numberedBy`
 * @throws JobFailure `malformed` with both lines
 */
export function withoutShadowed(doc: Doc, where: Where): Doc {
  const { counting, entries = doc.segments } = where;
  const shadowed = entries.filter(({ id }) => isNumbered(id));
  if (counting === 'each' || shadowed.length === 0) return doc;
  const keys = new Set(shadowed.map(({ id }) => plainId(id)));
  const groups = Map.groupBy(
    entries.filter(({ id }) => keys.has(plainId(id))),
    ({ id }) => plainId(id),
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
    // Renaming one of two equal keys would make the other one readable, so such a key is removed and inserted again.
    ...(rename && {
      rename: (renames, along) =>
        rename(new Map([...renames].filter(([from]) => !groups.has(from))), along),
    }),
  };
}
