/** The list of text formats: one line each, and the only list of their extensions. A parser is loaded when a file first needs it. */
import type { Format } from '../format.ts';

/** `markdown` and `html`: pages of running text. */
type FormatKind = 'markdown' | 'html' | 'yaml';

interface Entry {
  /** Lower-case, without the dot. */
  readonly extensions: readonly string[];
  /** For other rooms, which treat files of this kind in their own way. */
  readonly kind?: FormatKind;
  /** Only when a route says `lane: text`: such files are mostly settings or programs. */
  readonly onRequest?: true;
  /**
   * How `dragoman init` finds translations in places that no ecosystem prescribes. `folders`: the same path in a folder of another language.
   * `names`: `messages_de.x` beside `messages.x`. With either of them also `app_de.x` beside `app_en.x`. Absent: not at all.
   */
  readonly siblings?: readonly ('folders' | 'names')[];
  load(): Promise<Format>;
}

const BOTH: Entry['siblings'] = ['folders', 'names'];

export const FORMATS: readonly Entry[] = [
  { extensions: ['json'], siblings: BOTH, load: async () => (await import('./json.ts')).json },
  {
    extensions: ['jsonc'],
    siblings: ['folders'],
    load: async () => (await import('./json.ts')).jsonc,
  },
  {
    extensions: ['json5'],
    siblings: ['folders'],
    load: async () => (await import('./json.ts')).json5,
  },
  { extensions: ['arb'], siblings: BOTH, load: async () => (await import('./arb.ts')).arb },
  { extensions: ['xcstrings'], load: async () => (await import('./xcstrings.ts')).xcstrings },
  {
    extensions: ['yaml', 'yml'],
    kind: 'yaml',
    siblings: BOTH,
    load: async () => (await import('./yaml.ts')).yaml,
  },
  {
    extensions: ['properties'],
    siblings: BOTH,
    load: async () => (await import('./properties.ts')).properties,
  },
  { extensions: ['ftl'], siblings: ['folders'], load: async () => (await import('./ftl.ts')).ftl },
  { extensions: ['xml'], load: async () => (await import('./android.ts')).android },
  {
    extensions: ['xlf', 'xliff'],
    siblings: ['names'],
    load: async () => (await import('./xliff.ts')).xliff,
  },
  { extensions: ['resx'], siblings: BOTH, load: async () => (await import('./resx.ts')).resx },
  {
    extensions: ['resw'],
    onRequest: true,
    siblings: ['folders'],
    load: async () => (await import('./resx.ts')).resx,
  },
  { extensions: ['ttml', 'dfxp'], load: async () => (await import('./ttml.ts')).ttml },
  { extensions: ['csv', 'tsv'], load: async () => (await import('./csv.ts')).csv },
  { extensions: ['ts'], load: async () => (await import('./qt.ts')).qt },
  {
    extensions: ['stringsdict'],
    load: async () => (await import('./stringsdict.ts')).stringsdict,
  },
  {
    extensions: ['strings'],
    siblings: ['folders'],
    load: async () => (await import('./strings.ts')).strings,
  },
  { extensions: ['po', 'pot'], load: async () => (await import('./po.ts')).po },
  {
    extensions: ['ini'],
    onRequest: true,
    siblings: ['folders'],
    load: async () => (await import('./ini.ts')).ini,
  },
  {
    extensions: ['toml'],
    onRequest: true,
    siblings: ['folders'],
    load: async () => (await import('./toml.ts')).toml,
  },
  { extensions: ['php'], onRequest: true, load: async () => (await import('./php.ts')).php },
  {
    extensions: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx'],
    onRequest: true,
    load: async () => (await import('./js.ts')).js,
  },
  {
    extensions: ['md', 'markdown'],
    kind: 'markdown',
    load: async () => (await import('./markdown.ts')).markdown,
  },
  { extensions: ['mdx'], kind: 'markdown', load: async () => (await import('./mdx.ts')).mdx },
  {
    extensions: ['html', 'htm'],
    kind: 'html',
    load: async () => (await import('./html.ts')).html,
  },
  { extensions: ['txt'], load: async () => (await import('./txt.ts')).txt },
];

/** Extensions of the formats of these kinds: lower-case, without the dot. */
export function extensionsOf(...kinds: readonly FormatKind[]): ReadonlySet<string> {
  return new Set(
    FORMATS.flatMap(({ kind, extensions }) => (kind && kinds.includes(kind) ? extensions : [])),
  );
}

/** The format of a file: by its extension and, if several formats share it (`.ts`, `.xml`), by its text; undefined: no format reads it. */
export async function chooseFormat(
  path: string,
  content: string | Uint8Array,
): Promise<Format | undefined> {
  const text = typeof content === 'string' ? content : firstCharacters(content);
  const extension = endingOf(path);
  for (const entry of FORMATS) {
    if (!entry.extensions.includes(extension)) continue;
    const format = loaded.get(entry) ?? (await entry.load());
    loaded.set(entry, format);
    if (format.recognises?.(text) ?? true) return format;
  }
  return undefined;
}

/** An `import` of a module that is loaded already takes 7 µs, which was 1 % of a first run over 100,000 files. */
const loaded = new Map<Entry, Format>();

/** The first format with the extension, before any text is known. */
export async function firstFormat(path: string): Promise<Format | undefined> {
  const extension = endingOf(path);
  return await FORMATS.find(({ extensions }) => extensions.includes(extension))?.load();
}

/** How a file begins, in ASCII alone: without byte order mark, and without the zeros of UTF-16. */
function firstCharacters(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1').replaceAll('\0', '');
  return head.replace(/^(?:\xff\xfe|\xfe\xff|\xef\xbb\xbf)/, '');
}

/** Without the dot, in lower case. A file named `.strings` has one, too. */
function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}
