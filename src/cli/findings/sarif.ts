/** SARIF 2.1.0, the format of GitHub code scanning, Azure DevOps and editors. */
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprints } from './fingerprint.ts';
import { type FindingsReport, type ReportedFinding, RULES } from './report.ts';

/** GitHub refuses a file with more results in one run. */
const MOST_RESULTS = 25_000;

export function sarifLog({ version, findings }: FindingsReport): string {
  const kept = ordered(findings).slice(0, MOST_RESULTS);
  const names = fingerprints(kept);
  const rules = Object.entries(RULES).map(([id, text]) => ({ id, shortDescription: { text } }));
  return JSON.stringify(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'dragoman', version, rules } },
          columnKind: 'utf16CodeUnits',
          results: kept.map((finding, index) => ({
            ruleId: finding.rule,
            ruleIndex: rules.findIndex(({ id }) => id === finding.rule),
            level: finding.severity,
            message: { text: finding.message.toWellFormed() },
            locations: [{ physicalLocation: sarifLocation(finding) }],
            partialFingerprints: { 'dragoman/v1': names[index] },
          })),
          ...noticeOfCut(findings.length - kept.length),
        },
      ],
    },
    null,
    2,
  );
}

/** When the list must be cut, errors come first, so that warnings are cut before errors. */
function ordered(findings: readonly ReportedFinding[]): readonly ReportedFinding[] {
  if (findings.length <= MOST_RESULTS) return findings;
  const isError = ({ severity }: ReportedFinding) => severity === 'error';
  return [...findings.filter(isError), ...findings.filter((each) => !isError(each))];
}

function sarifLocation({ file, line, column }: ReportedFinding): object {
  const region = { startLine: line, startColumn: column };
  const artifactLocation = isAbsolute(file)
    ? { uri: pathToFileURL(file).href }
    : { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
  return { artifactLocation, region };
}

function noticeOfCut(more: number): object {
  if (more === 0) return {};
  const text = `${more} more findings are not in this file: it holds at most ${MOST_RESULTS}`;
  const notification = { level: 'warning', message: { text } };
  return {
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: [notification] }],
  };
}
