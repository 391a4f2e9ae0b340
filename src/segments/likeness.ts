/** The cost of pairing a paragraph of a page with one of its translation: by position, length and anchors. Pure. */

import type { IndexPair } from './subsequence.ts';
import { shapeCost } from './text-shape.ts';

/** The features of a paragraph that are comparable across languages. */
export interface Features {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** The characters before it on its line (`## `, `- `, `title: `, `<p`). */
  readonly place: string;
  /** The parts that a translation keeps: ends of links, numbers, code, names. Each occurs once. */
  readonly anchors: ReadonlySet<string>;
  readonly cell?: TableCell | undefined;
  /** Its key in front matter or in a `meta`: it decides alone which segments belong together. */
  readonly name?: string | undefined;
  /** Of a footnote or link definition. It decides as well, if both sides have the same. */
  readonly label?: string | undefined;
  /** Those of its element, of link targets in it or right before it, and of its heading. */
  readonly ids?: readonly string[];
  /** The one that both sides have: texts with others are not its pair. */
  readonly id?: string;
}

/** The position of a cell in a table. */
export interface TableCell {
  /** The same for all cells of a row. */
  readonly row: number;
  /** 1-based. */
  readonly column: number;
}

export interface FeatureSides {
  readonly source: readonly Features[];
  readonly target: readonly Features[];
}

export interface TextPairing {
  readonly pairs: readonly IndexPair[];
  /** Source paragraphs that the translation joined with the paragraph before them, and the position of that paragraph. */
  readonly joined: ReadonlyMap<number, number>;
  /** Source paragraphs that the translation has in two pieces. */
  readonly split: ReadonlySet<number>;
  /** Paragraphs that can be paired in several ways. */
  readonly doubts: readonly PairingDoubt[];
  /** Paragraphs that only one side has. */
  readonly added: { readonly source: readonly number[]; readonly target: readonly number[] };
}

export interface PairingDoubt {
  readonly source: readonly number[];
  readonly target: readonly number[];
}

/** The cost of a paragraph without partner. Costs are negative logarithms of likelihoods: 4.5 is one paragraph in ninety. */
export const SKIP = 4.5;
/** The cost of two paragraphs for one, added to the cost of their lengths and anchors. */
const SPLIT = 4;

export interface Costs {
  readonly lengths: { readonly source: readonly number[]; readonly target: readonly number[] };
  pair(a: number, b: number): number;
  split(a: number, b: number): number;
  join(a: number, b: number): number;
  /** Whether something shows that two texts are not a pair, at any place in the page. */
  isContradicted(a: number, b: number): boolean;
  isHeading(side: keyof FeatureSides, at: number): boolean;
}

export function costsBetween({ source, target }: FeatureSides, ratio: number): Costs {
  const lengths = {
    source: source.map(({ text }) => letters(text)),
    target: target.map(({ text }) => letters(text)),
  };
  const both = { source: source.map(withNext), target: target.map(withNext) };
  return {
    lengths,
    pair: (a, b) => costOf(source[a], target[b], ratio),
    split: (a, b) => halvesCost(target, b, source[a]) + costOf(source[a], both.target[b], ratio),
    join: (a, b) => halvesCost(source, a, target[b]) + costOf(both.source[a], target[b], ratio),
    isContradicted: (a, b) => areContrary(source[a], target[b], ratio),
    isHeading: (side, at) => isHeading((side === 'source' ? source : target)[at]),
  };
}

export function isHeading(features: Features | undefined): boolean {
  return HEADING.test(features?.place ?? '');
}

