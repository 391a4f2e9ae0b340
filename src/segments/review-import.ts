/**
 * Decides about texts that come back from a translator, from the rows of the file and the texts on the disk alone. Pure; the order
 * of the rows has no meaning, and nothing is ever bought for them.
 *
 *   the row                                 then
 *   its state is new, or it is empty        ignored
 *   unchanged, final                        the pair is reviewed
 *   unchanged, not final                    nothing
 *   unchanged, the disk has another text    nothing, and it is reported
 *   changed, made from the current source   the person's text
 *   changed, made from an older source      the person's text of that source
 *   changed, and the disk is changed too    conflict: both are shown, the disk stays
 *   its unit is unknown                     the text of its file and key, else the only text with that source, else it is reported
 *   two rows for one text, not alike        both are reported
 *   changed, and its letters were lost      reported, with all that changed in its file
 *   changed, a segment has no translation   reported
 */
import { exchangeAddress, parseExchangeId } from './exchange-id.ts';
import { hasHoles, isGarbled } from './lost-letters.ts';
import { returnedText, WhiteSpaceChanges } from './returned-text.ts';
import {
  type SourceHash,
  sourceHash,
  type TargetHash,
  targetHash,
  type UnitId,
} from './statements.ts';

/** A text of the source now, with its translation. */
export interface ReviewedText {
  readonly unit: UnitId;
  /** The path of the source, relative to the root of its project. */
  readonly path: string;
  /** Empty in formats without keys. */
  readonly key: string;
  readonly source: string;
  readonly sourceHash: SourceHash;
  /** 1-based number among the texts of its file with the same unit and source. */
  readonly nth: number;
  /** Null: the target has no text. */
  readonly target: string | null;
  readonly targetHash: TargetHash;
  readonly isReviewed: boolean;
  /** A person wrote or reviewed the present text: nobody may replace it without having seen it. */
  readonly isPersons: boolean;
}

/** A row as it came back. */
export interface ImportRow {
  readonly id: string;
  readonly path?: string;
  readonly key?: string;
  readonly source?: string;
  readonly target: string;
  /** The cell of a spreadsheet as it is, if the apostrophe at its start may be the one of the export. */
  readonly cell?: string;
  /** The exchange file of the row: one program wrote it. */
  readonly from?: string;
  /** Hash of the target at the time of the export; undefined: only the id has it, or the file has lost it. */
  readonly was?: string;
  /** `final`: a person says that the text is right. `open`: no such statement. `new`: no person has worked on it. */
  readonly word: 'final' | 'open' | 'new';
  /** The file ends in this text, which is as it was exported: a person's longer text may be cut there. It approves nothing. */
  readonly mayBeCut?: true;
  /** The first segment without a translation, where a tool cut the text into segments and others have one. */
  readonly emptySegment?: EmptySegment;
}

/** A segment without a translation, in a text that a tool cut into segments. */
export interface EmptySegment {
  /** 1-based. */
  readonly nth: number;
  readonly of: number;
}

/** `human`: no row counts as final. `reviewed`: every row does. */
export type ImportAs = 'human' | 'reviewed';

export type ImportDecision<Text, Row> =
  | { readonly kind: 'ignored'; readonly row: Row; readonly because: 'new' | 'empty' }
  | { readonly kind: 'unchanged'; readonly row: Row; readonly text: Text }
  | { readonly kind: 'reviewed'; readonly row: Row; readonly text: Text }
  | {
      readonly kind: 'write';
      readonly row: Row;
      readonly text: Text;
      /** The source that the person translated; undefined: the source now. */
      readonly older?: SourceHash;
      readonly isFinal: boolean;
    }
  | { readonly kind: 'conflict'; readonly row: Row; readonly text: Text }
  | { readonly kind: 'superseded'; readonly row: Row; readonly text: Text }
  | { readonly kind: 'twice'; readonly row: Row; readonly text: Text }
  /** A changed text of which only some segments are translated. */
  | {
      readonly kind: 'incomplete';
      readonly row: Row;
      readonly text: Text;
      readonly lacks: EmptySegment;
    }
  /** The encoding of its file lacks letters. `own`: letters of this row; else of another one. */
  | {
      readonly kind: 'garbled';
      readonly row: Row;
      readonly text: Text;
      readonly of: 'own' | 'file';
    }
  /**
   * `isShared`: texts of several projects have its id, and it does not say which of them it means. `isLost`: it has words or an
   * approval of a person.
   */
  | {
      readonly kind: 'unknown';
      readonly row: Row;
      readonly isShared?: true;
      readonly isLost: boolean;
    };

