/** Where a change of a project is applied. */
import type { Bases } from '../base.ts';
import type { Clock } from '../clock.ts';
import type { Project } from '../config.ts';
import type { Events } from '../event.ts';
import type { Inventory } from '../inventory.ts';
import { jobId } from '../job.ts';
import type { JobRecord, Ledger, SourceRecord } from '../ledger.ts';
import type { Router } from '../route.ts';
import type { Trash } from '../trash.ts';

export interface Place {
  readonly project: Project;
  readonly router: Router;
  readonly inventory: Inventory;
  readonly ledger: Ledger;
  readonly bases: Bases;
  readonly trash: Trash;
  readonly clock: Clock;
  readonly events: Events;
}

/** The jobs that the ledger has for a source, in the project's languages. */
export function jobsOf({ ledger, project }: Place, { path }: SourceRecord): JobRecord[] {
  return project.targets.flatMap(
    (language) => ledger.get('jobs', jobId(project.name, language, path)) ?? [],
  );
}
