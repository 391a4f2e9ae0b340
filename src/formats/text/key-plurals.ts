/** Plural groups in keys: `item_one`, `item_other` (i18next), `item.one`, `item.other` (Rails and similar). */
import type { ExpectedTarget, Segment } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import {
  isPluralCategory,
  numbersIn,
  PLURAL_CATEGORIES,
  type PluralCategory,
  pluralCategories,
} from '../../segments/inline/plurals.ts';
import { type Bases, withExistingShapes } from './existing-shapes.ts';
import { withForms } from './plural-form.ts';

const SUFFIX =
  /^(?<stem>.+?)(?<join>_ordinal_|_|\.)(?<category>zero|one|two|few|many|other)(?<number>#\d+)?$/s;

interface PluralKey {
  /** Key without the category, with the separator: `item_`, `item_ordinal_`, `item.`. */
  readonly group: string;
  readonly category: PluralCategory;
}

/** Finds the plural keys of a file. A group must have `other` and one more category, else `button_other` alone would be a group. */
export function pluralOfKey(ids: readonly string[]): (id: string) => PluralKey | undefined {
  const groups = new Map<string, Set<PluralCategory>>();
  for (const id of ids) {
    const key = readKey(id);
    if (key === undefined) continue;
    const categories = groups.get(key.group);
    if (categories === undefined) groups.set(key.group, new Set([key.category]));
    else categories.add(key.category);
  }
  const isNested = groups.keys().some((group) => group.endsWith('.'));
  const purelyPlural = isNested ? nestedGroups(ids) : new Set<string>();
  return (id) => {
    const key = readKey(id);
    const categories = key === undefined ? undefined : groups.get(key.group);
    if (key === undefined || categories === undefined) return undefined;
    if (key.group.endsWith('.') && !purelyPlural.has(key.group)) return undefined;
    return categories.has('other') && categories.size > 1 ? key : undefined;
  };
}

function readKey(id: string): PluralKey | undefined {
  const groups = SUFFIX.exec(id)?.groups;
  const category = groups?.['category'] ?? '';
  if (groups === undefined || groups['number'] !== undefined || !isPluralCategory(category)) {
    return undefined;
  }
  return { group: `${groups['stem']}${groups['join']}`, category };
}

// Only if all keys of an object are categories: `one` and `other` beside other keys are names.
function nestedGroups(ids: readonly string[]): ReadonlySet<string> {
  const pure = new Set<string>();
  const mixed = new Set<string>();
  for (const id of ids) {
    const steps = id.split('.');
    for (let depth = 1; depth < steps.length; depth += 1) {
      const group = `${steps.slice(0, depth).join('.')}.`;
      const isForm = depth === steps.length - 1 && isPluralCategory(steps[depth] ?? '');
      (isForm ? pure : mixed).add(group);
    }
  }
  return pure.difference(mixed);
}

/** The segments that a target needs, with the plural forms of its language; a person's own shapes stay. */
export function keyPlurals(
  segments: readonly Segment[],
  target: ExpectedTarget,
  bases: Bases = basesInLanguage(target.language),
): readonly Segment[] {
  const { language } = target;
  const wanted = withoutRareForms(expandKeyPlurals(segments, language), target);
  const shaped = withExistingShapes(wanted, target, bases);
  return withForms(shaped, segments, language);
}

/**
 * Rails and i18n-js have no form for fractions, or for millions alone (`many` of French and Czech). They use `other`, and translators leave
 * the form out. A target with `other` and without this form is complete. i18next asks for the form, and shows another language where it is
 * missing.
 */
function withoutRareForms(
  wanted: readonly Segment[],
  { language, segments = [] }: ExpectedTarget,
): readonly Segment[] {
  if (!wanted.some(({ plural }) => plural !== undefined)) return wanted;
  const existing = new Set(segments.flatMap(({ id, gap }) => (gap === undefined ? [id] : [])));
  return wanted.filter(({ id, plural }) => {
    if (plural === undefined || existing.has(id) || !isRare(plural, language)) return true;
    return !existing.has(`${plural.group}other`);
  });
}

function isRare({ group, category }: PluralGroup, language: LanguageTag): boolean {
  return (
    group.endsWith('.') &&
    isPluralCategory(category) &&
    category !== 'other' &&
    pluralCategories(language).includes(category) &&
    numbersIn(category, language).length === 0
  );
}

type PluralGroup = NonNullable<Segment['plural']>;

const JOINT = /(?:_ordinal_|_|\.)$/;

/**
 * One text without a suffix counts for all forms with suffixes, since programs fall back on it (i18next, "Plurals"). The forms do not
 * count for the text, since a program that gives no number asks for the text. In a language with one form, `other` is a group by
 * itself.
 */
function basesInLanguage(language: LanguageTag): Bases {
  const isAlone = pluralCategories(language).length === 1;
  return {
    wanted: (segment) =>
      segment.plural === undefined
        ? withoutNumber(segment)
        : segment.plural.group.replace(JOINT, ''),
    existing: (segment) => {
      if (segment.plural?.group.endsWith('.')) return segment.plural.group.slice(0, -1);
      return isAlone ? segment.id.replace(/\.other$/, '') : withoutNumber(segment);
    },
  };
}

/** Polyglot and similar libraries number the forms: `{ "0": "%{n} file", "1": "%{n} files" }`. An element of a list is not a form. */
function withoutNumber({ id, positional }: Pick<Segment, 'id' | 'positional'>): string {
  return positional === true ? id : id.replace(/\.[0-5]$/, '');
}

/** Adds missing plural forms, made from `other`, and drops those that the language does not use. */
export function expandKeyPlurals(
  segments: readonly Segment[],
  language: LanguageTag,
): readonly Segment[] {
  if (!segments.some(({ plural }) => plural !== undefined)) return segments;
  const present = new Set(segments.map(({ id }) => id));
  return segments.flatMap((segment) => {
    if (segment.plural === undefined) return [segment];
    const { group, category } = segment.plural;
    const wanted = categoriesFor(segment.plural, language, present);
    if (category !== 'other') return wanted.has(category) ? [segment] : [];
    const forms = PLURAL_CATEGORIES.filter((form) => wanted.has(form));
    const made = forms.map((form) => formOf(segment, group, form));
    return [...made.filter(({ id }) => !present.has(id)), segment];
  });
}

// Fluent closes its variants with a bracket.
const CLOSINGS = ['', ']'];

// If the author wrote `zero`, i18next and Rails use it in every language (i18next, "Plurals": `_zero`).
function categoriesFor(
  { group }: { readonly group: string },
  language: LanguageTag,
  present: ReadonlySet<string>,
): ReadonlySet<string> {
  const type = group.endsWith('_ordinal_') ? 'ordinal' : 'cardinal';
  const wanted = new Set<string>(pluralCategories(language, type));
  wanted.add('other');
  if (CLOSINGS.some((closing) => present.has(`${group}zero${closing}`))) wanted.add('zero');
  return wanted;
}

// The id of a form is the id of `other` with another category: `item_few`, `item.few`, `item[few]`.
function formOf(other: Segment, group: string, category: PluralCategory): Segment {
  const tail = other.id.slice(group.length + 'other'.length);
  return { ...other, id: group + category + tail, plural: { group, category } };
}
