/** The glossaries of a config, each once, also when several projects share it, and their files. Pure. */
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { baseLanguage, type LanguageTag, spellLanguage } from '../language.ts';
import type { Project } from '../project.ts';
import { twoVariants } from './collect.ts';
import type { SyncMode } from './diff.ts';
import type { Expected } from './table.ts';

export interface ConfiguredGlossary {
  readonly name: string;
  /** The file pattern as in the config: it identifies a glossary that was renamed. */
  readonly csv: string;
  readonly mode: SyncMode;
  /** Names of the projects that use it. */
  readonly projects: readonly string[];
  /** Files that may exist. With `{locale}` in the pattern there is one for each language, and some languages have none. */
  readonly files: readonly ExpectedFile[];
}

export interface ExpectedFile {
  /** Absolute. */
  readonly path: string;
  readonly expected: Expected;
  /** The target languages of the file. */
  readonly locales: readonly LanguageTag[];
}

export function configuredGlossaries(config: Config): ConfiguredGlossary[] {
  const named = Map.groupBy(config.projects, glossaryName);
  return [...named].flatMap(([name, projects]) => {
    const rule = projects[0]?.rules.glossary;
    if (name === undefined || rule === undefined || 'id' in rule) return [];
    const { csv, mode } = rule;
    const files = merged(projects.flatMap((each) => filesOf(each, config)));
    return [{ name, csv, mode, files, projects: projects.map((each) => each.name) }];
  });
}

/** The message when two existing files would fill the same dictionary; else undefined. @param files that exist */
export function variantClash(files: readonly ExpectedFile[]): string | undefined {
  const byPair = Map.groupBy(files, ({ expected }) => `${expected.source} ${expected.targets}`);
  for (const same of byPair.values()) {
    const base = same[0]?.expected.targets[0];
    if (same.length > 1 && base !== undefined)
      return twoVariants(
        same.map(({ path }) => path),
        base,
      );
  }
  return undefined;
}

function glossaryName({ rules }: Project): string | undefined {
  return rules.glossary === undefined || 'id' in rules.glossary ? undefined : rules.glossary.name;
}

function filesOf(project: Project, { base }: Config): ExpectedFile[] {
  const { source, targets, rules, locales } = project;
  if (source === 'auto' || rules.glossary === undefined || 'id' in rules.glossary) return [];
  const { csv } = rules.glossary;
  const spelled = (tag: LanguageTag) => spellLanguage(tag, locales.get(tag)?.file).locale;
  const own = targets.filter((target) => baseLanguage(target) !== baseLanguage(source));
  return own.map((target) => ({
    path: resolve(
      base,
      csv.replaceAll('{source}', spelled(source)).replaceAll('{locale}', spelled(target)),
    ),
    expected: { source: baseLanguage(source), targets: [baseLanguage(target)] },
    locales: [target],
  }));
}

/** Merges equal files, so that one file for several languages is read once. */
function merged(files: readonly ExpectedFile[]): ExpectedFile[] {
  const same = Map.groupBy(files, ({ path, expected }) => `${path}\n${expected.source}`);
  return [...same.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const targets = new Set(group.flatMap(({ expected }) => expected.targets));
    const locales = new Set(group.flatMap((file) => file.locales));
    const expected = { source: first.expected.source, targets: [...targets] };
    return [{ path: first.path, expected, locales: [...locales] }];
  });
}
