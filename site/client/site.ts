/** The script of the documentation site: the colour scheme, and the search. Pages are complete without it. */
import MiniSearch from 'minisearch';
import { type IndexedSection, SEARCH_OPTIONS } from '../search-options.ts';

declare global {
  interface Window {
    /** Set by search-index.js. */
    searchIndex?: string;
  }
}

const SHOWN = 12;
const root = document.documentElement.dataset['root'] ?? '';

const scheme = document.querySelector<HTMLButtonElement>('#scheme');
scheme?.addEventListener('click', () => {
  const chosen = document.documentElement.dataset['scheme'] ?? systemScheme();
  const next = chosen === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset['scheme'] = next;
  localStorage.setItem('scheme', next);
});

function systemScheme(): 'dark' | 'light' {
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

const input = document.querySelector<HTMLInputElement>('#search');
const list = document.querySelector<HTMLElement>('#found');
if (input !== null && list !== null) offerSearch(input, list);

function offerSearch(field: HTMLInputElement, found: HTMLElement): void {
  const index = once(loadIndex);
  field.addEventListener('focus', () => void index());
  field.addEventListener('input', () => void index().then((loaded) => show(loaded)));
  const show = (loaded: MiniSearch<IndexedSection>) => {
    const words = field.value.trim();
    found.replaceChildren(...(words === '' ? [] : [results(loaded, words)]));
  };
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') found.querySelector('a')?.click();
    if (key === 'ArrowDown') found.querySelector('a')?.focus();
  });
  found.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const links = [...found.querySelectorAll('a')];
    const at = links.findIndex((each) => each.matches(':focus'));
    (links[at + (event.key === 'ArrowDown' ? 1 : -1)] ?? field).focus();
  });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') found.replaceChildren();
    if (event.key !== '/' || document.activeElement instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
  addEventListener('click', ({ target }) => {
    if (target !== field) found.replaceChildren();
  });
}

function results(index: MiniSearch<IndexedSection>, words: string): HTMLElement {
  const hits = index.search(words).slice(0, SHOWN);
  if (hits.length === 0) {
    const none = document.createElement('p');
    none.textContent = `Nothing found for "${words}".`;
    return none;
  }
  const items = document.createElement('ul');
  items.append(...hits.map(({ id, page, heading }) => hit({ id, page, heading })));
  return items;
}

function hit({ id, page, heading }: { id: string; page: string; heading: string }): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${root}${id}`;
  const place = document.createElement('span');
  place.textContent = page;
  link.append(heading, place);
  item.append(link);
  return item;
}

/** The index is a script of its own: 300 kB that only a search needs. */
async function loadIndex(): Promise<MiniSearch<IndexedSection>> {
  const script = document.createElement('script');
  script.src = `${root}search-index.js`;
  const { promise, resolve, reject } = Promise.withResolvers<Event>();
  script.addEventListener('load', resolve);
  script.addEventListener('error', reject);
  document.head.append(script);
  await promise;
  return MiniSearch.loadJSON(window.searchIndex ?? '', SEARCH_OPTIONS);
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
