/** `dragoman check`: config, folders, routes and the translations that stand; offline unless asked otherwise. */

import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Fault, faultMessage, renderFaults, sortFaults } from '../config/fault.ts';
import { loadConfig } from '../config/load.ts';
import { askSupport } from '../config/load-service-languages.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Project } from '../config.ts';
import type { Blocker } from '../control/blockers.ts';
import type { Scope } from '../control/control.ts';
import { askForStyles } from '../control/forbidden-styles.ts';
import { noLockNotes } from '../control/frozen.ts';
import { NO_WORK } from '../control/since.ts';
import { plural } from '../language.ts';
import { readBaselines } from '../state/baseline.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import { projectTerms, type Terminology } from '../terminology/project-terms.ts';
import { blockerFindings, findingOf } from './check-blockers.ts';
import { checkIds, type IdFindings } from './check-ids.ts';
import { lockFindings } from './check-lock.ts';
import type { Call, CliCommand, ExitCode } from './command.ts';
import { addedFindings } from './earlier-checkout.ts';
import { checkPlaces } from './init/places.ts';
import { listProjectFiles, type ProjectFiles } from './init/project-files.ts';
import type { TargetFinding } from './init/targets.ts';
import { inspectTranslations } from './init/translations.ts';
import { ableConfig, configFile, languagesSource } from './open-config.ts';
import { withServiceOf } from './open-service.ts';
import { addSince, openSince, type SinceOptions } from './since.ts';

interface CheckOptions extends SinceOptions {
  readonly online?: boolean;
}

export const command: CliCommand<CheckOptions> = {
  describe(command: Command) {
    addSince(command)
      .argument('[path...]', 'only translations of these files or folders')
      .option(
        '--online',
        'also ask the service about languages, features and the ids of the config',
      )
      .addHelpText(
        'after',
        `
Exit code 78 when the config or what it names is at fault; 1 when a source, a folder or what a route names is not there
or cannot be read, a language can never be written, or a translation misses texts, is stale or damaged, lacks plural forms or is too long. Warnings (orphaned and untranslated texts, files that
are not there yet) change no exit code; "checks" in the config says which is which.

Examples:
  dragoman check                   the config, and every translation that stands
  dragoman check locales/de        the config, and what is below locales/de
  dragoman check --since main      only findings that this branch adds
  dragoman check --online --json   for scripts: faults with file, line, column, message`,
      );
  },
  async run(call: Call<CheckOptions>) {
    const { ids, forbidden } =
      call.options.online === true ? await askService(call) : NOTHING_ASKED;
    const parsed = await loadConfig(configFile(call), { env: call.env });
    if (parsed.faults !== undefined) {
      const source = call.options.online === true ? undefined : await languagesSource(call);
      if (source !== undefined) call.terminal.note(source);
      return conclude(call, { faults: sortFaults([...parsed.faults, ...ids.faults]) });
    }
    const words = await loadTerminology(parsed.config);
    const faults = [...ids.faults, ...(await checkPlaces(parsed)), ...words.faults];
    const remarks = [...words.warnings, ...words.notes];
    if (remarks.length > 0) call.terminal.note(renderFaults(remarks, call.cwd));
    if (faults.length > 0) return conclude(call, { faults });
    const { findings, ...checked } = await checkSince(call, parsed, words);
    const told = [
      ...[...parsed.warnings, ...ids.warnings].map(warning),
      ...forbidden.map((blocker) => findingOf(parsed, blocker)),
    ];
    return conclude(call, { ...checked, findings: [...told, ...findings] });
  },
};

interface Conclusion {
  readonly faults: readonly Fault[];
  readonly findings?: readonly TargetFinding[];
  /** Files looked at. */
  readonly sources?: number;
  readonly targets?: number;
}

interface Asked {
  readonly ids: IdFindings;
  readonly forbidden: readonly Blocker[];
}

const NOTHING_ASKED: Asked = { ids: { faults: [], warnings: [] }, forbidden: [] };

/**
 * Languages and features: the answer is kept, and the config judged by it. Ids: whether this key has them.
 * A config that is at fault otherwise is not asked about.
 */
