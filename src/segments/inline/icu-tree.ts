/** An ICU message as a tree of branches with whole sentences. Pure. */
import {
  type MessageFormatElement,
  type PluralElement,
  TYPE,
} from '@formatjs/icu-messageformat-parser';
import type { Part, Raw } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import { apostrophesAtTags, doublesApostrophes } from './icu-quotes.ts';
import { sentenceParts } from './icu-sentence.ts';
import {
  type Branching,
  escapeIcu,
  type IcuSpelling,
  isBranching,
  saysNumber,
} from './icu-text.ts';
import {
  isReachable,
  numbersIn,
  type PluralCategory,
  type PluralType,
  pluralCategories,
  sampleNumber,
} from './plurals.ts';

export type IcuTree = Sentence | ChoiceNode;

export interface Sentence {
  readonly kind: 'sentence';
  readonly parts: readonly Part[];
  readonly spelling: IcuSpelling;
}

interface ChoiceNode {
  readonly kind: 'choice';
  readonly layout: ChoiceLayout;
  readonly branches: readonly { readonly selector: string; readonly tree: IcuTree }[];
}

/** How the author wrote a plural or select, with its blanks and line breaks. */
interface ChoiceLayout {
  /** `{count, plural, ` */
  readonly head: string;
  /** Between a selector and its brace. */
  readonly gap: string;
  readonly between: string;
  /** Behind the last branch, with the closing brace. */
  readonly tail: string;
}

interface IcuScope {
  readonly text: string;
  readonly hosts: ReadonlyMap<string, Raw>;
  readonly language: LanguageTag;
  /** How many more sentences the message may have. */
  readonly allowance: { left: number };
  /** How many choices may follow in one sentence: each takes as long as the message is. */
  readonly choicesLeft: number;
  /** The plural that gives `#` its number here. */
  readonly plural?: { readonly name: string; readonly sample?: string };
}

/**
 * Moves the text around a branching argument into each of its branches. That text is sealed, because `#` has another number in the branch.
 * @returns undefined for a message with too many sentences or choices: plurals in plurals multiply, and fifty of them would never end
 */
export function expand(
  elements: readonly (MessageFormatElement | Part)[],
  scope: IcuScope,
): IcuTree | undefined {
  const at = elements.findIndex((element) => isElement(element) && isBranching(element));
  const branching = elements[at] as Branching | undefined;
  if (branching === undefined) {
    scope.allowance.left -= 1;
    if (scope.allowance.left < 0) return undefined;
    const parts = elements.map((element) => seal(element, scope, '#')) as Part[];
    const within = scope.plural ? 'plural' : 'other';
    const spelling: IcuSpelling = {
      within,
      onceAtTags: apostrophesAtTags(scope.text).length > 0,
      doublesAll: doublesApostrophes(scope.text),
    };
    return { kind: 'sentence', parts: sentenceParts(parts, spelling), spelling };
  }
  if (scope.choicesLeft === 0) return undefined;
  const around = elements.map((element) => seal(element, scope, 'argument'));
  const [before, after] = [around.slice(0, at), around.slice(at + 1)];
  const branches: { selector: string; tree: IcuTree }[] = [];
  for (const { selector, value, inside } of branchesOf(branching, scope)) {
    const tree = expand([...before, ...value, ...after], inside);
    if (tree === undefined) return undefined;
    branches.push({ selector, tree });
  }
  return { kind: 'choice', layout: layoutOf(branching, scope), branches };
}

/** `#` of a plural with an offset cannot be written as an argument, so such a plural must not hold further branches. */
export function canExpand(elements: readonly MessageFormatElement[]): boolean {
  return elements.filter(isBranching).every((element) => {
    const values = Object.values(element.options).map(({ value }) => value);
    const hasOffset = element.type === TYPE.plural && element.offset !== 0;
    return values.every((value) => canExpand(value) && !(hasOffset && value.some(isBranching)));
  });
}

export function sentencesOf(tree: IcuTree): readonly Sentence[] {
  return tree.kind === 'sentence'
    ? [tree]
    : tree.branches.flatMap((branch) => sentencesOf(branch.tree));
}

/** Writes the message, with the translation of each sentence that has one. */
export function build(
  tree: IcuTree,
  translations: ReadonlyMap<Sentence, readonly Part[] | undefined>,
): readonly Part[] {
  if (tree.kind === 'sentence') {
    return (translations.get(tree) ?? tree.parts).map((part) =>
      typeof part === 'string' ? escapeIcu(part, tree.spelling) : part,
    );
  }
  const { head, gap, between, tail } = tree.layout;
  const branches = tree.branches.flatMap(({ selector, tree: branch }, index): Part[] => [
    `${index === 0 ? head : between}${selector}${gap}{`,
    ...build(branch, translations),
    '}',
  ]);
  return [...branches, tail];
}

