/** The search index: one entry for each heading. It is a script and not JSON, so that the site also works from the disk (file:). */
import MiniSearch from 'minisearch';
import type { PageEntry } from './contents.ts';
import type { RenderedPage } from './markdown.ts';
import { SEARCH_OPTIONS } from './search-options.ts';

export interface SitePage {
  readonly entry: PageEntry;
  readonly rendered: RenderedPage;
}

export function searchScript(pages: readonly SitePage[]): string {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(
    pages.flatMap(({ entry, rendered }) =>
      rendered.sections.map(({ heading, text }) => ({
        id: heading.level === 1 ? entry.address : `${entry.address}#${heading.id}`,
        page: entry.title,
        heading: heading.text,
        text,
      })),
    ),
  );
  return `window.searchIndex = ${JSON.stringify(JSON.stringify(index))};\n`;
}
