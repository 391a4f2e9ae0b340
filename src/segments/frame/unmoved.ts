/**
 * Lines of a person that do not follow the source. It moved or removed the lines that they stand for, and they are where they were. Pure.
 */
import { TAG } from '../../parsing/markup.ts';
import {
  areSameKeys,
  endsLine,
  type FramePiece,
  isBlankPiece,
  isSegmentKey,
  pieceKey,
} from './frame.ts';
import { frontMatterOf } from './front-matter-lines.ts';
import { withSourceIndents } from './item-indents.ts';
import type { RememberedPage } from './moves.ts';
import { isDelimiter, isUnknown, rememberedPieces } from './table-rows.ts';

/** The blocks of lines of both sides. */
export interface UnfollowedLines {
  readonly source: string;
  readonly target: string;
}

interface WrittenLines {
  readonly written: readonly FramePiece[];
  /** Keys of lines with texts that only the person has. */
  readonly ownTexts: ReadonlySet<string>;
}

export function unfollowedLines(page: RememberedPage, now: WrittenLines): UnfollowedLines[] {
  const { source } = page;
  const sourceKeys = source.map(pieceKey);
  if (areSameKeys(page.before, sourceKeys)) return [];
  // A line that a person only indented otherwise follows its source as that line.
  const { target } = withSourceIndents(page);
  const { target: written } = withSourceIndents({ ...page, target: now.written });
  const lines = versionsOf({ ...page, target }, { ...now, written });
  const targetKeys = target.map(pieceKey);
  return [unmovedIn(lines), leftIn(lines)].flatMap((keys) =>
    keys.target.size === 0
      ? []
      : [
          {
            source: blocksWith(source, (at) => keys.source.has(sourceKeys[at] ?? '')),
            target: blocksWith(page.target, (at) => keys.target.has(targetKeys[at] ?? '')),
          },
        ],
  );
}

/** By key of what is there once: the key of the nearest text above it. */
type Places = ReadonlyMap<string, string>;

interface LinesOfVersions {
  readonly before: Places;
  readonly source: Places;
  readonly target: Places;
  readonly written: Places;
  /** Lines of the person that no source had. */
  readonly own: readonly string[];
  readonly inSource: ReadonlySet<string>;
  readonly inTarget: ReadonlySet<string>;
  /** Whole lines of the source. */
  readonly whole: ReadonlySet<string>;
  /** The nearest text above a line of the source that was last seen. */
  readonly under: Places;
}

function versionsOf(page: RememberedPage, { written, ownTexts }: WrittenLines): LinesOfVersions {
  const { before } = page;
  const [source, target] = [page.source.map(pieceKey), page.target.map(pieceKey)];
  const now = written.map(pieceKey);
  const [seen, inSource, inTarget] = [new Set(before), new Set(source), new Set(target)];
  const shared = seen.intersection(inTarget).intersection(new Set(now));
  const texts = new Set(shared.intersection(inSource));
  const places = (keys: readonly string[]) => placesOf(keys, (key) => texts.has(key));
  const own = wholeLines(page.target).filter((key) => !seen.has(key) && !ownTexts.has(key));
  return {
    before: places(before),
    source: places(source),
    target: places(target),
    written: places(now),
    own: own.filter((key) => !inSource.has(key)),
    inSource,
    inTarget,
    whole: new Set(wholeLines(page.source)),
    under: placesOf(linesBefore(page), () => true),
  };
}

/** The keys of texts and whole lines. Signs beside a text, and tags alone on a line, left with it. */
function linesBefore({ before, source, target }: RememberedPage): string[] {
  const pieces = rememberedPieces(before, [source, target]);
  const isEnd = (piece: FramePiece | undefined) =>
    piece === undefined || isUnknown(piece) || endsLine(piece);
  const isTags = (piece: FramePiece | undefined) =>
    piece?.kind === 'line' && TAG_ALONE.test(piece.text);
  return before.filter((key, at) => {
    const isLine = isEnd(pieces[at]) && isEnd(pieces[at - 1]);
    return isSegmentKey(key) || (isLine && !isTags(pieces[at]));
  });
}

const TAG_ALONE = new RegExp(String.raw`^\s*(?:${TAG})\s*$`);

interface LineKeys {
  readonly source: ReadonlySet<string>;
  readonly target: ReadonlySet<string>;
}

/** Lines that the source has below another text than before. */
function unmovedIn({
  before,
  source,
  target,
  written,
  whole,
  own,
  inTarget,
}: LinesOfVersions): LineKeys {
  const keys = { source: new Set<string>(), target: new Set<string>() };
  for (const [key, above] of source) {
    const then = before.get(key);
    if (then === undefined || then === above || !whole.has(key)) continue;
    const stands = inTarget.has(key) ? [key] : own;
    const stay = stands.filter((each) => target.get(each) === then && written.get(each) === then);
    if (stay.length === 0) continue;
    keys.source.add(key);
    for (const each of stay) keys.target.add(each);
  }
  return keys;
}

/** Lines below a text that left the source together with them. */
function leftIn({
  under,
  before,
  target,
  written,
  own,
  inSource,
  inTarget,
}: LinesOfVersions): LineKeys {
  const left = new Set<string>();
  for (const [key, above] of under) {
    const isGone = above !== '' && !inSource.has(above) && !inSource.has(key);
    if (!isGone || inTarget.has(key)) continue;
    const place = before.get(key);
    for (const each of own) if (target.get(each) === place && written.has(each)) left.add(each);
  }
  return { source: new Set(), target: left };
}

function placesOf(keys: readonly string[], isKnown: (text: string) => boolean): Places {
  const places = new Map<string, string>();
  const twice = new Set<string>();
  let above = '';
  for (const key of keys) {
    if (isSegmentKey(key)) above = isKnown(key) ? key : above;
    else if (places.has(key)) twice.add(key);
    else places.set(key, above);
  }
  for (const key of twice) places.delete(key);
  return places;
}

/** Without the front matter, where the order of keys says nothing, and without the rows of dashes: each goes with its header. */
function wholeLines(pieces: readonly FramePiece[]): string[] {
  const end = frontMatterOf(pieces, () => false)?.end ?? -1;
  return pieces.flatMap((piece, at) => {
    const isDashes = piece.kind === 'line' && isDelimiter(piece.text);
    return at > end && isWhole(pieces, at) && !isDashes ? pieceKey(piece) : [];
  });
}

const LAST: FramePiece = { kind: 'line', text: '' };

function isWhole(pieces: readonly FramePiece[], at: number): boolean {
  const [piece, previous] = [pieces[at], pieces[at - 1]];
  if (piece === undefined || !endsLine(piece) || isBlankPiece(piece)) return false;
  return previous === undefined || endsLine(previous);
}

/** The runs of lines in which some of these lines are. */
function blocksWith(pieces: readonly FramePiece[], isOf: (at: number) => boolean): string {
  let block = '';
  let isWanted = false;
  const blocks: string[] = [];
  for (const [at, piece] of [...pieces, LAST].entries()) {
    if (piece.kind === 'line' && isWhole(pieces, at)) {
      block += piece.text;
      isWanted ||= isOf(at);
      continue;
    }
    if (isWanted) blocks.push(block);
    [block, isWanted] = ['', false];
  }
  return blocks.join('');
}
