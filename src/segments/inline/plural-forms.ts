/** Plural forms by number, as gettext and Qt count them: which formula a language has, and which number is the sample of a form. Pure. */
import { baseLanguage, type LanguageTag } from '../../language.ts';
import { type PluralForms, parsePluralForms } from './plural-formula.ts';
import { numbersIn, pluralCategories, sampleNumber } from './plurals.ts';

/** `Plural-Forms` of the languages, as the GNU gettext manual ("Plural forms") and CLDR have them; the first that fits is taken. */
const FORMULAS = {
  one: 'nplurals=1; plural=0;',
  notOne: 'nplurals=2; plural=(n != 1);',
  aboveOne: 'nplurals=2; plural=(n > 1);',
  endsInOne: 'nplurals=2; plural=(n%10!=1 || n%100==11);',
  filipino: 'nplurals=2; plural=(n>3 && (n%10==4 || n%10==6 || n%10==9));',
  dual: 'nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);',
  czech: 'nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);',
  russian:
    'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);',
  polish: 'nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);',
  lithuanian:
    'nplurals=3; plural=(n%10==1 && (n%100<11 || n%100>19) ? 0 : n%10>=2 && (n%100<11 || n%100>19) ? 1 : 2);',
  latvian:
    'nplurals=3; plural=(n%10==0 || (n%100>=11 && n%100<=19) ? 0 : n%10==1 && n%100!=11 ? 1 : 2);',
  romanian: 'nplurals=3; plural=(n==1 ? 0 : n==0 || (n%100>=1 && n%100<=19) ? 1 : 2);',
  slovenian: 'nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);',
  gaelic:
    'nplurals=4; plural=(n==1 || n==11 ? 0 : n==2 || n==12 ? 1 : (n>2 && n<11) || (n>12 && n<20) ? 2 : 3);',
  irish: 'nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n>2 && n<7 ? 2 : n>6 && n<11 ? 3 : 4);',
  maltese:
    'nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n==0 || (n%100>2 && n%100<11) ? 2 : n%100>10 && n%100<20 ? 3 : 4);',
  welsh: 'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n==3 ? 3 : n==6 ? 4 : 5);',
  arabic:
    'nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);',
} as const;

/**
 * The `Plural-Forms` value for a new PO file. It is the formula that groups whole numbers exactly as CLDR does; if there is none, it is the
 * most common formula. An existing file keeps its own: 14 of 68 languages use older formulas.
 */
export function gettextHeader(language: LanguageTag): string {
  const fitting = Object.values(FORMULAS).find((formula) => groupsAsCldr(formula, language));
  return fitting ?? FORMULAS.notOne;
}

const SAMPLE_RANGE = 200;

function groupsAsCldr(formula: string, language: LanguageTag): boolean {
  const forms = parsePluralForms(formula);
  const classes = pluralCategories(language)
    .map((category) => numbersIn(category, language))
    .filter((numbers) => numbers.length > 0);
  if (forms?.count !== classes.length) return false;
  const indexes = classes.map((numbers) => new Set(numbers.map((n) => forms.indexOf(n))));
  return indexes.every(({ size }) => size === 1) && indexes.reduce(union).size === classes.length;
}

function union(a: Set<number>, b: Set<number>): Set<number> {
  return a.union(b);
}

/**
 * A number for each form: it chooses the source text, and the form of the translation. A formula may count a form that no whole number
 * reaches (`nplurals=4` of ru). Its sample is undefined, and it gets the text of the last form that is reached.
 */
export function formSamples(forms: PluralForms): readonly (number | undefined)[] {
  return numbersOfForms(forms).map(sampleNumber);
}

/** The whole numbers up to `SAMPLE_RANGE` of each form. */
export function numbersOfForms(forms: PluralForms): readonly (readonly number[])[] {
  const known = numbersKnown.get(forms);
  if (known !== undefined) return known;
  const numbers = Array.from({ length: forms.count }, (): number[] => []);
  for (let n = 0; n <= SAMPLE_RANGE; n += 1) numbers[forms.indexOf(n)]?.push(n);
  numbersKnown.set(forms, numbers);
  return numbers;
}

