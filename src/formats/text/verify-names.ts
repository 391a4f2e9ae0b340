/**
 * The last check of names before a write. No key of the front matter comes twice: site generators refuse that. No label of a definition or
 * footnote does: the first one would hide the other. Pure.
 */
import { JobFailure } from '../../failure.ts';
import type { FramePiece } from '../../segments/frame/frame.ts';
import { type NamedLines, namedLines } from '../../segments/frame/named-lines.ts';
import type { Reader } from './open.ts';
import { refuseSegments } from './verify.ts';

interface NamedSides {
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

/**
 * A text that is new in the page and brings a name that it has is refused alone.
 *
 * @throws JobFailure, whose cause may be a list of SegmentProblems
 */
export function verifyNames(
  written: readonly FramePiece[],
  { source, target }: NamedSides,
  reader: Reader,
): void {
  const [theirs, mine] = [byName(source), byName(target)];
  const most = (name: string) =>
    Math.max(1, theirs.get(name)?.length ?? 0, mine.get(name)?.length ?? 0);
  const twice = [...byName(written)].filter(([name, lines]) => lines.length > most(name));
  const [first] = twice;
  if (first === undefined) return;
  const old = new Set(idsOf(target));
  const problems = twice.flatMap(([name, lines]) =>
    lines
      .flatMap(({ from, to }) => idsOf(written.slice(from, to)))
      .filter((id) => !old.has(id))
      .map((key) => ({ key, message: `would be a second ${name} of the page` })),
  );
  refuseSegments(problems, reader);
  const message = `the page would have ${first[0]} twice`;
  throw new JobFailure({ kind: 'malformed', where: { file: reader.options.file }, message });
}

function byName(pieces: readonly FramePiece[]): ReadonlyMap<string, readonly NamedLines[]> {
  return Map.groupBy(namedLines(pieces), ({ name }) => name);
}

function idsOf(pieces: readonly FramePiece[]): string[] {
  return pieces.flatMap((piece) => (piece.kind === 'segment' ? [piece.id] : []));
}
