/** What speaks against a result that is whole and paid: it is no translation, or in another language than was asked for. */
import { JobFailure } from '../../failure.ts';
import type { Kept } from '../../files/spool-folder.ts';
import { languageName } from '../../language.ts';
import { wrongResult } from './check-result.ts';
import type { DocumentCase } from './document-case.ts';
import { filmProblem } from './film-gate.ts';
import { detectedAs, judgeLanguage, samplesOf, toldLanguage } from './rules/told-language.ts';
import { readTexts } from './texts.ts';

/** `hold`: a person should look before it stands for the document. */
export interface Doubt {
  readonly severity: 'hold' | 'warn';
  readonly message: string;
}

/**
 * @param flaw what is wrong with its structure
 * @returns undefined for what may stand
 */
export async function doubtAbout(
  doc: DocumentCase,
  kept: Kept,
  flaw: string | undefined,
): Promise<Doubt | undefined> {
  const broken = (await newFlaw(doc, flaw)) ?? (await filmProblem(doc, kept));
  if (broken !== undefined) return { severity: 'hold', message: broken };
  const severity = doc.route.policies.checks.untranslated;
  if (severity === 'off') return undefined;
  if (kept.hash === doc.source.hash) {
    return { severity, message: 'the service returned the document as it was sent' };
  }
  const told = await languageOf(doc, kept);
  if (told === undefined) return undefined;
  const { source, target } = doc.recipe;
  const message = `the translation is in ${languageName(told) ?? told}, as far as that can be told`;
  switch (judgeLanguage(told, { source, target })) {
    case 'fits':
      return undefined;
    case 'source':
      return { severity, message };
    case 'another':
      return { severity: 'hold', message };
  }
}

/** What its source lacks as well, as the end tag of a page, is no fault of the service. */
async function newFlaw({ sourcePath, extension }: DocumentCase, flaw: string | undefined) {
  if (flaw === undefined || (await wrongResult(sourcePath, extension)) !== undefined)
    return undefined;
  return flaw;
}

/** The language of a result as ISO 639-1 says it; undefined where it cannot be told for sure. */
async function languageOf({ recipe, output }: DocumentCase, { file }: Kept) {
  const samples = samplesOf(await textsOf(file, output));
  if (samples.length === 0) return undefined;
  // Its tables take 37 MB: they are loaded when the first result is long enough.
  const { eld } = await import('eld/extrasmall');
  const isKnown = Object.values(eld.info().Languages).includes(detectedAs(recipe.target));
  if (!isKnown) return undefined;
  const guesses = samples.map((sample) => {
    const guess = eld.detect(sample);
    return guess.isReliable() ? guess.language : undefined;
  });
  return toldLanguage(guesses) as typeof recipe.target | undefined;
}

/** It is whole by its structure: what we cannot read of it all the same proves nothing. */
async function textsOf(path: string, extension: string): Promise<readonly string[]> {
  try {
    return (await readTexts({ path, extension, name: path, side: 'translation' })) ?? [];
  } catch (error) {
    if (error instanceof JobFailure) return [];
    throw error;
  }
}
