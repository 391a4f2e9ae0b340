/** Which languages of which projects are touched as a whole, by a change of config, terms, style or lock. Pure. */
import { relative } from 'node:path';
import type { Config } from '../config.ts';
import type { LanguageTag } from '../language.ts';
import type { Project } from '../project.ts';
import { LockFiles } from '../state/lock-file.ts';
import { configuredGlossaries } from '../terminology/configured.ts';

export interface Changes {
  /** @param path absolute, of the config as it is now */
  isChanged(path: string): boolean;
  /** Where the root that a project has now would have been. */
  rootThen(project: string): string | undefined;
}

export interface TouchedLanguage {
  readonly project: string;
  readonly language: LanguageTag;
}

/** @param then undefined: there was no config, or none that is understood */
export function touchedLanguages(
  now: Config,
  then: Config | undefined,
  changes: Changes,
): TouchedLanguage[] {
  const terms = configuredGlossaries(now).flatMap(({ files, projects }) =>
    files
      .filter(({ path }) => changes.isChanged(path))
      .flatMap(({ locales }) => projects.flatMap((project) => pairs(project, locales))),
  );
  const touched = now.projects.flatMap((project) => {
    const before = then?.projects.find(({ name }) => name === project.name);
    const isSame = before !== undefined && hasSameRules(project, before, changes);
    const own = project.targets.filter(
      (language) =>
        !isSame ||
        !before.targets.includes(language) ||
        hasChangedFiles(now, { project, language }, changes),
    );
    return pairs(project.name, own);
  });
  const all = [...touched, ...terms];
  return [...new Map(all.map((pair) => [`${pair.project}\n${pair.language}`, pair])).values()];
}

function pairs(project: string, languages: readonly LanguageTag[]): TouchedLanguage[] {
  return languages.map((language) => ({ project, language }));
}

function hasChangedFiles(
  { lock }: Config,
  { project, language }: { readonly project: Project; readonly language: LanguageTag },
  { isChanged }: Changes,
): boolean {
  const style = project.rules.styles.get(language);
  if (style !== undefined && 'file' in style && isChanged(style.file)) return true;
  if (lock === undefined) return false;
  return isChanged(new LockFiles(lock).pathOf({ project: project.name, language }));
}

/** Languages that were added touch no other, and neither does the place of a setting in the file. */
function hasSameRules(now: Project, then: Project, { rootThen }: Changes): boolean {
  return rootThen(now.name) === then.root && rulesOf(now) === rulesOf(then);
}

/** What no translation depends on. */
const ASIDE: ReadonlySet<string> = new Set([
  ...['root', 'targets', 'convertible', 'budget', 'settleMs', 'settleIsExplicit'],
  ...['line', 'column', 'index', 'approveOver'],
]);

function rulesOf(project: Project): string {
  return JSON.stringify(project, (name, value: unknown) => {
    if (ASIDE.has(name)) return undefined;
    if (name === 'file' && typeof value === 'string') return relative(project.root, value);
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}
