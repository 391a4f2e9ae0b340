/** Findings of `check` about key patterns that match no key: such a note is never sent, such a key is not protected. */
import { join } from 'node:path';
import { bytesIn } from '../../files/disk.ts';
import { comparable, readSourceTexts } from '../../intake/source-texts.ts';
import type { LanguageTag } from '../../language.ts';
import type { Project, Route } from '../../project.ts';
import { matchesKey } from '../../segments/key-pattern.ts';
import type { Checked } from './blockers.ts';
import type { FoundSource } from './project-files.ts';
import type { TargetFinding } from './targets.ts';

/** Returns nothing when only some files are checked: another file may have the key. */
export async function keyFindings({ setup, scope, files }: Checked): Promise<TargetFinding[]> {
  if (scope.paths.length > 0 || scope.since !== undefined) return [];
  const findings: TargetFinding[] = [];
  for (const [project, { sources }] of files) {
    for (const route of project.routes) {
      const own = sources.filter((each) => each.route.index === route.index);
      for (const { setting, pattern } of await unmatched(setup, { project, route, sources: own })) {
        const place = ['projects', project.name, 'routes', route.index, 'keys', setting];
        const { file, line, column } = setup.faultAt(place, '');
        const message = `keys.${setting}: "${pattern}" names no key of any source of its route`;
        findings.push({ file, line, column, severity: 'warn', message });
      }
    }
  }
  return findings;
}

interface KeyPattern {
  readonly setting: 'ignore' | 'lock' | 'max_length' | 'notes';
  readonly pattern: string;
}

function patternsOf({ keys }: Route): KeyPattern[] {
  const all = {
    ignore: keys.ignore,
    lock: keys.lock,
    max_length: [...keys.maxLength.keys()],
    notes: [...keys.notes.keys()],
  } as const;
  return (['ignore', 'lock', 'max_length', 'notes'] as const).flatMap((setting) =>
    all[setting].map((pattern) => ({ setting, pattern })),
  );
}

interface RouteSources {
  readonly project: Project;
  readonly route: Route;
  readonly sources: readonly FoundSource[];
}

/**
 * @returns the patterns that match no key. Reads sources until all patterns have matched. Returns none when a source gives no keys:
 * it may be unreadable and have the key.
 */
async function unmatched(
  setup: Checked['setup'],
  { project, route, sources }: RouteSources,
): Promise<readonly KeyPattern[]> {
  let open = patternsOf(route);
  for (const { source } of sources) {
    // Plural forms are keys, too, and differ by language.
    for (const language of project.targets) {
      if (open.length === 0) return [];
      const ids = await idsIn(setup, { project, source, language });
      if (ids === undefined || ids.length === 0) return [];
      open = open.filter(({ pattern }) => !ids.some((id) => matchesKey([pattern], id)));
    }
  }
  return sources.length === 0 ? [] : open;
}

interface FileInLanguage {
  readonly project: Project;
  readonly source: string;
  readonly language: LanguageTag;
}

/** All keys of a source, also ignored ones. Undefined: the source has no texts of its own. */
async function idsIn(
  { router }: Checked['setup'],
  { project, source, language }: FileInLanguage,
): Promise<readonly string[] | undefined> {
  const found = await comparable({ project, router }, { path: source });
  if (found === undefined) return undefined;
  const { match } = found;
  const route = { ...match.route, keys: { ...match.route.keys, ignore: [] } };
  const texts = await readSourceTexts(
    { project: { ...project, targets: [language] } },
    {
      source: { raw: source, size: await bytesIn(join(project.root, source)) },
      match: { ...match, route },
    },
  );
  return texts.map(({ id }) => id);
}
