/**
 * Laravel's texts for several numbers: `one apple|:count apples`, `{0} none|[1,*] some` (Laravel, "Pluralization"). Each choice is
 * translated by itself. Without conditions, the target gets as many choices as its language has plural forms. Pure.
 */
import { type Part, partsText } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import type { Translatable } from './pieces.ts';
import { formSamples, laravelForms } from './plural-forms.ts';
import { worthSending } from './protect.ts';

export interface Choices {
  readonly texts: readonly Translatable[];
  /** @param translations of `texts`, in their order */
  join(translations: readonly (readonly Part[])[]): readonly Part[];
}

/** @returns undefined for a text without choices */
export function splitChoices(source: Translatable, language: LanguageTag): Choices | undefined {
  const choices = choicesOf(source);
  if (choices === undefined) return undefined;
  const wanted = isPluralChoice(choices) ? forms(choices, language) : choices;
  const bodies = wanted.map(({ body, sample }) => bodyParts(body, sample));
  const isSent = bodies.map((parts) => worthSending({ parts, syntax: source.syntax }));
  return {
    texts: bodies
      .filter((_, index) => isSent[index])
      .map((parts) => ({ parts, syntax: source.syntax })),
    join(translations) {
      const rest = translations.values();
      const written = wanted.map(({ lead, tail }, index) => {
        const parts = isSent[index] ? (rest.next().value ?? []) : (bodies[index] ?? []);
        // A `|` in a translation would split one choice into two.
        return lead + partsText(parts).replaceAll('|', '/').trim() + tail;
      });
      return [written.join('|')];
    },
  };
}

export interface LaravelChoice {
  /** The condition, and the blanks around it. */
  readonly lead: string;
  readonly body: string;
  readonly tail: string;
  readonly sample?: number;
}

const CHOICE = /^(?<lead>\s*(?:[{[][\d\s,.*-]+[\]}])?\s*)(?<body>.*?)(?<tail>\s*)$/s;

/** Splits a text into its choices; undefined when it has none. A text has choices when every part between two bars has a word. */
export function choicesOf({ parts, syntax }: Translatable): readonly LaravelChoice[] | undefined {
  const [text, ...more] = parts;
  if (syntax !== 'laravel' || typeof text !== 'string' || more.length > 0) return undefined;
  const choices = text.split('|').map((choice) => {
    const { lead = '', body = '', tail = '' } = CHOICE.exec(choice)?.groups ?? {};
    return { lead, body, tail };
  });
  return choices.length > 1 && choices.every(({ body }) => /\p{L}/u.test(body))
    ? choices
    : undefined;
}

/** Two choices, one for the number 1 and one for all others. `Home | About` is a title with a bar. */
export function isPluralChoice(choices: readonly LaravelChoice[]): boolean {
  const isTight = choices.every(({ lead, tail }) => lead === '' && tail === '');
  return choices.length === 2 && isTight;
}

function forms(
  [one, other]: readonly LaravelChoice[],
  language: LanguageTag,
): readonly LaravelChoice[] {
  if (one === undefined || other === undefined) return [];
  let last = other;
  return formSamples(laravelForms(language)).map((sample) => {
    if (sample !== undefined) last = sample === 1 ? one : { ...other, sample };
    return last;
  });
}

/** `:count` gets a sample number that inflects the words around it, but only when it occurs once and no other number is there. */
function bodyParts(body: string, sample: number | undefined): readonly Part[] {
  const [before = '', after, ...more] = body.split(/:count\b/);
  if (sample === undefined || after === undefined || more.length > 0 || /\d/.test(body)) {
    return [body];
  }
  return [before, { raw: ':count', sample: `${sample}` }, after].filter((part) => part !== '');
}
