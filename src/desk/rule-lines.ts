/** Glossaries and style lists of a config, as the page lists them. Pure. */
import { basename } from 'node:path';
import type { Project } from '../config.ts';
import type { RuleLine } from '../overview.ts';

export function ruleLines(projects: readonly Project[]): RuleLine[] {
  return projects.flatMap((project) => [...glossaryLine(project), ...styleLines(project)]);
}

function glossaryLine({ name, rules, targets }: Project): RuleLine[] {
  const { glossary } = rules;
  if (glossary === undefined) return [];
  const common = { kind: 'glossary', project: name, languages: targets } as const;
  return 'id' in glossary
    ? [{ ...common, name: glossary.id, file: null }]
    : [{ ...common, name: glossary.name, file: glossary.csv }];
}

function styleLines({ name: project, rules }: Project): RuleLine[] {
  return [...rules.styles].map(([language, style]) =>
    'id' in style
      ? { kind: 'style', project, name: style.id, file: null, languages: [language] }
      : {
          kind: 'style',
          project,
          name: basename(style.file),
          file: style.file,
          languages: [language],
        },
  );
}
