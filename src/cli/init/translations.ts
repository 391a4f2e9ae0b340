/** Looks at all translations of a project: files that are missing, sources that cannot be read, texts as they stand. */
import { join } from 'node:path';
import type { BaselineReader } from '../../baseline.ts';
import { type LanguageTag, languageName } from '../../language.ts';
import type { Project } from '../../project.ts';
import type { ProjectTerms } from '../../terminology/project-terms.ts';
import { inspectOtherSource } from './other-sources.ts';
import type { FoundSource, FoundTarget, ProjectFiles } from './project-files.ts';
import {
  inspectLocked,
  inspectSource,
  inspectTarget,
  isTranslated,
  type TargetFinding,
} from './targets.ts';

export interface Inspection {
  /** Translations that were looked at. */
  readonly targets: number;
  readonly findings: readonly TargetFinding[];
}

export interface InspectionOptions {
  /** What was seen and written last. */
  readonly baselines: Pick<BaselineReader, 'of'>;
  terms(language: LanguageTag): ProjectTerms;
  /** Folder of the lock. */
  readonly lock?: string;
}

export async function inspectTranslations(
  project: Project,
  { sources, findings: found }: ProjectFiles,
  options: InspectionOptions,
): Promise<Inspection> {
  const findings = [...found];
  const missing: MissingFile[] = [];
  let targets = 0;
  for (const each of sources) {
    const wanted = each.targets.filter(({ language }) => isTranslated(project, language));
    missing.push(
      ...wanted.filter(({ stands }) => !stands).map((target) => ({ ...each, ...target })),
    );
    if (each.lane !== 'text') {
      findings.push(...(await inspectOtherSource(project, each)));
      findings.push(...(await inspectOthers(project, { each, wanted }, options)));
      continue;
    }
    const remarks = await inspectSource({ project, ...each });
    findings.push(...remarks);
    if (remarks.some(({ severity }) => severity === 'hold')) continue;
    for (const { target, language, stands } of wanted) {
      if (!stands) continue;
      targets += 1;
      const { route, source } = each;
      const terms = options.terms(language);
      const { baselines, lock } = options;
      findings.push(
        ...(await inspectTarget({
          project,
          route,
          source,
          target,
          language,
          projectTerms: terms,
          baselines,
          ...(lock === undefined ? {} : { lockFolder: lock }),
        })),
      );
    }
  }
  return { targets, findings: [...findings, ...missingFiles(project, missing)] };
}

interface Wanted {
  readonly each: FoundSource;
  readonly wanted: readonly FoundTarget[];
}

/** Subtitles, documents and recordings are looked at where the lock says something of them. */
async function inspectOthers(
  project: Project,
  { each: { lane, route, source }, wanted }: Wanted,
  { lock, baselines }: InspectionOptions,
): Promise<TargetFinding[]> {
  if (lock === undefined || lane === 'text') return [];
  const findings: TargetFinding[] = [];
  for (const { target, language, stands, output } of wanted) {
    if (!stands) continue;
    const place = { project, route, source, target, language, baselines };
    const whole = output === undefined ? {} : { output };
    findings.push(...(await inspectLocked({ ...place, ...whole, lane, lockFolder: lock })));
  }
  return findings;
}

type MissingFile = Omit<FoundSource, 'targets'> & FoundTarget;

/** More than these of one language are told in one line: a project that was never translated misses all of them. */
const MOST_LINES = 10;

/** Whether that is a fault, `once --frozen` says: it knows what is held, and what is only not translated yet. */
function missingFiles({ root }: Project, missing: readonly MissingFile[]): TargetFinding[] {
  const warning = (path: string, message: string): TargetFinding => ({
    file: join(root, path),
    line: 1,
    column: 1,
    severity: 'warn',
    message,
  });
  return [...Map.groupBy(missing, ({ language }) => language)].flatMap(([language, files]) => {
    const [first] = files;
    const name = languageName(language) ?? language;
    if (first !== undefined && files.length > MOST_LINES) {
      return [warning(first.target, `missing, with ${files.length - 1} other ${name} files`)];
    }
    return files.map(({ target, source }) => warning(target, `missing: ${source} in ${name}`));
  });
}
