/** Whether each branch of an ICU message has the arguments, placeholders and tags of the branch of its source that it translates. Pure. */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Part, Raw } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import { append } from '../../parsing/append.ts';
import { mayBeNumber } from './check-forms.ts';
import { difference, differenceSentences, type HeldToken, tokenNames } from './contents.ts';
import {
  argumentsOf,
  type Branching,
  choosersOf,
  icuSource,
  isBranching,
  literalsOf,
  parseIcu,
  saysNumber,
  sentenceOf,
} from './icu-text.ts';
import { joinTexts, type Translatable, type TranslatedPair } from './pieces.ts';
import { isOfOne, isPluralCategory, numbersIn, type PluralType } from './plurals.ts';

/** One choice of branches through a whole message, and the content that it shows. */
interface Way {
  /** The chosen branch, by the name of the argument. */
  readonly chosen: ReadonlyMap<string, BranchingKind>;
  /** The arguments in the form `{name}`; `#` counts as the number that it shows. */
  readonly arguments: readonly string[];
  /** The shown text, with `{name}` for each argument. */
  readonly shown: readonly Part[];
  /** Placeholders that are not arguments. */
  readonly others: readonly string[];
}

interface BranchingKind {
  readonly selector: string;
  /** The type of a plural; undefined for a select. */
  readonly type: PluralType | undefined;
}

/**
 * The differences between a message and its translation, for example `{name} is missing in the branch "few"`. A branch for one
 * number alone may have the number in words. Both must be readable as ICU messages.
 */
export function messageProblems(pair: TranslatedPair, sort: HeldToken): readonly string[] {
  const whole = difference(
    branchTokens(pair.source, sort),
    branchTokens({ ...pair.source, parts: pair.target }, sort),
  );
  const lacking = branchProblems(pair, sort);
  if (lacking === undefined) return differenceSentences(whole);
  // An argument that chooses branches need not be shown in any branch. But the message must still have it.
  const choosing = new Set(sort === 'placeholder' ? choosersOf(pair.source.parts) : []);
  const missing = whole.missing.filter((name) => choosing.has(name));
  const lost = differenceSentences({ ...whole, missing, extra: [] });
  const counted = sort === 'placeholder' ? countedWords(pair) : [];
  return [
    ...new Set([...lost, ...counted, ...lacking]),
    ...differenceSentences({ ...whole, missing: [] }),
  ];
}

/** A plural of an argument that the source selects by its words: a program that formats it ends with an error. */
function countedWords({ source, target }: TranslatedPair): readonly string[] {
  const words = new Set(choosersOf(source.parts, TYPE.select));
  for (const name of choosersOf(source.parts, TYPE.plural)) words.delete(name);
  return choosersOf(target, TYPE.plural)
    .filter((name) => words.has(name))
    .map((name) => `${name} is no number: its "select" cannot become a "plural"`);
}

/** The arguments of a message and the placeholders of its texts; or its tags. Each once. */
function branchTokens(message: Translatable, sort: HeldToken): readonly string[] {
  if (sort === 'tag') return tagsIn(message);
  const texts = literalsOf(message.parts) ?? [];
  const others = texts.flatMap((text) => tokenNames(sentenceOf([text], message), 'placeholder'));
  return [...(argumentsOf(message.parts) ?? []), ...new Set(others)];
}

/** The placeholders in the form that is shown: `title=''x''` and `title='x'` are one tag in two spellings. */
function tagsIn(message: Translatable): readonly string[] {
  const read = readMessage(message);
  const shown = (read && waysThrough(read))?.map((way) => joinTexts(way.shown)) ?? [message.parts];
  const tags = shown.flatMap((parts) => tokenNames(sentenceOf(parts, message), 'tag'));
  return [...new Set(tags)];
}

