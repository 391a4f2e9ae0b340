/** Findings of `check` about existing targets that cannot be written, although a run would change them: a key is gone from their source, for example. */

import { dirname, join } from 'node:path';
import type { Control } from '../../control/control.ts';
import { append } from '../../parsing/append.ts';
import type { Project } from '../../project.ts';
import { hasLedger } from '../../state/recovery.ts';
import type { CommandCall } from '../command.ts';
import { withControl, withPassingState } from '../open-control.ts';
import type { Checked } from './blockers.ts';
import type { FoundSource } from './project-files.ts';
import type { TargetFinding } from './targets.ts';
import { unwritableFolders } from './unwritable.ts';

/** @param known those of a file are not said again */
export async function changedTargetFindings(
  call: CommandCall,
  { setup, scope, files, isEarlier }: Checked,
  known: readonly TargetFinding[],
): Promise<TargetFinding[]> {
  const closed: ClosedFolder[] = [];
  for (const [project, { sources }] of files) append(closed, await closedFolders(project, sources));
  if (closed.length === 0 || isEarlier === true) return [];
  const asked = (control: Control) => control.frozen(scope);
  // Only a plan knows which targets a run would change.
  const { jobs } = hasLedger(setup.config.state)
    ? await withControl(call, asked, 'asks')
    : await withPassingState(call, setup, asked);
  const open = new Set(jobs.map(keyOf));
  const faulty = new Set(known.flatMap(({ file, severity }) => (severity === 'hold' ? file : [])));
  return closed.flatMap(({ finding, targets }) => {
    const file = targets.find((each) => open.has(each.key) && !faulty.has(each.file))?.file;
    return file === undefined ? [] : [{ ...finding, file }];
  });
}

interface ClosedFolder {
  /** Why nothing can be written there. */
  readonly finding: TargetFinding;
  readonly targets: readonly { readonly key: string; readonly file: string }[];
}

async function closedFolders(
  project: Project,
  sources: readonly FoundSource[],
): Promise<ClosedFolder[]> {
  const targets = sources.flatMap(({ source, targets }) =>
    targets.flatMap(({ exists, language, target }) => {
      const key = keyOf({ project: project.name, source, language });
      return exists ? [{ key, target, file: join(project.root, target) }] : [];
    }),
  );
  const byFolder = Map.groupBy(targets, ({ file }) => dirname(file));
  const findings = await unwritableFolders(project, targets);
  return findings.map((finding) => {
    return { finding, targets: byFolder.get(dirname(finding.file)) ?? [] };
  });
}

function keyOf({
  project,
  source,
  language,
}: Readonly<Record<'project' | 'source' | 'language', string>>) {
  return [project, source, language].join('\n');
}
