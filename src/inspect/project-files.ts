/** The files of a project as its routes see them: sources with the targets that stand, and what cannot be taken. */

import { join } from 'node:path';
import type { Project, Route } from '../config.ts';
import { type Lane, targetList } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import { isWithin } from '../listing.ts';
import type { Router } from '../route.ts';
import { scan } from '../scan.ts';
import type { TargetFinding } from './targets.ts';

export interface ProjectFiles {
  readonly sources: number;
  /** Text files that stand translated. */
  readonly translated: readonly TranslatedFile[];
  /** Files that nobody could translate as the routes are. */
  readonly findings: readonly TargetFinding[];
  /** Files that are left alone, with the reason. */
  readonly notes: readonly { readonly path: string; readonly reason: string }[];
}

export interface TranslatedFile {
  readonly route: Route;
  readonly lane: Lane;
  /** Relative to the root. */
  readonly source: string;
  readonly target: string;
  readonly language: LanguageTag;
}

/** @param paths absolute files or folders that are of interest; all when empty */
export async function listProjectFiles(
  project: Project,
  { router, paths }: { router: Router; paths: readonly string[] },
): Promise<ProjectFiles> {
  const listing = await scan(project.root, {
    wants: (path) => router.wants(project.name, path),
    enters: (folder) => router.enters(project.name, folder),
  });
  if (listing.kind === 'offline') return { sources: 0, translated: [], findings: [], notes: [] };
  const present = new Set(listing.files.map(({ path }) => path));
  const isMeant = (path: string) =>
    paths.length === 0 || paths.some((meant) => isWithin(join(project.root, path), meant));
  const translated: TranslatedFile[] = [];
  const findings: TargetFinding[] = [];
  const notes = listing.skipped.filter(({ path }) => isMeant(path));
  let sources = 0;
  for (const source of present) {
    const claim = router.claim(project.name, source);
    if (claim.kind === 'skipped' && isMeant(source)) {
      if (claim.because === 'contested') findings.push(finding(project, source, claim.reason));
      else if (claim.because === 'lane') notes.push({ path: source, reason: claim.reason });
    }
    if (claim.kind !== 'source') continue;
    sources += 1;
    for (const language of project.targets) {
      for (const target of targetList(claim.targets(language))) {
        if (!present.has(target) || !(isMeant(source) || isMeant(target))) continue;
        translated.push({ route: claim.route, lane: claim.lane, source, target, language });
      }
    }
  }
  for (const {
    sources: [first = ''],
    message,
  } of router.collisions(project.name, present)) {
    findings.push(finding(project, first, message));
  }
  return { sources, translated, findings, notes };
}

function finding({ root }: Project, path: string, message: string): TargetFinding {
  return { file: join(root, path), line: 1, column: 1, severity: 'hold', message };
}
