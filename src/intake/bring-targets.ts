/** Moves the targets of sources that were moved in another checkout. Only the lock knows where those sources were before. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import type { Right } from '../files/right.ts';
import { requireRemovable, requireWritableFile } from '../files/writable.ts';
import { reportPath } from '../formats/captions/report.ts';
import { targetList } from '../job.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Project } from '../project.ts';
import type { LockFiles } from '../state/lock-file.ts';
import type { Trash } from '../state/trash.ts';
import { type Relocation, relocate } from './relocate.ts';

export interface BringOptions {
  readonly lock: Pick<LockFiles, 'moved'>;
  readonly inForce: Pick<InForce, 'config' | 'router'>;
  readonly trash: Trash;
  readonly right: Right;
  onMoved(move: { readonly project: string } & Relocation): void;
}

export async function bringTargets(options: BringOptions): Promise<void> {
  const { lock, inForce, trash, right, onMoved } = options;
  for (const project of inForce.config.projects) {
    const relocations: Relocation[] = [];
    const moves = new Map<string, string>();
    for (const language of project.targets) {
      for (const [source, former] of await lock.moved({ project: project.name, language })) {
        const match = inForce.router.match(project.name, source);
        if (match.kind !== 'source') continue;
        const now = targetList(match.targets(language));
        for (const [nth, from] of targetList(former.targets).entries()) {
          const to = now[nth];
          if (to === undefined || to === from || !existsSync(join(project.root, from))) continue;
          if (existsSync(join(project.root, to)) || !canMove(project, { from, to })) continue;
          relocations.push({ from, to });
          if (match.lane === 'subtitle') {
            relocations.push({ from: reportPath(from), to: reportPath(to) });
          }
          moves.set(source, former.source);
        }
      }
    }
    if (relocations.length === 0) continue;
    await relocate({ project, trash, right }, relocations);
    for (const [to, from] of moves) onMoved({ project: project.name, from, to });
  }
}

/** Where a file cannot leave its place or come to the new one, the job of the source fails by name. Others go on. */
function canMove({ root }: Pick<Project, 'root'>, { from, to }: Relocation): boolean {
  try {
    requireWritableFile(join(root, to), { root, bytes: 1 });
    requireRemovable(join(root, from));
    return true;
  } catch (error) {
    if (error instanceof JobFailure) return false;
    throw error;
  }
}
