/** Every form of findings, read back as the programs read it that they are for. */
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  FINDINGS_FORMATS,
  type FindingsFormat,
  FORMAT_NAMES,
} from '../../../src/cli/findings/formats.ts';
import {
  type FindingsReport,
  type ReportedFinding,
  RULES,
} from '../../../src/cli/findings/report.ts';

const finding = (over: Partial<ReportedFinding>): ReportedFinding => ({
  file: 'locales/de/app.json',
  line: 2,
  column: 12,
  severity: 'error',
  rule: 'translation',
  message: 'nav.home: missing',
  ...over,
});

const HARD = '100 %: a,b\r\n::set-env name=X::"<&>\' \u0000\u001b[31m ü 😀 %0A ]]> \ud800';

const FINDINGS = [
  finding({}),
  finding({ severity: 'warning', message: 'nav.back: untranslated' }),
  finding({ file: 'ä b/50%,x:y.json', message: HARD }),
  finding({ line: 7 }),
  finding({ file: '/elsewhere/dragoman.yaml', rule: 'config', message: 'unknown setting' }),
];

function written(format: FindingsFormat, findings: readonly ReportedFinding[] = FINDINGS): string {
  const report: FindingsReport = {
    ...{ version: '1.2.3', name: 'dragoman check', findings },
    summary: '1 source, 1 translation checked: 4 faults, 1 warning.',
  };
  return FINDINGS_FORMATS[format](report);
}

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Reads a line of a log like the runner (actions/runner, ActionCommand.cs). */
function commandIn(line: string): Command | undefined {
  if (!line.startsWith('::')) return undefined;
  const end = line.indexOf('::', 2);
  const [name = '', ...rest] = line.slice(2, end).split(' ');
  const plain = (text: string) =>
    text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  const properties = rest
    .join(' ')
    .split(',')
    .map((pair) => {
      const at = pair.indexOf('=');
      const value = pair
        .slice(at + 1)
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ',');
      return [pair.slice(0, at), plain(value)] as const;
    });
  return { name, properties: Object.fromEntries(properties), message: plain(line.slice(end + 2)) };
}

test('workflow commands of GitHub are read back as they were, and a message begins no command of its own', () => {
  const lines = written('github').split('\n');
  const commands = lines.flatMap((line) => commandIn(line) ?? []);
  expect(lines).toHaveLength(FINDINGS.length + 1);
  expect(commands).toEqual(
    FINDINGS.map(({ severity, file, line, column, rule, message }) => ({
      name: severity,
      properties: { file, line: `${line}`, col: `${column}`, title: `dragoman: ${rule}` },
      message: message.replace('\u0000\u001b', '\\u0000\\u001b'),
    })),
  );
});

const text = z.strictObject({ text: z.string().min(1) });
const count = z.number().int();

/** The properties that the schema of SARIF 2.1.0 requires and allows in the written objects: no others may be there. */
const SARIF = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string().min(1),
          version: z.string(),
          rules: z.array(z.strictObject({ id: z.string(), shortDescription: text })),
        }),
      }),
      columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: count.min(-1),
          level: z.enum(['none', 'note', 'warning', 'error']),
          message: text,
          locations: z.array(
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({
                  uri: z.string().regex(/^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+;=%]+$/),
                  uriBaseId: z.string().optional(),
                }),
                region: z.strictObject({ startLine: count.min(1), startColumn: count.min(1) }),
              }),
            }),
          ),
          partialFingerprints: z.record(z.string(), z.string()),
        }),
      ),
      invocations: z
        .array(
          z.strictObject({
            executionSuccessful: z.boolean(),
            toolExecutionNotifications: z.array(
              z.strictObject({
                level: z.enum(['none', 'note', 'warning', 'error']),
                message: text,
              }),
            ),
          }),
        )
        .min(1)
        .optional(),
    }),
  ),
});

function sarifOf(findings?: readonly ReportedFinding[]): z.infer<typeof SARIF> {
  return SARIF.parse(JSON.parse(written('sarif', findings)));
}

