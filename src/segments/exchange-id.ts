/**
 * The id of a text in exchange files: `unit.source.n_target`. If a config has several projects, it ends in a hash of the project's
 * name: two projects may have files with the same name. Programs drop notes, comments and columns, but keep ids. So the id alone says
 * which text it is, and which translation was exported.
 */
import { type SourceHash, shortHash, type TargetHash, type UnitId } from './statements.ts';

interface TextAddress {
  readonly unit: UnitId;
  readonly sourceHash: SourceHash;
  /** 1-based number among the texts of its file with the same unit and source. */
  readonly nth: number;
}

interface ExchangedText extends TextAddress {
  readonly targetHash: TargetHash;
}

/** @param project its name, where the config has several */
export function exchangeId(text: ExchangedText, project?: string): string {
  const id = `${exchangeAddress(text)}_${text.targetHash}`;
  return project === undefined ? id : `${id}.${projectHash(project)}`;
}

/** The part of the id that stays the same when the translation changes. */
export function exchangeAddress({ unit, sourceHash, nth }: TextAddress): string {
  return `${unit}.${sourceHash}.${nth}`;
}

/** Letters, digits, `-` and `_`: the ids of XLIFF 2 allow no others. */
export function projectHash(name: string): string {
  return shortHash(name.normalize('NFC'));
}

/** Tools keep ids; people sometimes change them. Ids of earlier versions have no `_target`. */
const ID = /^(([\w-]{6})\.([\w-]{8})\.\d+)(?:_([\w-]{6}))?(?:\.([\w-]{6}))?$/;

interface ParsedExchangeId {
  /** The id without the translation and the project. */
  readonly place: string;
  readonly unit: UnitId;
  readonly source: SourceHash;
  /** The translation that was exported. */
  readonly target?: TargetHash;
  readonly projectHash?: string;
}

/** @returns undefined when the id is damaged */
export function parseExchangeId(id: string): ParsedExchangeId | undefined {
  const [, place, unit, source, target, project] = ID.exec(id) ?? [];
  if (place === undefined) return undefined;
  return {
    ...{ place, unit: unit as UnitId, source: source as SourceHash },
    ...(target === undefined ? {} : { target: target as TargetHash }),
    ...(project === undefined ? {} : { projectHash: project }),
  };
}

/** The first of these words that is an id: programs move ids from one field to another when they convert a file. */
export function findExchangeId(words: readonly string[]): string | undefined {
  return words.find((word) => ID.test(word));
}
