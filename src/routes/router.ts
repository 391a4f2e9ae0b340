/** Path -> project, lane and targets. A target of dragoman is never a source. Pure. */

import type { Config } from '../config.ts';
import type { Project, Route } from '../project.ts';
import { checkRoute, type RouteFault, routeFault } from './checks.ts';
import type { Collision } from './collisions.ts';
import type { PathMatch } from './compiled.ts';
import { CompiledRoute, templateErrors } from './compiled.ts';
import { ProjectRouter } from './project-router.ts';
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

export class Router {
  readonly #projects = new Map<string, ProjectRouter>();

  constructor(
    { projects, state }: Pick<Config, 'projects' | 'state'>,
    routes: readonly CompiledRoute[],
  ) {
    for (const project of projects) {
      this.#projects.set(project.name, new ProjectRouter({ project, state, routes }));
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