test('a SARIF log has the fields of version 2.1.0, and names that are URIs', () => {
  const log = sarifOf();
  const [run] = log.runs;
  expect(log.runs).toHaveLength(1);
  if (run === undefined) return;
  expect(run.columnKind).toBe('utf16CodeUnits');
  expect(run.tool.driver).toMatchObject({ name: 'dragoman', version: '1.2.3' });
  for (const [index, result] of run.results.entries()) {
    const { message = '', severity, line } = FINDINGS[index] ?? {};
    expect(run.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
    expect(result).toMatchObject({ level: severity, message: { text: message.toWellFormed() } });
    const [location] = result.locations;
    if (location === undefined) throw new Error('a result without a place');
    const { region } = location.physicalLocation;
    expect(region.startLine).toBe(line);
  }
  expect(run.results).toHaveLength(FINDINGS.length);
  const uris = run.results.map(({ locations }) => locations[0]?.physicalLocation.artifactLocation);
  expect(uris[2]).toEqual({ uri: '%C3%A4%20b/50%25%2Cx%3Ay.json', uriBaseId: '%SRCROOT%' });
  expect(uris[4]).toEqual({ uri: 'file:///elsewhere/dragoman.yaml' });
});

test('a SARIF log holds as many results as GitHub takes, errors first, and says what it leaves out', () => {
  const many = Array.from({ length: 25_010 }, (_, index) =>
    finding({ severity: index < 20 ? 'warning' : 'error', message: `key ${index}` }),
  );
  const [run] = sarifOf(many).runs;
  expect(run?.results).toHaveLength(25_000);
  expect(run?.results.filter(({ level }) => level === 'error')).toHaveLength(24_990);
  expect(JSON.stringify(run?.invocations)).toContain('10 more findings');
});

/** The fields that GitLab reads, of its code quality format. */
const ISSUES = z.array(
  z.strictObject({
    description: z.string().min(1),
    check_name: z.string().regex(/^dragoman\/(?:config|translation)$/),
    fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
    severity: z.enum(['info', 'minor', 'major', 'critical', 'blocker']),
    location: z.strictObject({
      path: z.string().min(1),
      lines: z.strictObject({ begin: count.min(1) }),
    }),
  }),
);

function issuesOf(findings?: readonly ReportedFinding[]): z.infer<typeof ISSUES> {
  return ISSUES.parse(JSON.parse(written('gitlab', findings)));
}

test('a code quality report has the fields that GitLab asks for, and fingerprints that outlive moved lines', () => {
  const issues = issuesOf();
  expect(issues).toHaveLength(FINDINGS.length);
  for (const [index, { description, location }] of issues.entries()) {
    expect(description).toBe(FINDINGS[index]?.message.toWellFormed());
    expect(location).toEqual({
      path: FINDINGS[index]?.file,
      lines: { begin: FINDINGS[index]?.line },
    });
  }
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  const moved = FINDINGS.map((each) => ({ ...each, line: each.line + 30 }));
  const again = issuesOf(moved);
  expect(again.map(({ fingerprint }) => fingerprint)).toEqual(
    issues.map(({ fingerprint }) => fingerprint),
  );
  expect(JSON.parse(written('gitlab', []))).toEqual([]);
});

function elements(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter(
    (child): child is XmlElement => child instanceof XmlElement && child.name === name,
  );
}

/** By name: the attributes that the schema of Ant and Jenkins has, those that must be there, and the elements inside. */
const JUNIT: Readonly<Record<string, { has: string; must: string; inside: string }>> = {
  testsuites: {
    has: 'name tests failures errors skipped time',
    must: '',
    inside: 'testsuite',
  },
  testsuite: {
    has: 'name tests failures errors skipped time timestamp hostname id package file',
    must: 'name tests',
    inside: 'testcase properties system-out system-err',
  },
  testcase: {
    has: 'name classname time file line assertions status',
    must: 'name classname',
    inside: 'failure error skipped system-out system-err',
  },
  failure: { has: 'message type', must: 'message', inside: '' },
  'system-out': { has: '', must: '', inside: '' },
};

function requireJunit(element: XmlElement): void {
  const rule = JUNIT[element.name];
  if (rule === undefined) throw new Error(`no element of JUnit: ${element.name}`);
  const names = Object.keys(element.attributes);
  expect(rule.has.split(' ')).toEqual(expect.arrayContaining(names));
  expect(names).toEqual(expect.arrayContaining(rule.must.split(' ').filter(Boolean)));
  for (const child of element.children) {
    if (!(child instanceof XmlElement)) continue;
    expect(rule.inside.split(' ')).toContain(child.name);
    requireJunit(child);
  }
}

function junitOf(findings: readonly ReportedFinding[]) {
  const { root } = parseXml(written('junit', findings));
  if (root?.name !== 'testsuites') throw new Error('no testsuites');
  requireJunit(root);
  const suites = elements(root, 'testsuite');
  return { root, suites, cases: suites.flatMap((suite) => elements(suite, 'testcase')) };
}

test('JUnit XML is well-formed whatever a message holds, and its counts are those of its cases', () => {
  const { root, suites, cases } = junitOf(FINDINGS);
  expect(suites.map(({ attributes }) => attributes['name'])).toEqual([
    'locales/de/app.json',
    'ä b/50%,x:y.json',
    '/elsewhere/dragoman.yaml',
  ]);
  expect(root.attributes).toMatchObject({ tests: '5', failures: '4', errors: '0' });
  for (const suite of suites) {
    const own = elements(suite, 'testcase');
    const failed = own.filter((each) => elements(each, 'failure').length > 0);
    expect(suite.attributes).toMatchObject({
      tests: `${own.length}`,
      failures: `${failed.length}`,
    });
  }
  const hard = cases.flatMap((each) => elements(each, 'failure'))[2];
  expect(hard?.attributes['message']).toBe(
    HARD.replace('\u0000\u001b', '\\x00\\x1b').replace(' \ud800', ' '),
  );
  expect(elements(cases[1] ?? root, 'system-out')).toHaveLength(1);
});

test('a report without findings is one passed case, since an empty one counts as broken in some systems', () => {
  const { root, cases } = junitOf([]);
  expect(root.attributes).toMatchObject({ tests: '1', failures: '0' });
  expect(cases.map(({ attributes }) => attributes['classname'])).toEqual(['dragoman check']);
});

test('every form takes a report of nothing, and every rule has a sentence', () => {
  for (const format of FORMAT_NAMES) expect(written(format, []).length).toBeGreaterThan(0);
  expect(Object.values(RULES).every((text) => text.length > 10)).toBe(true);
});
