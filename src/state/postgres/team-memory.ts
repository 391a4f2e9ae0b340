/** The memories of a team: one table with a hash of project, language, recipe and text as the key. */
import { hash } from 'node:crypto';
import type { RecipeKey } from '../../job.ts';
import type { LanguageTag } from '../../language.ts';
import { partsFromField, partsKey, partsToField } from '../memories/parts.ts';
import {
  type AskedText,
  fitting,
  type KnownTranslation,
  type Memories,
  type Memory,
  type MemoryOwner,
  memoryOf,
  type Remembered,
} from '../memory.ts';
import type { Database } from './database.ts';
import type { TeamTime } from './team-time.ts';

/** Names a memory: one project in one language. */
interface MemoryKey {
  readonly project: string;
  readonly language: LanguageTag;
}

export interface TeamMemoriesOptions {
  readonly database: Database;
  /** The name of this runner; stored with each translation. */
  readonly name: string;
  /** ISO 8601: older translations are not used. */
  readonly since: string;
  /** Absent: translations keep the times that they have. */
  readonly time?: TeamTime;
}

/** Texts that are looked up or sent at a time. */
const PORTION = 1000;

export class TeamMemories implements Memories {
  readonly #options: TeamMemoriesOptions;

  constructor(options: TeamMemoriesOptions) {
    this.#options = options;
  }

  async open(project: string, language: LanguageTag): Promise<Memory> {
    return new TeamMemory(this.#options, { project, language });
  }

  of(owner: MemoryOwner): Promise<Memory> {
    return memoryOf(this, owner);
  }

  /** Does nothing: the owner of the database closes it. */
  async [Symbol.asyncDispose](): Promise<void> {}
}

class TeamMemory implements Memory {
  readonly #options: TeamMemoriesOptions;
  readonly #key: MemoryKey;

  constructor(options: TeamMemoriesOptions, key: MemoryKey) {
    this.#options = options;
    this.#key = key;
  }

  async find(asked: readonly AskedText[]): Promise<readonly KnownTranslation[]> {
    const { database } = this.#options;
    return await this.#findBy((text, values) => database.rows<TranslationRow>(text, values), asked);
  }

  async findFree(asked: readonly AskedText[]): Promise<readonly KnownTranslation[]> {
    const { database } = this.#options;
    const nothing = asked.map(() => undefined);
    if (database.isAway) return nothing;
    return await this.#findBy(
      (text, values) => database.query<TranslationRow>(text, values),
      asked,
    ).catch(() => nothing);
  }

  async #findBy(
    ask: (
      text: string,
      values: readonly unknown[],
    ) => Promise<readonly Pick<TranslationRow, 'key' | 'source' | 'translation'>[]>,
    asked: readonly AskedText[],
  ): Promise<readonly KnownTranslation[]> {
    const { since } = this.#options;
    const wanted = asked.map((text) => ({ ...keyed(this.#key, text), text }));
    const found = new Map<string, readonly [string, string]>();
    for (let from = 0; from < wanted.length; from += PORTION) {
      const keys = wanted.slice(from, from + PORTION).map(({ key }) => key);
      const rows = await ask(
        'select key, source, translation from @.memory where key = any($1::uuid[]) and at >= $2',
        [keys, since],
      );
      for (const { key, source, translation } of rows) found.set(key, [source, translation]);
    }
    return wanted.map(({ key, source, text }) =>
      fitting(translationIn(found.get(key), source), text),
    );
  }

  async remember(entries: readonly Remembered[]): Promise<void> {
    const { database, name, time } = this.#options;
    for (let from = 0; from < entries.length; from += PORTION) {
      const portion = entries.slice(from, from + PORTION);
      // If keys are equal, the last one counts: a statement may write a row only once.
      const rows = new Map(
        portion.map((entry) => {
          const at = time?.of(entry.at) ?? entry.at;
          const row = { ...memoryRow(this.#key, entry), at, request: entry.request };
          return [row.key, row];
        }),
      );
      const told = { ...this.#key, name, entries: [...rows.values()] };
      await database.call('remember', JSON.stringify(told));
    }
  }

  async holdsAnswerTo(request: string): Promise<boolean> {
    const rows = await this.#options.database.rows(
      'select 1 as held from @.memory where request = $1 limit 1',
      [request],
    );
    return rows.length > 0;
  }

  async *entries(): AsyncIterable<Remembered> {
    const { project, language } = this.#key;
    for (let seen = '0'; ; ) {
      const rows = await this.#options.database.rows<TranslationRow>(
        `select seq, recipe, source, translation, request, at from @.memory
         where project = $1 and language = $2 and seq > $3 order by seq limit ${PORTION}`,
        [project, language, seen],
      );
      for (const { recipe, source, translation, request, at } of rows) {
        yield {
          recipe: recipe as RecipeKey,
          source: partsFromField(kept(source)),
          translation: partsFromField(kept(translation)),
          request,
          at: at.toISOString(),
        };
      }
      const last = rows.at(-1);
      if (last === undefined) return;
      seen = last.seq;
    }
  }
}

interface TranslationRow {
  readonly key: string;
  readonly seq: string;
  readonly recipe: string;
  readonly source: string;
  readonly translation: string;
  readonly request: string;
  readonly at: Date;
}

/** The key of a text in the database: 128 bits of its hash as a UUID. */
export function keyed(
  { project, language }: MemoryKey,
  { recipe, parts }: AskedText,
): { readonly key: string; readonly source: string } {
  const source = stored(partsKey(parts));
  const digest = hash('sha256', JSON.stringify([project, language, recipe, source]));
  const key = digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { key, source };
}

export function memoryRow(
  key: MemoryKey,
  { recipe, source, translation, at }: Omit<Remembered, 'request'>,
) {
  return {
    ...keyed(key, { recipe, parts: source }),
    recipe,
    translation: storedParts(translation),
    at,
  };
}

/** A translation as the table stores it. */
export function storedParts(parts: Parameters<typeof partsToField>[0]): string {
  return stored(partsToField(parts));
}

/** Replaces NUL: encoded parts begin with NUL, and PostgreSQL does not store it. No text may have this character. */
const NUL_MARK = '\uFDD0';

function stored(encoded: string): string {
  // The database refuses JSON with a lone surrogate; but the answer is paid for and must be stored.
  return encoded.replaceAll('\u0000', NUL_MARK).toWellFormed();
}

function kept(text: string): string {
  return text.replaceAll(NUL_MARK, '\u0000');
}

/** The translation of a row, if its source is `source`: two texts may have the same hash. */
export function translationIn(
  found: readonly [string, string] | undefined,
  source: string,
): KnownTranslation {
  return found?.[0] === source ? partsFromField(kept(found[1])) : undefined;
}