function isElement(element: MessageFormatElement | Part): element is MessageFormatElement {
  return typeof element !== 'string' && !('raw' in element);
}

/** Turns an element into a raw part; branching elements stay. */
function seal(
  element: MessageFormatElement | Part,
  { text, hosts, plural }: IcuScope,
  pound: '#' | 'argument',
): MessageFormatElement | Part {
  if (!isElement(element) || isBranching(element)) return element;
  if (element.type === TYPE.literal) return element.value;
  if (element.type === TYPE.pound) {
    const raw = pound === '#' ? '#' : `{${plural?.name}, number}`;
    return { raw, ...(plural?.sample === undefined ? {} : { sample: plural.sample }) };
  }
  const host = element.type === TYPE.argument ? hosts.get(element.value) : undefined;
  if (host !== undefined) return host;
  return { raw: text.slice(element.location?.start.offset, element.location?.end.offset) };
}

interface IcuBranch {
  readonly selector: string;
  readonly value: readonly MessageFormatElement[];
  readonly inside: IcuScope;
}

function branchesOf(
  element: Branching,
  { text, hosts, language, allowance, choicesLeft }: IcuScope,
): IcuBranch[] {
  const inside = { text, hosts, language, allowance, choicesLeft: choicesLeft - 1 };
  return element.type === TYPE.plural
    ? pluralBranches(element, inside)
    : Object.entries(element.options).map(([selector, { value }]) => ({ selector, value, inside }));
}

/** `=0` and other exact numbers stay; the categories become those of the target language. */
function pluralBranches(element: PluralElement, scope: IcuScope): IcuBranch[] {
  const { options, offset, value: name } = element;
  const type: PluralType = element.pluralType === 'ordinal' ? 'ordinal' : 'cardinal';
  const branch = (
    selector: string,
    value: readonly MessageFormatElement[],
    n?: number,
  ): IcuBranch => {
    const sample = n === undefined || offset !== 0 ? {} : { sample: `${n}` };
    return { selector, value, inside: { ...scope, plural: { name, ...sample } } };
  };
  const exact = Object.keys(options).filter((selector) => selector.startsWith('='));
  // A category counts the number minus the offset; `=1` is the number itself (Unicode ICU, PluralFormat).
  const taken = new Set(exact.map((selector) => Number(selector.slice(1)) - offset));
  return [
    ...exact.map((key) => branch(key, options[key]?.value ?? [], Number(key.slice(1)))),
    ...categoriesLeft(scope.language, type, taken).map((category) => {
      const numbers = numbersIn(category, scope.language, type).filter((n) => !taken.has(n));
      const own = options[category]?.value;
      // "one file" is right for the number 1 only. A category of 1, 21 and 31 needs the wording with the number.
      const isOwnUsable = (own !== undefined && saysNumber(own, name)) || numbers.length < 2;
      const value = (isOwnUsable ? own : undefined) ?? options['other']?.value ?? [];
      return branch(category, value, sampleNumber(numbers));
    }),
  ];
}

/** Leaves out `one` when `=1` is there and the language uses `one` only for 1: the form would never be shown. */
function categoriesLeft(
  language: LanguageTag,
  type: PluralType,
  taken: ReadonlySet<number>,
): readonly PluralCategory[] {
  return pluralCategories(language, type).filter(
    (category) => category === 'other' || isReachable(category, { language, type, taken }),
  );
}

function layoutOf({ options, location }: Branching, { text }: IcuScope): ChoiceLayout {
  const [first, second] = Object.entries(options).map(([selector, option]) => ({
    selector,
    start: option.location?.start.offset ?? 0,
    end: option.location?.end.offset ?? 0,
  }));
  if (first === undefined || location === undefined) throw new TypeError('a choice has a place');
  const gap = blanksBefore(text, first.start);
  const headEnd = first.start - gap.length - first.selector.length;
  const last = Object.values(options).at(-1)?.location?.end.offset ?? first.end;
  const between =
    second === undefined
      ? ' '
      : text.slice(
          first.end,
          second.start - blanksBefore(text, second.start).length - second.selector.length,
        );
  return {
    head: text.slice(location.start.offset, headEnd),
    gap,
    between,
    tail: text.slice(last, location.end.offset),
  };
}

function blanksBefore(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return before.slice(before.trimEnd().length);
}
