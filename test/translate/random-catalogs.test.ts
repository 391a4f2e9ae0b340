/** Law: in a string catalog, which has all languages, each entry whose English stays is there afterwards, byte for byte. */
import { expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { TextJobs } from '../text-jobs.ts';
import { wholeNumber } from '../whole-number.ts';

/** More files: `DRAGOMAN_KEYS=200 DRAGOMAN_KEY_SEED=5000 vitest run test/translate/random-catalogs.test.ts` */
const FILES = wholeNumber('files', process.env['DRAGOMAN_KEYS'] ?? '12');
const FIRST = wholeNumber('seed', process.env['DRAGOMAN_KEY_SEED'] ?? '0');
const PATH = 'l/Localizable.xcstrings';
const ROUTE = `{ from: "${PATH}", to: "${PATH}" }`;
const LANGUAGES = ['de', 'pl'] as const;

interface Entry {
  readonly key: string;
  readonly en: Text;
  /** The rest of the entry, as a person or Xcode wrote it. */
  readonly text: (en: Text) => string;
}

/** `plural`: the English has plural forms. */
interface Text {
  readonly words: string;
  readonly shape: 'key' | 'unit' | 'plural';
}

test.each(Array.from({ length: FILES }, (_, at) => FIRST + at))(
  'what people wrote in a catalog stays when the English changes, seed %i',
  async (seed) => {
    const catalogs = new RandomCatalogs(new Seeded(seed, 77));
    const first = catalogs.file();
    const jobs = await TextJobs.of(ROUTE, { [PATH]: textOf(first) }, LANGUAGES.join(', '));
    for (const language of LANGUAGES) {
      const untouched = { bought: [], isWritten: false, state: { kind: 'done' } };
      expect(await jobs.run(PATH, language), textOf(first)).toMatchObject(untouched);
    }
    const file = catalogs.after(first);
    await jobs.write(PATH, textOf(file));
    const bought = [];
    for (const language of LANGUAGES) bought.push(...(await jobs.run(PATH, language)).bought);
    const now = await jobs.read(PATH);
    const report = `--- before\n${textOf(first)}\n--- edited\n${textOf(file)}\n--- now\n${now}`;
    const known = new Set(first.map(({ en }) => en));
    let at = 0;
    for (const entry of file) {
      const isSame = known.has(entry.en);
      const lines = `    ${JSON.stringify(entry.key)} : ${isSame ? entry.text(entry.en) : '{'}`;
      const found = now.indexOf(`${lines}${isSame ? '' : '\n'}`, at);
      expect(found, `${lines}\n${report}`).toBeGreaterThan(-1);
      at = found;
      if (isSame) continue;
      const own = JSON.parse(now).strings[entry.key].localizations;
      const english = JSON.parse(textOf([entry])).strings[entry.key].localizations?.en;
      expect(own.en, report).toEqual(english);
      for (const language of LANGUAGES) {
        const words = JSON.stringify(own[language]);
        expect(words, report).toMatch(/\w/);
      }
    }
    const changed = file.filter(({ en }) => !known.has(en));
    if (changed.length === 0) expect(bought, report).toEqual([]);
    for (const language of LANGUAGES) {
      expect(await jobs.run(PATH, language), report).toMatchObject({
        ...{ bought: [], isWritten: false },
      });
    }
  },
);

function textOf(entries: readonly Entry[]): string {
  const strings = entries.map(({ key, en, text }) => `    ${JSON.stringify(key)} : ${text(en)}`);
  return `{\n  "sourceLanguage" : "en",\n  "strings" : {\n${strings.join(',\n')}\n  },\n  "version" : "1.0"\n}\n`;
}

const unit = (value: string, state = 'translated') => ({ stringUnit: { state, value } });
/** As Xcode writes it. */
const inXcode = (value: unknown, margin: string) =>
  JSON.stringify(value, null, 2)
    .replace(/^(\s*"(?:[^"\\]|\\.)*"):/gmu, '$1 :')
    .replaceAll('{}', '{\n\n}')
    .replaceAll('\n', `\n${margin}`)
    .replaceAll(/\n\s+\n/gu, '\n\n');

class RandomCatalogs {
  readonly #random: Seeded;
  #ids = 0;

  constructor(random: Seeded) {
    this.#random = random;
  }

  file(): Entry[] {
    return Array.from({ length: 3 + this.#random.below(4) }, () => this.#entry(true));
  }

  after(file: readonly Entry[]): readonly Entry[] {
    let now = [...file];
    for (let left = 1 + this.#random.below(3); left > 0; left--) {
      const at = this.#random.below(now.length);
      const entry = now[at] as Entry;
      switch (this.#random.pick(['change', 'shape', 'add', 'remove', 'move', 'rename'] as const)) {
        case 'change':
          if (entry.en.shape !== 'key')
            now[at] = { ...entry, en: { ...entry.en, words: `${entry.en.words} now` } };
          break;
        case 'shape':
          if (entry.en.shape === 'unit')
            now[at] = { ...entry, en: { words: `%lld ${entry.en.words}`, shape: 'plural' } };
          break;
        case 'add':
          now.splice(at, 0, this.#entry(false));
          break;
        case 'remove':
          if (now.length > 1) now = now.filter((each) => each !== entry);
          break;
        case 'move':
          now = now.filter((each) => each !== entry);
          now.splice(this.#random.below(now.length + 1), 0, entry);
          break;
        case 'rename':
          if (entry.en.shape !== 'key') now[at] = { ...entry, key: `renamed_${this.#next()}` };
      }
    }
    return now;
  }

  #entry(isTranslated: boolean): Entry {
    const random = this.#random;
    const id = this.#next();
    const shape = random.pick(['key', 'unit', 'unit', 'plural'] as const);
    const words = `${shape === 'plural' ? '%lld words' : 'Words'} ${'abcdefghij'[id % 10]}${id} here`;
    const en: Text = { words, shape };
    const comment = random.isOneIn(3) ? { comment: `about ${id}` } : {};
    const state = random.isOneIn(3) ? { extractionState: 'manual' } : {};
    const more = random.isOneIn(4) ? { 'x-note': { by: 'Anna', at: [1, 2] } } : {};
    const own = isTranslated ? LANGUAGES.map((each) => [each, this.#own(en, each)] as const) : [];
    const isLast = random.isOneIn(2);
    const text = (now: Text) => {
      const english = now.shape === 'key' ? [] : [['en', inEnglish(now)] as const];
      const all = isLast ? [...own, ...english] : [...english, ...own];
      const localizations = all.length === 0 ? {} : { localizations: Object.fromEntries(all) };
      return inXcode({ ...comment, ...state, ...localizations, ...more }, '    ');
    };
    return { key: shape === 'key' ? words : `key_${id}`, en, text };
  }

  /** What a person wrote for it. */
  #own({ words, shape }: Text, language: string): unknown {
    const theirs = words.replace('Words', 'Wörter').replace('words', 'Wörter');
    const state = this.#random.isOneIn(4) ? 'needs_review' : 'translated';
    if (shape === 'plural') {
      const forms = language === 'pl' ? ['one', 'few', 'many', 'other'] : ['one', 'other'];
      const plural = Object.fromEntries(
        forms.map((form) => [form, unit(`${theirs} ${form}`, state)]),
      );
      return { variations: { plural } };
    }
    if (!this.#random.isOneIn(4)) return unit(`${theirs} "${language}"\n`, state);
    const device = { iphone: unit(`${theirs} iPhone`, state), other: unit(theirs, state) };
    return { variations: { device } };
  }

  #next(): number {
    this.#ids += 1;
    return this.#ids;
  }
}

function inEnglish({ words, shape }: Text): unknown {
  if (shape !== 'plural') return unit(words);
  const plural = { one: unit(`${words} one`), other: unit(words) };
  return { variations: { plural } };
}
