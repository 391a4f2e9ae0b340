/**
 * What becomes of texts that come back from a translator: decided from the rows of the file and from what stands on the disk,
 * and from nothing else. Pure; the order of the rows means nothing, and nothing is ever bought for them.
 *
 *   the row                                 then
 *   its state is new, or it is empty        ignored
 *   unchanged, final                        the pair is reviewed
 *   unchanged, not final                    nothing
 *   unchanged, the disk has another text    nothing, and it is told
 *   changed, made from the source as it is  the person's text
 *   changed, made from an older source      the person's text of that source
 *   changed, and the disk is changed too    conflict: both are shown, the disk stays
 *   its place is unknown                    the one text with that source, else it is told
 *   two rows for one text, not alike        both are told
 */
import {
  type SourceHash,
  sourceHash,
  type TargetHash,
  targetHash,
  type UnitId,
} from './statements.ts';

/** A text as it stands in the source now, with its translation. */
export interface ReviewedText {
  readonly unit: UnitId;
  readonly sourceHash: SourceHash;
  /** 1-based: which of the texts of its file with this place and source it is. */
  readonly nth: number;
  /** Null: nothing stands there. */
  readonly target: string | null;
  readonly targetHash: TargetHash;
  readonly isReviewed: boolean;
  /** A person's, or looked at by one: nobody writes over it without having seen it. */
  readonly isPersons: boolean;
}

/** A row as it came back. */
export interface ImportRow {
  readonly id: string;
  readonly source?: string;
  readonly target: string;
  /** Hash of the target when it was exported; undefined: the file lost it. */
  readonly was?: string;
  readonly word: 'final' | 'open' | 'new';
}

/** `human`: nothing counts as final. `reviewed`: everything does. */
export type ImportAs = 'human' | 'reviewed';

export type ImportDecision<Text, Row> =
  | { readonly kind: 'ignored'; readonly row: Row; readonly because: 'new' | 'empty' }
  | { readonly kind: 'unchanged'; readonly row: Row; readonly text: Text }
  | { readonly kind: 'reviewed'; readonly row: Row; readonly text: Text }
  | {
      readonly kind: 'write';
      readonly row: Row;
      readonly text: Text;
      /** The source that the person had before them; undefined: the one that stands there. */
      readonly older?: SourceHash;
      readonly isFinal: boolean;
    }
  | { readonly kind: 'conflict'; readonly row: Row; readonly text: Text }
  | { readonly kind: 'superseded'; readonly row: Row; readonly text: Text }
  | { readonly kind: 'twice'; readonly row: Row; readonly text: Text }
  | { readonly kind: 'unknown'; readonly row: Row };

/** @returns one decision for each row, in the order of the rows */
export function decideImport<Text extends ReviewedText, Row extends ImportRow>(
  rows: readonly Row[],
  texts: readonly Text[],
  as?: ImportAs,
): ImportDecision<Text, Row>[] {
  const places = new Places(texts);
  const found = rows.map((row) => ({ row, at: isIgnored(row) ? undefined : places.find(row) }));
  const byText = Map.groupBy(
    found.filter(({ at }) => at !== undefined),
    ({ at }) => at?.text,
  );
  return found.map(({ row, at }) => {
    const because = isIgnored(row);
    if (because !== undefined) return { kind: 'ignored', row, because };
    if (at === undefined) return { kind: 'unknown', row };
    const { text } = at;
    const others = byText.get(text) ?? [];
    if (others.some((other) => other.row.target !== row.target))
      return { kind: 'twice', row, text };
    const isFinal =
      as === undefined ? others.some((other) => other.row.word === 'final') : as === 'reviewed';
    return decideRow(row, at, isFinal);
  });
}

function isIgnored({ word, target }: ImportRow): 'new' | 'empty' | undefined {
  if (target.trim() === '') return 'empty';
  return word === 'new' ? 'new' : undefined;
}

interface Found<Text> {
  readonly text: Text;
  readonly older?: SourceHash;
}

function decideRow<Text extends ReviewedText, Row extends ImportRow>(
  row: Row,
  { text, older }: Found<Text>,
  isFinal: boolean,
): ImportDecision<Text, Row> {
  const hash = targetHash(row.target);
  if (hash === text.targetHash) {
    const isNews = isFinal && older === undefined && !text.isReviewed;
    return { kind: isNews ? 'reviewed' : 'unchanged', row, text };
  }
  // The translator left the text as it was, and somebody else did not.
  if (hash === row.was) return { kind: 'superseded', row, text };
  const isAsExported = row.was === undefined ? !text.isPersons : row.was === text.targetHash;
  if (!isAsExported) return { kind: 'conflict', row, text };
  return { kind: 'write', row, text, isFinal, ...(older === undefined ? {} : { older }) };
}

/** `place.source.n`; tools leave ids alone, and people do not always. */
const ID = /^([\w-]{6})\.([\w-]{8})\.(\d+)$/;

class Places<Text extends ReviewedText> {
  readonly #exact: ReadonlyMap<string, Text>;
  readonly #byUnit: ReadonlyMap<string, readonly Text[]>;
  readonly #bySource: ReadonlyMap<string, readonly Text[]>;

  constructor(texts: readonly Text[]) {
    this.#exact = new Map(
      texts.map((text) => [`${text.unit}.${text.sourceHash}.${text.nth}`, text]),
    );
    this.#byUnit = Map.groupBy(texts, ({ unit }) => unit);
    this.#bySource = Map.groupBy(texts, (text) => text.sourceHash);
  }

  find({ id, source, was }: ImportRow): Found<Text> | undefined {
    const exact = this.#exact.get(id);
    if (exact !== undefined) return { text: exact };
    const [, unit, hash] = ID.exec(id) ?? [];
    const older = (hash ?? (source === undefined ? undefined : sourceHash(source))) as
      | SourceHash
      | undefined;
    const ofPlace = unit === undefined ? [] : (this.#byUnit.get(unit) ?? []);
    // In formats without keys a place is a whole file: the text that was exported tells which one it is.
    const sameText = ofPlace.filter((text) => text.targetHash === was);
    const [only] = ofPlace.length === 1 ? ofPlace : sameText;
    const isOne = ofPlace.length === 1 || sameText.length === 1;
    if (only !== undefined && isOne && older !== undefined) {
      return older === only.sourceHash ? { text: only } : { text: only, older };
    }
    const ofSource = older === undefined ? [] : (this.#bySource.get(older) ?? []);
    return ofSource.length === 1 && ofSource[0] !== undefined ? { text: ofSource[0] } : undefined;
  }
}
