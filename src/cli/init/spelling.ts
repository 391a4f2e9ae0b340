/** Chooses the token of a route that spells the languages as the files do. Pure. */
import { type LanguageTag, spellLanguage } from '../../language.ts';
import type { LanguageToken } from '../../routes/tokens.ts';
import type { RouteSketch } from './known-layouts.ts';
import { type LayoutFiles, spellRoute } from './layouts.ts';

/** A place with its route and token. */
export interface Spelled {
  readonly layoutFiles: LayoutFiles;
  readonly token: LanguageToken;
  /** All tokens that spell its languages correctly; several when the languages have the same spelling for each (`de`). */
  readonly fitting: readonly LanguageToken[];
  readonly route: RouteSketch;
}

const TOKENS_OF_SPELLING: ReadonlyMap<string, readonly LanguageToken[]> = new Map(
  Object.entries<readonly LanguageToken[]>({
    Android: ['android'],
    Apple: ['apple', 'locale'],
    gettext: ['locale_underscore', 'locale'],
    Flutter: ['locale_underscore', 'locale'],
    Qt: ['locale_underscore', 'locale'],
  }),
);

/** Java and others put an underscore before the code, and also use underscores inside it. */
const UNDERSCORED: readonly LanguageToken[] = ['locale_underscore', 'locale'];

export function tokensOf({ layout, route }: LayoutFiles): readonly LanguageToken[] {
  const isBehindUnderscore = (route.to ?? route.from).includes('_{}');
  return (
    TOKENS_OF_SPELLING.get(layout) ??
    (isBehindUnderscore ? UNDERSCORED : ['locale', 'locale_underscore'])
  );
}

/** The tokens that spell all languages correctly; when there is none, `{locale}`, with the spellings in the config. */
export function tokensFor(
  tokens: readonly LanguageToken[],
  entries: ReadonlyMap<LanguageTag, string>,
): readonly [LanguageToken, ...LanguageToken[]] {
  const fits = (token: LanguageToken) =>
    [...entries].every(([tag, spelled]) => spelled === '' || spellLanguage(tag)[token] === spelled);
  const [first = 'locale', ...others] = tokens.filter(fits);
  return [first, ...others];
}

export function routeWith({ route, languages }: LayoutFiles, token: LanguageToken): RouteSketch {
  const spelled = [...languages.values()].map((each) => each.spelled);
  return spellRoute(route, `{${token}}`, spelled);
}

/** A place that several tokens fit (`de`) gets the token of a place with the same layout, since its next language may be `pt_BR`. */
export function spelledAlike<Each extends Spelled>(candidates: readonly Each[]): Each[] {
  const sure = candidates.filter(({ fitting }) => fitting.length === 1);
  return candidates.map((each) => {
    const like = sure.find(({ layoutFiles }) => layoutFiles.layout === each.layoutFiles.layout);
    if (each.fitting.length === 1 || like === undefined) return each;
    if (!each.fitting.includes(like.token)) return each;
    const { from, to, exclude } = routeWith(each.layoutFiles, like.token);
    const respelled = { from, ...(to && { to }), ...(exclude && { exclude }) };
    return { ...each, token: like.token, route: { ...each.route, ...respelled } };
  });
}
