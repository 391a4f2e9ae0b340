/** The parts of a daemon that work together. Each user names those that it needs. */
import type { SourceMonitor } from '../intake/source-monitor.ts';
import type { FatalError } from './fatal-error.ts';
import type { JobRunner, JobRunnerOptions } from './runner.ts';

export interface DaemonParts
  extends Omit<JobRunnerOptions, 'role' | 'delivered' | 'lock' | 'followUps'> {
  readonly monitor: SourceMonitor;
  readonly runner: JobRunner;
  readonly fatal: FatalError;
}
