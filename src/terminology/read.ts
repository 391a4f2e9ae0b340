/** Reads the files of one glossary: CSV, TSV or TBX in any Unicode encoding, checked with file and line before a request is made. Pure. */
import type { Fault } from '../config/fault.ts';
import { failureOf } from '../failure.ts';

import type { Dictionary } from '../segments/dictionary.ts';
import { Collection, type Skipped } from './collect.ts';
import { decodeGlossary } from './decode.ts';
import { type Expected, readTable } from './table.ts';
import { readTermbase } from './tbx.ts';

export interface GlossaryFile {
  /** For messages; its extension tells the format: `.tsv`, `.tbx`, anything else is CSV. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The pairs that it may hold. */
  readonly expected: Expected;
}

export interface ReadGlossary {
  readonly dictionaries: readonly Dictionary[];
  /** Rows that name pairs of other projects: left out, as the service does with them. */
  readonly skipped: readonly Skipped[];
  readonly faults: readonly Fault[];
}

/** Never throws for what stands in the files: all faults come at once. */
export function readGlossary(files: readonly GlossaryFile[]): ReadGlossary {
  const into = new Collection();
  for (const file of files) readFile(file, into);
  return { dictionaries: into.dictionaries(), skipped: into.skipped(), faults: into.faults };
}

function readFile({ file, bytes, expected }: GlossaryFile, into: Collection): void {
  const text = textOf(file, bytes, into);
  if (text === undefined) return;
  if (/\.(tbx|xml)$/i.test(file)) readTermbase(file, text, { expected, into });
  else {
    const kind = /\.(tsv|tab)$/i.test(file) ? 'tsv' : 'csv';
    readTable({ file, text, kind }, { expected, into });
  }
}

function textOf(file: string, bytes: Uint8Array, into: Collection): string | undefined {
  try {
    return decodeGlossary(file, bytes).text;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'malformed') throw error;
    into.fault({ file, line: failure.where.line ?? 1 }, 'is no UTF-8, and no UTF-16 either');
    return undefined;
  }
}
