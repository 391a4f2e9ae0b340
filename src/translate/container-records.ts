/**
 * Earlier versions read a box (`::: tip Title`) with its text as one segment. Its records are read as today: the title and the text have
 * one each, and the lines of the box are lines of the frame. Pure.
 */
import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import { type Part, partsText, type Span } from '../format.ts';
import { textsOfContainers } from '../formats/grammar/markdown-containers.ts';
import { normalizeParts } from '../formats/text/parts.ts';
import { frameLines, lineKey, packedWords } from '../segments/frame/frame.ts';

/** A record as it is read now. */
export interface ReadRecord {
  readonly records: readonly SegmentRecord[];
  /** What is around and between their texts. Without a record: a line of the frame. */
  readonly around: readonly string[];
}

/** Both pages as they are read now. */
export interface PagesNow {
  /** Their texts, in order. */
  readonly source: readonly string[];
  readonly target: readonly string[];
  /** The lines of both frames. */
  lines(): readonly string[];
}

export function withContainersRead(known: BaselineRecord, pages: PagesNow): BaselineRecord {
  return withReadRecords(known, (record) => readRecord(record, pages), pages.lines);
}

/** @param readAgain undefined: the record is read as before; @param lines of the frames now */
export function withReadRecords(
  known: BaselineRecord,
  readAgain: (record: SegmentRecord) => ReadRecord | undefined,
  lines: () => readonly string[],
): BaselineRecord {
  const read = known.segments.map((record) => (record.isFrame ? undefined : readAgain(record)));
  if (read.every((each) => each === undefined)) return known;
  const segments = known.segments.flatMap((record, at) => read[at]?.records ?? [record]);
  const { frame, ...rest } = known;
  const ofTexts = read.filter((_, at) => known.segments[at]?.isFrame !== true);
  const all = () => lines().map((line) => line.replace(/\r\n?$/, '\n'));
  const packed = frame && packedAgain(frame.lines, ofTexts, all());
  // Without its lines, the frame is the one of the target that nobody touched.
  return {
    ...rest,
    segments,
    ...(frame && packed !== undefined && { frame: { ...frame, lines: packed } }),
  };
}

function readRecord(record: SegmentRecord, pages: PagesNow): ReadRecord | undefined {
  const { id, source, target } = record;
  const sources = boxTextsIn(source, pages.source);
  const words = target && partsText(target);
  const targets = words === null ? undefined : boxTextsIn(words, pages.target);
  // An alert that was written on one line: its title and its text are one text there.
  const isJoined = sources.length > 1 && targets?.length === 1;
  if (sources.length === 0 || (targets && !isJoined && targets.length !== sources.length))
    return undefined;
  const joined = isJoined && target !== null ? partsIn(target, targets[0] ?? NOWHERE) : undefined;
  const ends = [0, ...sources.map(({ end }) => end)];
  return {
    records: sources.map(({ start, end }, nth) => ({
      ...record,
      id: `${id}.${nth}`,
      source: source.slice(start, end),
      target: joined ?? (target && partsIn(target, targets?.[nth] ?? NOWHERE)),
      // A changed title must not replace the text, so a person decides.
      ...(joined && (nth > 0 ? { target: null, joined } : { origin: 'human' as const })),
    })),
    around: ends.map((end, nth) => source.slice(end, sources[nth]?.start)),
  };
}

const NOWHERE: Span = { start: 0, end: 0 };

/** None: it is no box, or it cannot be told which words are the title. @param now the texts of its page */
function boxTextsIn(text: string, now: readonly string[]): readonly Span[] {
  const texts = textsOfContainers(text, { start: 0, end: text.length }, 'before') ?? [];
  const [first] = texts;
  if (first === undefined || !text.startsWith('[!')) return texts;
  // The line end behind the title of an alert was read as a blank.
  const both = text.slice(first.start, first.end);
  if (!first.isTitle || now.includes(both)) return texts;
  const at = now.findIndex((title, nth) => `${title} ${now[nth + 1]}` === both);
  const end = first.start + (now[at]?.length ?? 0);
  return at < 0
    ? []
    : [
        { start: first.start, end },
        { start: end + 1, end: first.end },
      ];
}

function partsIn(parts: readonly Part[], { start, end }: Span): Part[] {
  let position = 0;
  const inside = parts.flatMap((part): Part[] => {
    const text = typeof part === 'string' ? part : part.raw;
    const from = Math.max(0, start - position);
    const to = Math.min(text.length, end - position);
    position += text.length;
    if (from >= to) return [];
    return [
      typeof part === 'string' ? part.slice(from, to) : { ...part, raw: part.raw.slice(from, to) },
    ];
  });
  return normalizeParts(inside);
}

/** The packed frame with a place for each text. Undefined: the key of a line is not known. */
function packedAgain(
  packed: string,
  read: readonly (ReadRecord | undefined)[],
  lines: readonly string[],
): string | undefined {
  const [first, ...behind] = packedWords(packed);
  if (first === undefined || behind.length !== read.length) return undefined;
  const words: (readonly string[])[] = [];
  let word: readonly string[] = first;
  for (const [at, each] of read.entries()) {
    const [head = '', ...rest] = each?.around ?? [];
    if (each?.records.length === 0) {
      const [end, ...below] = behind[at] ?? [];
      if (end !== lineKey('\n')) return undefined;
      word = [...withHead(word, `${head}\n`, lines), ...below];
      continue;
    }
    const tail = rest.pop() ?? '';
    words.push(withHead(word, head, lines), ...rest.map(keysOf));
    const next = withTail(tail, behind[at] ?? [], lines);
    if (next === undefined) return undefined;
    word = next;
  }
  return [...words, word].map((keys) => keys.join('')).join(' ');
}

function keysOf(text: string): string[] {
  return frameLines(text).map(lineKey);
}

/** The beginning of a line was a piece of its own: `- ` before `:::note[`. */
function withHead(
  word: readonly string[],
  head: string,
  lines: readonly string[],
): readonly string[] {
  const [own, ...rest] = frameLines(head);
  if (own === undefined) return word;
  const isBefore = (line: string) =>
    line !== own && lineKey(line.slice(0, -own.length)) === word.at(-1);
  const whole = lines.find((line) => line.endsWith(own) && isBefore(line));
  const before = whole === undefined ? word : word.slice(0, -1);
  return [...before, lineKey(whole ?? own), ...rest.map(lineKey)];
}

/** The end of a line was a piece of its own: mostly the line end behind `:::`. */
function withTail(
  tail: string,
  word: readonly string[],
  lines: readonly string[],
): readonly string[] | undefined {
  const all = frameLines(tail);
  const own = all.at(-1);
  const [end, ...rest] = word;
  if (own === undefined) return word;
  if (end === undefined) return all.map(lineKey);
  const whole = [`${own}\n`, ...lines].find(
    (line) => line.startsWith(own) && lineKey(line.slice(own.length)) === end,
  );
  return whole === undefined ? undefined : [...[...all.slice(0, -1), whole].map(lineKey), ...rest];
}
