/** The counts of an agency: words and characters of source texts, and how many of them repeat an earlier text. Pure. */
import { literalsOf } from './icu-text.ts';
import { takeApart } from './pieces.ts';

export interface WordCount {
  readonly texts: number;
  readonly words: number;
  /** Unicode code points. */
  readonly characters: number;
  /** Texts that are letter by letter the same as an earlier one. */
  readonly repetitions: { readonly texts: number; readonly words: number };
}

/**
 * @param texts without their placeholders
 * @param language of the texts: it decides where words begin and end
 */
export function countWords(texts: readonly string[], language: string): WordCount {
  const segmenter = new Intl.Segmenter(language === 'auto' ? 'en' : language, {
    granularity: 'word',
  });
  const seen = new Set<string>();
  const count = { texts: 0, words: 0, characters: 0 };
  const repetitions = { texts: 0, words: 0 };
  for (const text of texts) {
    let words = 0;
    for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words += 1;
    count.texts += 1;
    count.words += words;
    count.characters += [...text].length;
    if (seen.has(text)) {
      repetitions.texts += 1;
      repetitions.words += words;
    }
    seen.add(text);
  }
  return { ...count, repetitions };
}

/** The words that a person translates in an ICU message: those of its branches, without syntax, arguments and tags. */
export function messageWords(message: string): string {
  const texts = literalsOf([message]) ?? [message];
  return texts
    .map((text) =>
      takeApart({ parts: [text], syntax: 'generic' })
        .inner.map((piece) => (piece.kind === 'text' ? piece.text : ' '))
        .join(''),
    )
    .join(' ');
}
