/** The version of the stored records, and the migrations from older versions. */
import { JobFailure } from '../failure.ts';
import type { Tables } from './tables.ts';

/** Changes tables of one version to the next version, in place. */
export type Migration = (tables: Tables) => void;

export interface Schema {
  readonly version: number;
  /** By version: the migration to the next one. */
  readonly migrations: ReadonlyMap<number, Migration>;
}

/** Version 1 is the first: there are no older records. */
export const SCHEMA: Schema = { version: 1, migrations: new Map() };

/** @throws JobFailure `damaged-state` when the file is of a version that this program cannot read */
export function requireKnownVersion(schema: Schema, version: number, file: string): void {
  if (version > schema.version) {
    const message = `it is of version ${version}, written by a newer dragoman`;
    throw new JobFailure({ kind: 'damaged-state', file, message, isNewer: true });
  }
  for (let from = version; from < schema.version; from++) {
    if (!schema.migrations.has(from)) {
      throw unknownVersion(file, `it is of version ${version}, which this dragoman cannot read`);
    }
  }
}

/** Runs all migrations from `version` to the present one. */
export function migrate(schema: Schema, version: number, tables: Tables): void {
  for (let from = version; from < schema.version; from++) schema.migrations.get(from)?.(tables);
}

function unknownVersion(file: string, message: string): JobFailure {
  return new JobFailure({ kind: 'damaged-state', file, message });
}
