/** Workflow commands of GitHub Actions: annotations beside the lines of a pull request, without any right or token. */
import type { FindingsReport, ReportedFinding } from './report.ts';

/** GitHub shows the first ten errors and ten warnings of a step; the log has all. */
export function workflowCommands({ findings, summary }: FindingsReport): string {
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

/** As the runner reads it back (actions/toolkit, packages/core/src/command.ts). */
function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
