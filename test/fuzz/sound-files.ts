/** Sound files that dragoman itself writes: the lock of a team, and exchange files for translators in each of their formats. */
import { EXCHANGE_FORMATS } from '../../src/formats/exchange/all.ts';
import type { ExchangeUnit } from '../../src/formats/exchange/exchange.ts';
import { type LanguageTag, parseLanguage } from '../../src/language.ts';
import { exchangeId } from '../../src/segments/exchange-id.ts';
import type { ReviewedText } from '../../src/segments/review-import.ts';
import { type Mark, sourceHash, targetHash, unitId } from '../../src/segments/statements.ts';
import { formatLock } from '../../src/state/lock-text.ts';
import type { SeedFile } from './seeds.ts';

const PROJECT = 'app';
const DE = parseLanguage('de') as LanguageTag;

interface Pair {
  readonly path: string;
  readonly key: string;
  readonly source: string;
  readonly target: string;
  readonly codes?: readonly string[];
  readonly isMessage?: true;
}

const MESSAGE = '{n, plural, one {# file} other {# files}}';
const PAIRS: readonly Pair[] = [
  { path: 'locales/en/app.json', key: 'hello', source: 'Hello', target: 'Hallo' },
  {
    ...{ path: 'locales/en/app.json', key: 'cart.items' },
    ...{ source: 'You have {count} items', target: 'Sie haben {count} Artikel' },
    codes: ['{count}'],
  },
  {
    ...{ path: 'locales/en/app.json', key: 'files' },
    ...{ source: MESSAGE, target: MESSAGE.replace('# files', '# Dateien'), isMessage: true },
  },
  { path: 'locales/en/app.json', key: 'formula', source: '=1+1, "quoted"; \'', target: '' },
  {
    ...{ path: 'docs/en/start.md', key: '' },
    ...{ source: 'A <b>bold</b> word\nand a line', target: 'Ein <b>fettes</b> Wort\nund mehr' },
    codes: ['<b>', '</b>'],
  },
];

/** What stands in the targets when the files come back. */
export const EXCHANGED: readonly (ReviewedText & { readonly project: string })[] = PAIRS.map(
  ({ path, key, source, target }) => ({
    ...{ project: PROJECT, path, key, source, nth: 1, isReviewed: false, isPersons: false },
    ...{ unit: unitId(path, key === '' ? undefined : key), sourceHash: sourceHash(source) },
    ...{ target: target === '' ? null : target, targetHash: targetHash(target) },
  }),
);

export function soundFiles(): ReadonlyMap<string, readonly SeedFile[]> {
  const exchanges = Object.values(EXCHANGE_FORMATS).map(({ name, extension, write }) => {
    const bytes = write({ sourceLanguage: 'en', language: DE, files: exchangeFiles() });
    const file = { name: `de.exchange.${extension}`, bytes };
    return [`exchange ${name}`, [file]] as const;
  });
  return new Map<string, readonly SeedFile[]>([...exchanges, ['lock', lockFiles()]]);
}

function exchangeFiles() {
  const units = EXCHANGED.map((text, nth): ExchangeUnit & { path: string } => {
    const { codes = [], isMessage } = PAIRS[nth] ?? {};
    const { path, key, source, target } = text;
    return {
      ...{ path, id: exchangeId(text), key, source, target: target ?? '', was: text.targetHash },
      ...{ state: target === null ? 'missing' : 'unreviewed', codes, maxLength: 40 },
      ...{ notes: ['Shown on the first page'], previousSource: 'Hello there' },
      ...(isMessage === undefined ? {} : { isMessage }),
    };
  });
  return [...Map.groupBy(units, ({ path }) => path)].map(([path, all]) => ({
    ...{ project: PROJECT, path },
    units: all.map(({ path: _, ...unit }) => unit),
  }));
}

function lockFiles(): SeedFile[] {
  const marks: readonly Mark[] = ['machine', 'adopted', 'human', 'held'];
  const statements = EXCHANGED.map(
    ({ unit, path, sourceHash: source, targetHash: target }, nth) => ({
      ...{ path, unit, source, target, mark: marks[nth % marks.length] ?? 'machine' },
      ...(nth === 1 ? { review: 'wanted' as const } : {}),
      ...(nth === 2 ? { review: 'reviewed' as const, recipe: 'aB3_-z' } : {}),
    }),
  );
  const sections = Map.groupBy(statements, ({ path }) => path);
  const text = formatLock(sections);
  const [first = '', ...rest] = text.split('\n\n');
  const conflict = ['<<<<<<< HEAD', rest.at(-1), '=======', rest.at(-2), '>>>>>>> theirs'];
  return [
    { name: 'de.lock', bytes: Buffer.from(text) },
    { name: 'merged.lock', bytes: Buffer.from([first, ...rest, ...conflict].join('\n')) },
  ];
}
