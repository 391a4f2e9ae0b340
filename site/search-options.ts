/** What the index holds: the build and the browser must agree on it. */
import type { Options } from 'minisearch';

/** A part of a page below one heading; its `id` is its address. */
export interface IndexedSection {
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export const SEARCH_OPTIONS: Options<IndexedSection> = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading'],
  searchOptions: { prefix: true, fuzzy: 0.2, combineWith: 'AND', boost: { page: 3, heading: 2 } },
};
