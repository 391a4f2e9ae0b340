/** Glossaries and style lists of a config, as the page lists them. Pure. */
import { relative } from 'node:path';
import type { Config, Project } from '../config.ts';
import type { RuleLine } from './report.ts';

export function ruleLines({ projects, base }: Pick<Config, 'projects' | 'base'>): RuleLine[] {
  return projects.flatMap((project) => [...glossaryLine(project), ...styleLines(project, base)]);
}

function glossaryLine({ name, rules, targets }: Project): RuleLine[] {
  const { glossary } = rules;
  if (glossary === undefined) return [];
  const common = { kind: 'glossary', project: name, languages: targets } as const;
  return 'id' in glossary
    ? [{ ...common, name: glossary.id, file: null }]
    : [{ ...common, name: glossary.name, file: glossary.csv }];
}

function styleLines({ name: project, rules }: Project, base: string): RuleLine[] {
  return [...rules.styles].map(([language, style]) => {
    const common = { kind: 'style', project, languages: [language] } as const;
    if ('id' in style) return { ...common, name: style.id, file: null };
    const file = relative(base, style.file);
    return { ...common, name: file, file };
  });
}
