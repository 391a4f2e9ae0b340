/** A code quality report of GitLab: what a merge request shows as new and as fixed. */
import { fingerprints } from './fingerprint.ts';
import type { FindingsReport } from './report.ts';

export function codeQualityReport({ findings }: FindingsReport): string {
  const names = fingerprints(findings);
  return JSON.stringify(
    findings.map(({ file, line, severity, rule, message }, index) => ({
      description: message.toWellFormed(),
      check_name: `dragoman/${rule}`,
      fingerprint: names[index],
      severity: severity === 'error' ? 'major' : 'minor',
      location: { path: file, lines: { begin: line } },
    })),
    null,
    2,
  );
}