/** @returns undefined when there are more than `MAX_WAYS` choices of branches */
function branchProblems(pair: TranslatedPair, sort: HeldToken): readonly string[] | undefined {
  const source = readMessage(pair.source);
  const target = readMessage({ ...pair.source, parts: pair.target });
  const ways = target && waysThrough(target);
  if (source === undefined || ways === undefined) return undefined;
  const missing = new Map<string, string[]>();
  for (const way of ways) {
    const [own = [], made = []] = SINGULARS.map((singular) => {
      const wanted = wayFor(source, { chosen: way.chosen, language: pair.language, singular });
      return lackingIn(pair, { way, wanted }, sort);
    });
    for (const name of made.length < own.length ? made : own) {
      const places = missing.get(name) ?? [];
      missing.set(name, places);
      places.push([...way.chosen.values()].map(({ selector }) => selector).join(' '));
    }
  }
  return [...missing].map(([name, places]) =>
    places.length === ways.length ? `${name} is missing` : described(name, places),
  );
}

function described(name: string, places: readonly string[]): string {
  const branches = places.map((place) => `"${place}"`).join(', ');
  return `${name} is missing in the ${places.length > 1 ? 'branches' : 'branch'} ${branches}`;
}

interface Compared {
  readonly way: Way;
  /** The content of the source for the same choice. */
  readonly wanted: Way;
}

function lackingIn(
  { source, language }: TranslatedPair,
  { way, wanted }: Compared,
  sort: HeldToken,
): readonly string[] {
  if (sort === 'tag') {
    const tags = ({ shown }: Way) => tokenNames(sentenceOf(joinTexts(shown), source), 'tag');
    return [...new Set(difference(tags(wanted), tags(way)).missing)];
  }
  const found = new Set([...way.arguments, ...way.others]);
  const all = [...new Set([...wanted.arguments, ...wanted.others])];
  const missing = all.filter((name) => !found.has(name));
  const counted = [...way.chosen].filter(([, choice]) => isForOne(choice, language));
  if (counted.length === 0) return missing;
  const isNumber = (name: string) =>
    counted.some(([each]) => name === `{${each}}` || name.startsWith(`{${each} - `));
  const rest = missing.filter((name) => !isNumber(name));
  // The text may show the counted number with another argument.
  const isShown = rest.length === 1 && !all.some(isNumber);
  return isShown && rest.every((name) => mayBeNumber(name, all)) ? [] : rest;
}

function isForOne({ selector, type }: BranchingKind, language: LanguageTag): boolean {
  if (type === undefined) return false;
  return selector.startsWith('=') || isOfOne(selector, language, type);
}

interface ParsedMessage extends Translatable {
  readonly elements: readonly MessageFormatElement[];
  readonly hosts: ReadonlyMap<string, Raw>;
}

function readMessage({ parts, syntax }: Translatable): ParsedMessage | undefined {
  const { text, hosts } = icuSource(parts);
  const elements = parseIcu(text);
  return elements && { parts, syntax, elements, hosts };
}

/** A way that is still being walked: it grows in place, and is copied where it parts. */
class Walked implements Way {
  readonly chosen: Map<string, BranchingKind>;
  readonly arguments: string[];
  readonly shown: Part[];
  readonly others: string[];

  constructor(from?: Way) {
    this.chosen = new Map(from?.chosen);
    this.arguments = [...(from?.arguments ?? [])];
    this.shown = [...(from?.shown ?? [])];
    this.others = [...(from?.others ?? [])];
  }
}

/** Choices beside each other multiply their branches. */
const MAX_WAYS = 64;

/** @returns undefined when there are more than `MAX_WAYS` */
function waysThrough(message: ParsedMessage): readonly Way[] | undefined {
  const walk = (from: Walked, elements: Elements, counted?: Branching) => {
    let known: readonly Walked[] = [from];
    for (const element of elements) {
      if (isBranching(element)) known = known.flatMap((way) => step(way, element));
      else for (const way of known) addElement(way, { message, element, counted });
      if (known.length > MAX_WAYS) break;
    }
    return known;
  };
  const step = (way: Walked, element: Branching): readonly Walked[] => {
    const before = way.chosen.get(element.value)?.selector;
    const options = Object.entries(element.options);
    // The same argument again: the branch that was chosen before is chosen here, too.
    const same = options.filter(([selector]) => selector === before);
    const taken = (same.length > 0 ? same : options).slice(0, MAX_WAYS + 1);
    return taken.flatMap(([selector, { value }], nth) => {
      const own = nth === taken.length - 1 ? way : new Walked(way);
      own.chosen.set(element.value, { selector, type: typeOf(element) });
      return walk(own, value, element);
    });
  };
  const ways = walk(new Walked(), message.elements);
  return ways.length > MAX_WAYS ? undefined : ways;
}

