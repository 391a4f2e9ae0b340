/** What was billed, for a person who opens `db.json`: in all, then by month, project and language, the newest month first. Pure. */
import type { Charge } from '../ledger.ts';

export class Totals {
  readonly #months = new Map<string, Map<string, Map<string, number>>>();
  #billed = 0;
  #possiblyTwice = 0;
  #voiceSeconds = 0;

  add({ kind, characters, seconds, at, project, language }: Charge): void {
    if (kind === 'possibly-twice') {
      this.#possiblyTwice += characters ?? 0;
      return;
    }
    this.#voiceSeconds += seconds ?? 0;
    if (characters === null) return;
    this.#billed += characters;
    const month = inside(this.#months, at.slice(0, 7));
    const languages = inside(month, project);
    languages.set(language, (languages.get(language) ?? 0) + characters);
  }

  /** JSON, a line a month: editors and `head` show the present one first. */
  write(): string {
    const sums = {
      billed_characters: this.#billed,
      possibly_billed_twice: this.#possiblyTwice,
      voice_seconds: this.#voiceSeconds,
    };
    const months = [...this.#months]
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([month, projects]) => `\n${JSON.stringify({ month, billed: asObject(projects) })}`);
    return `${JSON.stringify(sums).slice(0, -1)},"months":[${months.join(',')}]}`;
  }
}

function inside<T>(maps: Map<string, Map<string, T>>, name: string): Map<string, T> {
  const found = maps.get(name) ?? new Map<string, T>();
  maps.set(name, found);
  return found;
}

function asObject(projects: ReadonlyMap<string, ReadonlyMap<string, number>>) {
  const sorted = [...projects].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, sums]) => [name, Object.fromEntries(sums)]));
}
