/** What decided a machine's text beside its source: options, terms of the glossary, style. What of it re-buys, config says. Pure. */
import { hash } from 'node:crypto';
import type { TranslationInputs } from '../baseline.ts';
import type { Policies } from '../project.ts';
import type { TermIndex } from './terms.ts';

/** The rules of a project in one language, as they are now. */
export interface Ingredients {
  readonly options: string;
  readonly terms?: TermIndex;
  readonly style?: string;
  /** What config says of the key. */
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

/** Whether a text is to be bought again: only a term that its own source holds counts, not the glossary's version. */
export function isOutdated(
  made: TranslationInputs,
  now: TranslationInputs,
  on: RetranslateOn,
): boolean {
  return (
    (on.has('options') && made.options !== now.options) ||
    (on.has('glossary') && made.terms !== now.terms) ||
    (on.has('style') && made.style !== now.style) ||
    (on.has('notes') && made.note !== now.note)
  );
}

/** Under which words the memory keeps a text apart, so that what was bought with older ones does not answer for it. */
export function inputsScope(now: TranslationInputs, on: RetranslateOn): string | undefined {
  const terms = on.has('glossary') ? now.terms : undefined;
  const style = on.has('style') ? now.style : undefined;
  const note = on.has('notes') ? now.note : undefined;
  const parts = [terms && `t${terms}`, style && `s${style}`, note && `n${note}`].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? undefined : parts.join('');
}
