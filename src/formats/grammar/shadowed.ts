/** Nested keys that occur twice in their group: the last one counts, and everything below the others is never read. Pure. */
import type { Duplicate } from '../../format.ts';
import { joinKey, type KeyPath, type KeyStep } from '../text/key-path.ts';

/** An entry of a group. */
interface Child {
  readonly step: KeyStep;
  readonly start: number;
  /** Equal to `start` for an entry without a key. */
  readonly keyEnd: number;
  /** Keys of different kinds are different even with the same text: `1` and `"1"` of YAML. */
  readonly keyKind?: string;
}

interface KeyGroup<C> {
  readonly kind: string;
  readonly children?: readonly (C & { readonly value: KeyGroup<C> })[];
}

/** A key that occurs more than once, with its entries in order. */
export interface Repeated<C> {
  readonly path: KeyPath;
  readonly entries: readonly C[];
}

/** @param root entries below a shadowed entry are not visited */
export function repeatedKeys<C extends Child>(
  root: KeyGroup<C> | undefined,
  base: KeyPath = [],
): readonly Repeated<C>[] {
  if (root?.kind !== 'object' && root?.kind !== 'list') return [];
  const children = root.children ?? [];
  const named = children.filter((child) => child.keyEnd > child.start && child.step !== '<<');
  const kindAndKey = ({ step, keyKind = '' }: C) => `${keyKind} ${step}`;
  // Nearly no group has repeated keys; without this check, a hundred thousand lists of one entry each cost a tenth of the reading time.
  const isEachOne = new Set(named.map(kindAndKey)).size === named.length;
  const repeated = isEachOne
    ? []
    : [...Map.groupBy(named, kindAndKey).values()].filter((entries) => entries.length > 1);
  const shadowed = new Set(repeated.flatMap((entries) => entries.slice(0, -1)));
  return [
    ...repeated.map((entries) => ({ path: [...base, entries[0]?.step ?? ''], entries })),
    ...children
      .filter(({ value: { kind } }) => kind === 'object' || kind === 'list')
      .filter((group) => !shadowed.has(group))
      .flatMap(({ value, step }) => repeatedKeys(value, [...base, step])),
  ];
}

/** Entries that are never read, by the one that is. */
export function shadowedBy<C>(repeated: readonly Repeated<C>[]): ReadonlyMap<C, C> {
  return new Map(
    repeated.flatMap(({ entries }) => {
      const last = entries.at(-1);
      return last === undefined ? [] : entries.slice(0, -1).map((entry): [C, C] => [entry, last]);
    }),
  );
}

/** @param lineAt 1-based */
export function duplicatesIn<C extends Child>(
  repeated: readonly Repeated<C>[],
  lineAt: (offset: number) => number,
): readonly Duplicate[] {
  return repeated.map(({ path, entries }) => {
    const lines = entries.map(({ start }) => lineAt(start));
    return { id: joinKey(path), lines, read: lines.at(-1) ?? 1 };
  });
}

/** Whether each entry is removed, together with those that it shadows. */
export function withShadowed<C>(
  children: readonly C[],
  shadowed: ReadonlyMap<C, C>,
  leaves: (child: C) => boolean,
): boolean[] {
  const left = new Map(children.map((child) => [child, leaves(child)]));
  const goes = (child: C | undefined) => child !== undefined && left.get(child) === true;
  return children.map((child) => goes(child) || goes(shadowed.get(child)));
}
