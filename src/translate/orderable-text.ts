/** One text to buy of a segment, with what the service is told about it. */
import type { PluralForm, Segment } from '../format.ts';
import { partsText, sourceParts } from '../format.ts';
import type { ReplacedParagraph } from '../formats/grammar/own-markup.ts';
import { cutAround } from '../segments/cut-around.ts';
import type { Translatable } from '../segments/inline/pieces.ts';
import { noteOf } from '../segments/key-pattern.ts';
import type { TextAnswer } from '../segments/record-for.ts';
import type { Sentences } from '../segments/sentences.ts';
import type { TextCase } from './text-case.ts';
import { scopeFor } from './text-inputs.ts';

/** A text to buy, as data: `wantedFrom` makes it an order of its job. */
export interface OrderableText extends Translatable {
  readonly scope?: string;
  /** A developer's comment, and the note of the config for the key. */
  readonly note?: string;
  /** Its key, or the paragraph before it. */
  readonly place?: string;
  readonly form?: PluralForm;
}

/** The texts that are bought for one segment: itself, or every sentence of its ICU message. */
export interface SegmentPurchase {
  readonly id: string;
  readonly texts: readonly OrderableText[];
  /** Joins the answers to `texts` to the text of the segment, and checks the whole. */
  join(answers: readonly TextAnswer[]): TextAnswer;
}

/** A segment and where it is. Not a copy of the segment: those of a file took a tenth of what its draft holds. */
export interface PlacedSegment {
  readonly segment: Segment;
  readonly place: string | undefined;
  readonly replaced?: ReplacedParagraph | undefined;
}

export function openText(
  text: TextCase,
  { segment, place }: PlacedSegment,
  source: Translatable,
): OrderableText {
  const notes = [segment.context, noteOf(text.route.keys.notes, segment.id)];
  const note = notes.filter((each) => each !== undefined).join('; ');
  return {
    ...source,
    ...scopeFor(text, source.parts, segment.id),
    ...(note === '' ? {} : { note }),
    ...(place === undefined ? {} : { place }),
    ...(segment.form === undefined ? {} : { form: segment.form }),
  };
}

/** Text improvement does not know markup. */
export function cutFor({ recipe }: TextCase, sentences: Sentences): Sentences {
  return recipe.conversion === undefined ? sentences : cutAround(sentences);
}

/** Characters of a neighbour. */
const EXCERPT = 120;

export function excerpt(segment: Segment): string {
  const text = partsText(sourceParts(segment)).replace(/\s+/g, ' ').trim();
  return [...text].slice(0, EXCERPT).join('');
}
