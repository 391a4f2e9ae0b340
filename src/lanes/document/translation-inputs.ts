/** With which terms and which style a document is translated: what of it buys one again, `retranslate_on` says. */

import { hash } from 'node:crypto';
import type { TranslationInputs } from '../../baseline.ts';
import { JobFailure } from '../../failure.ts';
import type { Policies } from '../../project.ts';
import { translationInputsOf } from '../../segments/translation-inputs.ts';
import type { DocumentPurchase, PurchaseKey } from '../../state/document-purchase.ts';
import type { Purchases } from '../../state/document-purchases.ts';
import type { DocumentCase } from './document-case.ts';
import { readTexts } from './texts.ts';

/** Terms of sources that were read before, by content and version of the glossary. */
export type Readings = Map<string, TranslationInputs>;

type DocumentTerms = Pick<
  DocumentCase,
  'projectTerms' | 'recipe' | 'source' | 'sourcePath' | 'extension'
>;

/** Only terms that its own text holds count; of a file that only the service can read none are known. */
export async function documentInputs(
  readings: Readings,
  doc: DocumentTerms,
): Promise<TranslationInputs> {
  const { recipe, projectTerms, source } = doc;
  const { terms, style } = projectTerms;
  const made = (text: string) =>
    translationInputsOf(text, {
      options: recipe.options,
      ...(terms === undefined ? {} : { terms: terms.index }),
      ...(style === undefined ? {} : { style }),
    });
  if (terms === undefined) return made('');
  const name = [source.hash, recipe.key, terms.version, style].join(' ');
  const known = readings.get(name) ?? made(await textOf(doc));
  readings.set(name, known);
  return known;
}

/** What is damaged, or gone meanwhile, is told when it is bought. */
async function textOf({ sourcePath: path, extension }: DocumentTerms): Promise<string> {
  try {
    const texts = await readTexts({ path, extension, name: path, side: 'source' });
    return texts?.join('\n') ?? '';
  } catch (error) {
    if (error instanceof JobFailure || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return '';
    throw error;
  }
}

/** The purchase that serves a document now: one for other words than now only where config does not care. */
export async function withTerms(
  { purchases, readings }: { purchases: Purchases; readings: Readings },
  doc: DocumentCase,
): Promise<DocumentCase> {
  const { retranslateOn } = doc.route.policies;
  if (!retranslateOn.has('glossary') && !retranslateOn.has('style')) return doc;
  const now = await documentInputs(readings, doc);
  const outdated = (purchase: DocumentPurchase | undefined) =>
    purchase !== undefined && isMadeOtherwise(purchase, now, retranslateOn);
  const key = outdated(purchases.get(doc.key)) ? scopedKey(doc.key, now) : doc.key;
  return { ...doc, key, isOutdated: (hash) => outdated(purchases.ofResult(hash)) };
}

// Whether a purchase was made with other terms or another style than those of now.

/** What is not known is not taken for other words. */
function isMadeOtherwise(
  { made }: Pick<DocumentPurchase, 'made'>,
  now: TranslationInputs,
  on: Policies['retranslateOn'],
): boolean {
  if (made === undefined) return false;
  return (
    (on.has('glossary') && made.terms !== now.terms) ||
    (on.has('style') && made.style !== now.style)
  );
}

/** Names the purchase of the same content with other words: the first one keeps its own key. */
function scopedKey(key: PurchaseKey, { terms = '', style = '' }: TranslationInputs): PurchaseKey {
  return hash('sha256', `${key} ${terms} ${style}`) as PurchaseKey;
}
