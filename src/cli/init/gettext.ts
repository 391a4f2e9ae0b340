/** Finds gettext catalogs, and for each its template or the catalog of the source language. Pure. */
import { fileNameOf } from '../../files/listing.ts';
import { type LayoutMatch, languageOfCode, type RouteSketch } from './known-layouts.ts';

/** The parts of the path of a `.po` file. */
interface GettextCatalog {
  /** The path for all languages; `{}` stands for the language. */
  readonly place: string;
  /** Folder of all languages, with its slash; empty for the root. */
  readonly head: string;
  /** The name of its template; undefined when the file has only the name of the language. */
  readonly stem?: string;
  readonly code: string;
}

const CODE = '(?<code>[A-Za-z]{2,3}(?:[-_@][A-Za-z0-9]{2,8}){0,2})';
const CATALOGS: readonly RegExp[] = [
  // Kodi: a folder for each language; its name ends with the code.
  new RegExp(`^(?<head>(?:.*/)?resource\\.language\\.)${CODE}(?<folder>/)(?<stem>strings)\\.po$`),
  new RegExp(`^(?<head>(?:.*/)?)${CODE}(?<folder>/LC_MESSAGES/)(?<stem>[^/]+)\\.po$`),
  new RegExp(`^(?<head>(?:.*/)?)${CODE}(?<folder>/)(?<stem>[^/]+)\\.po$`),
  new RegExp(`^(?<head>(?:.*/)?)${CODE}\\.po$`),
  new RegExp(`^(?<head>(?:.*/)?)(?<stem>[^/]+?)(?<mark>[-_.])${CODE}\\.po$`),
];

/** @returns matches of templates as sources, and of catalogs with their language */
export function gettextMatches(paths: readonly string[]): LayoutMatch[] {
  const templates = paths.filter((path) => path.endsWith('.pot'));
  const seen = paths.flatMap((path) => catalogsAt(path, templates));
  const templated = new Set(seen.flatMap(({ route }) => route.to ?? []));
  const catalogs = seen.map((each) => besideTemplated(each, templated));
  const translated = new Set(catalogs.map(({ route }) => route.from));
  const alone = templates.filter((template) => !translated.has(template));
  const routes = [...catalogs.map(({ route }) => route), ...alone.map(usualRoute)];
  const sources = routes.filter(({ from }) => from.endsWith('.pot'));
  return [...catalogs, ...sources.map((route) => ({ path: route.from, ...GETTEXT, route }))];
}

/** Names a catalog without template in its route when other catalogs there have one: `*` would match these, too. */
function besideTemplated(seen: LayoutMatch, templated: ReadonlySet<string>): LayoutMatch {
  const { from } = seen.route;
  if (!templated.has(from.replace(/\*\.po$/, '{name}.po'))) return seen;
  return { ...seen, route: { from: from.replace('*.po', fileNameOf(seen.path)) } };
}

const GETTEXT = { layout: 'gettext', content: 'strings', isConvention: true } as const;

function catalogsAt(path: string, templates: readonly string[]): LayoutMatch[] {
  let unknown: LayoutMatch | undefined;
  for (const pattern of CATALOGS) {
    const catalog = catalogOf(pattern.exec(path)?.groups, templates);
    if (catalog === undefined) continue;
    const tag = languageOfCode(withoutModifier(catalog.code));
    const seen = { path, ...GETTEXT, route: routeFor(catalog, templates) };
    if (tag !== undefined) return [{ ...seen, language: { tag, spelled: catalog.code } }];
    unknown ??= { ...seen, unknown: catalog.code };
  }
  return unknown === undefined ? [] : [unknown];
}

const SCRIPT_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({ latin: 'Latn', cyrillic: 'Cyrl' }),
);

/** `sr@latin` is sr-Latn. */
function withoutModifier(code: string): string {
  return code.replace(
    /@(.+)$/,
    (_, modifier: string) => `-${SCRIPT_CODES.get(modifier) ?? modifier}`,
  );
}

function catalogOf(
  groups: Readonly<Record<string, string | undefined>> | undefined,
  templates: readonly string[],
): GettextCatalog | undefined {
  const { head = '', code, folder, stem, mark } = groups ?? {};
  if (code === undefined) return undefined;
  if (folder !== undefined) {
    return { head, code, place: `${head}{}${folder}{name}.po`, ...(stem && { stem }) };
  }
  if (mark === undefined) return { head, code, place: `${head}{}.po` };
  // Many names end like a language code: only a template proves that it is one.
  if (stem === undefined || !templates.includes(`${head}${stem}.pot`)) return undefined;
  return { head, code, stem, place: `${head}{name}${mark}{}.po` };
}

/** The route. Without a template, the source is the catalog of the source language; without that, each catalog holds its own source texts. */
function routeFor(catalog: GettextCatalog, templates: readonly string[]): RouteSketch {
  const template = templateOf(catalog, templates);
  if (template !== undefined) return { from: template, to: catalog.place };
  return { from: catalog.place.replace('{name}', '*') };
}

function templateOf(
  { head, stem }: GettextCatalog,
  templates: readonly string[],
): string | undefined {
  const named = templates.filter(
    (path) => stem === undefined || path === `${stem}.pot` || path.endsWith(`/${stem}.pot`),
  );
  const beside = named.filter((path) => path.slice(0, path.lastIndexOf('/') + 1) === head);
  const [only, ...others] = beside.length > 0 || stem === undefined ? beside : named;
  return others.length === 0 ? only : undefined;
}

/** GNU packages keep `po/de.po`, others `de/LC_MESSAGES/name.po` (gettext manual, "Files" and "bindtextdomain"). */
function usualRoute(template: string): RouteSketch {
  const head = template.slice(0, template.lastIndexOf('/') + 1);
  const isGnu = head === 'po/' || head.endsWith('/po/');
  return { from: template, to: isGnu ? `${head}{}.po` : `${head}{}/LC_MESSAGES/{name}.po` };
}
