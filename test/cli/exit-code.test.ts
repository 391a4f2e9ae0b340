/** The one place that decides the exit code of a command when several apply. */
import { expect, test } from 'vitest';
import type { ExitCode } from '../../src/cli/command.ts';
import { exitCodeOfPlan, exitCodeOfRun, gravest } from '../../src/cli/exit-code.ts';
import type { PlanReport } from '../../src/control/plan-report.ts';
import type { Failure } from '../../src/failure.ts';

const ORDER: readonly ExitCode[] = [78, 77, 74, 69, 75, 1, 2, 0];
const PAIRS = ORDER.flatMap((graver, at) =>
  ORDER.slice(at + 1).map((milder) => ({ graver, milder })),
);

test.each(PAIRS)('$graver counts where $milder applies too', ({ graver, milder }) => {
  expect(gravest([graver, milder])).toBe(graver);
  expect(gravest([milder, graver])).toBe(graver);
});

const FULL: Failure = { kind: 'state-unwritable', folder: '/srv/state', code: 'ENOSPC' };
const REFUSED: Failure = { kind: 'key-refused', status: 403, operation: 'POST /v2/translate' };
const DAMAGED: Failure = { kind: 'damaged-state', file: 'db.json', message: 'no JSON' };
const QUOTA: Failure = {
  ...{ kind: 'quota-exceeded', scope: 'account' },
  operation: 'POST /v2/translate',
};
const AWAY: Failure = { kind: 'unreachable', operation: 'GET /v2/usage', message: 'refused' };

test.each<[readonly Failure[], ExitCode]>([
  [[FULL, REFUSED], 77],
  [[QUOTA, FULL], 74],
  [[FULL, REFUSED, DAMAGED], 78],
  [[QUOTA, AWAY], 69],
  [[QUOTA], 75],
])('a run that met %j ends with %i', (failures, code) => {
  const report = { failed: [{} as never], held: [{} as never] };
  expect(exitCodeOfRun(report, { failures, isUndone: true })).toBe(code);
});

const NO_TEXTS = { adopted: 1, bought: 1, held: 0, conflicts: 0, from_memory: 1 };

test.each<[string, object, ExitCode]>([
  ['nothing to do', {}, 0],
  ['something to buy', { jobs: [{ texts: NO_TEXTS }] }, 0],
  ['a text that the target cannot take', { jobs: [{ texts: { ...NO_TEXTS, held: 1 } }] }, 2],
  ['a text that two wrote', { jobs: [{ texts: { ...NO_TEXTS, conflicts: 1 } }] }, 2],
  ['a file over its budget', { jobs: [{ would_hold: 'over it' }] }, 2],
  ['what waits already', { held: [{ state: 'held' }] }, 2],
  ['what failed before, and waits for a person', { held: [{ state: 'failed' }] }, 1],
  ['a file that cannot be read', { jobs: [{ would_hold: 'x' }, { would_fail: 'no' }] }, 1],
  ['a route without its folder', { attention: [{ state: 'failed' }] }, 1],
])('a plan with %s ends as the run would', (_, report, code) => {
  const plan = { jobs: [], held: [], attention: [], ...report };
  expect(exitCodeOfPlan(plan as unknown as PlanReport)).toBe(code);
});
