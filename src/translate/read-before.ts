/**
 * A lock of an earlier version states a box and its text as one text, and a frame without the lines of the box. Here it is read as today.
 * Pure.
 */
import { partsText, type Segment } from '../format.ts';
import type { OpenFile } from '../formats/text/open.ts';
import { NO_TARGET, type Statement, sourceHash, targetHash } from '../segments/statements.ts';

/** The statements, and one more for each text of a page that a statement had with other texts. */
export function withStatedParts(
  statements: readonly Statement[],
  pages: { readonly source: readonly Segment[]; readonly target: readonly Segment[] },
): readonly Statement[] {
  const groups = groupsOf(pages.source);
  if (groups.length === 0 || statements.length === 0) return statements;
  const bySource = Map.groupBy(statements, ({ source }) => source);
  const found = Map.groupBy(groupsOf(pages.target), ({ text }) => targetHash(text));
  const parts = groups.flatMap((group) =>
    (bySource.get(sourceHash(group.text)) ?? []).flatMap((statement) =>
      partsOf(statement, group, found.get(statement.target) ?? []),
    ),
  );
  return [...statements, ...parts];
}

/** Texts that were read together. */
interface JointTexts {
  readonly text: string;
  readonly members: readonly Segment[];
}

function groupsOf(segments: readonly Segment[]): JointTexts[] {
  return segments.flatMap(({ readBefore: before }, at) =>
    before === undefined
      ? []
      : [{ text: partsText(before.parts), members: segments.slice(at, at + before.count) }],
  );
}

function partsOf(
  statement: Statement,
  { text, members }: JointTexts,
  there: readonly JointTexts[],
): Statement[] {
  const like = there.find((each) => each.members.length === members.length);
  const [alone] = there.flatMap((each) => (each.members.length === 1 ? each.members : []));
  if (like === undefined && alone === undefined && statement.target !== NO_TARGET) return [];
  // A title that a person left out stays out. In an alert of an earlier version the title has all words.
  const ofAlone = text.startsWith('[!') ? 0 : members.length - 1;
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

/** The file as earlier versions read it; undefined: as today. */
export function asReadBefore<F extends OpenFile>(file: F): F | undefined {
  const { segments } = file.doc;
  if (segments.every(({ readBefore }) => readBefore === undefined)) return undefined;
  let next = 0;
  const before = segments.flatMap((segment, at): Segment[] => {
    if (at < next) return [];
    const { readBefore: whole } = segment;
    next = at + (whole?.count ?? 1);
    return [whole === undefined ? segment : { ...segment, start: whole.start, end: whole.end }];
  });
  return { ...file, doc: { ...file.doc, segments: before } };
}
