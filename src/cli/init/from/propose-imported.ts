/** Makes projects and routes from the config of another tool, with the languages as the files spell them. Pure. */
import { type LanguageTag, parseLanguage, sameLanguage } from '../../../language.ts';
import { type Candidate, suggestionOf } from '../candidates.ts';
import { candidateGroups, projectsOf } from '../groups.ts';
import { languageOfCode, type RouteSketch } from '../known-layouts.ts';
import { type LayoutFiles, type LayoutLanguage, sourcesOf, spellRoute } from '../layouts.ts';
import type { Proposal, Wishes } from '../proposal.ts';
import { tokensFor } from '../spelling.ts';
import type { Imported, ImportedRoute } from './imported.ts';

/** @param paths relative to the project's root */
export function proposeImported(
  imported: Imported,
  paths: readonly string[],
  wishes: Wishes,
): Proposal {
  const source = wishes.source ?? tagOf(imported.source) ?? ('en' as LanguageTag);
  // A config may name the same files twice: for push, and for pull.
  const routes = new Map(imported.routes.map((each) => [JSON.stringify(each.route), each]));
  const read = [...routes.values()].map((route) =>
    importedCandidate(route, { imported, paths, wishes, source }),
  );
  const taken = read.filter(({ reason }) => reason === undefined);
  const found = apart(taken.filter((each) => !taken.some((other) => covers(other, each))));
  const groups = candidateGroups(found, 'equal');
  const projects = projectsOf(groups, { name: wishes.name, source });
  const { root, rules, tool } = imported;
  return {
    source,
    projects: projects.map((project) => ({
      ...project,
      rules,
      ...(root === undefined ? {} : { root }),
    })),
    suggestions: read.filter(({ reason }) => reason !== undefined).map(suggestionOf),
    notes: imported.byHand.map(({ setting, reason }) => `${tool}, by hand: ${setting}: ${reason}`),
  };
}

/** Whether another route already has all files of this route: tools push with one pattern, and pull with a path for each file. */
function covers(wider: Candidate, one: Candidate): boolean {
  const { from, ...rest } = one.layoutFiles.route;
  const named = expressionFor(wider.layoutFiles.route.from).exec(from.replaceAll('{}', 'en'));
  const { from: pattern, ...others } = wider.layoutFiles.route;
  return (
    pattern !== from &&
    others.to === undefined &&
    JSON.stringify(others) === JSON.stringify(rest) &&
    wider.token === one.token &&
    // `{}` must be a language; `admin.en` is not one.
    named !== null &&
    languageOfCode(named.groups?.['language'] ?? 'en') !== undefined
  );
}

/** Excludes from each route the folders with targets of other routes. In Docusaurus, the folder with texts of the site also has translated pages. */
function apart(candidates: readonly Candidate[]): Candidate[] {
  return candidates.map((each) => {
    const folders = candidates.flatMap((other) => folderWithin(each, other) ?? []);
    if (folders.length === 0) return each;
    const exclude = [...(each.route.exclude ?? []), ...folders.map((folder) => `${folder}**`)];
    return { ...each, route: { ...each.route, exclude } };
  });
}

/** The folder in which files of one route are targets of another; undefined when there is no such folder, or when it has sources. */
function folderWithin(each: Candidate, other: Candidate): string | undefined {
  const [at, wild] = [each.route.to?.indexOf('{dir}') ?? -1, each.route.from.indexOf('**')];
  const start = each.route.to?.slice(0, at) ?? '';
  const rest = other.route.to?.slice(start.length).split('{')[0] ?? '';
  if (other === each || at < 0 || wild < 0 || rest === '') return undefined;
  if (!start.includes('{') || other.route.to?.startsWith(start) !== true) return undefined;
  const folder = `${each.route.from.slice(0, wild)}${rest}`;
  const isTaken = each.sources.some((path) => path.startsWith(folder));
  return isTaken || !folder.endsWith('/') ? undefined : folder;
}

function tagOf(code: string | undefined): LanguageTag | undefined {
  return code === undefined ? undefined : parseLanguage(code);
}

interface ImportContext {
  readonly imported: Imported;
  readonly paths: readonly string[];
  readonly wishes: Wishes;
  readonly source: LanguageTag;
}

/** Makes a candidate of a route of the other tool: finds its languages and sources, and the spelling that fits both. */
function importedCandidate(given: ImportedRoute, around: ImportContext): Candidate {
  const found = languagesFor(given, around);
  const { languages, source, kind } = found;
  const route: RouteSketch = {
    ...given.route,
    ...(kind === 'own sources' && { embedded_source: true }),
  };
  const { targets, leftOut } = targetsIn(languages, around);
  // The token must also fit the path of the source, where that has the language in it.
  const spellings =
    kind === 'source beside targets'
      ? new Map([...targets, [around.source, source.spelled]])
      : targets;
  const fitting = tokensFor(given.tokens, spellings);
  const [token] = fitting;
  const codes = [...languages.values()].map(({ spelled }) => spelled);
  const written = spellRoute(route, `{${token}}`, codes);
  const sourceCodes = kind === 'own sources' ? codes : [source.spelled];
  const sources = sourceCodes.flatMap((code) =>
    sourcesOf({ ...written, from: route.from }, code, around.paths),
  );
  const layoutFiles: LayoutFiles = {
    ...{ layout: around.imported.tool, route, content: 'strings', languages, unknown: [] },
    ...{ isConvention: true, isExample: false },
    hasPlainSource: kind !== 'source beside targets',
  };
  return {
    ...{ kind: 'candidate', layoutFiles, targets, leftOut, token, fitting, route: written },
    ...{ sources, source, reason: reasonToLeave(sources, targets) },
  };
}

