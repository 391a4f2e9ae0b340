/** The result of one check of `doctor`. */
export interface DoctorFinding {
  /** The subject of the check: `watches`, `key`. */
  readonly about: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** Advice: a command or a change; absent when the verdict is ok. */
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
