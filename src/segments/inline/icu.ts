/**
 * Splits an ICU message into whole sentences, one per branch, and builds it again with the plural categories of the target language. Pure.
 */
import type { Part } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import { icuSource, isIcu, parseIcu, sentenceOf } from './icu-text.ts';
import { build, canExpand, expand, sentencesOf } from './icu-tree.ts';
import { joinTexts, type Translatable } from './pieces.ts';
import { worthSending } from './protect.ts';

/** A message as sentences to translate. */
export interface IcuMessage {
  readonly texts: readonly Translatable[];
  /** Builds the message of the target. @param translations of `texts`, in their order */
  join(translations: readonly (readonly Part[])[]): readonly Part[];
}

/** Plurals beside each other multiply their branches. A message with more sentences than this is protected as a whole. */
const MAX_SENTENCES = 32;

/** Choices that one sentence may pass through. In a language with one plural form, plurals beside each other do not multiply. */
const MAX_CHOICES = 100;

/**
 * Splits a message for a target language. The text around a plural or select goes into each of its branches, because half a sentence cannot
 * be translated.
 * @returns undefined for a text that is not an ICU message or cannot be split: the rules of its syntax protect it
 */
export function splitIcu(source: Translatable, language: LanguageTag): IcuMessage | undefined {
  if (!isIcu(source)) return undefined;
  const { text, hosts } = icuSource(source.parts);
  const elements = parseIcu(text);
  if (elements === undefined || !canExpand(elements)) return undefined;
  const allowance = { left: MAX_SENTENCES };
  const tree = expand(elements, { text, hosts, language, allowance, choicesLeft: MAX_CHOICES });
  if (tree === undefined) return undefined;
  const sentences = sentencesOf(tree);
  const sent = sentences.filter(({ parts }) => worthSending(sentenceOf(parts, source)));
  return {
    texts: sent.map(({ parts }) => sentenceOf(parts, source)),
    join(translations) {
      const given = new Map(sent.map((sentence, nth) => [sentence, translations[nth]]));
      // Arguments become text of the message. Only the host's own parts stay raw.
      const isHost = new Set(source.parts.map((part) => typeof part !== 'string' && part.raw));
      const parts = build(tree, given);
      return joinTexts(
        parts.map((part) => (typeof part === 'string' || isHost.has(part.raw) ? part : part.raw)),
      );
    },
  };
}
