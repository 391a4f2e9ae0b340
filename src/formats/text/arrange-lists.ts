/**
 * A list element is identified by its index. When elements move in the source, they are moved in the target before any text is written. If
 * the texts were written over each other instead, comments, quotes and shapes would stay with the wrong elements.
 */
import { JobFailure } from '../../failure.ts';
import { type Insertion, type Segment, sourceParts } from '../../format.ts';
import type { ListOrder } from '../../segments/lists.ts';
import type { Composition } from './composition.ts';
import { type OpenFile, reread } from './open.ts';
import { splice } from './splice.ts';
import { type Intended, verify } from './verify.ts';

export interface Arranged {
  readonly file: OpenFile;
  /** Ids that still must be removed. */
  readonly removed: ReadonlySet<string>;
}

/** Moves the elements of lists. A list that cannot be moved stays: its texts are then written over each other. */
export function arrangeLists(
  target: OpenFile,
  expected: readonly Segment[],
  composition: Composition,
): Arranged {
  const { orders = [], removed = new Set<string>() } = composition;
  const byDepth = Map.groupBy(target.doc.arrange === undefined ? [] : orders, ({ depth }) => depth);
  let arranged: Arranged = { file: target, removed };
  for (const [, lists] of [...byDepth].toSorted(([a], [b]) => a - b)) {
    arranged = arrangeAll(arranged, lists, { ...composition, expected });
  }
  return arranged;
}

type ListComposition = Composition & { readonly expected: readonly Segment[] };

/** Moves all lists at once; if the result does not read back, one by one. */
function arrangeAll(
  before: Arranged,
  lists: readonly ListOrder[],
  wanted: ListComposition,
): Arranged {
  const whole = arrange(before, lists, wanted);
  if (whole !== undefined || lists.length < 2) return whole ?? before;
  return lists.reduce((now, list) => arrange(now, [list], wanted) ?? now, before);
}

interface ListMove {
  readonly order: ListOrder;
  readonly elements: readonly (number | readonly Insertion[])[];
}

function arrange(
  { file, removed }: Arranged,
  lists: readonly ListOrder[],
  wanted: ListComposition,
): Arranged | undefined {
  const moves = lists.flatMap((order): ListMove[] => {
    const elements = elementsOf(order, wanted);
    return elements === undefined ? [] : [{ order, elements }];
  });
  const done = moves.flatMap(({ order, elements }) => {
    const list = order.open.replace(/[.[]$/, '');
    const edits = file.doc.arrange?.({ list, length: order.current, elements });
    return edits === undefined ? [] : [{ order, elements, edits }];
  });
  if (done.length === 0) return undefined;
  try {
    const text = splice(
      file.text,
      done.flatMap(({ edits }) => edits),
    );
    const after = reread(file, text, wanted);
    verify(after, intendedAfter(file, done), wanted);
    const gone = new Set(done.flatMap(({ order }) => order.gone));
    return { file: after, removed: removed.difference(gone) };
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
}

/** Undefined when a new element has no text: a list cannot have holes. */
function elementsOf(
  { open, from }: ListOrder,
  wanted: ListComposition,
): ListMove['elements'] | undefined {
  const texts = Map.groupBy(
    wanted.expected.filter(({ id }) => id.startsWith(open)),
    ({ id }) => Number(/^\d+/.exec(id.slice(open.length))?.[0]),
  );
  const elements = from.map((index, at) => index ?? insertionsFor(texts.get(at) ?? [], wanted));
  return elements.some((each) => typeof each !== 'number' && each.length === 0)
    ? undefined
    : elements;
}

function insertionsFor(
  segments: readonly Segment[],
  { texts, source }: ListComposition,
): Insertion[] {
  return segments.flatMap((segment) => {
    const own = segment.positional ? sourceParts(segment) : undefined;
    const parts = texts?.get(segment.id) ?? own;
    return parts === undefined ? [] : [{ segment, parts, after: null, sourceText: source.text }];
  });
}

function intendedAfter({ doc }: OpenFile, moves: readonly ListMove[]): Intended[] {
  const places = new Map(
    moves.map(({ order, elements }) => {
      const to = new Map(
        elements.flatMap((from, at) => (typeof from === 'number' ? [[from, at]] : [])),
      );
      return [order.open, to];
    }),
  );
  const existing = doc.segments.flatMap(({ id, parts }): Intended[] => {
    const open = [...places.keys()].find(
      (each) => id.startsWith(each) && /^\d/.test(id.slice(each.length)),
    );
    if (open === undefined) return [{ id, parts }];
    const [index = ''] = /^\d+/.exec(id.slice(open.length)) ?? [];
    const to = places.get(open)?.get(Number(index));
    return to === undefined
      ? []
      : [{ id: `${open}${to}${id.slice(open.length + index.length)}`, parts }];
  });
  const added = moves.flatMap(({ elements }) =>
    elements.flatMap((each) => (typeof each === 'number' ? [] : each)),
  );
  return [...existing, ...added.map(({ segment, parts }) => ({ id: segment.id, parts }))];
}
