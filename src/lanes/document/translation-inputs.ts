/** The terms and the style with which a document is translated. `retranslate_on` says whether their change buys it again. */

import { hash } from 'node:crypto';
import type { TranslationInputs } from '../../baseline.ts';
import { JobFailure } from '../../failure.ts';
import type { Policies } from '../../project.ts';
import { translationInputsOf } from '../../segments/translation-inputs.ts';
import type { DocumentPurchase, PurchaseKey } from '../../state/document-purchase.ts';
import type { Purchases } from '../../state/document-purchases.ts';
import type { DocumentCase } from './document-case.ts';
import { documentTexts } from './texts.ts';

/** The terms of sources that were read before, by content and version of the glossary. */
export type SourceTerms = Map<string, TranslationInputs>;

type DocumentTerms = Pick<
  DocumentCase,
  'projectTerms' | 'recipe' | 'source' | 'sourcePath' | 'extension'
>;

/** Only terms in the text of the document count. For a file that only the service can read, none are known. */
export async function documentInputs(
  sourceTerms: SourceTerms,
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
  const known = sourceTerms.get(name) ?? made(await termText(doc));
  sourceTerms.set(name, known);
  return known;
}

/** A file that is damaged or gone is reported when it is bought. */
async function termText({ sourcePath: path, extension }: DocumentTerms): Promise<string> {
  try {
    const texts = await documentTexts({ path, extension, name: path, side: 'source' });
    return texts?.join('\n') ?? '';
  } catch (error) {
    if (error instanceof JobFailure || (error as NodeJS.ErrnoException).code === 'ENOENT')
      return '';
    throw error;
  }
}

/**
 * The case with the key of its purchase. The key is another one if `retranslate_on` names the terms or the style, and these have
 * changed since the purchase.
 */
export async function withTerms(
  { purchases, sourceTerms }: { purchases: Purchases; sourceTerms: SourceTerms },
  doc: DocumentCase,
): Promise<DocumentCase> {
  const { retranslateOn } = doc.route.policies;
  if (!retranslateOn.has('glossary') && !retranslateOn.has('style')) return doc;
  const now = await documentInputs(sourceTerms, doc);
  const outdated = (purchase: DocumentPurchase | undefined) =>
    purchase !== undefined && isMadeOtherwise(purchase, now, retranslateOn);
  const key = outdated(purchases.get(doc.key)) ? scopedKey(doc.key, now) : doc.key;
  return { ...doc, key, isOutdated: (hash) => outdated(purchases.ofResult(hash)) };
}

/** Whether a purchase was made with other terms or another style than the present ones. Unknown ones do not count as different. */
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

/** The key of a purchase of the same content with other terms or style. The first purchase keeps its own key. */
function scopedKey(key: PurchaseKey, { terms = '', style = '' }: TranslationInputs): PurchaseKey {
  return hash('sha256', `${key} ${terms} ${style}`) as PurchaseKey;
}
