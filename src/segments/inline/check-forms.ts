/**
 * How a plural form may differ from its source. It may have the placeholders of any form of the source, and a form for one number may have
 * that number in words. Pure.
 */
import type { Part, PluralForm } from '../../format.ts';
import { type Difference, difference, type HeldToken, tokenNames } from './contents.ts';
import type { Translatable } from './pieces.ts';

/** A plural form of the target, with its source. */
export interface FormOfText {
  readonly source: Translatable;
  readonly target: readonly Part[];
  readonly form: PluralForm;
}

/** The difference that remains when all allowed differences are left out. */
export function formDifference(
  compared: Difference,
  { source, target, form }: FormOfText,
  sort: HeldToken,
): Difference {
  const { missing, extra } = compared;
  const { syntax } = source;
  const found = tokenNames({ parts: target, syntax }, sort);
  const foreign = form.wordings.map(
    (parts) => new Set(difference(tokenNames({ parts, syntax }, sort), found).extra),
  );
  return {
    ...compared,
    missing: form.isOfOne && isNumberOf(source, missing, sort) ? [] : missing,
    extra: extra.filter((name) => foreign.every((names) => names.has(name))),
  };
}

function isNumberOf(source: Translatable, missing: readonly string[], sort: HeldToken): boolean {
  const [name, ...more] = missing;
  if (name === undefined || more.length > 0) return false;
  if (sort === 'tag' && !isHostArgument(name)) return false;
  const hosts = tokenNames(source, 'tag').filter(isHostArgument);
  return mayBeNumber(name, [...tokenNames(source, 'placeholder'), ...hosts]);
}

/** An argument in the host syntax of Fluent or Android, not a tag such as `<b>`. */
function isHostArgument(name: string): boolean {
  return /^(?:\{|<xliff:g\b)/.test(name);
}

/** Whether an argument may be the counted number: no file says which argument that is. @param all arguments of the source */
export function mayBeNumber(name: string, all: readonly string[]): boolean {
  return looksLikeNumber(name) || !all.some(looksLikeNumber);
}

function looksLikeNumber(name: string): boolean {
  return OF_NUMBER.test(name) || NAME_OF_NUMBER.test(name) || HUMP.test(name);
}

const OF_NUMBER =
  /%(?:\d{1,2}\$)?[-+0#',]*\d*(?:hh|h|ll|l|q|j|z|t)?[diu]|%L?n\b|%arg\b|%\(\w+\)[diu]/;
const NAME_OF_NUMBER =
  /(?:^|[^A-Za-z])(?:n|num|number|nb|count|counter|total|amount|quantity)(?![A-Za-z])/i;
/** `itemCount`, `numFiles`. */
const HUMP = /[a-z](?:Count|Number|Total|Amount)(?![a-z])|(?<![A-Za-z])num[A-Z]/;