/** @returns one decision for each row, in the order of the rows */
export function decideImport<Text extends ReviewedText, Row extends ImportRow>(
  rows: readonly Row[],
  texts: readonly Text[],
  as?: ImportAs,
): ImportDecision<Text, Row>[] {
  const places = new TextFinder(texts);
  const given = withoutStrays(
    rows.map(withExported).map((row) => {
      const at = isIgnored(row, as) ? undefined : places.find(row);
      return { row, at };
    }),
  );
  const changes = changesByFile(given);
  const found = given.map(({ row, at }) => {
    if (at === undefined) return { row, at };
    return { row: rowWithText(row, at.text, changes(row)), at };
  });
  const byText = Map.groupBy(
    found.filter(({ at }) => at !== undefined),
    ({ at }) => at?.text,
  );
  return found.map(({ row, at }) => {
    const because = isIgnored(row, as);
    if (because !== undefined) return { kind: 'ignored', row, because };
    if (at === undefined) return { kind: 'unknown', row, isLost: isLostRow(row, places, as) };
    const { text } = at;
    const others = byText.get(text) ?? [];
    if (others.some((other) => other.row.target !== row.target))
      return { kind: 'twice', row, text };
    const isFinal = others.some((other) => saysFinal(other.row, as));
    return decideRow(row, at, isFinal);
  });
}

/** A text with a row of its own does not belong to a row that has only its source. The key of that row was removed. */
function withoutStrays<Row, At extends FoundText<ReviewedText>>(
  found: readonly { readonly row: Row; readonly at: At | undefined }[],
): readonly { readonly row: Row; readonly at: At | undefined }[] {
  const own = new Set(found.map(({ at }) => (at?.isMoved ? undefined : at?.text)));
  return found.map((each) =>
    each.at?.isMoved && own.has(each.at.text) ? { ...each, at: undefined } : each,
  );
}

/** The id has the hash of the exported translation too. */
function withExported<Row extends ImportRow>(row: Row): Row {
  const exported = parseExchangeId(row.id)?.target;
  return exported === undefined || row.was !== undefined ? row : { ...row, was: exported };
}

/** Nothing is lost with a text that the translator left as it was, and that no source has any more. */
function isLostRow(row: ImportRow, places: TextFinder<ReviewedText>, as?: ImportAs): boolean {
  return targetHash(row.target) !== row.was || (saysFinal(row, as) && places.hasSource(row));
}

