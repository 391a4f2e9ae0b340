/** What makes routes refused together: targets that meet, targets that are sources, targets in the state folder. Pure. */
import { relative } from 'node:path';
import { type RouteFault, routeFault, targetSetting } from './checks.ts';
import type { CompiledRoute } from './compiled.ts';
import { type GlobPath, isLiteral } from './glob.ts';
import { commonPaths } from './overlap.ts';

/** Patterns of a route from the root of the disk down, so that projects with overlapping roots can be compared. */
interface Placed {
  readonly compiled: CompiledRoute;
  readonly sources: readonly GlobPath[];
  readonly excluded: readonly GlobPath[];
  readonly targets: readonly GlobPath[];
}

/** @param state absolute path of the state folder */
export function checkTogether(routes: readonly CompiledRoute[], state: string): RouteFault[] {
  const placed = routes.map(place);
  return [
    ...placed.flatMap((each) => checkState(each, state)),
    ...placed.flatMap((each) => placed.flatMap((other) => checkLoop(each, other))),
    ...placed.flatMap((each, index) =>
      placed.slice(index + 1).flatMap((other) => checkShared(each, other)),
    ),
  ];
}

function place(compiled: CompiledRoute): Placed {
  const { root } = compiled.project;
  return {
    compiled,
    sources: below(root, compiled.from.paths),
    excluded: below(root, compiled.from.excluded),
    targets: below(
      root,
      compiled.outputs.flatMap(({ paths }) => paths),
    ),
  };
}

function below(folder: string, paths: readonly GlobPath[]): GlobPath[] {
  const folders = folder
    .normalize('NFC')
    .split('/')
    .map((text) => [{ kind: 'text' as const, text }]);
  return paths.map((path) => [...folders, ...path]);
}

function checkState({ compiled, targets }: Placed, state: string): RouteFault[] {
  const inState = below(state, [['deep', [{ kind: 'star' }]]]);
  const [path] = commonPaths({ a: targets, b: inState });
  if (path === undefined) return [];
  return [routeFault(compiled, targetSetting(compiled), 'writes into the state folder')];
}

function checkLoop(writer: Placed, reader: Placed): RouteFault[] {
  if (mayReadOwnKind(writer.compiled, reader.compiled)) return [];
  const [path] = commonPaths({ a: writer.targets, b: reader.sources, except: reader.excluded });
  if (path === undefined) return [];
  const sources =
    writer === reader ? 'its own "from"' : `the "from" of ${routeName(reader.compiled)}`;
  const message = `writes paths such as ${inProject(writer, path)}, which ${sources} matches; write elsewhere, or exclude them there`;
  return [routeFault(writer.compiled, targetSetting(writer.compiled), message)];
}

// decisions.md 11: with {locale} on both sides the language tells source from target; files of all languages are both.
function mayReadOwnKind(writer: CompiledRoute, reader: CompiledRoute): boolean {
  if (writer === reader && writer.multiLocale) return true;
  return reader.from.hasLanguage && (writer.mirrored || writer.namesLanguage);
}

// A path that the check comes up with may be of an excluded source: then the next one is looked at.
function checkShared(first: Placed, second: Placed): RouteFault[] {
  if (!mayMeet(first.compiled, second.compiled)) return [];
  const shared = commonPaths({ a: first.targets, b: second.targets }).find(
    (path) => isWritten(first, path) && isWritten(second, path),
  );
  if (shared === undefined) return [];
  const message = `writes paths such as ${inProject(second, shared)}, and so does ${routeName(first.compiled)}; two sources would share a target`;
  return [routeFault(second.compiled, targetSetting(second.compiled), message)];
}

// Names of another kind (a.mp3, a.srt) meet only by accident: that is found when the files are known (`collisions`).
function mayMeet(first: CompiledRoute, second: CompiledRoute): boolean {
  if (first.from.paths.every(isLiteral) && second.from.paths.every(isLiteral)) return true;
  const [ofFirst, ofSecond] = [first.from.extensions, second.from.extensions];
  return ofFirst?.some((ext) => ofSecond?.includes(ext) ?? true) ?? true;
}

function isWritten(placed: Placed, path: string): boolean {
  const source = placed.compiled.origin(inProject(placed, path))?.source();
  return source === undefined || !placed.compiled.from.excludes(source);
}

function inProject({ compiled }: Placed, path: string): string {
  return relative(compiled.project.root, path);
}

/** `route 2 of project docs (line 14)` */
export function routeName({ project, route }: CompiledRoute): string {
  return `route ${route.index + 1} of project ${project.name} (line ${route.line})`;
}
