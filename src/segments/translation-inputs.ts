/**
 * The inputs of a machine translation beside its source: options, glossary terms, style. The setting `retranslate_on` lists the inputs
 * whose changes buy the translation again. Pure.
 */
import { hash } from 'node:crypto';
import type { TranslationInputs } from '../baseline.ts';
import type { ChangedInput, Policies } from '../project.ts';
import type { TermIndex } from './terms.ts';

/** The rules of a project in one language now. */
export interface Ingredients {
  readonly options: string;
  readonly terms?: TermIndex;
  readonly style?: string;
  /** The note of the config for this key. */
  readonly note?: string;
}

type RetranslateOn = Policies['retranslateOn'];

export function translationInputsOf(
  source: string,
  { options, terms, style, note }: Ingredients,
): TranslationInputs {
  const signature = terms?.signature(source);
  return {
    options,
    ...(signature === undefined ? {} : { terms: signature }),
    ...(style === undefined ? {} : { style: style.slice(0, 8) }),
    ...(note === undefined ? {} : { note: hash('sha256', note).slice(0, 8) }),
  };
}

const FIELDS: readonly (readonly [ChangedInput, keyof TranslationInputs])[] = [
  ['options', 'options'],
  ['glossary', 'terms'],
  ['style', 'style'],
  ['notes', 'note'],
];

/** The inputs for which a text must be bought again. Only the terms in its own source count, not the version of the glossary. */
export function changedInputs(
  made: TranslationInputs,
  now: TranslationInputs,
  on: RetranslateOn,
): ChangedInput[] {
  return FIELDS.flatMap(([name, field]) =>
    on.has(name) && made[field] !== now[field] ? [name] : [],
  );
}

/** The scope of a text in the memory, so that a text bought with other inputs is not reused. */
export function inputsScope(now: TranslationInputs, on: RetranslateOn): string | undefined {
  const terms = on.has('glossary') ? now.terms : undefined;
  const style = on.has('style') ? now.style : undefined;
  const note = on.has('notes') ? now.note : undefined;
  const parts = [terms && `t${terms}`, style && `s${style}`, note && `n${note}`].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? undefined : parts.join('');
}
