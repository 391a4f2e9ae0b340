/** The titles of links and images that are bought: with their sentence, or alone where the sentence keeps its translation. */
import { type Part, partsText, type Raw, type Segment, sourceParts } from '../format.ts';
import { titlesIn, withTitles } from '../formats/grammar/markdown-titles.ts';
import type { OwnMarkup } from '../formats/grammar/own-markup.ts';
import { type TitleChange, titleChange } from '../formats/grammar/title-change.ts';
import type { Decision } from '../segments/decision.ts';
import type { TextAnswer } from '../segments/record-for.ts';
import { sentencesFor } from '../segments/sentences.ts';
import type { TextFindings } from './inspection.ts';
import {
  cutFor,
  excerpt,
  type OrderableText,
  openText,
  type SegmentPurchase,
} from './orderable-text.ts';
import type { TextCase } from './text-case.ts';

/** Undefined: the sentence of the titles changed, too, or is not there. */
export function changedTitles(
  decision: Decision,
  segment: Segment,
  base: TextFindings['base'],
): TitleChange | undefined {
  const isChange =
    decision.kind === 'conflict' || (decision.kind === 'buy' && decision.reason === 'changed');
  if (!isChange) return undefined;
  const old = base.get(segment.id);
  const [before, current] =
    decision.kind === 'conflict'
      ? [decision.record.previousSource, decision.record.target]
      : [old?.previousSource ?? old?.source, decision.current?.parts];
  if (before === undefined || !current) return undefined;
  return titleChange({ before, now: sourceParts(segment), current });
}

/** An earlier version bought the sentence but left its link titles untranslated. */
export function unseenTitles(
  text: TextCase,
  segment: Segment,
  current: readonly Part[],
): SegmentPurchase {
  const { texts, join } = titlePurchase(text, segment);
  return { id: segment.id, texts, join: (answers) => join(current, answers) };
}

/** The sentence keeps its translation. */
export function newTitles(text: TextCase, segment: Segment, change: TitleChange): SegmentPurchase {
  const { titles } = change;
  const { texts, join } = titlesAlone(text, segment, {
    titles,
    applied: (_, bought) => change.applied(bought),
  });
  return { id: segment.id, texts, join: (answers) => join([], answers) };
}

interface TitlePurchase {
  readonly texts: readonly OrderableText[];
  /** @param parts with the titles of the source */
  join(parts: readonly Part[], answers: readonly TextAnswer[]): TextAnswer;
}

/** Nearly all texts have no titles, so all of them share one object. */
const NO_TITLES: TitlePurchase = {
  texts: [],
  join: (parts) => ({ kind: 'translated', parts }),
};

/** The titles of a text's links and images, each as a text of its own. */
export function titlePurchase(text: TextCase, segment: Segment, own?: OwnMarkup): TitlePurchase {
  const isOpen = (piece: Raw) => own?.keepsTitle(piece) !== true;
  const all = segment.syntax === 'markup' ? titlesIn(sourceParts(segment), isOpen) : [];
  if (all.length === 0) return NO_TITLES;
  return titlesAlone(text, segment, { titles: [...new Set(all)], applied: withTitles });
}

interface BoughtTitles {
  readonly titles: readonly string[];
  applied(parts: readonly Part[], bought: ReadonlyMap<string, string>): readonly Part[];
}

function titlesAlone(
  text: TextCase,
  segment: Segment,
  { titles, applied }: BoughtTitles,
): TitlePurchase {
  const cuts = titles.map((title) =>
    cutFor(text, sentencesFor({ parts: [title], syntax: 'generic' }, text.job.language)),
  );
  const place = `title of a link in "${excerpt(segment)}"`;
  return {
    texts: cuts.flatMap(({ texts }) =>
      texts.map((each) => openText(text, { segment, place }, each)),
    ),
    join(parts, answers) {
      const rest = answers.values();
      const written = new Map<string, string>();
      for (const [index, { texts, join }] of cuts.entries()) {
        const answer = join([...rest.take(texts.length)]);
        if (answer.kind === 'refused') return answer;
        written.set(titles[index] ?? '', partsText(answer.parts));
      }
      return { kind: 'translated', parts: applied(parts, written) };
    },
  };
}
