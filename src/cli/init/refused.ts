/** Makes a first config that is accepted: rules and routes with faults are left to the person, with the fault. */
import { readConfig } from '../../config/load.ts';
import { type FirstConfig, firstConfigText, type PricedSuggestion } from './first-config.ts';

/** Removes refused rules, then refused routes, until the config is accepted. @param file absolute path of the config */
export function withoutRefused(config: FirstConfig, file: string): FirstConfig {
  const parsed = readConfig(firstConfigText(config), { file, env: {} });
  const rules = (parsed.faults ?? []).flatMap(({ path, message }) => {
    const [, project = '', rule = ''] = RULE.exec(path) ?? [];
    const own = config.projects.find(({ name }) => name === project)?.rules ?? {};
    return rule in own ? [{ project, rule, value: own[rule], message }] : [];
  });
  if (rules.length > 0) return withoutRefused(withoutRules(config, rules), file);
  const refused = new Map(
    (parsed.faults ?? []).flatMap(({ path, message }) => {
      const [, project = '', route = ''] = /^projects\.(.+)\.routes\.(\d+)/.exec(path) ?? [];
      return route === '' ? [] : [[`${project} ${route}`, message] as const];
    }),
  );
  if (refused.size === 0) return config;
  const suggestions: PricedSuggestion[] = [];
  const projects = config.projects.flatMap((project) => {
    const routes = project.routes.filter((found, index) => {
      const reason = refused.get(`${project.name} ${index}`);
      if (reason === undefined) return true;
      suggestions.push({
        ...found,
        reason,
        sources: [],
        price: 'remove that route to take this one',
      });
      return false;
    });
    return routes.length === 0 ? [] : [{ ...project, routes }];
  });
  if (projects.length === 0) return config;
  return withoutRefused(
    { ...config, projects, suggestions: [...config.suggestions, ...suggestions] },
    file,
  );
}

const RULE = /^projects\.([^.]+)\.(\w+)/;

interface RefusedRule {
  readonly project: string;
  readonly rule: string;
  readonly value: unknown;
  readonly message: string;
}

/** The config without refused rules, with a note for each. */
function withoutRules(config: FirstConfig, refused: readonly RefusedRule[]): FirstConfig {
  return {
    ...config,
    projects: config.projects.map((project) => {
      const rules = Object.entries(project.rules ?? {}).filter(
        ([rule]) => !refused.some((each) => each.project === project.name && each.rule === rule),
      );
      return { ...project, rules: Object.fromEntries(rules) };
    }),
    notes: [
      ...config.notes,
      ...refused.map(
        ({ project, rule, value, message }) =>
          `by hand: ${rule}: ${JSON.stringify(value)} of project ${project}: ${message}`,
      ),
    ],
  };
}
