/** Finds sources that would be written to the same target. Routes that cannot share targets are left out first; files of the others are compared. Pure. */

import { targetList } from '../job.ts';
import type { Project } from '../project.ts';
import type { CompiledRoute, PathMatch } from './compiled.ts';
import { targetExtension } from './extensions.ts';
import { commonPaths, type OverlapQuestion } from './overlap.ts';
import { Steps } from './steps.ts';
import { hasPatternToken } from './template.ts';

/** Several sources that would be written to the same target. */
export interface Collision {
  /** Relative to the project's root. */
  readonly target: string;
  readonly sources: readonly string[];
  readonly message: string;
}

export interface CollisionSearch {
  readonly project: Project;
  /** Routes whose sources can share targets. */
  readonly meeting: readonly CompiledRoute[];
  readonly match: (path: string) => PathMatch;
}

export function findCollisions(
  { project, meeting, match }: CollisionSearch,
  paths: Iterable<string>,
): Collision[] {
  if (meeting.length === 0) return [];
  const writers = new Map<string, string[]>();
  for (const path of paths) {
    if (!meeting.some(({ from }) => from.reaches(path))) continue;
    const matched = match(path);
    if (matched.kind !== 'source') continue;
    for (const language of project.targets) {
      for (const target of targetList(matched.targets(language))) {
        const others = writers.get(target);
        if (others === undefined) writers.set(target, [path]);
        else others.push(path);
      }
    }
  }
  return [...writers]
    .filter(([, sources]) => sources.length > 1)
    .map(([target, sources]) => ({ target, sources, message: message(target, sources) }));
}

function message(target: string, sources: readonly string[]): string {
  return `${sources.join(' and ')} would both be written to ${target}; rename one, or add {ext} to "to"`;
}

/** Routes whose sources may share a target, within the route or with another route. */
export function meetingRoutes(routes: readonly CompiledRoute[]): CompiledRoute[] {
  const single = routes.filter((compiled) => !compiled.multiLocale);
  const steps = new Steps();
  const meeting = new Set(
    single.filter((each) => mergesExtensions(each) || mixesLanguages(each, steps)),
  );
  for (const [index, first] of single.entries()) {
    for (const second of single.slice(index + 1)) {
      if (shares({ a: pathsOf(first), b: pathsOf(second), steps })) meeting.add(first).add(second);
    }
  }
  return [...meeting];
}

// Two sources that differ only in their extension may share a target: a.doc and a.docx, or a.png and a.jpg if the template drops it.
function mergesExtensions({ from, route, templates }: CompiledRoute): boolean {
  const extensions = from.extensions;
  if (extensions === undefined) return true;
  const distinct = new Set(extensions);
  const dropped = templates.some(({ template }) => !hasPatternToken(template, 'ext'));
  if (dropped) return distinct.size > 1;
  const written = [...distinct].map((extension) =>
    targetExtension(extension, { lane: route.lane, pdfTo: route.pdfTo }),
  );
  return new Set(written).size < distinct.size;
}

// `{locale}-{name}.md`: the source x-a in de becomes de-x-a, and so does the source a in a language spelled de-x.
function mixesLanguages({ outputs }: CompiledRoute, steps: Steps): boolean {
  return outputs.some((first, index) =>
    outputs.slice(index + 1).some((second) => shares({ a: first.paths, b: second.paths, steps })),
  );
}

// An undecided question counts as shared: then the files are compared.
function shares(question: OverlapQuestion): boolean {
  return commonPaths(question).next().done === false;
}

type CompiledPaths = CompiledRoute['outputs'][number]['paths'];

function pathsOf({ outputs }: CompiledRoute): CompiledPaths {
  return outputs.flatMap(({ paths }) => paths);
}