interface RouteLanguages {
  readonly languages: ReadonlyMap<LanguageTag, LayoutLanguage>;
  /** The source language as this route has it: `en-GB` where the project says `en`. */
  readonly source: { readonly tag: LanguageTag; readonly spelled: string };
  /**
   * `plain source`: its path has no language. `source beside targets`: its path is that of a target, in the source language.
   * `own sources`: each file is the source of its own language.
   */
  readonly kind: 'plain source' | 'source beside targets' | 'own sources';
}

/** The languages that the config of the tool names, else those of the files. */
function languagesFor(
  given: ImportedRoute,
  { imported, paths, source }: ImportContext,
): RouteLanguages {
  const { from } = given.route;
  const languages = languagesNamed(given) ?? languagesOnDisk(given, paths);
  const [tag, own] = [...languages].find(([each]) => sameLanguage(each, source)) ?? [source];
  const spelled = own?.spelled ?? imported.source ?? source;
  const hasNoSource = own === undefined && languages.size > 0;
  const kind = !from.includes('{}')
    ? 'plain source'
    : hasNoSource && OWN_SOURCE.test(from)
      ? 'own sources'
      : 'source beside targets';
  return { languages, kind, source: { tag, spelled } };
}

/** Catalogs of gettext and Qt hold the source texts as keys. */
const OWN_SOURCE = /\.(?:po|ts)$/;

function reasonToLeave(
  sources: readonly string[],
  targets: ReadonlyMap<LanguageTag, string>,
): string | undefined {
  if (sources.length === 0) return 'none of its sources exists';
  return targets.size === 0
    ? 'it has no translation yet, and the config names no language'
    : undefined;
}

function targetsIn(
  languages: ReadonlyMap<LanguageTag, LayoutLanguage>,
  { imported, wishes, source }: ImportContext,
): Pick<Candidate, 'targets' | 'leftOut'> {
  const declared = wishes.targets ?? imported.targets;
  const wanted = new Map<string, LanguageTag | undefined>(
    declared === undefined
      ? [...languages].map(([tag, { spelled }]) => [spelled, tag])
      : declared.map((code) => [code, tagOf(code)]),
  );
  const targets = new Map<LanguageTag, string>();
  const leftOut = new Map<string, string>();
  for (const [code, tag] of wanted) {
    if (tag === source) continue;
    if (tag === undefined) leftOut.set(code, 'no language code');
    else if (sameLanguage(tag, source) && declared === undefined) {
      leftOut.set(code, `a variant of ${source}: add it to "targets" to have texts converted`);
    } else if (!wishes.isSupported(tag)) {
      leftOut.set(code, 'the service does not translate into it');
    } else {
      // When the code differs from its tag, it is the spelling of the tool.
      targets.set(tag, languages.get(tag)?.spelled ?? (code === tag ? '' : code));
    }
  }
  return { targets, leftOut };
}

function languagesNamed({
  languages,
}: ImportedRoute): Map<LanguageTag, LayoutLanguage> | undefined {
  return (
    languages &&
    new Map(
      languages.flatMap((spelled): [LanguageTag, LayoutLanguage][] => {
        const tag = tagOf(spelled);
        return tag === undefined ? [] : [[tag, { spelled: tag, files: 1 }]];
      }),
    )
  );
}

/** The language of a spelling; also of qualifiers of Android such as `pt-rBR` and `b+sr+Latn`. */
function languageIn(spelled: string, spellings: ReadonlyMap<string, string>) {
  const code = spellings.get(spelled) ?? spelled;
  const plain = code
    .replace(/^b\+/, '')
    .replaceAll('+', '-')
    .replace(/-r([A-Z]{2})$/, '-$1');
  return languageOfCode(plain);
}

function languagesOnDisk(
  { route, spellings }: ImportedRoute,
  paths: readonly string[],
): Map<LanguageTag, LayoutLanguage> {
  const expression = expressionFor(route.to ?? route.from);
  const languages = new Map<LanguageTag, LayoutLanguage>();
  for (const path of paths) {
    const spelled = expression.exec(path)?.groups?.['language'];
    const tag = spelled === undefined ? undefined : languageIn(spelled, spellings);
    if (spelled === undefined || tag === undefined) continue;
    const before = languages.get(tag);
    languages.set(tag, { spelled: before?.spelled ?? spelled, files: (before?.files ?? 0) + 1 });
  }
  return languages;
}

const PARTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '{dir}/': '(?:.+/)?',
    '**/': '(?:.+/)?',
    '{name}': '[^/]+',
    '{ext}': '[^/.]+',
    '**': '.*',
    '*': '[^/]*',
    '?': '[^/]',
  }),
);

function expressionFor(pattern: string): RegExp {
  let isNamed = false;
  const parts = pattern.split(/(\{\}|\{dir\}\/|\*\*\/|\{name\}|\{ext\}|\*\*|\*|\?|\{[^{}]*\})/);
  const text = parts.map((part) => {
    if (part === '{}') {
      const group = isNamed ? '\\k<language>' : '(?<language>[^/]+?)';
      isNamed = true;
      return group;
    }
    if (/^\{.*,.*\}$/.test(part)) {
      const alternatives = part
        .slice(1, -1)
        .split(',')
        .map((each) => RegExp.escape(each));
      return `(?:${alternatives.join('|')})`;
    }
    return PARTS.get(part) ?? RegExp.escape(part);
  });
  return new RegExp(`^${text.join('')}$`, 'u');
}
