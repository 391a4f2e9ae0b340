/** Finds the route of a request: by its path template, then by its method. */
import type { ResourceRoute } from './resource.ts';

export type RoutingAnswer =
  | {
      readonly kind: 'route';
      readonly route: ResourceRoute;
      readonly params: Record<string, string>;
    }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'nothing' };

interface PathTemplate {
  readonly segments: readonly string[];
  readonly routes: Map<string, ResourceRoute>;
}

export class ResourceRouter {
  /** By path; paths without parameters are found directly. */
  readonly #templates = new Map<string, PathTemplate>();
  readonly #open: readonly PathTemplate[];

  constructor(routes: readonly ResourceRoute[]) {
    for (const route of routes) {
      const template = this.#templates.get(route.path) ?? {
        segments: route.path.split('/'),
        routes: new Map(),
      };
      this.#templates.set(route.path, template);
      template.routes.set(route.method, route);
    }
    this.#open = [...this.#templates]
      .filter(([path]) => path.includes('{'))
      .map(([, template]) => template);
  }

  find(method: string, path: string): RoutingAnswer {
    const { template, params } = this.#template(path);
    if (template === undefined) return { kind: 'nothing' };
    const route = template.routes.get(method);
    return route === undefined
      ? { kind: 'wrong-method', allowed: [...template.routes.keys()] }
      : { kind: 'route', route, params };
  }

  /** Whether there is a route for `METHOD path-template`. */
  has(operation: string): boolean {
    const [method = '', path = ''] = operation.split(' ', 2);
    return this.#templates.get(path)?.routes.has(method) ?? false;
  }

  #template(path: string): { template?: PathTemplate; params: Record<string, string> } {
    const fixed = this.#templates.get(path);
    if (fixed !== undefined) return { template: fixed, params: {} };
    const segments = path.split('/');
    for (const template of this.#open) {
      const params = match(template.segments, segments);
      if (params !== undefined) return { template, params };
    }
    return { params: {} };
  }
}

function match(
  template: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (template.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, expected] of template.entries()) {
    const segment = segments[i] ?? '';
    if (expected.startsWith('{')) params[expected.slice(1, -1)] = decode(segment);
    else if (expected !== segment) return undefined;
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
