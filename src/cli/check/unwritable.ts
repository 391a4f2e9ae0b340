/** Findings of `check` about missing targets that a run could not write. */
import { dirname, join } from 'node:path';
import { describeFailure, failureOf } from '../../failure.ts';
import { requireWritable, whyImpossible } from '../../files/writable.ts';
import type { Project } from '../../project.ts';
import { shownFrom } from '../../routes/shown-paths.ts';
import type { TargetFinding } from './targets.ts';

const FAULT = { line: 1, column: 1, severity: 'hold' } as const;

/** The finding that no file can be at the path of a target; else an empty list. */
export function impossibleTarget({ root }: Project, target: string): TargetFinding[] {
  const file = join(root, target);
  const reason = whyImpossible(file, root);
  return reason === undefined ? [] : [{ ...FAULT, file, message: `cannot be written: ${reason}` }];
}

/** One finding for each folder that takes no file at present, as on a read-only or full disk: a run would buy nothing for it. */
export async function unwritableFolders(
  { root }: Project,
  missing: readonly { readonly target: string }[],
): Promise<TargetFinding[]> {
  const findings: TargetFinding[] = [];
  for (const [first] of Map.groupBy(missing, ({ target }) => dirname(target)).values()) {
    if (first === undefined) continue;
    const file = join(root, first.target);
    try {
      await requireWritable(root, [file]);
    } catch (error) {
      const message = shownFrom({ cwd: root }, describeFailure(failureOf(error)));
      findings.push({ ...FAULT, file, message });
    }
  }
  return findings;
}
