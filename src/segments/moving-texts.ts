/** Texts that leave one file of a project and come into another one, with the translations that people wrote. Pure. */
import type { Origin, SegmentRecord } from '../baseline.ts';
import { type Part, partsText, type Segment } from '../format.ts';
import { translatedSource } from './decide-by-records.ts';
import type { Decision, TranslationElsewhere, WantedSegment } from './decision.ts';
import { originNow, sameText } from './record.ts';
import { type Assertion, type SourceHash, sourceHash, targetHash } from './statements.ts';

/** A text that would be bought. */
export interface IncomingText {
  readonly id: string;
  readonly source: SourceHash;
  /** A plural form: other forms with the same source text have other translations. */
  readonly isForm?: true;
}

/** A text that left its file, with the translation of a person. */
export interface MovingText {
  readonly id: string;
  readonly source: SourceHash;
  readonly translation: readonly Part[];
  readonly origin: Extract<Origin, 'human' | 'adopted'>;
}

/** The texts for which another file may have the translation of a person. @param segments one for each decision */
export function incomingTexts(
  decisions: readonly Decision[],
  segments: readonly Segment[],
): IncomingText[] {
  return decisions.flatMap((decision, at): IncomingText[] => {
    if (decision.kind !== 'buy' || !LACKING.has(decision.reason)) return [];
    const { id, source } = decision;
    const isForm = segments[at]?.plural !== undefined;
    return [{ id, source: sourceHash(partsText(source)), ...(isForm && { isForm }) }];
  });
}

const LACKING: ReadonlySet<string> = new Set(['new', 'changed', 'missing']);

interface LosingFile extends LosingPage {
  readonly base: ReadonlyMap<string, SegmentRecord>;
  /** The texts of the target, by id. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  readonly decisions: readonly Decision[];
}

interface LosingPage {
  readonly wanted: readonly WantedSegment[];
  /** The texts of the target. */
  readonly texts: readonly Pick<Segment, 'id' | 'parts'>[];
  /** What the lock says of a text, in a page of all its texts. Absent: there is no lock. */
  readonly statements: ((id: string) => readonly Assertion[]) | undefined;
}

/** The translations of people whose texts left the source. A text that moved inside of the file did not leave it. */
export function textsThatLeft(file: LosingFile): MovingText[] {
  const { wanted, base, found, decisions } = file;
  const stays = new Set([
    ...wanted.map(({ id }) => id),
    ...decisions.flatMap((each) => (each.kind === 'move' ? [each.from] : [])),
  ]);
  const records = [...base.values()].filter(({ id }) => !stays.has(id));
  const left = records.flatMap((record) => leftText(record, found.get(record.id)));
  const known = new Set(left.map(({ source }) => source));
  return [...left, ...statedTexts(file, stays).filter(({ source }) => !known.has(source))];
}

/** The same for a checkout without records, by the lock. */
function statedTexts(
  { wanted, texts, statements }: LosingPage,
  stays: ReadonlySet<string>,
): MovingText[] {
  if (statements === undefined) return [];
  const sources = new Set(wanted.map(({ source }) => sourceHash(partsText(source))));
  return texts.flatMap(({ id, parts: translation }) => {
    if (stays.has(id)) return [];
    const text = targetHash(partsText(translation));
    return statements(id).flatMap(({ source, target, mark }): MovingText[] => {
      if (target !== text || sources.has(source)) return [];
      return mark === 'human' || mark === 'adopted'
        ? [{ id, source, translation, origin: mark }]
        : [];
    });
  });
}

/** The same for a file that is gone. */
export function textsOfPeople(records: readonly SegmentRecord[]): MovingText[] {
  return records.flatMap((record) => leftText(record, undefined));
}

function leftText(record: SegmentRecord, found: readonly Part[] | undefined): MovingText[] {
  const { id, state, isFrame, isPairing } = record;
  const origin = originNow(record, found);
  const translation = found ?? record.target;
  const isKept = found === undefined || sameText(found, record.target);
  const source = isKept ? translatedSource(record) : record.source;
  if (isFrame || isPairing || state === 'held') return [];
  if (translation === null || source === undefined) return [];
  if (origin !== 'human' && origin !== 'adopted') return [];
  return [{ id, source: sourceHash(source), translation, origin }];
}

/**
 * The translation for a text: that of the same key, else that of the same source text. `unclear`: these differ, and nobody knows which one
 * is meant.
 */
export function translationAmong(
  { id, source, isForm }: IncomingText,
  left: readonly MovingText[],
): TranslationElsewhere | 'unclear' | undefined {
  const same = left.filter((each) => each.source === source);
  const own = same.filter((each) => each.id === id);
  const [first, ...others] = own.length > 0 || isForm ? own : same;
  if (first === undefined) return undefined;
  const { translation: parts, origin } = first;
  return others.every((each) => sameText(each.translation, parts)) ? { parts, origin } : 'unclear';
}
