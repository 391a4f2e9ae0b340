/** JUnit XML, which nearly every CI system shows: a suite for each file, a failed case for each error, a passed case for each warning. */
import { oneLine } from '../../config/one-line.ts';
import { encodeXml } from '../../files/xml-characters.ts';
import type { FindingsReport, ReportedFinding } from './report.ts';

export function junitReport({ name, findings, summary }: FindingsReport): string {
  const suites = [...Map.groupBy(findings, ({ file }) => file)].map(([file, own]) =>
    suiteOf(file, own),
  );
  const counts = countsOf(findings);
  // Some systems refuse a report without a case.
  const all = suites.length > 0 ? suites : [passed(name, summary)];
  const attributes = attributesOf({
    name,
    ...(suites.length > 0 ? counts : { ...NO_TESTS, tests: 1 }),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes}>`,
    ...all,
    '</testsuites>',
  ].join('\n');
}

const NO_TESTS = { tests: 0, failures: 0, errors: 0, skipped: 0 };

function countsOf(findings: readonly ReportedFinding[]): typeof NO_TESTS {
  const failures = findings.filter(({ severity }) => severity === 'error').length;
  return { ...NO_TESTS, tests: findings.length, failures };
}

function passed(name: string, summary: string): string {
  return [
    `  <testsuite${attributesOf({ name, ...NO_TESTS, tests: 1 })}>`,
    `    <testcase${attributesOf({ name: summary, classname: name })}/>`,
    '  </testsuite>',
  ].join('\n');
}

function suiteOf(file: string, findings: readonly ReportedFinding[]): string {
  return [
    `  <testsuite${attributesOf({ name: file, ...countsOf(findings) })}>`,
    ...findings.map(caseOf),
    '  </testsuite>',
  ].join('\n');
}

function caseOf({ file, line, column, severity, rule, message }: ReportedFinding): string {
  const name = `${line}:${column} ${message}`;
  // A line of its own could be a command for the runner whose log shows it.
  const where = oneLine(`${file}:${line}:${column} ${message}`);
  const inside =
    severity === 'error'
      ? `<failure${attributesOf({ message, type: rule })}>${content(where)}</failure>`
      : `<system-out>${content(`warning: ${where}`)}</system-out>`;
  const attributes = attributesOf({ name, classname: file, file, line });
  return `    <testcase${attributes}>${inside}</testcase>`;
}

function attributesOf(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${attribute(String(value))}"`)
    .join('');
}

/** Escapes an attribute. XML reads line ends and tabs there as spaces, unless they are character references. */
function attribute(text: string): string {
  return content(text)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.codePointAt(0)};`);
}

/**
 * Escapes text. XML allows no control characters, also not as references: they are written as `\x07`. So are those that break or reverse a
 * line in the log of a runner.
 */
function content(text: string): string {
  const shown = text.replace(/(?![\t\n\r])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
  });
  return encodeXml(shown);
}
