/** `dragoman check`: checks config, folders, routes and the existing translations; offline without `--online`. */
import { dirname } from 'node:path';
import type { Command } from 'commander';
import {
  type Fault,
  faultLine,
  faultLines,
  faultMessage,
  renderFaults,
  sortFaults,
} from '../config/fault.ts';
import { askSupport } from '../config/load-service-languages.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Blocker } from '../control/blockers.ts';
import { askForStyles } from '../control/forbidden-styles.ts';
import { JobFailure } from '../failure.ts';
import { inEnglish, plural } from '../language.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import { findingOf } from './check/blockers.ts';
import { type Conclusion, checkSince } from './check/files.ts';
import { checkFixedPaths, requireState } from './check/fixed-paths.ts';
import { checkIds, type IdFindings } from './check/ids.ts';
import type { TargetFinding } from './check/targets.ts';
import type { CliCommand, CommandCall, ExitCode } from './command.ts';
import { type FindingFormat, formatOption, printFindings } from './findings/print.ts';
import type { ReportedFinding } from './findings/report.ts';
import { ableConfig, configFile, languagesSource, loadOwnConfig } from './open-config.ts';
import { withServiceOf } from './open-service.ts';
import { addScope, type ScopeOptions } from './scope.ts';
import { addSince, type SinceOptions } from './since.ts';
import { isUseless } from './sound-terminology.ts';

interface CheckOptions extends SinceOptions, ScopeOptions, FindingFormat {
  readonly online?: boolean;
}

export const command: CliCommand<CheckOptions> = {
  describe(command: Command) {
    addSince(addScope(command))
      .argument('[path...]', 'only translations of these files or folders')
      .option(
        '--online',
        'also ask the service about languages, features and the ids of the config',
      )
      .addOption(formatOption())
      .addHelpText(
        'after',
        `
Exit code 78 when the config, or a file that it names, has a fault. 1 when a source, a folder or the files of a route are
missing or cannot be read, when a language can never be written, or when a translation misses texts, is stale or damaged,
lacks plural forms, is too long or can never be written. 2 when texts only wait for a reviewer, or a daemon for a
reload of its config. Warnings (orphaned and untranslated texts, files that do not exist yet) do not change the exit code;
"checks" in the config decides which finding is a warning.

Examples:
  dragoman check                   the config, and every existing translation
  dragoman check locales/de        the config, and translations below locales/de
  dragoman check --verbose         every finding on its own line; without it, similar ones are counted
  dragoman check --project app --language de
  dragoman check --format github   annotations beside the lines of a pull request
  dragoman check --since main      only findings that this branch adds
  dragoman check --online --json   for scripts: faults with file, line, column, message`,
      );
  },
  async run(call: CommandCall<CheckOptions>) {
    const { ids, forbidden } =
      call.options.online === true ? await askService(call) : NOTHING_ASKED;
    const parsed = await loadOwnConfig(call);
    if (parsed.faults !== undefined) {
      const source = call.options.online === true ? undefined : await languagesSource(call);
      if (source !== undefined) call.terminal.note(source);
      return await conclude(call, { faults: sortFaults([...parsed.faults, ...ids.faults]) });
    }
    const terminology = await loadTerminology(parsed.config);
    const isRefused = isUseless(terminology, parsed.config);
    const faults = [
      ...[...ids.faults, ...(await checkFixedPaths(parsed))],
      ...(isRefused ? terminology.faults : []),
    ];
    const remarks = [...terminology.warnings, ...terminology.notes];
    for (const line of faultLines(remarks, call.cwd)) call.terminal.note(line);
    if (faults.length > 0) {
      return await conclude(call, { faults: sortFaults([...faults, ...ids.holds]) });
    }
    await requireState(parsed.config);
    const { findings, ...checked } = await checkSince(call, parsed, terminology);
    const warnings = [
      ...[...parsed.warnings, ...ids.warnings].map(warning),
      ...forbidden.map((blocker) => findingOf(parsed, blocker)),
      ...[...ids.holds, ...terminology.faults].map((fault) => ({
        ...warning(fault),
        severity: 'hold' as const,
      })),
    ];
    return await conclude(call, { ...checked, findings: [...warnings, ...findings] });
  },
};

interface OnlineFindings {
  readonly ids: IdFindings;
  readonly forbidden: readonly Blocker[];
}

const NOTHING_ASKED: OnlineFindings = {
  ids: { faults: [], holds: [], warnings: [] },
  forbidden: [],
};

/**
 * Asks for languages and features, keeps the answer and checks the config against it. Asks whether this key has the ids.
 * Nothing is asked for a config with other faults.
 */
async function askService(call: CommandCall<CheckOptions>): Promise<OnlineFindings> {
  const able = await ableConfig(call);
  if (able.faults !== undefined) return NOTHING_ASKED;
  const { config } = able;
  const { clock } = call;
  return await withServiceOf(call, config, async (service, options) => {
    const unlisted = await askSupport(service, { config, clock }, options).then(
      () => [],
      (error: unknown) => [unlistedLanguages(error, able)],
    );
    const forbidden = await askForStyles(service, config, options);
    const ids = await checkIds({ service, options, forbidden }, able);
    return { ids: { ...ids, warnings: [...unlisted, ...ids.warnings] }, forbidden };
  });
}

/** The warning for a service without `GET /v3/languages`: it can be used, and the rest is checked. @throws every other error */
function unlistedLanguages(error: unknown, { faultAt }: Pick<SoundConfig, 'faultAt'>): Fault {
  if (!(error instanceof JobFailure) || error.failure.kind !== 'not-found') throw error;
  return faultAt(
    ['service', 'url'],
    'this service does not list its languages (GET /v3/languages: 404): languages and features were not checked',
  );
}

