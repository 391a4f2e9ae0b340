/**
 * Finds answers that are the texts as they were sent. Some deployments answer so when a glossary is gone, without an error
 * (docs/design/api.md, "What is not documented"). Pure.
 */
import type { TranslateResult } from '../service/text.ts';
import type { TextOrder } from './order.ts';

/** Fewer unchanged texts may be names and numbers, which no translation changes. */
const SEVERAL = 3;

/** Whether several texts with words came back, all of them unchanged. */
export function isEcho(orders: readonly TextOrder[], { translations }: TranslateResult): boolean {
  const texts = orders.flatMap(({ text }, at) =>
    /\p{L}{2}/u.test(text) ? [{ sent: text, came: translations[at]?.text }] : [],
  );
  return texts.length >= SEVERAL && texts.every(({ sent, came }) => sent === came);
}
