/**
 * The last check of lists, quotes and elements before a write. A text stays in the containers that it has in the target, or gets those of
 * its source. Neighbours that share a list still share it. A new text is the block that it is in the source, and as deep beside its nearest
 * neighbour. Pure.
 */
import { JobFailure } from '../../failure.ts';
import type { Segment } from '../../format.ts';
import type { OpenFile, Reader } from './open.ts';
import { type Intended, refuseSegments } from './verify.ts';

/** Where each text is, by its id; undefined: it was not found. */
export type ContainersById = ReadonlyMap<string, Pick<Segment, 'within' | 'leaf'> | undefined>;

interface PageContainers {
  readonly source: ContainersById;
  readonly target: ContainersById;
}

/** @throws JobFailure whose cause is the list of SegmentProblems; without that list when no new text is to blame */
export function verifyContainers(
  written: ContainersById,
  pages: PageContainers,
  reader: Reader,
): void {
  const page = { ...pages, written };
  const ids = [...written.keys()];
  const moved = ids.flatMap((id, at) =>
    isElsewhere(page, id) || isTornApart(page, [ids[at - 1], id]) ? [at] : [],
  );
  const isNew = (id: string | undefined) => id !== undefined && !pages.target.has(id);
  const blamed = moved.flatMap((at) => [ids[at - 1], ids[at + 1], ids[at - 2]].find(isNew) ?? []);
  const message = 'would be in another list, quote or element than beside its neighbours';
  const keys = new Set([...misplacedIn(page, ids), ...blamed]);
  refuseSegments(
    [...keys].map((key) => ({ key, message })),
    reader,
  );
  if (moved.length === 0) return;
  const where = { file: reader.options.file };
  throw new JobFailure({ kind: 'malformed', where, message: 'a list or a quote would be cut' });
}

/** The containers of the texts of a page as it was read back. */
export function containersOf({ doc }: OpenFile, intended: readonly Intended[]): ContainersById {
  const texts = doc.segments.values();
  let next = texts.next().value;
  return new Map(
    intended.map(({ id, region }) => {
      while (next !== undefined && next.start < (region?.start ?? 0)) next = texts.next().value;
      return [id, next] as const;
    }),
  );
}

type WrittenPage = PageContainers & { readonly written: ContainersById };

/** Whether a text of the target is in other containers than there and in its source. */
function isElsewhere({ written, source, target }: WrittenPage, id: string): boolean {
  if (!target.has(id)) return false;
  const now = kindsOf(written, id);
  return now !== kindsOf(target, id) && !(source.has(id) && now === kindsOf(source, id));
}

/** Whether a text and the one before shared other containers in the target and in the source. */
function isTornApart({ written, source, target }: WrittenPage, pair: Pair): boolean {
  const now = sharedIn(written, pair);
  const before = sharedIn(target, pair);
  return before !== undefined && now !== before && now !== sharedIn(source, pair);
}

/** New texts that are another block than in the source, or not beside their nearest neighbour as there. */
function misplacedIn(page: WrittenPage, ids: readonly string[]): readonly string[] {
  const { source, target } = page;
  const isKnown = (id: string) => target.has(id) && source.has(id);
  const behind: (string | undefined)[] = [];
  ids.reduceRight<string | undefined>((next, id, at) => {
    behind[at] = next;
    return isKnown(id) ? id : next;
  }, undefined);
  let before: string | undefined;
  return ids.filter((id, at) => {
    if (isKnown(id)) before = id;
    return !target.has(id) && source.has(id) && isMisplaced(page, id, [before, behind[at]]);
  });
}

function isMisplaced(
  { written, source, target }: WrittenPage,
  id: string,
  neighbours: readonly (string | undefined)[],
): boolean {
  if (written.get(id)?.leaf !== source.get(id)?.leaf) return true;
  const shared = (each: string | undefined) => sharedIn(source, [each, id]) ?? -1;
  const [nearest] = neighbours.toSorted((one, other) => shared(other) - shared(one));
  const [own, now] = [kindsOf(source, id), kindsOf(written, id)];
  if (nearest === undefined) return now !== own;
  const kinds = kindsOf(source, nearest);
  const others = [target, written].map((page) => kindsOf(page, nearest));
  if (others.every((each) => each === kinds)) {
    return now !== own || sharedIn(written, [nearest, id]) !== shared(nearest);
  }
  const places = others.map((beside) => placeBeside({ own, kinds, beside }, shared(nearest)));
  return !places.includes(undefined) && now !== own && !places.includes(now);
}

interface Beside {
  /** The containers of a text and of its neighbour in the source. */
  readonly own: string;
  readonly kinds: string;
  /** Those of the neighbour in the target. */
  readonly beside: string;
}

/** The containers that a text gets beside a neighbour that a person has put into others; undefined: that is not known. */
function placeBeside({ own, kinds, beside }: Beside, shared: number): string | undefined {
  const [mine, before, there] = [own, kinds, beside].map(kindList) as [Kinds, Kinds, Kinds];
  if (before.length === there.length) {
    return [...there.slice(0, shared), ...mine.slice(shared)].join(' ');
  }
  const around = there.slice(0, Math.max(0, there.length - before.length));
  const isAround = [...around, ...before].join(' ') === beside;
  if (isAround) return [...around, ...mine].join(' ');
  return shared === 0 ? own : undefined;
}

type Kinds = readonly string[];

function kindList(kinds: string): Kinds {
  return kinds === '' ? [] : kinds.split(' ');
}

type Pair = readonly [string | undefined, string | undefined];

/** The kinds of the containers of a text, the outermost first. */
function kindsOf(page: ContainersById, id: string): string {
  const containers = page.get(id)?.within?.containers ?? [];
  return containers.map(({ kind }) => kind.replaceAll(' ', ':')).join(' ');
}

/** How many containers two texts share. Undefined: the page does not have both. */
function sharedIn(page: ContainersById, [one, other]: Pair): number | undefined {
  if (one === undefined || other === undefined || !page.has(one) || !page.has(other))
    return undefined;
  const [a, b] = [page.get(one)?.within, page.get(other)?.within];
  if (a === undefined || b === undefined || a.start !== b.start) return 0;
  const first = a.containers.findIndex((each, depth) => each !== b.containers[depth]);
  return first === -1 ? a.containers.length : first;
}