const HEADING = /^(?:#{1,6} |<h[1-6]$)/;

/** A higher cost means that the text is not a translation: it has about a third of the expected length, or three times that length. */
const ABSURD_LENGTH = 6;

/**
 * Whether one text can hardly be a person's translation of the other. Numbers, code or placeholders differ, only one side has a long number
 * or a placeholder, or the lengths are absurd. A person may write 3 as "three", write a name in other letters, and link to a page in the
 * own language. So these are not reasons. Cells have their row and column.
 */
export function areContrary(
  s: Features | undefined,
  t: Features | undefined,
  ratio: number,
): boolean {
  if (s === undefined || t === undefined) return false;
  if (haveOtherIds(s, t)) return true;
  if (s.text === t.text) return false;
  if (s.cell !== undefined && t.cell !== undefined) return false;
  const isOther = haveOtherAnchors(s, t) && !haveTranslatedNames(s, t);
  return isOther || lengthCost(letters(s.text) * ratio, letters(t.text)) > ABSURD_LENGTH;
}

function haveOtherIds(s: Features, t: Features): boolean {
  return s.id !== undefined && t.id !== undefined && s.id !== t.id;
}

/**
 * Whether the code of both sides is the same number of names of buttons and menus, which people translate (`Browse models`). The other
 * anchors must speak for the pair, or not against it. Their costs stay those of other code, so that they lead no paragraph to this place.
 */
function haveTranslatedNames(s: Features, t: Features): boolean {
  const [ours, theirs] = [codeOf(s), codeOf(t)];
  const all = [...ours, ...theirs];
  if (ours.length !== theirs.length || !all.every((code) => NAME_IN_CODE.test(code))) return false;
  const isOtherScript = ours.every(isAscii) !== theirs.every(isAscii) && all.every(isLabel);
  const isWholeOther = [ours, theirs].some((codes) => !codes.some(isAscii));
  const isPhrase = all.every((code) => isLabel(code) && code.includes(' '));
  return (
    (isOtherScript || isWholeOther || isPhrase) && !haveOtherAnchors(withoutCode(s), withoutCode(t))
  );
}

/** Labels begin with a capital letter, where a script has them; commands and identifiers mostly do not. */
function isLabel(code: string): boolean {
  return /^`+\s*[\p{Lu}\p{Lo}\p{N}]/u.test(code);
}

/** Code that is words alone, without anything that a program or a path would have. */
const NAME_IN_CODE = /^`+\s*[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&:+，、：]*`+$/u;

function codeOf({ anchors }: Features): string[] {
  return [...anchors].filter((anchor) => anchor.startsWith('`'));
}

function withoutCode(features: Features): Features {
  const anchors = [...features.anchors].filter((anchor) => !anchor.startsWith('`'));
  return { ...features, anchors: new Set(anchors) };
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text);
}

function haveOtherAnchors(s: Features, t: Features): boolean {
  const [ours, theirs] = [fixedAnchors(s), fixedAnchors(t)];
  const isOneSided = ours.isOneSided || theirs.isOneSided;
  const mayBe = (ours.count > 0 && theirs.count > 0) || isOneSided;
  return mayBe && s.anchors.isDisjointFrom(t.anchors);
}

interface FixedAnchors {
  readonly count: number;
  /** Whether one of them shows, on one side alone, that the two are not a pair. */
  readonly isOneSided: boolean;
}

/** By object: each paragraph is compared with many. */
const anchorsOf = new WeakMap<Features, FixedAnchors>();

