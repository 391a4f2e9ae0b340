/** Checks that the lock of the team can be read and written. */
import { adviceFor, describeFailure, failureOf } from '../../failure.ts';
import { refuseRenamedLock } from '../../jobs/renamed-lock.ts';
import type { Setup } from '../../plan/planner.ts';
import { LinesElsewhere } from '../../state/lines-elsewhere.ts';
import { LockFiles, lockNames } from '../../state/lock-file.ts';
import { type DoctorFinding, fail, ok } from './finding.ts';

/** @returns nothing where the config names no lock */
export async function examineLock({
  config,
  router,
}: Pick<Setup, 'config' | 'router'>): Promise<DoctorFinding[]> {
  const { lock, projects } = config;
  if (lock === undefined) return [];
  const elsewhere = new LinesElsewhere();
  const files = new LockFiles(lock, { elsewhere });
  const names = lockNames(projects);
  try {
    elsewhere.replace((await refuseRenamedLock({ config, router })).lines);
    await files.refuseNewer(names);
    for (const name of names) await files.refuseDamaged(name);
  } catch (error) {
    return [
      fail('lock', describeFailure(failureOf(error)), 'mend it: until then every run is refused'),
    ];
  }
  const failure = files.whyUnwritable(names);
  return failure === undefined
    ? [ok('lock', `${lock} can be read and written`)]
    : [fail('lock', describeFailure(failure), adviceFor(failure))];
}
