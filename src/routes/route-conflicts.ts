/** The checks of routes against each other: shared targets, targets that are sources, targets in the state folder. Pure. */
import { relative } from 'node:path';
import { type RouteFault, routeFault, targetSetting } from './checks.ts';
import type { CompiledRoute } from './compiled.ts';
import { type GlobPath, isLiteral } from './glob.ts';
import { commonPaths } from './overlap.ts';
import { ByPrefix } from './prefixes.ts';
import { commonPrefix } from './target-pattern.ts';

/** The patterns of a route as absolute paths, so that projects with overlapping roots can be compared. */
interface AbsoluteRoute {
  readonly compiled: CompiledRoute;
  readonly sources: RouteSide;
  readonly targets: RouteSide;
  readonly excluded: readonly GlobPath[];
}

interface RouteSide {
  readonly paths: readonly GlobPath[];
  /** The common beginning of all paths. */
  readonly prefix: string;
}

/**
 * @returns at most one fault of each kind for a route; the next one appears when the first is corrected
 * @param state absolute path of the state folder
 */
export function checkTogether(routes: readonly CompiledRoute[], state: string): RouteFault[] {
  const placed = routes.map(absoluteRoute);
  const bySources = new ByPrefix(placed.map(({ sources }) => sources.prefix));
  const byTargets = new ByPrefix(placed.map(({ targets }) => targets.prefix));
  const near = (found: readonly number[]) => found.flatMap((place) => placed[place] ?? []);
  return placed.flatMap((each, index) =>
    [
      checkState(each, state),
      first(near(bySources.near(each.targets.prefix)), (other) => checkLoop(each, other)),
      first(near(byTargets.near(each.targets.prefix, index)), (other) => checkShared(other, each)),
    ].filter((fault) => fault !== undefined),
  );
}

function first(
  placed: readonly AbsoluteRoute[],
  check: (other: AbsoluteRoute) => RouteFault | undefined,
): RouteFault | undefined {
  for (const other of placed) {
    const fault = check(other);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function absoluteRoute(compiled: CompiledRoute): AbsoluteRoute {
  const { root } = compiled.project;
  const { outputs, from } = compiled;
  return {
    compiled,
    sources: side(root, from.paths),
    targets: side(
      root,
      outputs.flatMap(({ paths }) => paths),
    ),
    excluded: below(root, from.excluded),
  };
}

function side(root: string, relative: readonly GlobPath[]): RouteSide {
  const paths = below(root, relative);
  return { paths, prefix: commonPrefix(paths) };
}

/** Whether two sides may overlap. Most routes have their own folders, so comparing two strings is enough. */
function mayOverlap(a: RouteSide, b: RouteSide): boolean {
  return a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);
}

function below(folder: string, paths: readonly GlobPath[]): GlobPath[] {
  const folders = folder
    .normalize('NFC')
    .split('/')
    .map((text) => [{ kind: 'text' as const, text }]);
  return paths.map((path) => [...folders, ...path]);
}

function checkState({ compiled, targets }: AbsoluteRoute, state: string): RouteFault | undefined {
  const inState = side(state, [['deep', [{ kind: 'star' }]]]);
  if (!mayOverlap(targets, inState)) return undefined;
  const [found] = commonPaths({ a: targets.paths, b: inState.paths });
  if (found === undefined) return undefined;
  if (found.kind === 'undecided') return undecided(compiled, 'the state folder');
  return routeFault(compiled, targetSetting(compiled), 'writes into the state folder');
}

function checkLoop(writer: AbsoluteRoute, reader: AbsoluteRoute): RouteFault | undefined {
  if (!mayOverlap(writer.targets, reader.sources)) return undefined;
  if (mayReadOwnKind(writer.compiled, reader.compiled)) return undefined;
  const [a, b] = [writer.targets.paths, reader.sources.paths];
  const [found] = commonPaths({ a, b, except: reader.excluded });
  if (found === undefined) return undefined;
  const sources =
    writer === reader ? 'its own "from"' : `the "from" of ${routeName(reader.compiled)}`;
  if (found.kind === 'undecided') return undecided(writer.compiled, sources);
  const message = `writes paths such as ${inProject(writer, found.path)}, which ${sources} matches; write elsewhere, or exclude them there`;
  return routeFault(writer.compiled, targetSetting(writer.compiled), message);
}

// With {locale} on both sides, the language distinguishes source and target. A file of all languages is both.
function mayReadOwnKind(writer: CompiledRoute, reader: CompiledRoute): boolean {
  if (writer === reader && writer.multiLocale) return true;
  return reader.from.hasLanguage && (writer.mirrored || writer.namesLanguage);
}

// The source of a found path may be excluded: then the next path is tried.
function checkShared(first: AbsoluteRoute, second: AbsoluteRoute): RouteFault | undefined {
  if (!mayOverlap(first.targets, second.targets)) return undefined;
  if (!mayMeet(first.compiled, second.compiled)) return undefined;
  const [a, b] = [first.targets.paths, second.targets.paths];
  for (const found of commonPaths({ a, b })) {
    if (found.kind === 'undecided') return undecided(second.compiled, routeName(first.compiled));
    const { path } = found;
    if (!isWritten(first, path) || !isWritten(second, path)) continue;
    const message = `writes paths such as ${inProject(second, path)}, and so does ${routeName(first.compiled)}; two sources would share a target`;
    return routeFault(second.compiled, targetSetting(second.compiled), message);
  }
  return undefined;
}

/** The fault when the check cannot decide. Accepting the routes could mean paying for dragoman's own translations, or one target for two sources. */
function undecided(compiled: CompiledRoute, other: string): RouteFault {
  const message = `cannot be compared with ${other}: the patterns have too many alternatives, "?" and "*"; write simpler ones in "from" and "exclude"`;
  return routeFault(compiled, targetSetting(compiled), message);
}

// Names with different extensions (a.mp3, a.srt) meet only by accident: `collisions` finds that when the files are known.
function mayMeet(first: CompiledRoute, second: CompiledRoute): boolean {
  if (first.from.paths.every(isLiteral) && second.from.paths.every(isLiteral)) return true;
  const [ofFirst, ofSecond] = [first.from.extensions, second.from.extensions];
  return ofFirst?.some((ext) => ofSecond?.includes(ext) ?? true) ?? true;
}

function isWritten(placed: AbsoluteRoute, path: string): boolean {
  const source = placed.compiled.origin(inProject(placed, path))?.source();
  return source === undefined || !placed.compiled.from.excludes(source);
}

function inProject({ compiled }: AbsoluteRoute, path: string): string {
  return relative(compiled.project.root, path);
}

/** `route 2 of project docs (line 14)` */
export function routeName({ project, route }: CompiledRoute): string {
  return `route ${route.index + 1} of project ${project.name} (line ${route.line})`;
}