/** Numbers, code in backticks and placeholders. */
function fixedAnchors(features: Features): FixedAnchors {
  const before = anchorsOf.get(features);
  if (before !== undefined) return before;
  const anchors = [...features.anchors];
  const count = anchors.filter(
    (anchor) => /^(?:\d+$|`)/.test(anchor) || isPlaceholder(anchor),
  ).length;
  const found = {
    count,
    isOneSided: anchors.some((anchor) => LONG_NUMBER.test(anchor) || isPlaceholder(anchor)),
  };
  anchorsOf.set(features, found);
  return found;
}

/** Nobody writes such a number in words. */
const LONG_NUMBER = /^\d{3,}$/;

function isPlaceholder(anchor: string): boolean {
  return anchor.startsWith(PLACEHOLDER_PREFIX);
}

/**
 * The cost of other numbers, other code or other placeholders, beside that of the anchors. If neither of the two has a better partner, the
 * pair still costs less than two paragraphs without a partner. Then only this pair is in doubt, and the neighbours are certain.
 */
const OTHER_ANCHORS = 3;

function costOf(s: Features | undefined, t: Features | undefined, ratio: number): number {
  if (s === undefined || t === undefined || haveOtherIds(s, t)) return Number.POSITIVE_INFINITY;
  const length = lengthCost(letters(s.text) * ratio, letters(t.text));
  const place = placeCost(s, t);
  return length + place + anchorCost(s, t) + formCost(s, t) + contraryCost(s, t);
}

/** A paragraph and the next one, as one; undefined: it is the last. */
function withNext(first: Features, at: number, all: readonly Features[]): Features | undefined {
  const second = all[at + 1];
  if (second === undefined) return undefined;
  return {
    ...first,
    text: `${first.text} ${second.text}`,
    anchors: first.anchors.union(second.anchors),
  };
}

/** Both halves of a split paragraph must be plain paragraphs, with nothing before them on their line. */
function halvesCost(features: readonly Features[], at: number, whole?: Features): number {
  const halves = [features[at], features[at + 1]];
  if (halves.some((half) => half?.place !== '')) return Number.POSITIVE_INFINITY;
  return SPLIT + OTHER_ANCHORS * halves.filter((half) => isForeign(half, whole)).length;
}

/** Whether a half has numbers, code or placeholders, but none that the whole has: then it is a part of another paragraph. */
function isForeign(half: Features | undefined, whole: Features | undefined): boolean {
  if (half === undefined || whole === undefined || fixedAnchors(half).count === 0) return false;
  return half.anchors.isDisjointFrom(whole.anchors);
}

/** Cells have their row and column. */
function formCost(s: Features, t: Features): number {
  return s.text === t.text || (s.cell !== undefined && t.cell !== undefined) ? 0 : shapeCost(s, t);
}

function contraryCost(s: Features, t: Features): number {
  const isCell = s.cell !== undefined && t.cell !== undefined;
  return s.text !== t.text && !isCell && haveOtherAnchors(s, t) ? OTHER_ANCHORS : 0;
}

function letters(text: string): number {
  return text.replace(/\s+/g, ' ').length;
}

/**
 * How much longer a translation is than its source: 1.1 for German, 0.4 for Chinese. It is measured when nearly all of a page is
 * translated. A page that lacks its longest paragraph would give a wrong value, so the ratio of the scripts is used then.
 */
export function lengthRatio({ source, target }: FeatureSides): number {
  const missing = Math.abs(source.length - target.length);
  if (missing * 10 > Math.max(source.length, target.length))
    return ratioOfScripts({ source, target });
  const mean = (features: readonly Features[]) =>
    features.reduce((all, { text }) => all + letters(text), 1) / Math.max(1, features.length);
  return Math.min(5, Math.max(0.15, mean(target) / mean(source)));
}

/** One character of these scripts carries as much as two or three letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

function ratioOfScripts({ source, target }: FeatureSides): number {
  const isDense = (features: readonly Features[]) => {
    const text = features.map((each) => each.text).join('');
    return (text.match(DENSE)?.length ?? 0) * 4 > text.length;
  };
  if (isDense(source) === isDense(target)) return 1.1;
  return isDense(target) ? 0.45 : 2.2;
}

/** Lengths of short texts differ more: a word of four letters may become one of ten. */
function lengthCost(expected: number, found: number): number {
  const difference = Math.log((found + 12) / (expected + 12));
  return Math.min(8, (difference * difference) / (2 * 0.3 * 0.3));
}

/** For a cell and something that is no cell of the same column. It is more than the length can cost, unless the lengths are absurd. */
const OTHER_COLUMN = 7;

function placeCost(a: Features, b: Features): number {
  if (a.cell?.column !== b.cell?.column) return OTHER_COLUMN;
  if (a.place === b.place || a.cell !== undefined) return 0;
  return kindOf(a.place) === kindOf(b.place) ? 1.5 : 4;
}

function kindOf(place: string): string {
  return place.replace(/[\s\d]/g, '').slice(0, 1);
}

/** Anchors of the paragraph itself count for and against a pair; anchors of the lines before it (code) count only for it. */
function anchorCost(a: Features, b: Features): number {
  if (a.text === b.text) return -3;
  const shared = a.anchors.intersection(b.anchors).size;
  const most = Math.max(ownAnchors(a).length, ownAnchors(b).length, shared);
  return most === 0 ? 0 : (1 - (2 * shared) / most) * Math.min(3, 1 + most);
}

/** The prefix of anchors that are placeholders with a name (`{count}`, `@DATE@`). */
export const PLACEHOLDER_PREFIX = '$ ';

/** The prefix of anchors of the lines before the paragraph. */
export const LINE_BEFORE_PREFIX = '¶';

/** The anchors of the paragraph itself, without those of the lines above it. */
export function ownAnchors({ anchors }: Features): string[] {
  return [...anchors].filter((anchor) => !anchor.startsWith(LINE_BEFORE_PREFIX));
}