/** What the program of each exchange file did to white space, as the sources of the file show it. */
function changesByFile<Row extends ImportRow>(
  found: readonly { readonly row: Row; readonly at: FoundText<ReviewedText> | undefined }[],
): (row: Row) => WhiteSpaceChanges {
  const files = new Map(
    [...Map.groupBy(found, ({ row }) => row.from)].map(([file, group]) => {
      const sources = group.flatMap(({ row, at }) => {
        const isExported = parseExchangeId(row.id)?.source === at?.text.sourceHash;
        if (row.source === undefined || at === undefined || !isExported) return [];
        const known = at.text.source;
        return [row.source, row.source.replace(/^'/, '')].map((returned) => ({ known, returned }));
      });
      return [file, new WhiteSpaceChanges(sources)] as const;
    }),
  );
  return ({ from }) => files.get(from) ?? new WhiteSpaceChanges([]);
}

function rowWithText<Row extends ImportRow>(
  row: Row,
  present: ReviewedText,
  changes: WhiteSpaceChanges,
): Row {
  const target = inLineEndsOfDisk(returnedText(row, present, changes), present);
  return target === row.target ? row : { ...row, target };
}

/** Tools write the line ends of their system; the text gets those that it has on the disk. */
function inLineEndsOfDisk(text: string, { source, target }: ReviewedText): string {
  const ends = new Set(`${source}${target ?? ''}`.match(/\r\n?|\n/g));
  if (ends.size > 1) return text;
  const [end = '\n'] = ends;
  return text.replace(/\r\n?|\n/g, end);
}

/** Changed texts of a file that lost letters are refused: nobody can know whether a new text lost some. */
export function withoutGarbled<Text, Row extends { readonly from: string }>(
  decisions: readonly ImportDecision<Text, Row>[],
): ImportDecision<Text, Row>[] {
  const garbled = new Set(
    decisions.filter(({ kind }) => kind === 'garbled').map(({ row }) => row.from),
  );
  return decisions.map((decision) => {
    const isNews = decision.kind === 'write' || decision.kind === 'conflict';
    if (!isNews || !garbled.has(decision.row.from)) return decision;
    return { kind: 'garbled', row: decision.row, text: decision.text, of: 'file' };
  });
}

function saysFinal({ word, mayBeCut }: ImportRow, as?: ImportAs): boolean {
  if (mayBeCut) return false;
  return as === undefined ? word === 'final' : as === 'reviewed';
}

function isIgnored({ word, target }: ImportRow, as?: ImportAs): 'new' | 'empty' | undefined {
  if (target.trim() === '') return 'empty';
  return word === 'new' && as !== 'reviewed' ? 'new' : undefined;
}

interface FoundText<Text> {
  readonly text: Text;
  readonly older?: SourceHash;
  /** The text has another id now, for example because its key was renamed: it was found by its source alone. */
  readonly isMoved?: true;
}

function decideRow<Text extends ReviewedText, Row extends ImportRow>(
  row: Row,
  { text, older, isMoved }: FoundText<Text>,
  isFinal: boolean,
): ImportDecision<Text, Row> {
  if (isLost(row, text)) return { kind: 'garbled', row, text, of: 'own' };
  const isChanged = ![text.targetHash, row.was].includes(targetHash(row.target));
  if (isChanged && row.emptySegment !== undefined)
    return { kind: 'incomplete', row, text, lacks: row.emptySegment };
  if (isMoved && text.target === null) {
    // The next run writes an unchanged translation at the new id anyway.
    const isNews = isFinal || targetHash(row.target) !== row.was;
    return isNews ? { kind: 'write', row, text, isFinal } : { kind: 'unchanged', row, text };
  }
  const hash = targetHash(row.target);
  if (hash === text.targetHash) {
    const isNews = isFinal && older === undefined && !text.isReviewed;
    return { kind: isNews ? 'reviewed' : 'unchanged', row, text };
  }
  // The translator left the text as it was, but somebody else changed it on the disk.
  if (hash === row.was) return { kind: 'superseded', row, text };
  const isAsExported = row.was === undefined ? !text.isPersons : row.was === text.targetHash;
  if (!isAsExported) return { kind: 'conflict', row, text };
  return { kind: 'write', row, text, isFinal, ...(older === undefined ? {} : { older }) };
}

function isLost({ source, target }: ImportRow, text: ReviewedText): boolean {
  const now = text.target ?? '';
  if (targetHash(target) === text.targetHash) return false;
  if (source !== undefined && isGarbled(text.source, source)) return true;
  return isGarbled(now, target) || hasHoles(`${text.source} ${now}`, target);
}

/** The form of keys that programs write in comments. */
function inOneLine(key: string): string {
  return key.replace(/\s+/g, ' ').trim();
}

class TextFinder<Text extends ReviewedText> {
  readonly #exact: ReadonlyMap<string, Text>;
  readonly #byUnit: ReadonlyMap<string, readonly Text[]>;
  readonly #bySource: ReadonlyMap<string, readonly Text[]>;
  readonly #byFile: ReadonlyMap<string, readonly Text[]>;

  constructor(texts: readonly Text[]) {
    this.#exact = new Map(texts.map((text) => [exchangeAddress(text), text]));
    this.#byFile = Map.groupBy(texts, ({ path }) => path.normalize('NFC'));
    this.#byUnit = Map.groupBy(texts, ({ unit }) => unit);
    this.#bySource = Map.groupBy(texts, (text) => text.sourceHash);
  }

  hasSource({ source }: ImportRow): boolean {
    return source !== undefined && this.#bySource.has(sourceHash(source));
  }

  find(row: ImportRow): FoundText<Text> | undefined {
    const { id, source, was } = row;
    const { place = id, unit, source: hash } = parseExchangeId(id) ?? {};
    const exact = this.#exact.get(place);
    if (exact !== undefined) return { text: exact };
    // The source of the row is used when the id is damaged, or when nobody knows the source that the id names.
    const exportedSource = source === undefined ? undefined : sourceHash(source);
    const older = hash ?? exportedSource;
    const ofPlace = unit === undefined ? [] : (this.#byUnit.get(unit) ?? []);
    // In formats without keys a unit is a whole file, so the exported text decides which segment it is.
    const sameText = ofPlace.filter((text) => text.targetHash === was);
    const [only] = ofPlace.length === 1 ? ofPlace : sameText;
    const isOne = ofPlace.length === 1 || sameText.length === 1;
    if (only !== undefined && isOne && older !== undefined) {
      const isCurrent = older === only.sourceHash || exportedSource === only.sourceHash;
      return isCurrent ? { text: only } : { text: only, older };
    }
    const ofKey = unit === undefined ? this.#ofFile(row, exportedSource) : undefined;
    return ofKey ?? this.#ofSource(older) ?? this.#ofSource(exportedSource);
  }

  /** For a row without a sound id: its key in its file, or the only text there with its source. */
  #ofFile({ path, key = '' }: ImportRow, source?: SourceHash): FoundText<Text> | undefined {
    const ofFile = path === undefined ? [] : (this.#byFile.get(path.normalize('NFC')) ?? []);
    const name = inOneLine(key);
    const named = name === '' ? [] : ofFile.filter((text) => inOneLine(text.key) === name);
    const [only, ...others] =
      named.length === 1 ? named : ofFile.filter((text) => text.sourceHash === source);
    if (only === undefined || others.length > 0) return undefined;
    const isCurrent = source === undefined || source === only.sourceHash;
    return isCurrent ? { text: only } : { text: only, older: source };
  }

  #ofSource(hash: string | undefined): FoundText<Text> | undefined {
    const [text, ...more] = hash === undefined ? [] : (this.#bySource.get(hash) ?? []);
    return text === undefined || more.length > 0 ? undefined : { text, isMoved: true };
  }
}
