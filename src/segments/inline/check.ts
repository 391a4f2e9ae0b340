/** Checks a translation before it is written, and the targets that `check` reads. Pure. */

import { type Part, type PluralForm, partsText } from '../../format.ts';
import type { Policies } from '../../project.ts';
import { codePoints } from '../bill.ts';
import { withoutWords } from './bracketed-words.ts';
import { choiceProblems } from './check-choices.ts';
import { formDifference } from './check-forms.ts';
import { choicesOf } from './choices.ts';
import {
  ANCHOR,
  difference,
  differenceSentences,
  emojiOf,
  numbersOf,
  tokenNames,
} from './contents.ts';
import { messageProblems } from './icu-branches.ts';
import { argumentsOf, isIcu } from './icu-text.ts';
import type { Translatable, TranslatedPair } from './pieces.ts';
import { isPlainText } from './placeholders.ts';
import { worthSending } from './protect.ts';

export interface CheckedTranslation extends TranslatedPair {
  /** In Unicode code points. */
  readonly maxLength?: number;
  /** Set when the text is one of several plural forms. */
  readonly form?: PluralForm;
}

export interface Finding {
  readonly check:
    | 'empty'
    | 'placeholders'
    | 'tags'
    | 'length'
    | 'untranslated'
    | 'links'
    | 'numbers'
    | 'emoji'
    | 'blanks';
  /** `hold`: the text must not be written. */
  readonly severity: 'hold' | 'warn';
  readonly message: string;
}

/** All problems of one translation, the worst first. An empty one is always held. */
export function checkTranslation(
  translation: CheckedTranslation,
  checks: Policies['checks'],
): readonly Finding[] {
  if (hasNoText(translation)) return blankFindings(translation);
  const judgement = judgedFindings(translation, checks).map((finding): Finding => {
    const isOfValues = finding.check === 'tags' && isOnlyValues(translation);
    return isOfValues ? { ...finding, severity: 'warn' } : finding;
  });
  const findings = [...judgement, ...warnings(translation)];
  return findings.sort((a, b) => rank(a) - rank(b));
}

/** The worst problem that forbids writing; undefined: none. Does not look for warnings, which would double the time. */
export function worstHold(
  translation: CheckedTranslation,
  checks: Policies['checks'],
): string | undefined {
  const findings = hasNoText(translation)
    ? blankFindings(translation)
    : judgedFindings(translation, checks);
  return findings.find(({ severity }) => severity === 'hold')?.message;
}

function hasNoText({ target }: CheckedTranslation): boolean {
  return partsText(target).trim() === '';
}

function blankFindings({ source }: CheckedTranslation): Finding[] {
  return worthSending(source)
    ? [{ check: 'empty', severity: 'hold', message: 'the translation is empty' }]
    : [];
}

function judgedFindings(translation: CheckedTranslation, checks: Policies['checks']): Finding[] {
  if (isPlainPair(translation)) return judged('length', checks, lengthProblems(translation));
  return [
    ...judged('placeholders', checks, placeholderProblems(translation)),
    ...judged('tags', checks, tagProblems(translation)),
    ...judged('length', checks, lengthProblems(translation)),
  ];
}

/** Most texts and their translations have no placeholders and no tags: there is nothing to compare. */
function isPlainPair({ source: { parts, syntax }, target, form }: CheckedTranslation): boolean {
  const isPlain = (part: Part) => typeof part === 'string' && isPlainText(part, syntax);
  return form === undefined && syntax !== 'icu' && parts.every(isPlain) && target.every(isPlain);
}

function rank({ severity }: Finding): number {
  return severity === 'hold' ? 0 : 1;
}

function judged(
  check: 'placeholders' | 'tags' | 'length',
  checks: Policies['checks'],
  messages: readonly string[],
): Finding[] {
  const severity = checks[check];
  return severity === 'off' ? [] : messages.map((message) => ({ check, severity, message }));
}

function placeholderProblems(translation: CheckedTranslation): readonly string[] {
  const { source, target, form } = translation;
  const ofChoices = choiceProblems(translation, 'placeholder');
  if (ofChoices !== undefined) return ofChoices;
  if (isIcu(source) && argumentsOf(source.parts) !== undefined) {
    if (argumentsOf(target) === undefined) return ['it is no ICU message any more'];
    return messageProblems(translation, 'placeholder');
  }
  const compared = difference(
    repeatable(source, tokenNames(source, 'placeholder')),
    repeatable(source, tokenNames({ parts: target, syntax: source.syntax }, 'placeholder')),
  );
  return differenceSentences(
    form === undefined
      ? compared
      : formDifference(compared, { source, target, form }, 'placeholder'),
  );
}

