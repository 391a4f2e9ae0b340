/**
 * Statements: "in this language, text T is a translation of text S in this unit, and this is its origin". A team's knowledge of a language
 * is a set of them. A statement stays true, so two sets are merged by union, and their order has no meaning. Pure.
 */
import { hash } from 'node:crypto';
import type { Origin, SegmentRecord } from '../baseline.ts';
import { allSteps, type StepwiseWork } from '../clock.ts';
import { partsText } from '../format.ts';

/** The place of a text: the path of its source and, in keyed formats, the id of the segment. 36 bits of a hash. */
export type UnitId = string & { readonly brand: 'UnitId' };
/** 48 bits of a hash of a source text. */
export type SourceHash = string & { readonly brand: 'SourceHash' };
/** 36 bits of a hash of a target text. */
export type TargetHash = string & { readonly brand: 'TargetHash' };

/** `held`: an answer was paid, and no attempt could be written. */
export type Mark = Exclude<Origin, 'copied'> | 'held';

/** A statement without its unit. */
export interface Assertion {
  readonly source: SourceHash;
  /** `NO_TARGET`: the target has no text. */
  readonly target: TargetHash;
  readonly mark: Mark;
  /** Whether a person must review the text, or has done so. */
  readonly review?: 'wanted' | 'reviewed';
  /** Six characters of the recipe; only when the config buys texts again for a changed recipe. */
  readonly recipe?: string;
}

export interface Statement extends Assertion {
  readonly unit: UnitId;
}

export const NO_TARGET = '------' as TargetHash;

/**
 * @param path of the source, relative to the root of its project, with `/`
 * @param id of the segment; absent for formats without keys, whose texts are distinguished by their hashes
 */
export function unitId(path: string, id?: string): UnitId {
  const place = path.normalize('NFC');
  return shortHash(id === undefined ? place : `${place}\0${id}`) as UnitId;
}

export function sourceHash(text: string): SourceHash {
  return textDigest(plain(text)).slice(0, 8) as SourceHash;
}

export function targetHash(text: string): TargetHash {
  return shortHash(plain(text)) as TargetHash;
}

/** The same for whole files. @param content sha256 of their bytes, hexadecimal */
export function hashesOfBytes(content: string): { source: SourceHash; target: TargetHash } {
  const name = Buffer.from(content, 'hex').toString('base64url');
  return { source: name.slice(0, 8) as SourceHash, target: name.slice(0, 6) as TargetHash };
}

/** Editors and git change line ends, and operating systems the form of accents: the text is still the same. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').normalize('NFC');
}

/** 36 bits, six characters of base64url. */
export function shortHash(text: string): string {
  return textDigest(text).slice(0, 6);
}

function textDigest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Keeps only the strongest statement about each unit, source and target, in the order in which they first occur. */
export function union(...sets: readonly Iterable<Statement>[]): Statement[] {
  return allSteps(unionInSteps(...sets));
}

export function* unionInSteps(...sets: readonly Iterable<Statement>[]): StepwiseWork<Statement[]> {
  const all: Statement[] = [];
  /** Indices of the statements of a unit. Of a hundred thousand units nearly all have one statement, which needs no map of its own. */
  const places = new Map<UnitId, number | Map<string, number>>();
  for (const set of sets) {
    for (const statement of set) {
      yield;
      const before = places.get(statement.unit);
      if (before === undefined) {
        places.set(statement.unit, all.push(statement) - 1);
        continue;
      }
      const byPair =
        typeof before === 'number' ? new Map([[sidesKey(all[before]), before]]) : before;
      places.set(statement.unit, byPair);
      const at = byPair.get(sidesKey(statement));
      const known = at === undefined ? undefined : all[at];
      if (at === undefined || known === undefined) {
        byPair.set(sidesKey(statement), all.push(statement) - 1);
      } else all[at] = stronger(known, statement);
    }
  }
  return all;
}

function sidesKey(statement: Statement | undefined): string {
  return `${statement?.source} ${statement?.target}`;
}

const STRENGTH: Readonly<Record<Mark, number>> = { held: 0, machine: 1, adopted: 2, human: 3 };

function stronger(a: Statement, b: Statement): Statement {
  const [before, now] = [lockRank(a), lockRank(b)];
  return now > before || (now === before && (b.recipe ?? '') > (a.recipe ?? '')) ? b : a;
}

/** When two statements are about one pair of texts, the one with the higher rank counts. */
export function lockRank({ mark, review }: Pick<Assertion, 'mark' | 'review'>): number {
  return STRENGTH[mark] * 3 + (review === 'reviewed' ? 2 : review === 'wanted' ? 1 : 0);
}

/** The statements that a baseline record makes about its pair. An adopted text was only found beside its source, so it makes none. */
export function statementsOf(record: SegmentRecord): Assertion[] {
  const { state, origin, target } = record;
  if (record.isFrame || origin === 'copied') return [];
  // The target cannot take the text: nothing was paid, and each checkout sees it itself until the target is mended.
  if (record.awaits === 'target') return [];
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
