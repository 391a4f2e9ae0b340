/** The routes of one project, and routes of other projects that write into its folders. */
import { relative } from 'node:path';
import type { Lane } from '../job.ts';
import type { Project, Route } from '../project.ts';
import { type Collision, findCollisions, meetingRoutes } from './collisions.ts';
import type { CompiledRoute, PathMatch } from './compiled.ts';
import { extensionOf } from './extensions.ts';
import type { GlobPath, GlobSegment } from './glob.ts';
import { PathPattern } from './path-pattern.ts';
import { routeName } from './route-conflicts.ts';
import type { FixedPath } from './source-pattern.ts';

export interface ProjectRoutes {
  readonly project: Project;
  /** The state folder, absolute. */
  readonly state: string;
  /** The routes of this project. */
  readonly own: readonly CompiledRoute[];
  /** Those of all projects with this root, its own routes included. */
  readonly neighbours: readonly Neighbour[];
}

/** A route of another project with an overlapping root: its targets must not become sources of this project. */
export interface Neighbour {
  readonly compiled: CompiledRoute;
  /** A path below the own root, relative to the other root; undefined when it is outside. */
  readonly rename: (path: string) => string | undefined;
}

export class ProjectRouter {
  readonly project: Project;
  readonly #own: readonly CompiledRoute[];
  readonly #neighbours: readonly Neighbour[];
  /** The state folder relative to the root, with a slash; undefined when it is elsewhere. */
  readonly #state: string | undefined;
  readonly #enters: FolderTest;
  /** Computed at the first question, since comparing all languages takes some milliseconds. */
  #meeting: readonly CompiledRoute[] | undefined;

  constructor({ project, state, own, neighbours }: ProjectRoutes) {
    this.project = project;
    this.#own = own;
    this.#neighbours = neighbours;
    this.#state = inside(project.root, state);
    this.#enters = folderTest(
      this.#own.flatMap(({ from, outputs }) => [...from.paths, ...outputs.flatMap((o) => o.paths)]),
    );
  }

  match(given: string): PathMatch {
    const path = given.normalize('NFC');
    if (this.#isState(path)) {
      return { kind: 'skipped', because: 'state', reason: 'lies in the state folder' };
    }
    return this.#asTarget(path) ?? this.#asSource(path);
  }

  collisions(paths: Iterable<string>): Collision[] {
    const match = (path: string) => this.match(path);
    return findCollisions({ project: this.project, meeting: this.#meet(), match }, paths);
  }

  /** @param path absent: any source */
  mayCollide(path?: string): boolean {
    const meeting = this.#meet();
    return path === undefined ? meeting.length > 0 : meeting.some(({ from }) => from.reaches(path));
  }

  #meet(): readonly CompiledRoute[] {
    this.#meeting ??= meetingRoutes(this.#own);
    return this.#meeting;
  }

  fixedPaths(): { readonly route: Route; readonly paths: readonly FixedPath[] }[] {
    return this.#own.map(({ route, from }) => ({ route, paths: from.fixedPaths }));
  }

  enters(folder: string): boolean {
    const path = folder.normalize('NFC');
    return !this.#isState(path) && this.#enters(path);
  }

  #isState(path: string): boolean {
    if (this.#state === undefined) return false;
    return path.startsWith(this.#state) || `${path}/` === this.#state;
  }

  #asTarget(path: string): PathMatch | undefined {
    for (const compiled of this.#own) {
      if (compiled.multiLocale && compiled.from.reaches(path)) continue;
      const origin = compiled.origin(path);
      if (origin !== undefined) return { kind: 'target', route: compiled.route, ...origin };
    }
    for (const { compiled, rename } of this.#neighbours) {
      if (compiled.project === this.project) continue;
      const renamed = rename(path);
      const origin = renamed === undefined ? undefined : compiled.origin(renamed);
      if (origin !== undefined) return { kind: 'target', route: compiled.route, ...origin };
    }
    return undefined;
  }

  #asSource(path: string): PathMatch {
    const [compiled, second] = this.#own.filter(
      ({ from }) => from.reaches(path) && !from.excludes(path),
    );
    if (compiled === undefined) {
      return this.#own.some(({ from }) => from.reaches(path))
        ? { kind: 'skipped', because: 'excluded', reason: 'excluded by its route' }
        : { kind: 'skipped', because: 'no-route', reason: 'no route matches' };
    }
    if (second !== undefined) return contested(compiled, second);
    const choice = compiled.lane(extensionOf(path));
    if (choice.kind === 'none') return { kind: 'skipped', because: 'lane', reason: choice.reason };
    const languages = compiled.ownLanguages(path);
    return (
      unsuitable(compiled, choice.lane) ?? {
        kind: 'source',
        route: compiled.route,
        lane: choice.lane,
        contentDecides: choice.contentDecides,
        targets: (language) => compiled.targets(path, language),
        ...(languages && { languages }),
      }
    );
  }
}

