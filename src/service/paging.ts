/** Lists that come in pages: counted from 0, 1 to 25 items each (docs/design/api.md, "Limits"). */
import * as z from 'zod';
import { type Constraint, requireConstraints } from './constraint.ts';
import { requireShape } from './shape.ts';

export interface Page {
  /** Index of the page, 0 when absent. */
  readonly page?: number | undefined;
  /** 1 to 25, 10 when absent. */
  readonly page_size?: number | undefined;
}

const MAX_PAGE_SIZE = 25;

const PAGE_RULES: readonly Constraint<Page>[] = [
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

const PAGE_SHAPE = z.looseObject({ page: z.number().optional(), page_size: z.number().optional() });

export function requirePage(page: Page, operation: string): void {
  requireShape(page, { operation, shape: PAGE_SHAPE, name: 'page' });
  requireConstraints(page, { operation, constraints: PAGE_RULES });
}

/** All items of all pages. No page has the number of pages: the first one that is not full is the last. */
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
