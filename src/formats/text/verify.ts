/**
 * The last check before a write: the output is read again, and its ids, its texts and the bytes between them must be as intended. It has
 * found every encoder bug so far; nothing is written without it.
 */
import { formatLocation, JobFailure } from '../../failure.ts';
import { excerptOf, type Part, partsText, type Segment } from '../../format.ts';
import type { SegmentProblem } from '../../job.ts';
import type { OpenFile, Reader } from './open.ts';
import { sameFoldedParts, sameParts } from './parts.ts';

export interface Intended {
  readonly id: string;
  readonly parts: readonly Part[];
  /** The range of the written text; everything outside the ranges is unchanged by construction. Absent for inserted entries. */
  readonly region?: { readonly start: number; readonly end: number };
}

/**
 * By id: texts that the format reads with other white space than was intended. They must be remembered as they are read; otherwise they
 * would look edited by a person.
 */
export type ReadOtherwise = ReadonlyMap<string, readonly Part[]>;

/** Keyed formats: every intended id occurs once, and no other. */
export function verify(
  after: OpenFile,
  intended: readonly Intended[],
  reader: Reader,
): ReadOtherwise {
  const found = new Map(after.doc.segments.map((segment) => [segment.id, segment]));
  const problems: SegmentProblem[] = [];
  const otherwise = new Map<string, readonly Part[]>();
  for (const wanted of intended) {
    const segment = found.get(wanted.id);
    found.delete(wanted.id);
    const message = difference(wanted, segment, reader);
    if (message !== undefined) problems.push(problemAt(wanted.id, segment, message));
    noteOtherwise(otherwise, wanted, segment, reader);
  }
  for (const segment of found.values()) {
    // A new file has the references of its source, which are not texts in a target.
    if (segment.isReference) continue;
    problems.push(newText(segment));
  }
  refuseSegments(problems, reader);
  return otherwise;
}

function noteOtherwise(
  otherwise: Map<string, readonly Part[]>,
  { id, parts }: Intended,
  found: Segment | undefined,
  { format }: Reader,
): void {
  if (format.foldsWhitespace !== true || found === undefined) return;
  if (partsText(found.parts) !== partsText(parts)) otherwise.set(id, found.parts);
}

/** Sequences: each text is at its place, and between them are only texts that a person put there. */
export function verifyInOrder(
  after: OpenFile,
  intended: readonly Intended[],
  reader: Reader & { readonly loose?: readonly Segment[] },
): ReadOtherwise {
  const rest = after.doc.segments.values();
  let next = rest.next().value;
  const loose = Map.groupBy(reader.loose ?? [], ({ parts }) => folded(parts));
  const problems: SegmentProblem[] = [];
  const otherwise = new Map<string, readonly Part[]>();
  const skipTo = (offset: number) => {
    for (; next !== undefined && next.start < offset; next = rest.next().value) {
      const isKnown = loose.get(folded(next.parts))?.pop() !== undefined;
      if (!isKnown) problems.push(newText(next));
    }
  };
  for (const wanted of intended) {
    const { start, end } = wanted.region ?? { start: 0, end: 0 };
    skipTo(start);
    const isHere = next !== undefined && next.start < Math.max(end, start + 1);
    const message = difference(wanted, isHere ? next : undefined, reader);
    noteOtherwise(otherwise, wanted, isHere ? next : undefined, reader);
    if (message !== undefined)
      problems.push(problemAt(wanted.id, isHere ? next : undefined, message));
    // A text that is read back as several is reported once.
    if (isHere)
      do next = rest.next().value;
      while (message !== undefined && next !== undefined && next.start < end);
  }
  skipTo(Number.POSITIVE_INFINITY);
  refuseSegments(problems, reader);
  return otherwise;
}

/**
 * A page gets no tag without its other half, unless its source or its target has such tags.
 * @param suspects ids of texts, the first of which is named as the cause
 */
export function verifyPairs(
  after: OpenFile,
  {
    suspects,
    known,
  }: { readonly suspects: readonly string[]; readonly known: readonly OpenFile[] },
  reader: Reader,
): void {
  const [key = ''] = suspects;
  const allowed = (name: string) =>
    known.reduce((sum, { doc }) => sum + (doc.unpaired?.get(name) ?? 0), 0);
  for (const [name, count] of after.doc.unpaired ?? []) {
    if (count <= allowed(name)) continue;
    refuseSegments(
      [{ key, message: `would leave a tag <${name}> without its other half` }],
      reader,
    );
  }
}

/** Each text that is written has a place in the target. Else it would be paid for, and no reader would see it. */
export function verifyPlaced(
  placements: ReadonlyMap<string, { readonly kind: string }>,
  intended: readonly Intended[],
  reader: Reader,
): void {
  const placed = new Set(intended.map(({ id }) => id));
  const problems = [...placements].flatMap(([key, { kind }]) =>
    kind === 'write' && !placed.has(key) ? [{ key, message: NO_PLACE }] : [],
  );
  refuseSegments(problems, reader);
}

const NO_PLACE = 'would have no place in the target';

function folded(parts: readonly Part[]): string {
  return partsText(parts).replace(/\s+/g, ' ').trim();
}

function difference(
  wanted: Intended,
  found: Segment | undefined,
  { format }: Reader,
): string | undefined {
  if (found === undefined) return 'is not found again';
  const same = format.foldsWhitespace ? sameFoldedParts : sameParts;
  if (!same(found.parts, wanted.parts)) return 'would not be read as it was written';
  const { region } = wanted;
  if (region === undefined) return undefined;
  return found.start >= region.start && found.end <= region.end
    ? undefined
    : 'reaches beyond its place';
}

// More of it would hide the rest of the message.
const EXCERPT = 60;

/** The key of a text of a page is a hash, so its words name it. */
function newText(segment: Segment): SegmentProblem {
  const words = excerptOf(partsText(segment.parts), EXCERPT);
  return problemAt(segment.id, segment, `was not there before: "${words}"`);
}

function problemAt(key: string, found: Segment | undefined, message: string): SegmentProblem {
  return found === undefined ? { key, message } : { key, line: found.line, message };
}

export function refuseSegments(
  problems: readonly SegmentProblem[],
  { options, format }: Reader,
): void {
  const [first] = problems;
  if (first === undefined) return;
  // The key of a text of a page is a hash.
  const isPage = format.shape === 'sequence';
  const { line } = first;
  const { file } = options;
  const place = isPage && line !== undefined ? formatLocation({ file, line }) : file;
  const name = isPage ? 'a text' : `"${first.key}"`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw new JobFailure(
    {
      kind: 'internal',
      message: `${place}: ${name} ${first.message}${more}; the ${format.name} file was not written`,
    },
    { cause: problems },
  );
}

/** The segments that `compose` refused, so that they can be held alone; empty for every other error. */
export function refusedSegments(error: unknown): readonly SegmentProblem[] {
  return error instanceof JobFailure && Array.isArray(error.cause) ? error.cause : [];
}
