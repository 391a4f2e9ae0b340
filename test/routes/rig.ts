import { renderFaults } from '../../src/config/fault.ts';
import { type ParsedConfig, parseConfig } from '../../src/config/parse.ts';
import type { PathMatch } from '../../src/routes/compiled.ts';
import type { Router } from '../../src/routes/router.ts';

export interface ProjectSketch {
  readonly name?: string;
  readonly root?: string;
  readonly source?: string;
  readonly targets?: readonly string[];
  readonly locales?: Readonly<Record<string, { file?: string }>>;
  readonly routes: readonly object[];
}

/** The config of some projects, as a person would have written it in JSON; the file is /repo/dragoman.yaml. */
export function parseProjects(
  sketches: readonly ProjectSketch[],
  options: { state?: string } = {},
): ParsedConfig {
  const projects = sketches.map(({ name = 'p', ...project }) => [
    name,
    { source: 'en', targets: ['de', 'fr'], ...project },
  ]);
  const text = JSON.stringify({
    version: 1,
    service: { url: 'http://127.0.0.1:1' },
    state: options.state ?? '.dragoman',
    projects: Object.fromEntries(projects),
  });
  return parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
}

export function routerOf(...sketches: readonly ProjectSketch[]): Router {
  const parsed = parseProjects(sketches);
  if (parsed.faults !== undefined) throw new Error(renderFaults(parsed.faults));
  return parsed.router;
}

/** Messages of the faults, with the setting but without the project. */
export function faultsOf(...sketches: readonly ProjectSketch[]): string[] {
  return (parseProjects(sketches).faults ?? []).map(
    ({ path, message }) => `${path.replace(/^projects\./, '')}: ${message}`,
  );
}

/** One line for what a path is. */
export function describeMatch(match: PathMatch, languages: readonly string[] = ['de']): string {
  switch (match.kind) {
    case 'source':
      return `${match.lane} -> ${languages
        .map((language) => Object.values(match.targets(language as never)).join(' + '))
        .join(', ')}`;
    case 'target':
      return `target ${match.language} of ${match.source()}`;
    case 'skipped':
      return `skipped: ${match.reason}`;
  }
}
