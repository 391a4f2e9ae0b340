/** One thing that `doctor` looked at. */
export interface DoctorFinding {
  /** What was looked at: `inotify`, `key`. */
  readonly about: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to type or change; absent when all is well. */
  readonly fix?: string;
}

export function ok(about: string, message: string): DoctorFinding {
  return { about, verdict: 'ok', message };
}

export function warn(about: string, message: string, fix: string): DoctorFinding {
  return { about, verdict: 'warn', message, fix };
}

export function fail(about: string, message: string, fix: string): DoctorFinding {
  return { about, verdict: 'fail', message, fix };
}
