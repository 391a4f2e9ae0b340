/** Law: each row of a person's table whose source stays is there afterwards, in its place. The widths of columns say nothing. */
import { expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { TextJobs } from '../text-jobs.ts';

interface Cell {
  readonly en: string;
  readonly de: string;
}
type Row = readonly Cell[];

const ENGLISH = 'server starts window worker keeps memory someone closes outside names'.split(' ');
const GERMAN = 'Dienst startet Fenster Arbeiter Speicher jemand außen Namen Teil lies'.split(' ');

const boughtWords = (en: string) =>
  en.replace(/`[^`]*`|\p{L}+/gu, (found) => (found.startsWith('`') ? found : `${found}ä`));

class RandomTable {
  readonly #random: Seeded;
  #next = 0;

  constructor(random: Seeded) {
    this.#random = random;
  }

  rows(): Row[] {
    const [columns, rows] = [2 + this.#random.below(2), 3 + this.#random.below(4)];
    return Array.from({ length: rows }, () => Array.from({ length: columns }, () => this.#cell()));
  }

  /** The header stays. */
  edited(rows: readonly Row[]): Row[] {
    const random = this.#random;
    const at = 1 + random.below(rows.length - 1);
    const isShort = rows.length < 4;
    switch (isShort ? 0 : random.below(4)) {
      case 0: {
        const added = (rows[0] ?? []).map(() => this.#bought());
        return rows.toSpliced(at + random.below(2), 0, added);
      }
      case 1:
        return rows.toSpliced(at, 1);
      case 2: {
        const moved = rows.slice(at, at + 1);
        return rows.toSpliced(at, 1).toSpliced(1 + random.below(rows.length - 1), 0, ...moved);
      }
      default: {
        const row = rows[at] ?? [];
        return rows.toSpliced(at, 1, row.with(random.below(row.length), this.#bought()));
      }
    }
  }

  #cell(): Cell {
    this.#next += 1;
    const random = this.#random;
    const words = (from: readonly string[]) =>
      Array.from({ length: 1 + random.below(4) }, () => random.pick(from)).join(' ');
    const code = random.isOneIn(4) ? ` \`c${this.#next}\`` : '';
    return { en: `${words(ENGLISH)}${code}`, de: `${words(GERMAN)}${code}` };
  }

  #bought(): Cell {
    const { en } = this.#cell();
    return { en, de: boughtWords(en) };
  }
}

function page(rows: readonly Row[], language: 'en' | 'de', isAligned: boolean): string {
  const cells = rows.map((row) => row.map((cell) => cell[language]));
  const widths = (cells[0] ?? []).map((_, at) =>
    isAligned ? Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)) : 3,
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((text, at) => text.padEnd(isAligned ? (widths[at] ?? 0) : 0)).join(' | ')} |`;
  const [head = [], ...rest] = cells;
  const dashes = line(widths.map((width) => '-'.repeat(width)));
  const table = [line(head), dashes, ...rest.map(line)].join('\n');
  return language === 'en'
    ? `# Head\n\n${table}\n\nThe end.\n`
    : `# Kopf\n\n${table}\n\nDas Ende.\n`;
}

/** The cells without the blanks and dashes that align them. */
const even = (text: string) => text.replaceAll(/[ \t]+/g, ' ').replaceAll(/-{3,}/g, '---');

const [SOURCE, TARGET] = ['l/en.md', 'l/de.md'];

test.each(Array.from({ length: 60 }, (_, seed) => seed))(
  "a person's rows follow their source, seed %i",
  async (seed) => {
    const random = new Seeded(seed);
    const table = new RandomTable(random);
    const [theirs, own] = [!random.isOneIn(3), random.isOneIn(2)];
    let rows = table.rows();
    const files = { [SOURCE]: page(rows, 'en', theirs), [TARGET]: page(rows, 'de', own) };
    const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
    expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
    for (let edits = 1 + random.below(3); edits > 0; edits -= 1) rows = table.edited(rows);
    await jobs.write(SOURCE, page(rows, 'en', theirs));
    const { state } = await jobs.run(SOURCE);
    expect(even(await jobs.read(TARGET))).toBe(even(page(rows, 'de', own)));
    expect(state.kind).toBe('done');
    expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
  },
);
