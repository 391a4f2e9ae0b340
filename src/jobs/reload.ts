/** Puts another config in force while a daemon works: one that differs only in settings that can change then (`config/reloading.ts`). */
import { sharedSettings } from '../config/shared-settings.ts';
import type { ServiceConfig } from '../config.ts';
import { carryRecords } from '../intake/carry-records.ts';
import type { Routed } from '../intake/heirs.ts';
import type { InForce } from '../plan/in-force.ts';
import { Planner, type Setup } from '../plan/planner.ts';
import { serviceDigest } from '../plan/service-digest.ts';
import type { TakeTerminology } from '../sync/terminology-in-force.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import type { Terminology } from '../terminology/project-terms.ts';
import { serviceKeyOf } from './connect-service.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { findLinesOfOthers } from './lines-of-others.ts';
import { recallTerminology } from './lock-terminology.ts';
import { leads, rootsOf, type Workspace } from './workspace.ts';

interface ReloadParts extends Omit<DaemonParts, 'inForce'> {
  /** All parts of the daemon share this object; a reload replaces its content. */
  readonly inForce: { -readonly [K in keyof InForce]: InForce[K] };
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
  const files = await loadTerminology(setup.config);
  await tellOthers(workspace, setup, files);
  const key = serviceKeyOf(setup.config, world);
  const digest = await digestOfService(setup.config.service, key);
  const planner = plannerFor(parts, setup, digest);
  await monitor[Symbol.asyncDispose]();
  workspace.lock?.elsewhere.replace((await findLinesOfOthers(setup)).lines);
  if (leads(workspace)) await carryRecords(setup, workspace);
  Object.assign(inForce, { ...setup, planner, serviceDigest: digest } satisfies InForce);
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

type TerminologyParts = Pick<ReloadParts, 'workspace' | 'inForce' | 'terminology' | 'runner'>;

/**
 * Leads with changed glossary and style files. In a tree their version is published before anything is planned or sent: a daemon that has
 * not read them yet takes no jobs then.
 */
export function leadWithTerminology(parts: TerminologyParts): TakeTerminology {
  const { workspace, inForce, terminology, runner } = parts;
  return async (changed, putInForce) => {
    await tellOthers(workspace, inForce, changed);
    putInForce();
    await Promise.all([terminology.sync(), runner.enqueuePlan('passing')]);
  };
}

/** Works with changed glossary and style files while another daemon leads, which makes the service equal to them. */
export function followTerminology({
  workspace,
  inForce,
}: Pick<TerminologyParts, 'workspace' | 'inForce'>): TakeTerminology {
  return async (changed, putInForce) => {
    putInForce();
    await tellOthers(workspace, inForce, changed);
  };
}

async function tellOthers(
  { tree }: Pick<Workspace, 'tree'>,
  routed: Routed,
  files: Terminology,
): Promise<void> {
  const settings = sharedSettings(routed.config, files);
  await tree?.configure({ settings, roots: rootsOf(routed) });
}

type PlannerParts = Pick<ReloadParts, 'workspace' | 'terminology' | 'monitor'>;

export function plannerFor(
  { workspace, terminology, monitor }: PlannerParts,
  setup: Setup,
  digest: string,
): Planner {
  const { ledger, languageSupport } = workspace;
  return new Planner({
    setup,
    ledger,
    languageSupport,
    terminology,
    monitor,
    serviceDigest: digest,
  });
}

/** A missing key is not a failure here: the first request fails with it. */
export async function digestOfService(
  service: ServiceConfig,
  key: () => Promise<string>,
): Promise<string> {
  return serviceDigest(service, await key().catch(() => undefined));
}