interface BranchQuestion {
  readonly chosen: Way['chosen'];
  readonly language: LanguageTag;
  readonly singular: (typeof SINGULARS)[number];
}

/**
 * The wording of the source that a form such as French `one` (0 and 1) translates. A person writes the singular (`own`), dragoman writes
 * the form with a number (`other`). Both are accepted.
 */
const SINGULARS = ['own', 'other'] as const;

/** The content that a message shows for these branches. For a choice that only this message has, `other` is taken. */
function wayFor(message: ParsedMessage, asked: BranchQuestion): Way {
  const way = new Walked();
  const walk = (elements: Elements, counted?: Branching) => {
    for (const element of elements) {
      if (isBranching(element)) walk(optionFor(element, asked), element);
      else addElement(way, { message, element, counted });
    }
  };
  walk(message.elements);
  return way;
}

function typeOf(element: Branching): BranchingKind['type'] {
  if (element.type === TYPE.select) return undefined;
  return element.pluralType === 'ordinal' ? 'ordinal' : 'cardinal';
}

type Elements = readonly MessageFormatElement[];

/** The branch of the source that a branch of the target translates. */
function optionFor(
  { type: kind, value: name, options }: Branching,
  { chosen, language, singular }: BranchQuestion,
): Elements {
  const named = (selector: string): Elements | undefined => options[selector]?.value;
  const other = named('other') ?? [];
  const choice = chosen.get(name);
  if (choice === undefined) return other;
  const { selector, type } = choice;
  if (kind === TYPE.select || type === undefined) return named(selector) ?? other;
  if (selector.startsWith('='))
    return named(selector) ?? named(WORD_OF_BRANCH.get(selector) ?? '') ?? other;
  if (!isPluralCategory(selector)) return other;
  const numbers = numbersIn(selector, language, type);
  const own = named(selector) ?? (numbers.length === 1 ? named(`=${numbers[0]}`) : undefined);
  // "One file" is right for 1 only. A category for 1, 21 and 31 must have the content of `other`.
  const isSingular =
    numbers.length < 2 || (singular === 'own' && isOfOne(selector, language, type));
  return own !== undefined && (isSingular || saysNumber(own, name)) ? own : other;
}

const WORD_OF_BRANCH: ReadonlyMap<string, string> = new Map(
  Object.entries({ '=0': 'zero', '=1': 'one', '=2': 'two' }),
);

interface AddedElement {
  readonly message: ParsedMessage;
  readonly element: MessageFormatElement;
  /** The plural whose number `#` shows. */
  readonly counted: Branching | undefined;
}

function addElement(way: Walked, { message, element, counted }: AddedElement): void {
  switch (element.type) {
    case TYPE.literal:
      way.shown.push(element.value);
      append(way.others, tokenNames(sentenceOf([element.value], message), 'placeholder'));
      return;
    case TYPE.pound:
      addArgument(way, poundName(counted));
      return;
    case TYPE.argument:
    case TYPE.number:
    case TYPE.date:
    case TYPE.time: {
      const host = message.hosts.get(element.value);
      if (host === undefined) addArgument(way, element.value);
      else if (host.raw.startsWith('{{')) way.others.push(host.raw);
      else way.shown.push(host);
      return;
    }
    case TYPE.tag:
    case TYPE.plural:
    case TYPE.select:
  }
}

function addArgument(way: Walked, name: string): void {
  const written = `{${name}}`;
  way.arguments.push(written);
  way.shown.push(written);
}

/** With an offset, `#` shows another number than the argument. */
function poundName(counted: Branching | undefined): string {
  if (counted?.type !== TYPE.plural) return '#';
  return counted.offset === 0 ? counted.value : `${counted.value} - ${counted.offset}`;
}
