/** Lists that come in pages: counted from 0, 1 to 25 items each (API document, "Limits"). */
import type { Rule } from './rule.ts';

export interface Page {
  /** Index of the page, 0 when absent. */
  readonly page?: number;
  /** 1 to 25, 10 when absent. */
  readonly page_size?: number;
}

const MAX_PAGE_SIZE = 25;

export const PAGE_RULES: readonly Rule<Page>[] = [
  {
    parameter: 'page',
    rule: 'must be a whole number from 0',
    holds: ({ page = 0 }) => Number.isInteger(page) && page >= 0,
  },
  {
    parameter: 'page_size',
    rule: `must be a whole number from 1 to ${MAX_PAGE_SIZE}`,
    holds: ({ page_size: size = 1 }) =>
      Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE,
  },
];

/** All items of all pages. No page tells how many there are: the first that is not full is the last. */
export async function allPages<T>(
  fetch: (page: Required<Page>) => Promise<readonly T[]>,
): Promise<T[]> {
  const items: T[] = [];
  for (let page = 0; ; page += 1) {
    const found = await fetch({ page, page_size: MAX_PAGE_SIZE });
    items.push(...found);
    if (found.length < MAX_PAGE_SIZE) return items;
  }
}