const numbersKnown = new WeakMap<PluralForms, readonly (readonly number[])[]>();

/** Languages for which Qt Linguist counts differently from CLDR (qttools, numerus.cpp); all others have two forms. */
const QT_FORMS: readonly (readonly [string, string])[] = [
  [FORMULAS.one, 'bi my zh dz fj gn hu id ja jv ko ms na om fa su th bo tr vi yo za'],
  [FORMULAS.aboveOne, 'hy br fr ti wa'],
  ['nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2);', 'lv'],
  [FORMULAS.endsInOne, 'is'],
  [FORMULAS.dual, 'dv iu ik ga gv mi se sm sa'],
  ['nplurals=4; plural=(n==1 || n==11 ? 0 : n==2 || n==12 ? 1 : n>2 && n<20 ? 2 : 3);', 'gd'],
  [FORMULAS.czech, 'sk cs'],
  ['nplurals=3; plural=(n%10==1 ? 0 : n%10==2 ? 1 : 2);', 'mk'],
  [
    'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);',
    'lt',
  ],
  [FORMULAS.russian, 'bs be hr ru sr uk'],
  [FORMULAS.polish, 'pl'],
  [FORMULAS.romanian, 'ro'],
  [FORMULAS.slovenian, 'sl'],
  [
    'nplurals=4; plural=(n==1 ? 0 : n==0 || (n%100>=1 && n%100<=10) ? 1 : n%100>=11 && n%100<=19 ? 2 : 3);',
    'mt',
  ],
  ['nplurals=5; plural=(n==0 ? 0 : n==1 ? 1 : n>=2 && n<=5 ? 2 : n==6 ? 3 : 4);', 'cy'],
  [FORMULAS.arabic, 'ar'],
  ['nplurals=3; plural=(n<=1 ? 0 : n%10==4 || n%10==6 || n%10==9 ? 1 : 2);', 'fil tl'],
];

/** How Laravel counts (Illuminate\\Translation\\MessageSelector, after Symfony and Zend); the others have two forms. */
const LARAVEL_FORMS: readonly (readonly [string, string])[] = [
  [FORMULAS.one, 'az bo dz id ja jv ka km kn ko ms th tr vi zh'],
  [FORMULAS.aboveOne, 'am bh fil fr gun hi hy ln mg nso ti wa xbr'],
  [FORMULAS.russian, 'be bs hr ru sh sr uk'],
  [FORMULAS.czech, 'cs sk'],
  [FORMULAS.dual, 'ga'],
  [
    'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);',
    'lt',
  ],
  [FORMULAS.slovenian, 'sl'],
  ['nplurals=2; plural=(n%10==1 ? 0 : 1);', 'mk'],
  [
    'nplurals=4; plural=(n==1 ? 0 : n==0 || (n%100>1 && n%100<11) ? 1 : n%100>10 && n%100<20 ? 2 : 3);',
    'mt',
  ],
  ['nplurals=3; plural=(n==0 ? 0 : n%10==1 && n%100!=11 ? 1 : 2);', 'lv'],
  [FORMULAS.polish, 'pl'],
  ['nplurals=4; plural=(n==1 ? 0 : n==2 ? 1 : n==8 || n==11 ? 2 : 3);', 'cy'],
  [FORMULAS.romanian, 'ro'],
  [FORMULAS.arabic, 'ar'],
];

/** The forms of `one|other` of Laravel, in their order. */
export function laravelForms(language: LanguageTag): PluralForms {
  return formsIn(LARAVEL_FORMS, language);
}

/** The `numerusform`s of a Qt .ts file, in their order. */
export function qtForms(language: LanguageTag): PluralForms {
  return formsIn(QT_FORMS, language);
}

function formsIn(table: typeof QT_FORMS, language: LanguageTag): PluralForms {
  const base = baseLanguage(language);
  const own = table.find(([, languages]) => languages.split(' ').includes(base))?.[0];
  const isBrazilian = language === 'pt-BR';
  const formula = own ?? (isBrazilian ? FORMULAS.aboveOne : FORMULAS.notOne);
  return parsePluralForms(formula) ?? { count: 1, indexOf: () => 0 };
}