function warning(fault: Fault): TargetFinding {
  const { file, line, column } = fault;
  return { file, line, column, severity: 'warn', message: faultMessage(fault) };
}

const REFUSED = { exit_code: 78, message: 'the config is refused', next_step: null };

async function conclude(
  call: CommandCall<CheckOptions>,
  { faults, findings = [], sources = 0, targets = 0 }: Conclusion,
): Promise<ExitCode> {
  const { terminal, options } = call;
  const bad = findings.filter(({ severity }) => severity === 'hold');
  const warnings = findings.filter(({ severity }) => severity === 'warn');
  const summary =
    faults.length > 0
      ? `The config is refused: ${plural(faults.length, 'fault')}.`
      : `${plural(sources, 'source')}, ${plural(targets, 'translation')} checked: ${plural(bad.length, 'fault')}, ${plural(warnings.length, 'warning')}.`;
  if (options.json === true) {
    const refused = faults.map((fault) => {
      const { file, line, column } = fault;
      return { file, line, column, message: faultMessage(fault) };
    });
    terminal.json({
      faults: [...faults.map(faultAsData), ...bad.map(findingAsData)],
      warnings: warnings.map(findingAsData),
      ...(refused.length > 0 && { error: { ...REFUSED, faults: refused } }),
    });
  } else if (options.format !== undefined) {
    await printFindings(call, options.format, {
      folder: dirname(configFile(call)),
      name: 'dragoman check',
      findings: [...faults.map(faultReported), ...findings.map(findingReported)],
      summary,
    });
  } else printConclusion(call, { faults, findings }, summary);
  if (faults.length > 0) return 78;
  if (bad.some(({ because }) => because === undefined)) return 1;
  return bad.length > 0 ? 2 : 0;
}

function printConclusion(
  { terminal, cwd, options }: CommandCall<CheckOptions>,
  { faults, findings = [] }: Conclusion,
  summary: string,
): void {
  if (faults.length > 0) terminal.out(renderFaults(faults, cwd));
  const lines =
    options.verbose === true
      ? findings.map((finding) => findingLine(finding, cwd))
      : checkLines(findings, cwd);
  for (const line of lines) terminal.out(line);
  if (faults.length === 0) terminal.out(summary);
}

function faultAsData(fault: Fault): Omit<TargetFinding, 'severity'> {
  const { file, line, column } = fault;
  return { file, line, column, message: faultMessage(fault) };
}

function findingAsData({ file, line, column, message }: TargetFinding): object {
  return { file, line, column, message };
}

function faultReported(fault: Fault): ReportedFinding {
  return { ...faultAsData(fault), severity: 'error', rule: 'config' };
}

function findingReported(finding: TargetFinding): ReportedFinding {
  const { severity, because, file, line, column, message } = finding;
  const rule = because === undefined ? 'translation' : 'held';
  const place = { file, line, column, message };
  return { ...place, severity: severity === 'hold' ? 'error' : 'warning', rule };
}

// The lines that `check` prints: one for each finding. If one file has many findings of one kind, they have one line with their count.

/** Up to this number, findings of one kind in one file are listed; more become a count. */
const FEW = 3;

/** Number of listed findings of one file and language: a person mends the first ones and checks again. */
const MOST_FINDINGS = 10;

/** @param folder absolute; files below it are shown relative to it */
export function checkLines(findings: readonly TargetFinding[], folder: string): string[] {
  const places = Map.groupBy(findings, ({ file, language = '' }) => `${file}\n${language}`);
  return [...places.values()].flatMap((group) => linesOfFile(group, folder));
}

/** Every finding, as `--verbose` prints it. */
function findingLine({ message, ...place }: TargetFinding, folder: string): string {
  return faultLine({ ...place, path: '', message }, folder);
}

function linesOfFile(findings: readonly TargetFinding[], folder: string): string[] {
  const kinds = Map.groupBy(
    findings,
    ({ severity, text, message }) => `${severity} ${text?.about ?? message}`,
  );
  const counted = [...kinds.values()].filter((same) => same.length > FEW && same[0]?.text);
  const inCounts = new Set(counted.flat());
  const single = findings.filter((finding) => !inCounts.has(finding));
  // A fault of the file itself is never left out.
  const shown = single.filter(
    ({ text, severity }, index) =>
      (text === undefined && severity === 'hold') || index < MOST_FINDINGS,
  );
  const [rest] = single.filter((finding) => !shown.includes(finding));
  return [
    ...counted.map((same) => countLine(same, folder)),
    ...shown.map((finding) => findingLine(finding, folder)),
    ...(rest === undefined
      ? []
      : [restLine(rest, { count: single.length - shown.length, folder })]),
  ];
}

function countLine(same: readonly TargetFinding[], folder: string): string {
  const [first] = same;
  if (first === undefined) return '';
  const names = same.flatMap(({ text }) => text?.name ?? []).slice(0, FEW);
  const language = first.language === undefined ? '' : ` in ${first.language}`;
  const message = `${inEnglish(same.length)} texts${language}: ${first.text?.about}: ${names.join(', ')} …; --verbose lists them`;
  return findingLine({ ...first, message }, folder);
}

function restLine(
  first: TargetFinding,
  { count, folder }: { readonly count: number; readonly folder: string },
): string {
  const message = `${inEnglish(count)} more findings from here on; --verbose lists them`;
  return findingLine({ ...first, message }, folder);
}
