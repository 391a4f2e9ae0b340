/** The checks of a single route: no target, or languages or sources that share a target. Pure. */

import { type LanguageTag, spellLanguage } from '../language.ts';
import type { Project, Route } from '../project.ts';
import type { SettingPath } from '../setting.ts';
import type { CompiledRoute } from './compiled.ts';
import type { GlobSegment } from './glob.ts';
import { hasPatternToken, isDir, type Template } from './template.ts';

/** A fault of a route, at its setting. */
export interface RouteFault {
  readonly setting: SettingPath;
  readonly message: string;
}

/** @param within setting inside the route: `from`, `to`, `to.transcript` */
export function routeFault(
  { project, route }: { readonly project: Project; readonly route: Route },
  within: string,
  message: string,
): RouteFault {
  const setting = ['projects', project.name, 'routes', route.index, ...within.split('.')];
  return { setting, message };
}

/** The setting for a fault about targets: `to`, or `from` when there is no template. */
export function targetSetting({ route }: CompiledRoute): 'to' | 'from' {
  return route.to === undefined ? 'from' : 'to';
}

export function checkRoute(compiled: CompiledRoute): RouteFault[] {
  const { from, project, templates, multiLocale } = compiled;
  if (compiled.route.embeddedSource) return checkEmbedded(compiled);
  if (from.hasLanguage && project.source === 'auto') {
    return [routeFault(compiled, 'from', 'names the source language, which is auto')];
  }
  if (templates.length === 0 && !from.hasLanguage && !multiLocale) {
    return [routeFault(compiled, 'to', 'is missing; it is needed where "from" has no {locale}')];
  }
  return [
    ...checkRegions(compiled),
    ...(multiLocale ? [] : [...checkLanguages(compiled), ...checkSource(compiled)]),
    ...templates.flatMap(({ template }) => checkMeeting(compiled, template)),
  ];
}

/** Extensions of formats that hold source and translation in one file. */
const TWO_SIDED = new Set(['po', 'ts', 'xlf', 'xliff']);

function checkEmbedded(compiled: CompiledRoute): RouteFault[] {
  const { from, route } = compiled;
  if (route.to !== undefined) {
    const message = 'must be absent: with embedded_source each file is its own target';
    return [routeFault(compiled, 'to', message)];
  }
  if (!from.hasLanguage) {
    const message =
      'needs {locale} or another language token: with embedded_source it stands for the target languages';
    return [routeFault(compiled, 'from', message)];
  }
  if (from.extensions?.every((extension) => TWO_SIDED.has(extension)) !== true) {
    const message = `needs a pattern that ends in one of ${[...TWO_SIDED].map((each) => `.${each}`).join(' ')}: other files do not hold their source texts`;
    return [routeFault(compiled, 'embedded_source', message)];
  }
  return checkLanguages(compiled);
}

// For a language without a region, {region} is empty: the folder would be `values-de-r`, which no program reads.
function checkRegions(compiled: CompiledRoute): RouteFault[] {
  const uses = compiled.templates.some(({ template }) => hasPatternToken(template, 'region'));
  const without = compiled.project.targets.filter((tag) => spellLanguage(tag).region === '');
  if (!uses || without.length === 0) return [];
  return [routeFault(compiled, 'to', `{region} is empty for ${without.join(', ')}`)];
}

function checkLanguages(compiled: CompiledRoute): RouteFault[] {
  const owner = new Map<string, LanguageTag>();
  for (const { output, language, paths } of compiled.outputs) {
    const key = JSON.stringify([output, paths]);
    const other = owner.get(key);
    if (other !== undefined) {
      const message = `${other} and ${language} would share a file; add {locale}, or give them different names in "locales"`;
      return [routeFault(compiled, targetSetting(compiled), message)];
    }
    owner.set(key, language);
  }
  return [];
}

// {lang} of en-GB is `en`: the target would be the source itself.
function checkSource(compiled: CompiledRoute): RouteFault[] {
  if (!compiled.mirrored) return [];
  const source = JSON.stringify(compiled.from.paths);
  const same = compiled.outputs.find(({ paths }) => JSON.stringify(paths) === source);
  if (same === undefined) return [];
  return [
    routeFault(compiled, 'from', `the target in ${same.language} would be the source itself`),
  ];
}

// Without {dir}, `**` flattens folders, so that two files of one name share a target.
function checkMeeting(compiled: CompiledRoute, template: Template): RouteFault[] {
  const { from } = compiled;
  const folders = from.paths.map((path) => path.slice(from.base.length, -1));
  const distinct = new Set(folders.map((each) => JSON.stringify(each)));
  const message = (token: string) =>
    `needs ${token}: two sources that differ only there would share a target`;
  if ((distinct.size > 1 || folders.flat().some(hasWildcard)) && !template.some(isDir)) {
    return [routeFault(compiled, targetSetting(compiled), message('{dir}'))];
  }
  if (from.paths.some((path) => isOpenName(path.at(-1))) && !hasPatternToken(template, 'name')) {
    return [routeFault(compiled, targetSetting(compiled), message('{name}'))];
  }
  return [];
}

function hasWildcard(segment: GlobSegment): boolean {
  return segment === 'deep' || segment.some((piece) => piece.kind !== 'text');
}

function isOpenName(segment: GlobSegment | undefined): boolean {
  return segment !== undefined && hasWildcard(segment);
}
