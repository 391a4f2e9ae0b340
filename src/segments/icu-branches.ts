/** Whether each branch of an ICU message holds what the matching branch of its source does. Pure. */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Part, Raw } from '../format.ts';
import type { LanguageTag } from '../language.ts';
import { mayBeNumber } from './check-forms.ts';
import { difference, differences, namesOf } from './contents.ts';
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
import { joinTexts, type Translatable } from './pieces.ts';
import { isOfOne, isPluralCategory, numbersIn, type PluralType } from './plurals.ts';

export interface IcuPair {
  readonly source: Translatable;
  readonly target: readonly Part[];
  readonly language: LanguageTag;
}

/** One way through a message, and all that is said on it. */
interface Way {
  /** By the name of the argument. */
  readonly chosen: ReadonlyMap<string, Choice>;
  /** `{name}`; `#` as the number that it is. */
  readonly arguments: readonly string[];
  /** With `{name}` for each argument. */
  readonly said: readonly Part[];
  /** Placeholders that are no arguments. */
  readonly others: readonly string[];
}

interface Choice {
  readonly selector: string;
  /** Of a plural; undefined for a select. */
  readonly type: PluralType | undefined;
}

type Sort = 'placeholder' | 'tag';

/**
 * What is wrong with a translated message, both of which can be read: `{name} is missing in the branch "few"`. A branch for one number
 * alone may say the number in words.
 */
export function messageProblems(pair: IcuPair, sort: Sort): readonly string[] {
  const whole = difference(
    namesIn(pair.source, sort),
    namesIn({ ...pair.source, parts: pair.target }, sort),
  );
  const lacking = branchProblems(pair, sort);
  if (lacking === undefined) return differences(whole);
  // What chooses the branches need not be said in any of them, and must not get lost.
  const choosing = new Set(sort === 'placeholder' ? choosersOf(pair.source.parts) : []);
  const missing = whole.missing.filter((name) => choosing.has(name));
  const lost = differences({ missing, extra: [] });
  return [...new Set([...lost, ...lacking]), ...differences({ missing: [], extra: whole.extra })];
}

/** The arguments of a message and the placeholders in its texts, or its tags, each once. */
function namesIn(message: Translatable, sort: Sort): readonly string[] {
  if (sort === 'tag') return [...new Set(namesOf(message, 'tag'))];
  const texts = literalsOf(message.parts) ?? [];
  const others = texts.flatMap((text) => namesOf(sentenceOf([text], message), 'placeholder'));
  return [...(argumentsOf(message.parts) ?? []), ...new Set(others)];
}

/** @returns undefined where there are very many branches */
function branchProblems(pair: IcuPair, sort: Sort): readonly string[] | undefined {
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
  /** What the source says there. */
  readonly wanted: Way;
}

