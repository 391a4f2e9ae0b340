/**
 * A lock of an earlier version states a box and its text as one text, and so a list below the title of a box. Its frame has no lines between
 * them. Here it is read as today. Pure.
 */
import { partsText, type ReadBefore, type Segment } from '../format.ts';
import type { OpenFile } from '../formats/text/open.ts';
import { NO_TARGET, type Statement, sourceHash, targetHash } from '../segments/statements.ts';

interface StatedPages {
  readonly source: readonly Segment[];
  readonly target: readonly Segment[];
  /** This machine has records of a line of ours that has a whole list. */
  readonly isRecorded?: boolean;
}

/** The statements, and one more for each text of a page that a statement had with other texts. */
export function withStatedParts(
  statements: readonly Statement[],
  pages: StatedPages,
): readonly Statement[] {
  const groups = jointTexts(pages.source);
  if (groups.length === 0 || statements.length === 0) return statements;
  const bySource = Map.groupBy(statements, ({ source }) => source);
  const found = Map.groupBy(jointTexts(pages.target), ({ text }) => targetHash(text));
  const alone = new Map(pages.target.map((each) => [targetHash(partsText(each.parts)), each]));
  const parts = groups.flatMap((group) =>
    (bySource.get(sourceHash(group.text)) ?? []).flatMap((statement) => {
      const there = (found.get(statement.target) ?? []).filter(({ as }) => as === group.as);
      const isDecided = pages.isRecorded === true && statement.mark === 'machine';
      const mayBeAlone = group.as === 'content' && !isDecided;
      const single = mayBeAlone ? alone.get(statement.target) : undefined;
      return partsOf(statement, group, { there, single });
    }),
  );
  // Words that are a line of the frame now stay in a checkout that knows nothing else of them.
  const lines = new Set(
    groups.flatMap(({ text, members }) => (members.length === 0 ? [sourceHash(text)] : [])),
  );
  const stated = statements.map(
    (each): Statement => (lines.has(each.source) ? { ...each, mark: 'human' } : each),
  );
  return [...stated, ...parts];
}

/** Texts that were read together. */
export interface JointTexts extends Pick<ReadBefore, 'as' | 'start' | 'end'> {
  readonly text: string;
  readonly members: readonly Segment[];
}

export function jointTexts(segments: readonly Segment[]): JointTexts[] {
  return segments.flatMap(({ readBefore = [] }, at) =>
    readBefore.map(({ as, start, end, parts, count }) => {
      return { as, start, end, text: partsText(parts), members: segments.slice(at, at + count) };
    }),
  );
}

interface InTarget {
  readonly there: readonly JointTexts[];
  /** A text that is one text now, too. */
  readonly single: Segment | undefined;
}

function partsOf(
  statement: Statement,
  { text, members, as }: JointTexts,
  { there, single }: InTarget,
): Statement[] {
  const like = there.find((each) => each.members.length === members.length);
  const [title] = there.flatMap((each) => (each.members.length === 1 ? each.members : []));
  const alone = single ?? title;
  if (like === undefined && alone === undefined && statement.target !== NO_TARGET) return [];
  // A title that a person left out stays out. In an alert of an earlier version the title has all words.
  const isFirst = as === 'content' || text.startsWith('[!');
  const ofAlone = isFirst ? 0 : members.length - 1;
  return members.map((member, nth): Statement => {
    const own = like === undefined ? (nth === ofAlone ? alone : undefined) : like.members[nth];
    const source = sourceHash(partsText(member.parts));
    if (own === undefined) {
      const mark = statement.target === NO_TARGET ? statement.mark : 'human';
      return { ...statement, source, target: NO_TARGET, mark };
    }
    return { ...statement, source, target: targetHash(partsText(own.parts)) };
  });
}

/** How earlier versions read pages, the latest first. */
export const EARLIER_READINGS: readonly ReadBefore['as'][] = ['content', 'box'];

/** The file as an earlier version read it. */
export function asReadBefore<F extends OpenFile>(file: F, as: ReadBefore['as']): F {
  const { segments } = file.doc;
  let next = 0;
  const before = segments.flatMap((segment, at): Segment[] => {
    const all = segment.readBefore?.filter((each) => each.as === as) ?? [];
    const lines = all.filter(({ count }) => count === 0);
    const alone = lines.map(({ start, end }) => ({ ...segment, start, end }));
    if (at < next) return alone;
    const whole = all.find(({ count }) => count > 0);
    next = at + (whole?.count ?? 1);
    const own = whole === undefined ? segment : { ...segment, start: whole.start, end: whole.end };
    return [...alone, own];
  });
  const inOrder = before.sort((a, b) => a.start - b.start);
  return { ...file, doc: { ...file.doc, segments: inOrder } };
}
