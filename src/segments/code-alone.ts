/**
 * Paragraphs of a translation that have only the code of their source: "* `event`" for "* `event` Event". A person left out the words; the
 * paragraph is not missing, and its words are not bought. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText, type Segment } from '../format.ts';
import type { SequenceAlignment } from './align-sequence.ts';
import type { WantedSegment } from './decision.ts';

interface SegmentedPage {
  readonly text: string;
  readonly segments: readonly Pick<Segment, 'start' | 'end'>[];
}

export interface Pages {
  readonly wanted: readonly WantedSegment[];
  /** `source` has one segment for each of `wanted`. */
  readonly source: SegmentedPage;
  readonly target: SegmentedPage;
}

/** @returns records of the texts that a person left out: they are neither bought nor inserted */
export function withCodeAlone(
  { base, placed }: Pick<SequenceAlignment, 'base' | 'placed'>,
  pages: Pages,
): SegmentRecord[] {
  const { wanted } = pages;
  const isOpen = ({ id, treatment }: WantedSegment) =>
    treatment === 'translate' && !placed.has(id) && isWithoutText(base.get(id));
  const open = wanted.flatMap((segment, at) => {
    const code = isOpen(segment) ? codeTexts(segment.source) : '';
    return code === '' ? [] : [{ at, segment, code, stretch: stretchAround(at, placed, wanted) }];
  });
  const inStretch = Map.groupBy(open, ({ stretch }) => stretch.behind);
  return [...inStretch.values()].flatMap((group) => {
    const [first] = group;
    const free = first === undefined ? [] : linesOnlyThere(first.stretch, pages, placed);
    return group.flatMap(({ segment: { id, source }, code }): SegmentRecord[] => {
      const at = free.indexOf(code);
      if (at < 0) return [];
      free.splice(at, 1);
      return [{ id, source: partsText(source), target: null, origin: 'human', state: 'ok' }];
    });
  });
}

function isWithoutText(record: SegmentRecord | undefined): boolean {
  if (record === undefined) return true;
  return record.origin === 'human' && record.target === null && record.joined === undefined;
}

/** Code and images of a paragraph, without separators. */
function codeTexts(parts: readonly Part[]): string {
  const raws = parts.flatMap((part) =>
    typeof part === 'string' || part.pair !== undefined ? [] : [part.raw],
  );
  const code = withoutSeparators(raws.join(''));
  return /[\p{L}\p{N}]/u.test(code) ? code : '';
}

function withoutSeparators(line: string): string {
  return line.replace(/^[\s>]*\d+[.)]\s/, '').replace(/[\s>#+*_,;:.–—-]+/g, '');
}

/**
 * The part of a page around a paragraph, between the nearest two paragraphs that both files have: their indices in the source.
 * Undefined: the part begins or ends with the file.
 */
interface Stretch {
  readonly behind: number | undefined;
  readonly before: number | undefined;
}

function stretchAround(
  at: number,
  placed: SequenceAlignment['placed'],
  wanted: Pages['wanted'],
): Stretch {
  let [behind, before] = [at - 1, at + 1];
  while (behind >= 0 && !placed.has(wanted[behind]?.id ?? '')) behind -= 1;
  while (before < wanted.length && !placed.has(wanted[before]?.id ?? '')) before += 1;
  return {
    behind: behind < 0 ? undefined : behind,
    before: before < wanted.length ? before : undefined,
  };
}

/** Lines of the stretch that the target has and the source lacks. A line may occur twice: it is listed as often as the target has more of it. */
function linesOnlyThere(
  { behind, before }: Stretch,
  { wanted, source, target }: Pages,
  placed: SequenceAlignment['placed'],
): string[] {
  const targetIndexOf = (at: number | undefined) => placed.get(wanted[at ?? -1]?.id ?? '');
  const ofSource = linesBetween(source, behind, before);
  const known = new Map<string, number>();
  for (const line of ofSource) known.set(line, (known.get(line) ?? 0) + 1);
  return linesBetween(target, targetIndexOf(behind), targetIndexOf(before)).filter((line) => {
    const left = known.get(line) ?? 0;
    known.set(line, left - 1);
    return left <= 0;
  });
}

function linesBetween(
  { text, segments }: SegmentedPage,
  behind: number | undefined,
  before: number | undefined,
): string[] {
  const start = behind === undefined ? 0 : (segments[behind]?.end ?? 0);
  const end = before === undefined ? text.length : (segments[before]?.start ?? text.length);
  return text
    .slice(start, end)
    .split(/[\r\n]+/)
    .map(withoutSeparators);
}
