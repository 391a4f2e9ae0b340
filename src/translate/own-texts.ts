/**
 * XLIFF files of the source language with keys in `<source>` and texts in `<target>`: earlier versions took the keys for the texts. What they
 * recorded and stated is read here as about the texts. So the first run after the update buys nothing. Pure.
 */
import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import { partsText, type Segment } from '../format.ts';
import { type Statement, sourceHash } from '../segments/statements.ts';

interface Known {
  /** Set when an earlier version knew the file. */
  readonly isReadAnew?: true;
  readonly known: BaselineRecord | undefined;
  readonly statements: ((id: string) => readonly Statement[]) | undefined;
}

/** One text whose key is something else. */
interface OwnText {
  readonly id: string;
  readonly key: string;
  readonly text: string;
}

export function knownOfOwnTexts(segments: readonly Segment[], { known, statements }: Known): Known {
  const own = new Map(segments.flatMap(ownText).map((each) => [each.id, each]));
  if (own.size === 0) return { known, statements };
  const now = known && withTexts(known, own);
  return {
    known: now,
    statements: statements && aboutTexts(statements, own),
    ...(now === known ? {} : { isReadAnew: true }),
  };
}

function ownText({ id, keyText, source = [] }: Segment): OwnText[] {
  const [key, text] = [partsText(keyText ?? source), partsText(source)];
  return key === text ? [] : [{ id, key, text }];
}

/** A record about the key of its text. Once a record is about a text, all of them are: a text may be spelled as its key was. */
function withTexts(known: BaselineRecord, own: ReadonlyMap<string, OwnText>): BaselineRecord {
  const isOfText = ({ id, source }: SegmentRecord) => own.get(id)?.text === source;
  if (known.segments.some(isOfText)) return known;
  if (!known.segments.some(({ id, source }) => own.get(id)?.key === source)) return known;
  const segments = known.segments.map((record): SegmentRecord => {
    const { key, text } = own.get(record.id) ?? {};
    if (text === undefined || record.source !== key) return record;
    // The terms that it was made with are those of the key.
    const { made: _, ...rest } = record;
    return { ...rest, source: text };
  });
  return { ...known, segments };
}

function aboutTexts(
  statements: (id: string) => readonly Statement[],
  own: ReadonlyMap<string, OwnText>,
): (id: string) => readonly Statement[] {
  const isStated = ({ id, text }: OwnText) => {
    const hash = sourceHash(text);
    return statements(id).some(({ source }) => source === hash);
  };
  if ([...own.values()].some(isStated)) return statements;
  return (id) => {
    const each = own.get(id);
    if (each === undefined) return statements(id);
    const [ofKey, ofText] = [sourceHash(each.key), sourceHash(each.text)];
    return statements(id).map((one) => (one.source === ofKey ? { ...one, source: ofText } : one));
  };
}
