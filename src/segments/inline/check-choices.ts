/** Whether each choice of a Laravel text has the placeholders and tags of the choice of its source that it translates. Pure. */
import { partsText } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import { formDifference } from './check-forms.ts';
import { choicesOf, isPluralChoice, type LaravelChoice } from './choices.ts';
import { difference, differenceSentences, tokenNames } from './contents.ts';
import type { TranslatedPair } from './pieces.ts';
import { laravelForms, numbersOfForms } from './plural-forms.ts';
import { sampleNumber, saysOne } from './plurals.ts';

/** A choice of the target, the choice of the source that it translates, and whether it is used for one number alone. */
interface Matched {
  readonly own: LaravelChoice;
  readonly wanted: LaravelChoice;
  readonly isOfOne: boolean;
}

/** @returns a sentence for each difference; undefined when source or target has no choices */
export function choiceProblems(
  { source, target, language }: TranslatedPair,
  sort: 'placeholder' | 'tag',
): readonly string[] | undefined {
  const wanted = choicesOf(source);
  const found = choicesOf({ parts: [partsText(target)], syntax: source.syntax });
  if (wanted === undefined || found === undefined) return undefined;
  const { syntax } = source;
  const wordings = wanted.map(({ body }) => [body]);
  const problems = matched({ wanted, found, language }).flatMap(
    ({ own, wanted: from, isOfOne }) => {
      const text = { parts: [from.body], syntax };
      const names = (body: string) => tokenNames({ parts: [body], syntax }, sort);
      const pair = { source: text, target: [own.body], form: { wordings, isOfOne } };
      return differenceSentences(
        formDifference(difference(names(from.body), names(own.body)), pair, sort),
      );
    },
  );
  return [...new Set(problems)];
}

interface Both {
  readonly wanted: readonly LaravelChoice[];
  readonly found: readonly LaravelChoice[];
  readonly language: LanguageTag;
}

function matched({ wanted, found, language }: Both): readonly Matched[] {
  const numbers = numbersOfForms(laravelForms(language));
  const last = wanted.at(-1);
  if (last === undefined) return [];
  return found.map((own, index): Matched => {
    const condition = own.lead.trim();
    const isOfOne = /^\{\d+\}$/.test(condition);
    const alike = wanted.find(({ lead }) => condition !== '' && lead.trim() === condition);
    if (alike !== undefined) return { own, wanted: alike, isOfOne };
    if (condition !== '' || !isPluralChoice(wanted)) {
      return { own, wanted: wanted[index] ?? last, isOfOne };
    }
    const ofForm = numbers[index] ?? [];
    const isSingular = sampleNumber(ofForm) === 1;
    return {
      own,
      wanted: (isSingular ? wanted[0] : last) ?? last,
      isOfOne: found.length === numbers.length && saysOne(ofForm),
    };
  });
}
