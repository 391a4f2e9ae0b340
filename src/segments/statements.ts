/**
 * Statements: "in this language, text T is a translation of text S at this place, and this is who made it". What a team knows of
 * a language is a set of them. Statements stay true, so sets are merged by union, and their order means nothing. Pure.
 */
import { hash } from 'node:crypto';
import type { Origin, SegmentRecord } from '../baseline.ts';
import { partsText } from '../format.ts';

/** A place of a text: 36 bits of a hash. */
export type UnitId = string & { readonly brand: 'UnitId' };
/** 48 bits of a hash of a source text. */
export type SourceHash = string & { readonly brand: 'SourceHash' };
/** 36 bits of a hash of a target text. */
export type TargetHash = string & { readonly brand: 'TargetHash' };

/** `held`: an answer was paid, and no try was fit to be written. */
export type Mark = Exclude<Origin, 'copied'> | 'held';

/** What is said of a place. */
export interface Assertion {
  readonly source: SourceHash;
  /** `NO_TARGET`: nothing stands there. */
  readonly target: TargetHash;
  readonly mark: Mark;
  /** Whether a person is to look at the text, or has done so. */
  readonly review?: 'wanted' | 'reviewed';
  /** Six characters; only where rules buy a text again. */
  readonly recipe?: string;
}

export interface Statement extends Assertion {
  readonly unit: UnitId;
}

export const NO_TARGET = '------' as TargetHash;

/**
 * @param path of the source, relative to the root of its project, with `/`
 * @param id of the segment; absent for formats without keys, whose texts are told apart by their hashes
 */
export function unitId(path: string, id?: string): UnitId {
  const place = path.normalize('NFC');
  return digest(id === undefined ? place : `${place}\0${id}`).slice(0, 6) as UnitId;
}

export function sourceHash(text: string): SourceHash {
  return digest(plain(text)).slice(0, 8) as SourceHash;
}

export function targetHash(text: string): TargetHash {
  return digest(plain(text)).slice(0, 6) as TargetHash;
}

/** The same for files as a whole. @param content sha256 of their bytes, hexadecimal */
export function hashesOfBytes(content: string): { source: SourceHash; target: TargetHash } {
  const name = Buffer.from(content, 'hex').toString('base64url');
  return { source: name.slice(0, 8) as SourceHash, target: name.slice(0, 6) as TargetHash };
}

/** Editors and git change line ends, and systems the form of accents: neither makes another text. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC');
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Of statements about the same place, source and target only the strongest is left. In the order of their first mention. */
export function union(...sets: readonly Iterable<Statement>[]): Statement[] {
  const all: Statement[] = [];
  /** Where the statements of a place stand: of a hundred thousand places nearly all have one, which needs no name of its own. */
  const places = new Map<UnitId, number | Map<string, number>>();
  for (const set of sets) {
    for (const statement of set) {
      const before = places.get(statement.unit);
      if (before === undefined) {
        places.set(statement.unit, all.push(statement) - 1);
        continue;
      }
      const byPair = typeof before === 'number' ? new Map([[pairOf(all[before]), before]]) : before;
      places.set(statement.unit, byPair);
      const at = byPair.get(pairOf(statement));
      const known = at === undefined ? undefined : all[at];
      if (at === undefined || known === undefined) {
        byPair.set(pairOf(statement), all.push(statement) - 1);
      } else all[at] = stronger(known, statement);
    }
  }
  return all;
}

function pairOf(statement: Statement | undefined): string {
  return `${statement?.source} ${statement?.target}`;
}

const STRENGTH: Readonly<Record<Mark, number>> = { held: 0, machine: 1, adopted: 2, human: 3 };

function stronger(a: Statement, b: Statement): Statement {
  const [before, now] = [lockRank(a), lockRank(b)];
  return now > before || (now === before && (b.recipe ?? '') > (a.recipe ?? '')) ? b : a;
}

/** Of two statements about one pair of texts, the one with the higher rank holds. */
export function lockRank({ mark, review }: Pick<Assertion, 'mark' | 'review'>): number {
  return STRENGTH[mark] * 3 + (review === 'reviewed' ? 2 : review === 'wanted' ? 1 : 0);
}

/** What a baseline's record states of its pair: an adopted text was only found beside its source, and states nothing. */
export function stated(record: SegmentRecord): Assertion[] {
  const { state, origin, target } = record;
  if (record.isFrame || origin === 'copied') return [];
  if (origin === 'adopted' && state === 'ok') return [];
  if (target === null && origin !== 'human' && state !== 'held') return [];
  const text = target === null ? NO_TARGET : targetHash(partsText(target));
  switch (state) {
    case 'ok':
      return [{ source: sourceHash(record.source), target: text, mark: origin }];
    case 'held':
      return [{ source: sourceHash(record.source), target: text, mark: 'held' }];
    case 'conflict':
    case 'stale': {
      const before = record.previousSource;
      return before === undefined
        ? []
        : [{ source: sourceHash(before), target: text, mark: 'human' }];
    }
  }
}
