/** Puts another config in force while a daemon works: one that differs only in settings that can change then (`config/reloading.ts`). */
import { sharedSettings } from '../config/shared-settings.ts';
import type { ServiceConfig } from '../config.ts';
import type { SourceMonitor } from '../intake/source-monitor.ts';
import type { InForce } from '../plan/in-force.ts';
import { Planner, type Setup } from '../plan/planner.ts';
import { serviceMark } from '../plan/service-mark.ts';
import type { Spending } from '../plan/spending.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import { serviceKeyOf } from './connect-service.ts';
import { recallTerminology } from './lock-terminology.ts';
import type { JobRunner } from './runner.ts';
import { leads, rootsOf, type Workspace, type World } from './workspace.ts';

export interface ReloadParts {
  readonly workspace: Workspace;
  readonly world: World;
  /** All parts of the daemon share this object; a reload replaces its content. */
  readonly inForce: { -readonly [K in keyof InForce]: InForce[K] };
  readonly terminology: TerminologyInForce;
  readonly monitor: SourceMonitor;
  readonly spending: Spending;
  readonly runner: JobRunner;
}

/**
 * Running jobs end with the config that they began with. A daemon that works for the leader of a tree waits for their end, because the
 * leader may have another config.
 */
export async function reload(parts: ReloadParts, setup: Setup): Promise<void> {
  if (leads(parts.workspace)) await putInForce(parts, setup);
  else await parts.runner.betweenJobs(() => putInForce(parts, setup));
}

async function putInForce(parts: ReloadParts, setup: Setup): Promise<void> {
  const { workspace, world, inForce, terminology, monitor, spending, runner } = parts;
  await workspace.tree?.configure({
    settings: sharedSettings(setup.config),
    roots: rootsOf(setup.config),
  });
  const files = await loadTerminology(setup.config);
  const key = serviceKeyOf(setup.config, world);
  const mark = await markOfService(setup.config.service, key);
  const planner = plannerFor(parts, setup, mark);
  await monitor[Symbol.asyncDispose]();
  Object.assign(inForce, { ...setup, planner, serviceMark: mark } satisfies InForce);
  monitor.renew();
  terminology.replace(files);
  spending.reconfigure();
  runner.resize();
  workspace.service.setKey(key);
  await recallTerminology(workspace.lock, terminology);
  if (leads(workspace)) {
    await monitor.open('events');
    await runner.enqueuePlan('passing');
  }
  await runner.resumePaid();
}

type PlannerParts = Pick<ReloadParts, 'workspace' | 'terminology' | 'monitor'>;

export function plannerFor(
  { workspace, terminology, monitor }: PlannerParts,
  setup: Setup,
  mark: string,
): Planner {
  const { ledger, languageSupport } = workspace;
  return new Planner({ setup, ledger, languageSupport, terminology, monitor, serviceMark: mark });
}

/** A missing key is not a failure here: the first request fails with it. */
export async function markOfService(
  service: ServiceConfig,
  key: () => Promise<string>,
): Promise<string> {
  return serviceMark(service, await key().catch(() => undefined));
}
