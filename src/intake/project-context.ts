/** What is needed to apply the changes of one project: its routes, its records in the ledger, and the stores to change. */

import type { Baselines } from '../baseline.ts';
import type { Clock } from '../clock.ts';
import type { Events } from '../event.ts';
import type { Mutex } from '../files/mutex.ts';
import type { Right } from '../files/right.ts';
import { jobId, type Stat } from '../job.ts';
import { commitDecision, type JobRecord, type Ledger, type SourceRecord } from '../ledger.ts';
import type { Setup } from '../plan/planner.ts';
import type { Project } from '../project.ts';
import type { Router } from '../routes/router.ts';
import type { LeftTexts } from '../state/left-texts.ts';
import type { Trash } from '../state/trash.ts';
import { Inventory, inventoriesOf } from './inventory.ts';
import { recordPlaced } from './placed.ts';

export interface ProjectContext {
  readonly project: Project;
  readonly router: Router;
  readonly inventory: Inventory;
  readonly ledger: Ledger;
  readonly baselines: Baselines;
  readonly left: LeftTexts;
  readonly trash: Trash;
  /** The right to change files without a claim. */
  readonly right: Right;
  /** A mutex for each job, for everybody who writes, moves or removes its targets. */
  readonly publications: Mutex;
  readonly clock: Clock;
  readonly events: Events;
  /** Names a target to the watch before it has seen the file, so that it reports a removal even when that comes at once. */
  targetPlaced(path: string, stat: Stat): void;
}

export interface ProjectContextsOptions {
  readonly setup: Setup;
  readonly workspace: Pick<
    ProjectContext,
    'ledger' | 'baselines' | 'left' | 'trash' | 'right' | 'publications'
  >;
  readonly world: Pick<ProjectContext, 'clock' | 'events'>;
  targetPlaced(project: string, path: string, stat: Stat): void;
}

/** The contexts of all projects of one config. */
export class ProjectContexts {
  readonly #options: ProjectContextsOptions;
  readonly #projects: ReadonlyMap<string, Project>;
  // Built at the first change: a run with nothing to do needs none.
  #inventories: Map<string, Inventory> | undefined;

  constructor(options: ProjectContextsOptions) {
    this.#options = options;
    this.#projects = new Map(options.setup.config.projects.map((each) => [each.name, each]));
  }

  of(name: string): ProjectContext {
    const { setup, workspace, world } = this.#options;
    const { ledger, baselines, left, trash, right, publications } = workspace;
    const { clock, events } = world;
    const project = this.#projects.get(name);
    if (project === undefined) throw new RangeError(`no project is named ${name}`);
    const inventory = this.#inventory(name);
    const { router } = setup;
    const state = { ledger, baselines, left, trash, right, publications };
    const targetPlaced = (path: string, stat: Stat) => this.#options.targetPlaced(name, path, stat);
    return { project, router, inventory, ...state, clock, events, targetPlaced };
  }

  #inventory(project: string): Inventory {
    this.#inventories ??= inventoriesOf(this.#options.workspace.ledger);
    const known = this.#inventories.get(project) ?? new Inventory();
    this.#inventories.set(project, known);
    return known;
  }
}

/** The jobs that the ledger has for a source, in the project's languages. */
export function jobsOf({ ledger, project }: ProjectContext, { path }: SourceRecord): JobRecord[] {
  return project.targets.flatMap(
    (language) => ledger.get('jobs', jobId(project.name, language, path)) ?? [],
  );
}

/** Like `jobsOf`, and the jobs of languages that the config no longer has, if they wrote into the source itself. */
export function allJobsOf(context: ProjectContext, source: SourceRecord): JobRecord[] {
  const { ledger, inventory } = context;
  const former = inventory
    .writes(source.path)
    .flatMap(({ job }) => ledger.get('jobs', job.id) ?? []);
  const jobs = [...jobsOf(context, source), ...former];
  return [...new Map(jobs.map((job) => [job.id, job])).values()];
}

/**
 * Takes running jobs from their workers, which then publish and settle nothing more. So the next decision is based on their last
 * settlements and on the targets that are in place. Waits for a worker that is publishing.
 */
export async function takeFromWorkers(
  {
    ledger,
    publications,
    project,
  }: Pick<ProjectContext, 'ledger' | 'publications'> & { readonly project: Pick<Project, 'root'> },
  jobs: readonly JobRecord[],
): Promise<void> {
  using _turns = await publications.takeAll(jobs.filter(isRunning).map(({ id }) => id));
  const present = () => jobs.flatMap(({ id }) => ledger.get('jobs', id) ?? []);
  await commitDecision(ledger, () =>
    present()
      .filter(isRunning)
      .map((from) => ({ table: 'jobs', from, set: { fence: from.fence + 1 } })),
  );
  await recordPlaced(ledger, present(), { rootOf: () => project.root, edited: 'ours' });
}

function isRunning({ state }: JobRecord): boolean {
  return state.kind === 'running';
}
