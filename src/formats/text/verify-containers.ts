/**
 * The last check of lists, quotes and elements before a write. A text stays in the containers that it has in the target, or gets those of
 * its source. Neighbours that share a list still share it. A new text is as deep beside its nearest neighbour as in the source. Pure.
 */
import { JobFailure } from '../../failure.ts';
import type { WithinBlocks } from '../../format.ts';
import type { OpenFile, Reader } from './open.ts';
import { type Intended, refuseSegments } from './verify.ts';

/** The containers of each text, by its id; undefined: it is at the margin. */
export type ContainersById = ReadonlyMap<string, WithinBlocks | undefined>;

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
      return [id, next?.within] as const;
    }),
  );
}

type WrittenPage = PageContainers & { readonly written: ContainersById };

/** Whether a text of the target is in other containers than there and in its source. */
function isElsewhere({ written, source, target }: WrittenPage, id: string): boolean {
  if (!target.has(id)) return false;
  const now = kindsIn(written.get(id));
  return now !== kindsIn(target.get(id)) && !(source.has(id) && now === kindsIn(source.get(id)));
}

/** Whether a text and the one before shared other containers in the target and in the source. */
function isTornApart({ written, source, target }: WrittenPage, pair: Pair): boolean {
  const now = sharedIn(written, pair);
  const before = sharedIn(target, pair);
  return before !== undefined && now !== before && now !== sharedIn(source, pair);
}

/** New texts that are not beside their nearest neighbour as in the source, though the target is built like the source there. */
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
  const shared = (each: string | undefined) => sharedIn(source, [each, id]) ?? -1;
  const [nearest] = neighbours.toSorted((one, other) => shared(other) - shared(one));
  if (nearest === undefined) return false;
  const kinds = kindsIn(source.get(nearest));
  const isAlike = [target, written].every((each) => kindsIn(each.get(nearest)) === kinds);
  if (!isAlike) return false;
  const isAsDeep = kindsIn(written.get(id)) === kindsIn(source.get(id));
  return !isAsDeep || sharedIn(written, [nearest, id]) !== shared(nearest);
}

type Pair = readonly [string | undefined, string | undefined];

function kindsIn(within: WithinBlocks | undefined): string {
  return within?.containers.map(({ kind }) => kind).join(' ') ?? '';
}

/** How many containers two texts share. Undefined: the page does not have both. */
function sharedIn(page: ContainersById, [one, other]: Pair): number | undefined {
  if (one === undefined || other === undefined || !page.has(one) || !page.has(other))
    return undefined;
  const [a, b] = [page.get(one), page.get(other)];
  if (a === undefined || b === undefined || a.start !== b.start) return 0;
  const first = a.containers.findIndex((each, depth) => each !== b.containers[depth]);
  return first === -1 ? a.containers.length : first;
}
