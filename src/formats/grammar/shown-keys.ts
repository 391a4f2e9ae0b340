/** The keys of front matter and the attributes of elements that every site generator shows to readers: their values are texts. Pure. */

/**
 * The keys by the version of the reader of pages (`plan/reader-version.ts`) that was the first to read them. Delivered pages are searched
 * for keys that are newer than the first version. A dot goes into a map, `*` is any one step. Docusaurus, Hugo, Jekyll, Starlight and
 * VitePress show these.
 */
const FRONT_MATTER_SINCE: Readonly<Record<number, readonly string[]>> = {
  1: [
    'title',
    'description',
    'linkTitle',
    'sidebarTitle',
    'summary',
    'tagline',
    'subtitle',
    'excerpt',
    'pagination_label',
  ],
  2: ['sidebar_label', 'hero.title', 'hero.tagline', 'sidebar.label'],
  4: ['hero.text', 'features.*.title', 'features.*.details'],
};

export const VISIBLE_FRONT_MATTER: readonly string[] = Object.values(FRONT_MATTER_SINCE).flat();

/** Attributes that every component shows. The first version of the reader read none of them. */
export const VISIBLE_ATTRIBUTES: readonly string[] = [
  'title',
  'label',
  'alt',
  'placeholder',
  'aria-label',
];

/** A line of YAML or TOML that begins a key, or the map of a key. The first version of the reader did not read that key. */
export const NEWER_KEY = lineOf(newerKeys());

function newerKeys(): readonly string[] {
  const { 1: _, ...since } = FRONT_MATTER_SINCE;
  return Object.values(since).flat();
}

function lineOf(keys: readonly string[]): RegExp {
  const { maps = [], plain = [] } = Object.groupBy(keys, (key) =>
    key.includes('.') ? 'maps' : 'plain',
  );
  const nested = [...new Set(maps.map((key) => key.slice(0, key.indexOf('.'))))].join('|');
  const lines = [String.raw`(?:${nested})\s*[:.=]`, String.raw`\[\[?(?:${nested})\]`];
  return new RegExp(`^(?:${[...lines, String.raw`(?:${plain.join('|')})\s*[:=]`].join('|')})`, 'm');
}
