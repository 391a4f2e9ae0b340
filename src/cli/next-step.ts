/** The command that a person can type about a held job. */
import { attentionFor } from '../control/attention.ts';
import type { Daemon } from '../daemon.ts';
import type { JobId } from '../job.ts';
import { attentionLine, standpointOf } from './attention-lines.ts';
import type { CommandCall } from './command.ts';

/**
 * @returns a function that returns the advice for a job (undefined: the job needs no person), with paths relative to the folder of the
 * call
 */
export function nextStepOf(
  call: Pick<CommandCall, 'cwd'>,
  daemon: Daemon,
): (job: JobId) => string | undefined {
  return (job) => {
    const record = daemon.ledger.get('jobs', job);
    const line = record && attentionFor(record);
    return line && attentionLine(line, standpointOf(call, daemon.setup)).details.at(-1);
  };
}

/** The roots of the projects in force. */
export function shownRoots(daemon: Daemon): (project: string) => string | undefined {
  return (project) => daemon.setup.config.projects.find(({ name }) => name === project)?.root;
}