async function askService(call: Call<CheckOptions>): Promise<Asked> {
  const able = await ableConfig(call);
  if (able.faults !== undefined) return NOTHING_ASKED;
  const { config } = able;
  const { clock } = call;
  return await withServiceOf(call, config, async (service, options) => {
    await askSupport(service, { config, clock }, options);
    const forbidden = await askForStyles(service, config, options);
    return { ids: await checkIds({ service, options, forbidden }, able), forbidden };
  });
}

function warning(fault: Fault): TargetFinding {
  const { file, line, column } = fault;
  return { file, line, column, severity: 'warn', message: faultMessage(fault) };
}

/** Of all findings, or of those that the earlier checkout had not. */
async function checkSince(
  call: Call<CheckOptions>,
  setup: SoundConfig,
  terminology: Terminology,
): Promise<Required<Conclusion>> {
  const { args, cwd, options } = call;
  const scope = { projects: [], languages: [], paths: args.map((path) => resolve(cwd, path)) };
  if (options.since === undefined) return await checkFiles(call, { setup, terminology, scope });
  await using opened = await openSince(call, setup, options.since);
  const { files, earlier } = opened;
  const since = { files, languages: earlier.languages, before: NO_WORK };
  const found = await checkFiles(call, { setup, terminology, scope: { ...scope, since } });
  if (earlier.setup === undefined) return found;
  const before = await checkFiles(
    { ...call, terminal: { ...call.terminal, note: () => {} } },
    {
      setup: earlier.setup,
      terminology: await loadTerminology(earlier.setup.config),
      scope: { ...scope, paths: [] },
    },
  );
  return { ...found, findings: addedFindings(found.findings, before.findings, earlier) };
}

interface ToCheck {
  readonly setup: SoundConfig;
  readonly terminology: Terminology;
  readonly scope: Scope;
}

async function checkFiles(
  call: Call<CheckOptions>,
  { setup, terminology, scope }: ToCheck,
): Promise<Required<Conclusion>> {
  const { terminal } = call;
  const { config, router } = setup;
  const found = new Map<Project, ProjectFiles>();
  const findings: TargetFinding[] = [];
  let sources = 0;
  let targets = 0;
  await using baselines = await readBaselines(join(config.state, 'base'));
  for (const project of config.projects) {
    const files = await listProjectFiles(project, { ...scope, router });
    found.set(project, files);
    sources += files.count;
    for (const { path, reason } of files.notes) terminal.note(`skipped: ${path}: ${reason}`);
    const inspection = await inspectTranslations(project, files, {
      baselines,
      terms: (language) => projectTerms(terminology, project, language),
    });
    targets += inspection.targets;
    findings.push(...inspection.findings);
  }
  findings.push(...(await blockerFindings(call, { setup, scope, files: found })));
  findings.push(...(await lockFindings(config, found)));
  for (const note of noLockNotes(config)) terminal.note(note);
  return { faults: [], findings, sources, targets };
}

function conclude(
  { terminal, cwd, options }: Call<CheckOptions>,
  { faults, findings = [], sources = 0, targets = 0 }: Conclusion,
): ExitCode {
  const bad = findings.filter(({ severity }) => severity === 'hold');
  if (options.json === true) {
    const warnings = findings.filter(({ severity }) => severity === 'warn');
    terminal.json({
      faults: [...faults.map(faultAsData), ...bad.map(findingAsData)],
      warnings: warnings.map(findingAsData),
    });
  } else {
    if (faults.length > 0) terminal.out(renderFaults(faults, cwd));
    for (const { message, ...place } of findings) {
      terminal.out(renderFaults([{ ...place, path: '', message }], cwd));
    }
    if (faults.length === 0) {
      const warnings = findings.length - bad.length;
      terminal.out(
        `${plural(sources, 'source')}, ${plural(targets, 'translation')} looked at: ${plural(bad.length, 'fault')}, ${plural(warnings, 'warning')}.`,
      );
    }
  }
  if (faults.length > 0) return 78;
  return bad.length > 0 ? 1 : 0;
}

function faultAsData(fault: Fault): object {
  const { file, line, column } = fault;
  return { file, line, column, message: faultMessage(fault) };
}

function findingAsData({ file, line, column, message }: TargetFinding): object {
  return { file, line, column, message };
}