function contested(first: CompiledRoute, second: CompiledRoute): PathMatch {
  const names = `${routeName(first)} and ${routeName(second)}`;
  const reason = `matched by ${names}; exclude it from one of them`;
  return { kind: 'skipped', because: 'contested', reason };
}

// A pattern may match recordings and texts; its template decides which of the two the route is for.
function unsuitable({ route }: CompiledRoute, lane: Lane): PathMatch | undefined {
  const forVoice = typeof route.to === 'object';
  if (lane === 'voice' && !forVoice) {
    const reason = 'a recording needs to: { transcript, subtitles, speech } in its route';
    return { kind: 'skipped', because: 'lane', reason };
  }
  if (lane !== 'voice' && forVoice) {
    const reason = `its route is for recordings; the ${lane} lane writes one file`;
    return { kind: 'skipped', because: 'lane', reason };
  }
  return undefined;
}

/** @param root of the own project */
export function neighbour(root: string, compiled: CompiledRoute): Neighbour | undefined {
  const theirs = compiled.project.root;
  const theirsInOurs = inside(root, theirs);
  const oursInTheirs = inside(theirs, root);
  if (theirsInOurs !== undefined) {
    const rename = (path: string) =>
      path.startsWith(theirsInOurs) ? path.slice(theirsInOurs.length) : undefined;
    return { compiled, rename };
  }
  return oursInTheirs === undefined
    ? undefined
    : { compiled, rename: (path) => oursInTheirs + path };
}

/** `sub/folder/`, or '' for the same folder; undefined when `path` is not inside `folder`. */
function inside(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  if (way === '') return '';
  return way === '..' || way.startsWith('../') ? undefined : `${way}/`;
}

// Folders to enter: those below which some pattern can match a file.

/** @param folder relative to the root, '' for the root itself */
type FolderTest = (folder: string) => boolean;

/** A pattern for one name, or `deep` for any number of folders. */
type PatternStep = PathPattern | 'deep';

function folderTest(paths: readonly GlobPath[]): FolderTest {
  const ways = new Map<string, readonly PatternStep[]>();
  for (const path of paths) {
    const folders = path.slice(0, -1);
    const key = JSON.stringify(folders);
    if (!ways.has(key)) ways.set(key, folders.map(step));
  }
  const all = [...ways.values()];
  return (folder) => {
    const names = folder === '' ? [] : folder.split('/');
    return all.some((steps) => leadsOn(steps, names));
  };
}

function step(segment: GlobSegment): PatternStep {
  return segment === 'deep' ? 'deep' : new PathPattern([segment]);
}

// A folder is on the way when each of its names matches a step of the pattern.
function leadsOn(steps: readonly PatternStep[], names: readonly string[]): boolean {
  for (const [index, name] of names.entries()) {
    const current = steps[index];
    if (current === undefined) return false;
    // The steps after `**` may match below this folder, too.
    if (current === 'deep') return names.slice(index).every((each) => isVisible(each, steps));
    if (!current.matches(name)) return false;
  }
  return true;
}

// `**` does not match hidden folders, unless a later step matches their name.
function isVisible(name: string, steps: readonly PatternStep[]): boolean {
  return !name.startsWith('.') || steps.some((each) => each !== 'deep' && each.matches(name));
}