function lackingIn(
  { source, language }: IcuPair,
  { way, wanted }: Compared,
  sort: Sort,
): readonly string[] {
  if (sort === 'tag') {
    const tags = ({ said }: Way) => namesOf(sentenceOf(joinTexts(said), source), 'tag');
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
  // Another argument may show the number that the plural counts.
  const isShown = rest.length === 1 && !all.some(isNumber);
  return isShown && rest.every((name) => mayBeNumber(name, all)) ? [] : rest;
}

function isForOne({ selector, type }: Choice, language: LanguageTag): boolean {
  if (type === undefined) return false;
  return selector.startsWith('=') || isOfOne(selector, language, type);
}

interface Message extends Translatable {
  readonly elements: readonly MessageFormatElement[];
  readonly hosts: ReadonlyMap<string, Raw>;
}

function readMessage({ parts, syntax }: Translatable): Message | undefined {
  const { text, hosts } = icuSource(parts);
  const elements = parseIcu(text);
  return elements && { parts, syntax, elements, hosts };
}

const NOTHING: Way = { chosen: new Map(), arguments: [], said: [], others: [] };

/** Branches multiply where choices stand beside each other. */
const MAX_WAYS = 64;

/** @returns undefined where there are too many */
function waysThrough(message: Message): readonly Way[] | undefined {
  const walk = (from: Way, elements: readonly MessageFormatElement[], counted?: Branching) =>
    elements.reduce<readonly Way[]>(
      (known, element) =>
        known.length > MAX_WAYS ? known : known.flatMap((way) => step(way, element, counted)),
      [from],
    );
  const step = (way: Way, element: MessageFormatElement, counted?: Branching): readonly Way[] => {
    if (!isBranching(element)) return [withElement(way, { message, element, counted })];
    const before = way.chosen.get(element.value)?.selector;
    const options = Object.entries(element.options);
    // The same argument again: only the branch that was taken before can follow.
    const same = options.filter(([selector]) => selector === before);
    return (same.length > 0 ? same : options).flatMap(([selector, { value }]) => {
      const chosen = new Map(way.chosen).set(element.value, { selector, type: typeOf(element) });
      return walk({ ...way, chosen }, value, element);
    });
  };
  const ways = walk(NOTHING, message.elements);
  return ways.length > MAX_WAYS ? undefined : ways;
}

interface Asked {
  readonly chosen: Way['chosen'];
  readonly language: LanguageTag;
  readonly singular: (typeof SINGULARS)[number];
}

/** The wording that a French `one` translates, which is 0 and 1: a person the singular, dragoman the one with a number. */
const SINGULARS = ['own', 'other'] as const;

/** What a message says where these branches are chosen; where it has a choice more, its `other`. */
function wayFor(message: Message, asked: Asked): Way {
  const walk = (from: Way, elements: readonly MessageFormatElement[], counted?: Branching): Way =>
    elements.reduce((way, element) => {
      if (!isBranching(element)) return withElement(way, { message, element, counted });
      const value = optionFor(element, asked);
      return walk(way, value, element);
    }, from);
  return walk(NOTHING, message.elements);
}

function typeOf(element: Branching): Choice['type'] {
  if (element.type === TYPE.select) return undefined;
  return element.pluralType === 'ordinal' ? 'ordinal' : 'cardinal';
}

type Elements = readonly MessageFormatElement[];

/** The branch of the source that says what a branch of the target has to. */
function optionFor(
  { type: kind, value: name, options }: Branching,
  { chosen, language, singular }: Asked,
): Elements {
  const named = (selector: string): Elements | undefined => options[selector]?.value;
  const other = named('other') ?? [];
  const choice = chosen.get(name);
  if (choice === undefined) return other;
  const { selector, type } = choice;
  if (kind === TYPE.select || type === undefined) return named(selector) ?? other;
  if (selector.startsWith('=')) return named(selector) ?? named(WORDS[selector] ?? '') ?? other;
  if (!isPluralCategory(selector)) return other;
  const numbers = numbersIn(selector, language, type);
  const own = named(selector) ?? (numbers.length === 1 ? named(`=${numbers[0]}`) : undefined);
  // "One file" speaks of one only: a category that holds 1, 21 and 31 has to say what `other` does.
  const isSingular =
    numbers.length < 2 || (singular === 'own' && isOfOne(selector, language, type));
  return own !== undefined && (isSingular || saysNumber(own, name)) ? own : other;
}

const WORDS: Readonly<Record<string, string>> = { '=0': 'zero', '=1': 'one', '=2': 'two' };

interface Added {
  readonly message: Message;
  readonly element: MessageFormatElement;
  /** The choice whose number `#` is. */
  readonly counted: Branching | undefined;
}

function withElement(way: Way, { message, element, counted }: Added): Way {
  switch (element.type) {
    case TYPE.literal: {
      const own = namesOf(sentenceOf([element.value], message), 'placeholder');
      return { ...way, said: [...way.said, element.value], others: [...way.others, ...own] };
    }
    case TYPE.pound:
      return withArgument(way, poundName(counted));
    case TYPE.argument:
    case TYPE.number:
    case TYPE.date:
    case TYPE.time: {
      const host = message.hosts.get(element.value);
      if (host === undefined) return withArgument(way, element.value);
      return host.raw.startsWith('{{')
        ? { ...way, others: [...way.others, host.raw] }
        : { ...way, said: [...way.said, host] };
    }
    case TYPE.tag:
    case TYPE.plural:
    case TYPE.select:
      return way;
  }
}

function withArgument(way: Way, name: string): Way {
  const written = `{${name}}`;
  return { ...way, arguments: [...way.arguments, written], said: [...way.said, written] };
}

/** With an offset it is another number than the argument. */
function poundName(counted: Branching | undefined): string {
  if (counted?.type !== TYPE.plural) return '#';
  return counted.offset === 0 ? counted.value : `${counted.value} - ${counted.offset}`;
}
