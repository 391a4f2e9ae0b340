/**
 * Texts of Laravel for several numbers: `one apple|:count apples`, `{0} none|[1,*] some` (Laravel, "Pluralization"). Each is
 * translated by itself; without conditions the target gets as many as its language has forms. Pure.
 */
import { type Part, partsText } from '../format.ts';
import type { LanguageTag } from '../language.ts';
import type { Translatable } from './pieces.ts';
import { formSamples, laravelForms } from './plural-forms.ts';
import { worthSending } from './protect.ts';

export interface Choices {
  readonly texts: readonly Translatable[];
  /** @param translations of `texts`, in their order */
  join(translations: readonly (readonly Part[])[]): readonly Part[];
}

/** @returns undefined for what has no choices, and is a text like others */
export function splitChoices(source: Translatable, language: LanguageTag): Choices | undefined {
  const choices = choicesOf(source);
  if (choices === undefined) return undefined;
  const wanted = isPlural(choices) ? forms(choices, language) : choices;
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
        // A bar of the translation would make two choices of one.
        return lead + partsText(parts).replaceAll('|', '/').trim() + tail;
      });
      return [written.join('|')];
    },
  };
}

interface Choice {
  /** The condition, and the blanks around it. */
  readonly lead: string;
  readonly body: string;
  readonly tail: string;
  readonly sample?: number;
}

const CHOICE = /^(?<lead>\s*(?:[{[][\d\s,.*-]+[\]}])?\s*)(?<body>.*?)(?<tail>\s*)$/s;

/** The choices of a text; undefined where it is none. `{0} none` and words on both sides of every bar make one. */
export function choicesOf({ parts, syntax }: Translatable): readonly Choice[] | undefined {
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

/** One wording for 1 and one for all else. `Home | About` is a title with a bar. */
function isPlural(choices: readonly Choice[]): boolean {
  const isTight = choices.every(({ lead, tail }) => lead === '' && tail === '');
  return choices.length === 2 && isTight;
}

function forms([one, other]: readonly Choice[], language: LanguageTag): readonly Choice[] {
  if (one === undefined || other === undefined) return [];
  let last = other;
  return formSamples(laravelForms(language)).map((sample) => {
    if (sample !== undefined) last = sample === 1 ? one : { ...other, sample };
    return last;
  });
}

/** The number that inflects the words around it, where it stands once and no other number is beside it. */
function bodyParts(body: string, sample: number | undefined): readonly Part[] {
  const [before = '', after, ...more] = body.split(/:count\b/);
  if (sample === undefined || after === undefined || more.length > 0 || /\d/.test(body)) {
    return [body];
  }
  return [before, { raw: ':count', sample: `${sample}` }, after].filter((part) => part !== '');
}