/** A plural form repeats the content of branches and choices, so the target may have it as often as its language has forms. */
function repeatable(source: Translatable, names: readonly string[]): readonly string[] {
  if (isIcu(source)) return [...new Set(names)];
  // A text with N choices has N - 1 bars, and N depends on the language.
  return choicesOf(source) === undefined
    ? names
    : [...new Set(names)].filter((name) => name !== '|');
}

function tagProblems(translation: CheckedTranslation): readonly string[] {
  const { source, target, form } = translation;
  const ofChoices = choiceProblems(translation, 'tag');
  if (ofChoices !== undefined) return ofChoices;
  if (isIcu(source) && argumentsOf(target) !== undefined)
    return messageProblems(translation, 'tag');
  const names = (text: Translatable) => repeatable(source, tokenNames(text, 'tag'));
  const all = difference(names(source), names({ ...source, parts: target }));
  const tags = {
    ...all,
    extra: all.extra.filter((name) => name !== ANCHOR && !LETTERS.test(name)),
  };
  const texts = { source: partsText(source.parts), target: partsText(target) };
  // In markup, an unknown name in angle brackets is an element, too.
  const compared = source.syntax === 'markup' ? tags : withoutWords(tags, texts);
  return differenceSentences(
    form === undefined ? compared : formDifference(compared, { source, target, form }, 'tag'),
  );
}

/** Only values of attributes differ, which stay where a person gave a page others. */
function isOnlyValues({ source, target, form }: CheckedTranslation): boolean {
  if (source.syntax !== 'markup' || form !== undefined) return false;
  const elements = (parts: readonly Part[]) => tokenNames({ ...source, parts }, 'element');
  const { missing, extra } = difference(elements(source.parts), elements(target));
  return missing.length === 0 && extra.every((name) => name === ANCHOR || LETTERS.test(name));
}

/** Characters of HTML with names, which stay as they are written: `&eacute;` is a letter of a French text, and no tag. */
const LETTERS = /^(?:&(?:#\d+|#x[\da-f]+|\w+);)+$/i;

function lengthProblems({ target, maxLength }: CheckedTranslation): string[] {
  if (maxLength === undefined) return [];
  const length = codePoints(partsText(target));
  return length > maxLength ? [`${length} characters, at most ${maxLength} fit`] : [];
}

/** Problems that are often mistakes, but may be right. */
function warnings({ source, target }: CheckedTranslation): Finding[] {
  const translated = { parts: target, syntax: source.syntax };
  const warn = (check: Finding['check'], messages: readonly string[]): Finding[] =>
    messages.map((message) => ({ check, severity: 'warn', message }));
  const links = difference(tokenNames(source, 'link'), tokenNames(translated, 'link'));
  return [
    ...warn('links', differenceSentences(links)),
    ...(isIcu(source) || choicesOf(source) !== undefined
      ? []
      : warn('numbers', differenceSentences(difference(numbersOf(source), numbersOf(translated))))),
    ...warn('emoji', differenceSentences(difference(emojiOf(source), emojiOf(translated)))),
    ...warn('blanks', blankProblems(partsText(source.parts), partsText(target))),
  ];
}

function blankProblems(source: string, target: string): string[] {
  const edges = (text: string) => [text.trimStart() !== text, text.trimEnd() !== text];
  const [wanted, found] = [edges(source), edges(target)];
  return ['start', 'end'].flatMap((edge, side) => {
    if (wanted[side] === found[side]) return [];
    return [
      wanted[side] ? `the blank at the ${edge} is missing` : `there is a blank at the ${edge}`,
    ];
  });
}

/** Below this number, equal texts are probably names and loan words. Files with more were probably never translated. */
const SUSPICIOUS_COUNT = 3;
const SUSPICIOUS_SHARE = 0.5;
/** A text with this number of words or more that equals its source is suspicious, even if no other text does. */
const SENTENCE = 4;

/**
 * Translations that equal their source and should not: whole sentences, and shorter texts when at least three of them
 * make up half of the file.
 * @returns positions in `translations`
 */
export function findUntranslated(translations: readonly CheckedTranslation[]): number[] {
  const equal = translations.flatMap(({ source, target }, index) => {
    const text = partsText(source.parts);
    return text === partsText(target) && /\p{L}{2}/u.test(text) ? [index] : [];
  });
  const isMost =
    equal.length >= SUSPICIOUS_COUNT && equal.length >= translations.length * SUSPICIOUS_SHARE;
  if (isMost) return equal;
  return equal.filter((index) => {
    const text = partsText(translations[index]?.target ?? []);
    return (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= SENTENCE;
  });
}
