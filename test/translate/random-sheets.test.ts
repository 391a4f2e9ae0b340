/** Law: in a CSV file that has all languages, each field whose English stays is there afterwards, byte for byte. */
import { expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { TextJobs } from '../text-jobs.ts';
import { wholeNumber } from '../whole-number.ts';

/** More files: `DRAGOMAN_KEYS=200 DRAGOMAN_KEY_SEED=5000 vitest run test/translate/random-sheets.test.ts` */
const FILES = wholeNumber('files', process.env['DRAGOMAN_KEYS'] ?? '12');
const FIRST = wholeNumber('seed', process.env['DRAGOMAN_KEY_SEED'] ?? '0');
const PATH = 'l/texts.csv';
const LANGUAGES = ['de', 'pl'] as const;
type Language = (typeof LANGUAGES)[number];

interface Row {
  /** The same before and after an edit. */
  readonly id: number;
  readonly key: string;
  readonly en: string;
  /** The bytes of the other fields, as a person wrote them. */
  readonly own: Readonly<Record<Language | 'note', string>>;
  readonly isQuoted: boolean;
  /** A person wrote another translation after the first run: when its English changes, the person is asked. */
  readonly isEdited?: true;
  /** Fields at its end that it does not have. */
  readonly missing: number;
}

interface Sheet {
  readonly columns: readonly ('key' | 'en' | 'note' | Language)[];
  readonly delimiter: string;
  readonly lineEnd: string;
  readonly rows: readonly Row[];
}

test.each(Array.from({ length: FILES }, (_, at) => FIRST + at))(
  'what people wrote in a sheet stays when the English changes, seed %i',
  async (seed) => {
    const sheets = new RandomSheets(new Seeded(seed, 99));
    const first = sheets.sheet();
    const { delimiter } = first;
    const columns = `{ key: key, source: en, delimiter: ${JSON.stringify(delimiter)}, targets: { de: de, pl: pl } }`;
    const route = `{ from: "${PATH}", columns: ${columns} }`;
    const jobs = await TextJobs.of(route, { [PATH]: textOf(first) }, LANGUAGES.join(', '));
    await runAll(jobs, textOf(first));
    let filled = asFilled(first, new Map());
    expect(await jobs.read(PATH), textOf(first)).toBe(textOf(filled));
    for (let changes = 2; changes > 0; changes -= 1) {
      const known = new Map(filled.rows.map(({ id, en }) => [id, en]));
      const edited = sheets.after(filled);
      await jobs.write(PATH, textOf(edited));
      const bought = await runAll(jobs, textOf(edited));
      const wanted = asFilled(edited, known);
      const report = `--- before\n${textOf(filled)}--- edited\n${textOf(edited)}`;
      expect(await jobs.read(PATH), report).toBe(textOf(wanted));
      const texts = new Set(filled.rows.map(({ en }) => en));
      const fresh = edited.rows.flatMap(({ en }) => (texts.has(en) ? [] : [en]));
      expect(new Set(bought), report).toEqual(new Set(fresh));
      filled = wanted;
    }
  },
);

/** @returns what was bought */
async function runAll(jobs: TextJobs, report: string): Promise<readonly string[]> {
  const bought = [];
  for (const language of LANGUAGES) {
    const ran = await jobs.run(PATH, language);
    expect(ran.state, report).toMatchObject({ kind: 'done' });
    bought.push(...ran.bought);
  }
  for (const language of LANGUAGES) {
    const again = { bought: [], isWritten: false, state: { kind: 'done' } };
    expect(await jobs.run(PATH, language), report).toMatchObject(again);
  }
  return bought;
}

/** The sheet with its empty fields filled, and with those whose English is another one than before. */
function asFilled(sheet: Sheet, before: ReadonlyMap<number, string>): Sheet {
  const { columns, delimiter } = sheet;
  const rows = sheet.rows.map((row) => {
    const was = before.get(row.id);
    const isChanged = was !== undefined && was !== row.en;
    const there = (language: Language) => columns.indexOf(language) < columns.length - row.missing;
    const now = { ...row.own };
    let { missing } = row;
    for (const language of LANGUAGES) {
      const isOpen = !there(language) || ['', '""'].includes(row.own[language]);
      if (!isOpen && !isChanged) continue;
      const isQuoted = there(language) && row.own[language].startsWith('"');
      now[language] = field(translated(row.en), isQuoted, delimiter);
      missing = Math.min(missing, columns.length - 1 - columns.indexOf(language));
    }
    return { ...row, own: now, missing };
  });
  return { ...sheet, rows };
}

const translated = (en: string) =>
  en.replace(/\{\w+\}|\p{L}+/gu, (found) => (found.startsWith('{') ? found : `${found}ä`));

function textOf({ columns, delimiter, lineEnd, rows }: Sheet): string {
  const lines = rows.map((row) => {
    const fields = columns.map((column) => {
      if (column === 'key' || column === 'en') return field(row[column], row.isQuoted, delimiter);
      return row.own[column];
    });
    return fields.slice(0, fields.length - row.missing).join(delimiter);
  });
  return [columns.join(delimiter), ...lines, ''].join(lineEnd);
}

const field = (text: string, isQuoted: boolean, delimiter: string) =>
  isQuoted || /["\r\n]|^\s|\s$/.test(text) || text.includes(delimiter)
    ? `"${text.replaceAll('"', '""')}"`
    : text;

const ENDINGS = [
  'here',
  'a, b; c',
  'the "best" part',
  'line\nbreak',
  '50 % off',
  "isn't {name}",
  'tab\tbed',
] as const;

class RandomSheets {
  readonly #random: Seeded;
  #ids = 0;
  #delimiter = ',';

  constructor(random: Seeded) {
    this.#random = random;
  }

  sheet(): Sheet {
    const random = this.#random;
    this.#delimiter = random.pick([',', ',', ';', '\t']);
    const rest = ['en', 'de', 'pl', 'note'] as const;
    const at = random.below(rest.length);
    const columns = ['key', ...rest.slice(at), ...rest.slice(0, at)] as const;
    return {
      columns,
      delimiter: this.#delimiter,
      lineEnd: random.pick(['\n', '\n', '\r\n']),
      rows: Array.from({ length: 3 + random.below(4) }, () => this.#row(columns)),
    };
  }

  after(sheet: Sheet): Sheet {
    const random = this.#random;
    let rows = [...sheet.rows];
    for (let left = 1 + random.below(3); left > 0; left -= 1) {
      const at = random.below(rows.length);
      const row = rows[at] as Row;
      switch (random.pick(['change', 'add', 'remove', 'move', 'rename', 'own', 'note'] as const)) {
        case 'change':
          if (!row.isEdited) rows[at] = { ...row, en: `${row.en} now${this.#next()}` };
          break;
        case 'add':
          rows.splice(at, 0, { ...this.#row(sheet.columns), own: { de: '', pl: '', note: '' } });
          break;
        case 'remove':
          if (rows.length > 1) rows = rows.filter((each) => each !== row);
          break;
        case 'move':
          rows = rows.filter((each) => each !== row);
          rows.splice(random.below(rows.length + 1), 0, row);
          break;
        case 'rename':
          rows[at] = { ...row, key: `key_${this.#next()}` };
          break;
        case 'own':
          // A person writes another translation.
          if (sheet.rows.some(({ id, en }) => id === row.id && en === row.en))
            rows[at] = {
              ...row,
              isEdited: true,
              own: { ...row.own, [random.pick(LANGUAGES)]: this.#own(this.#next()) },
            };
          break;
        case 'note':
          rows[at] = { ...row, own: { ...row.own, note: this.#own(this.#next()) } };
      }
    }
    return { ...sheet, rows };
  }

  #row(columns: Sheet['columns']): Row {
    const random = this.#random;
    const id = this.#next();
    const own = () => (random.isOneIn(4) ? random.pick(['', '""']) : this.#own(id));
    const last = columns.length - 1 - columns.indexOf('en');
    return {
      ...{
        id,
        key: `key_${id}`,
        en: `Words${id} ${random.pick(ENDINGS)}`,
        isQuoted: random.isOneIn(3),
      },
      own: { de: own(), pl: own(), note: own() },
      missing: random.isOneIn(3) ? random.below(Math.min(3, last) + 1) : 0,
    };
  }

  /** The bytes of a field of a person. */
  #own(id: number): string {
    const words = `Worte${id} ${this.#random.pick(ENDINGS)}`.replace(/\{name\}/, '{name}');
    return field(words, this.#random.isOneIn(2), this.#delimiter);
  }

  #next(): number {
    this.#ids += 1;
    return this.#ids;
  }
}
