/** Path -> project, lane and targets. A target of dragoman is never a source. Pure. */

import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import type { Project, Route } from '../project.ts';
import { checkRoute, type RouteFault, routeFault } from './checks.ts';
import type { Collision } from './collisions.ts';
import type { PathMatch } from './compiled.ts';
import { CompiledRoute, templateErrors } from './compiled.ts';
import { type Neighbour, neighbour, ProjectRouter } from './project-router.ts';
import { checkTogether } from './route-conflicts.ts';
import type { FixedPath } from './source-pattern.ts';
import { PatternError } from './tokens.ts';

export type { RouteFault } from './checks.ts';

export type BuiltRouter =
  | { readonly router: Router; readonly faults?: never }
  | { readonly faults: readonly RouteFault[]; readonly router?: never };

/** Compiles the routes of all projects; refuses routes whose targets could be sources or targets of another source. */
export function buildRouter(config: Pick<Config, 'projects' | 'state'>): BuiltRouter {
  const faults: RouteFault[] = [];
  const routes = config.projects.flatMap((project) =>
    project.routes.flatMap((route) => compile(project, { route, faults }) ?? []),
  );
  const sound = routes.filter((compiled) => {
    const own = checkRoute(compiled);
    faults.push(...own);
    return own.length === 0;
  });
  faults.push(...checkTogether(sound, config.state));
  return faults.length > 0 ? { faults } : { router: new Router(config, routes) };
}

function compile(
  project: Project,
  { route, faults }: { route: Route; faults: RouteFault[] },
): CompiledRoute | undefined {
  try {
    return new CompiledRoute(project, route);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const others = templateErrors(route).filter(({ cause }) => cause !== error.cause);
    for (const { cause, message } of [error, ...others]) {
      faults.push(routeFault({ project, route }, String(cause), message));
    }
    return undefined;
  }
}

/**
 * For each root the routes of projects with this root, or with one inside it or around it, in their order. The roots of 1,600 projects
 * that were all compared with each other took 5 s.
 */
function neighboursByRoot(
  projects: readonly Project[],
  routes: readonly CompiledRoute[],
): Map<string, Neighbour[]> {
  const related = new Map(projects.map(({ root }) => [root, new Set<string>()]));
  for (const root of related.keys()) {
    for (const around of foldersAround(root)) {
      related.get(around)?.add(root);
      if (related.has(around)) related.get(root)?.add(around);
    }
  }
  const places = Map.groupBy(routes.keys(), (index) => routes[index]?.project.root);
  return new Map(
    Array.from(related, ([root, roots]) => {
      const inOrder = [...roots].flatMap((each) => places.get(each) ?? []).sort((a, b) => a - b);
      const found = inOrder.flatMap((index) => routes[index] ?? []);
      return [root, found.flatMap((compiled) => neighbour(root, compiled) ?? [])];
    }),
  );
}

/** The folder itself first. */
function foldersAround(folder: string): string[] {
  const around = dirname(folder);
  return around === folder ? [folder] : [folder, ...foldersAround(around)];
}

export class Router {
  readonly #projects = new Map<string, ProjectRouter>();

  constructor(
    { projects, state }: Pick<Config, 'projects' | 'state'>,
    routes: readonly CompiledRoute[],
  ) {
    const byProject = Map.groupBy(routes, ({ project }) => project);
    const neighbours = neighboursByRoot(projects, routes);
    for (const project of projects) {
      const own = byProject.get(project) ?? [];
      const others = neighbours.get(project.root) ?? [];
      this.#projects.set(
        project.name,
        new ProjectRouter({ project, state, own, neighbours: others }),
      );
    }
  }

  /**
   * The role of a path. The answer depends only on the path, not on the disk.
   * @param path relative to the project's root, `/`-separated, in any Unicode form
   */
  match(project: string, path: string): PathMatch {
    return this.#of(project).match(path);
  }

  /** Sources among the paths that would write one target: `to` drops the extension, or there is a `doc` beside a `docx`. */
  collisions(project: string, paths: Iterable<string>): Collision[] {
    return this.#of(project).collisions(paths);
  }

  /** Whether a source could have a target in common with another one. @param path absent: any source of the project */
  mayCollide(project: string, path?: string): boolean {
    return this.#of(project).mayCollide(path);
  }

  /** The fixed beginnings of each route's source paths. */
  fixedPaths(project: string): { readonly route: Route; readonly paths: readonly FixedPath[] }[] {
    return this.#of(project).fixedPaths();
  }

  /** Absolute folders to watch: the roots of projects, without roots inside another root. */
  watchRoots(): string[] {
    const roots = new Set([...this.#projects.values()].map(({ project }) => project.root));
    return [...roots].filter(
      (root) => ![...roots].some((other) => other !== root && root.startsWith(`${other}/`)),
    );
  }

  /** Whether a file must be read: it is a source or a target, or its match is reported. */
  wants(project: string, path: string): boolean {
    const match = this.match(project, path);
    return match.kind !== 'skipped' || (match.because !== 'no-route' && match.because !== 'state');
  }

  /** Whether sources or targets may be below a folder (relative to the root, '' for the root itself). */
  enters(project: string, folder: string): boolean {
    return this.#of(project).enters(folder);
  }

  #of(name: string): ProjectRouter {
    const found = this.#projects.get(name);
    if (found === undefined) throw new RangeError(`no project is named ${name}`);
    return found;
  }
}
