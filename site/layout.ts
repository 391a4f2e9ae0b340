/** The HTML around a page: menu, search, list of headings. Pure. */
import { posix } from 'node:path';
import { CHAPTERS, type PageEntry } from './contents.ts';
import { escapeHtml, type Heading, type RenderedPage } from './markdown.ts';

/** Set before the first paint, so that a chosen scheme does not flash. */
const SCHEME_SCRIPT =
  "const chosen = localStorage.getItem('scheme'); if (chosen) document.documentElement.dataset.scheme = chosen;";
/** On a narrow screen the menu starts closed; without a script it stays open. */
const MENU_SCRIPT =
  "if (matchMedia('(max-width: 860px)').matches) document.querySelector('details.menu').open = false;";

/** @param rendered what stands in the middle */
export function pageHtml(entry: PageEntry, rendered: RenderedPage): string {
  const up = posix.relative(posix.dirname(entry.address), '.');
  const root = up === '' ? '' : `${up}/`;
  const title = escapeHtml(entry.title);
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - dragoman</title>
<link rel="icon" href="${root}icon.svg">
<link rel="stylesheet" href="${root}site.css">
<script>${SCHEME_SCRIPT}</script>
<script src="${root}site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="${root}index.html"><img src="${root}icon.svg" alt="" width="24" height="24">dragoman</a>
<div class="search" role="search">
<input type="search" id="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off">
<div id="found" aria-live="polite"></div>
</div>
<button type="button" id="scheme" aria-label="Switch between light and dark">◐</button>
</header>
<div class="columns">
<details class="menu" open>
<summary>Menu</summary>
${menu(entry, root)}
</details>
<script>${MENU_SCRIPT}</script>
<main id="content" tabindex="-1">
${rendered.html}
${neighbours(entry, root)}
</main>
${outline(rendered.headings)}
</div>
</body>
</html>
`;
}

function menu(current: PageEntry, root: string): string {
  const chapters = CHAPTERS.map(({ title, pages }) => {
    const items = pages.map((page) => {
      const here = page.address === current.address ? ' aria-current="page"' : '';
      return `<li><a href="${root}${page.address}"${here}>${escapeHtml(page.title)}</a></li>`;
    });
    return `<p>${escapeHtml(title)}</p>\n<ul>${items.join('')}</ul>`;
  });
  return `<nav aria-label="Pages">\n${chapters.join('\n')}\n</nav>`;
}

function outline(headings: readonly Heading[]): string {
  const items = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  if (items.length < 2) return '';
  return `<nav class="outline" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`;
}

function neighbours(current: PageEntry, root: string): string {
  const all = CHAPTERS.flatMap(({ pages }) => pages);
  const at = all.findIndex(({ address }) => address === current.address);
  const links = [
    neighbour(all[at - 1], { root, rel: 'prev', arrow: '←' }),
    neighbour(all[at + 1], { root, rel: 'next', arrow: '→' }),
  ];
  return `<nav class="neighbours" aria-label="Previous and next page">${links.join('')}</nav>`;
}

interface Neighbour {
  readonly root: string;
  readonly rel: 'prev' | 'next';
  readonly arrow: string;
}

function neighbour(page: PageEntry | undefined, { root, rel, arrow }: Neighbour): string {
  if (page === undefined) return '';
  const title = escapeHtml(page.title);
  const words = rel === 'prev' ? `${arrow} ${title}` : `${title} ${arrow}`;
  return `<a rel="${rel}" href="${root}${page.address}">${words}</a>`;
}
