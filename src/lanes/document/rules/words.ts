/** Whether a purchase was made with other terms or another style than those of now. Pure. */

import { hash } from 'node:crypto';
import type { TranslationInputs } from '../../../baseline.ts';
import type { Policies } from '../../../project.ts';
import type { Purchase, PurchaseKey } from '../../../state/document-purchase.ts';

/** What is not known is not taken for other words. */
export function isMadeOtherwise(
  { made }: Pick<Purchase, 'made'>,
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
export function scopedKey(
  key: PurchaseKey,
  { terms = '', style = '' }: TranslationInputs,
): PurchaseKey {
  return hash('sha256', `${key} ${terms} ${style}`) as PurchaseKey;
}
