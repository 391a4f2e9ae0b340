/** The formats of findings for other programs. Each is a pure function of the same report. */

import { oneLine } from '../../config/one-line.ts';
import { fingerprints } from './fingerprint.ts';
import { junitReport } from './junit.ts';
import type { FindingsReport, ReportedFinding } from './report.ts';
import { sarifLog } from './sarif.ts';

export const FINDINGS_FORMATS: Readonly<
  Record<FindingsFormat, (report: FindingsReport) => string>
> = {
  github: workflowCommands,
  sarif: sarifLog,
  gitlab: codeQualityReport,
  junit: junitReport,
};

export type FindingsFormat = 'github' | 'sarif' | 'gitlab' | 'junit';

export const FORMAT_NAMES = Object.keys(FINDINGS_FORMATS) as readonly FindingsFormat[];

/** A code quality report of GitLab. A merge request shows its findings as new or fixed. */
function codeQualityReport({ findings }: FindingsReport): string {
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

// Workflow commands of GitHub Actions: annotations at the lines of a pull request, without a token or special rights.

/** GitHub shows the first ten errors and ten warnings of a step; the log has all. */
function workflowCommands({ findings, summary }: FindingsReport): string {
  return [...findings.map(commandOf), summary.startsWith('::') ? ` ${summary}` : summary].join(
    '\n',
  );
}

function commandOf({ severity, file, line, column, rule, message }: ReportedFinding): string {
  const properties = { file, line, col: column, title: `dragoman: ${rule}` };
  const written = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapedProperty(String(value))}`,
  );
  return `::${severity} ${written.join(',')}::${escaped(message)}`;
}

/** Escapes the message as the runner expects (actions/toolkit, packages/core/src/command.ts). Its log shows all other controls raw. */
function escaped(text: string): string {
  const shown = text.replace(/[^\r\n]+/g, oneLine);
  return shown.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
