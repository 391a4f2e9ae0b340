/** `retry` and `approve`: show the cost, ask a person, then release the jobs. */

import type { ReleaseRequest } from '../control/control.ts';
import type { ReleasePrice, ReleaseReport } from '../control/report.ts';
import { plural } from '../language.ts';
import { type CommandCall, type ExitCode, UsageError } from './command.ts';
import { requireYes } from './consent.ts';
import { withControl } from './open-control.ts';
import { requireRest } from './require-rest.ts';
import { requirePaths, type ScopeOptions, scopeFrom } from './scope.ts';
import type { Terminal } from './terminal.ts';

export interface ReleaseOptions extends ScopeOptions {
  readonly all?: boolean;
  readonly failed?: boolean;
  readonly yes?: boolean;
}

export async function runRelease(
  call: CommandCall<ReleaseOptions>,
  verb: ReleaseRequest['verb'],
): Promise<ExitCode> {
  const { terminal, options } = call;
  const which = whichJobs(call);
  return await withControl(call, async (control, setup): Promise<ExitCode> => {
    const request = { verb, which, scope: scopeFrom(call, call.args, setup) } as const;
    const priced = await control.release({ ...request, act: 'price' });
    await requirePaths(call, control, { scope: request.scope, setup });
    requireRest(call, priced.busy);
    if (priced.jobs.length === 0 && priced.deletions === undefined && !options.json) {
      terminal.out(`There is nothing to ${verb}${which === 'named' ? ' there' : ''}.`);
      return 0;
    }
    if (!options.json) printPrice(priced, terminal);
    const isFree = priced.price_characters === 0 && priced.price_seconds === 0;
    if (!isFree) {
      const question = `Buy ${releasePriceWords(priced)}?`;
      await requireYes(call, { question, otherwise: 'Nothing was released' });
    }
    const released = await control.release({ ...request, act: 'release' });
    if (options.json) terminal.json(released);
    else printReleased(released, terminal);
    return 0;
  });
}

function whichJobs({ args, options }: CommandCall<ReleaseOptions>): ReleaseRequest['which'] {
  if (options.all === true) return 'all';
  if (options.failed === true) return 'failed';
  if (args.length === 0) throw new UsageError('name files, or add --all');
  return 'named';
}

function printPrice({ jobs, ...price }: ReleaseReport, terminal: Terminal): void {
  for (const { source, language, reason } of jobs) {
    terminal.out(`${source} -> ${language}: ${reason}`);
  }
  if (jobs.length === 0) return;
  terminal.out(`${plural(jobs.length, 'job')}, up to ${releasePriceWords(price)}`);
}

function printReleased({ jobs, deletions = 0 }: ReleaseReport, terminal: Terminal): void {
  if (deletions > 0) {
    terminal.out(`${plural(deletions, 'vanished file')} counted as deleted, with the translations`);
  }
  if (deletions === 0 || jobs.length > 0) {
    terminal.out(`${jobs.length} released; the next run does them`);
  }
}

function releasePriceWords({ price_characters, price_seconds }: ReleasePrice): string {
  const characters = plural(price_characters, 'character');
  if (price_seconds === 0) return characters;
  const audio = `${plural(Math.ceil(price_seconds), 'second')} of audio`;
  return price_characters === 0 ? audio : `${characters} and ${audio}`;
}
