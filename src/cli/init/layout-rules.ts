/** Where repositories keep their texts: one rule per layout, each a pattern over paths and the route that it stands for. */
import { type LanguageTag, languageName, parseLanguage } from '../../language.ts';

/** What a route of the config will say. */
export interface RouteSketch {
  readonly from: string;
  readonly to?: string;
  readonly lane?: 'text';
}

/** A path that fits a rule. */
export interface Sighting {
  /** For people. */
  readonly layout: string;
  /** The route that this path and its siblings are for; `{}` stands for the language. */
  readonly route: RouteSketch;
  /** The language that the path names; undefined where it is the source by its place. */
  readonly language?: { readonly tag: LanguageTag; readonly spelled: string };
}

type Parts = Readonly<Record<string, string | undefined>>;

interface LayoutRule {
  readonly pattern: RegExp;
  sight(parts: Parts): Sighting | undefined;
}

const CODE = '[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,2}';
const HOMES = 'locales?|i18n|lang|langs|languages|translations|messages|_locales';
const TEXTS = 'json|json5|jsonc|ya?ml|ftl|properties|arb';

export const LAYOUT_RULES: readonly LayoutRule[] = [
  {
    pattern: rule(`(?<head>(?:.*/)?(?:${HOMES}))/(?<code>${CODE})/.+\\.(?<ext>${TEXTS})`),
    sight: (parts) =>
      named(parts, parts['ext'] === 'json' ? 'i18next' : 'texts', {
        from: `${parts['head']}/{}/**/*.${parts['ext']}`,
      }),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?(?:${HOMES}))/(?<code>${CODE})\\.(?<ext>${TEXTS})`),
    sight: (parts) =>
      named(parts, railsOr(parts, 'texts'), { from: `${parts['head']}/{}.${parts['ext']}` }),
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?(?:${HOMES}))/(?:.*/)?[^/]+\\.(?<code>${CODE})\\.(?<ext>${TEXTS})`,
    ),
    sight: (parts) =>
      named(parts, railsOr(parts, 'texts'), { from: `${parts['head']}/**/*.{}.${parts['ext']}` }),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?)(?<stem>[^/]*?)_(?<code>${CODE})\\.arb`),
    sight: (parts) => named(parts, 'Flutter', { from: `${parts['head']}${parts['stem']}_{}.arb` }),
  },
  {
    pattern: rule(
      '(?<head>(?:.*/)?)res/values(?:-(?<qualifier>[^/]+))?/(?<file>strings|plurals|arrays)\\.xml',
    ),
    sight: sightAndroid,
  },
  {
    pattern: rule('(?<head>(?:.*/)?)(?<code>[^/]+)\\.lproj/[^/]+\\.(?<ext>strings|stringsdict)'),
    sight: sightApple,
  },
  {
    pattern: rule('(?<path>.*\\.xcstrings)'),
    sight: ({ path = '' }) => ({ layout: 'Apple', route: { from: path } }),
  },
  {
    pattern: rule('(?<head>(?:.*/)?)docusaurus\\.config\\.(?:js|mjs|ts)'),
    sight: (parts) => ({ layout: 'Docusaurus', route: docusaurusRoute(parts) }),
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?)i18n/(?<code>${CODE})/docusaurus-plugin-content-docs/current/.+\\.mdx?`,
    ),
    sight: (parts) => named(parts, 'Docusaurus', docusaurusRoute(parts)),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?i18n)/(?<code>${CODE})\\.toml`),
    sight: (parts) => named(parts, 'Hugo', { from: `${parts['head']}/{}.toml`, lane: 'text' }),
  },
  {
    pattern: rule(`(?<head>(?:.*/)?(?:docs|content|pages|src))/(?<code>${CODE})/.+\\.(?<ext>mdx?)`),
    sight: (parts) =>
      named(parts, 'pages by language', { from: `${parts['head']}/{}/**/*.${parts['ext']}` }),
  },
  {
    pattern: rule(
      `(?<head>(?:.*/)?(?:docs|content|pages))/(?:.*/)?[^/]+\\.(?<code>${CODE})\\.(?<ext>mdx?)`,
    ),
    sight: (parts) =>
      named(parts, 'pages by language', { from: `${parts['head']}/**/*.{}.${parts['ext']}` }),
  },
];

function rule(source: string): RegExp {
  return new RegExp(`^${source}$`, 'u');
}

function docusaurusRoute({ head }: Parts): RouteSketch {
  return {
    from: `${head}docs/**/*.{md,mdx}`,
    to: `${head}i18n/{}/docusaurus-plugin-content-docs/current/{dir}/{name}.{ext}`,
  };
}

function railsOr({ head = '', ext = '' }: Parts, other: string): string {
  return head.endsWith('config/locales') && /^ya?ml$/.test(ext) ? 'Rails' : other;
}

/** A sighting, when what stands in the place of a language is one. */
function named({ code = '' }: Parts, layout: string, route: RouteSketch): Sighting | undefined {
  const tag = languageOf(code);
  return tag && { layout, route, language: { tag, spelled: code } };
}

// Names of folders such as `new` and `bin` are codes of languages too, of three letters and rarely meant.
const THREE_LETTERS = new Set('ast ceb ckb fil gsw haw hsb kab yue'.split(' '));

export function languageOf(code: string): LanguageTag | undefined {
  if (/^[A-Za-z]{3}$/.test(code) && !THREE_LETTERS.has(code.toLowerCase())) return undefined;
  const tag = parseLanguage(code);
  return tag !== undefined && languageName(tag) !== undefined ? tag : undefined;
}

const FORMER_CODES: Readonly<Record<string, string>> = { iw: 'he', in: 'id', ji: 'yi' };

function sightAndroid({ head, qualifier, file }: Parts): Sighting | undefined {
  const route = {
    from: `${head}res/values/${file}.xml`,
    to: `${head}res/values-{android}/{name}.{ext}`,
  };
  if (qualifier === undefined) return { layout: 'Android', route };
  const code = qualifier.replace(/^b\+/, '').replaceAll('+', '-').replace('-r', '-');
  const tag = languageOf(FORMER_CODES[code] ?? code);
  return tag && { layout: 'Android', route, language: { tag, spelled: tag } };
}

function sightApple({ head, code = '', ext }: Parts): Sighting | undefined {
  if (code === 'Base') {
    const to = `${head}{apple}.lproj/{name}.{ext}`;
    return { layout: 'Apple', route: { from: `${head}Base.lproj/*.${ext}`, to } };
  }
  const tag = languageOf(code);
  const route = { from: `${head}{apple}.lproj/*.${ext}` };
  return tag && { layout: 'Apple', route, language: { tag, spelled: tag } };
}
