/**
 * The id of a text in exchange files: `unit.source.n`. Where a config has several projects, it ends in a hash of the project's name:
 * two projects may have files with the same name, and tools drop other columns and comments.
 */
import { type SourceHash, shortHash, type UnitId } from './statements.ts';

interface ExchangedText {
  readonly unit: UnitId;
  readonly sourceHash: SourceHash;
  /** 1-based number among the texts of its file with the same unit and source. */
  readonly nth: number;
}

/** @param project its name, where the config has several */
export function exchangeId({ unit, sourceHash, nth }: ExchangedText, project?: string): string {
  const id = `${unit}.${sourceHash}.${nth}`;
  return project === undefined ? id : `${id}.${projectHash(project)}`;
}

/** Letters, digits, `-` and `_`: the ids of XLIFF 2 allow no others. */
export function projectHash(name: string): string {
  return shortHash(name.normalize('NFC'));
}

/** Tools keep ids; people sometimes change them. */
const ID = /^(([\w-]{6})\.([\w-]{8})\.\d+)(?:\.([\w-]{6}))?$/;

interface NamedPlace {
  /** The id without the project. */
  readonly place: string;
  readonly unit: UnitId;
  readonly source: SourceHash;
  readonly projectHash?: string;
}

/** @returns undefined when the id is damaged */
export function parseExchangeId(id: string): NamedPlace | undefined {
  const [, place, unit, source, project] = ID.exec(id) ?? [];
  if (place === undefined) return undefined;
  const named = { place, unit: unit as UnitId, source: source as SourceHash };
  return project === undefined ? named : { ...named, projectHash: project };
}
