/** `dragoman once`: does all open work and ends; the exit code says whether everything is done. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { oneLine } from '../config/one-line.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Blocker } from '../control/blockers.ts';
import type { Control, Scope } from '../control/control.ts';
import type { FrozenReport } from '../control/plan-report.ts';
import { type RunReport, RunTally } from '../control/run-report.ts';
import { Daemon } from '../daemon.ts';
import { Events } from '../event.ts';
import { describeFailure, type Failure } from '../failure.ts';
import { shortList } from '../job.ts';
import { unstatedIn } from '../jobs/lock-tidying.ts';
import type { OpenText } from '../lane.ts';
import { plural } from '../language.ts';
import type { JobRecord } from '../ledger.ts';
import { controlSocketPath, serveControl } from '../page/control-socket.ts';
import { describeOutOfDate } from '../segments/out-of-date.ts';
import { requireKnownLanguages } from './ask-languages.ts';
import {
  attentionDigest,
  attentionLine,
  countAttention,
  printAttention,
  type Standpoint,
  seen,
  standpointOf,
} from './attention-lines.ts';
import { type CliCommand, type CommandCall, type ExitCode, UsageError } from './command.ts';
import { exitCodeOfFrozen, exitCodeOfRun, gravest } from './exit-code.ts';
import { type FindingFormat, formatOption, printFindings } from './findings/print.ts';
import type { ReportedFinding } from './findings/report.ts';
import { answerSignal, leftQueued, leftUndone } from './interruption.ts';
import { listenHooks } from './listen-hooks.ts';
import { nextStepOf, shownRoots } from './next-step.ts';
import { openConfig } from './open-config.ts';
import { withControl } from './open-control.ts';
import { showProgress } from './progress.ts';
import { unreviewedIn } from './review-lines.ts';
import {
  addScope,
  requireKnownPaths,
  requirePaths,
  type ScopeOptions,
  scopeFrom,
} from './scope.ts';
import { requireSoundTerminology } from './sound-terminology.ts';
import { recordState, refuseOtherState } from './state-of-config.ts';
import type { Terminal } from './terminal.ts';
import { worldOf } from './world.ts';

interface OnceOptions extends ScopeOptions, FindingFormat {
  readonly frozen?: boolean;
  readonly maxCharacters?: string;
}

/** Milliseconds that a run waits for a service that cannot be reached. */
const SERVICE_PATIENCE_MS = 60_000;

export const command: CliCommand<OnceOptions> = {
  endsPaidWork: true,
  describe(command: Command) {
    addScope(command)
      .argument('[path...]', 'only these files or folders')
      .option('--frozen', 'do nothing; fail if anything would have to be done (for CI)')
      .option('--no-sync', 'do not change glossaries and style lists on the service')
      .addOption(formatOption('with --frozen: print what is missing for another program'))
      .option('--max-characters <n>', 'hold jobs that would bill more than this in one run')
      .addHelpText(
        'after',
        `
Examples:
  dragoman once                          bring every target up to date
  dragoman once --frozen                 in CI: is everything committed?
  dragoman once --max-characters 5000 docs`,
      );
  },
  async run(call: CommandCall<OnceOptions>) {
    if (call.options.format !== undefined && call.options.frozen !== true) {
      throw new UsageError('--format needs --frozen: a run prints its results, not findings');
    }
    const setup = await openConfig(call);
    await requireSoundTerminology(call, setup);
    if (call.options.frozen === true) return await runFrozen(call);
    const scope = scopeFrom(call, call.args, setup);
    const events = new Events();
    const maxCharacters = readLimit(call.options.maxCharacters);
    await refuseOtherState(setup.config);
    await using _hooks = listenHooks(call, events, { setup });
    await using daemon = await Daemon.open({
      setup,
      targets: 'follow',
      world: worldOf(call, events),
      ending: call.signals.drain,
      patienceMs: SERVICE_PATIENCE_MS,
      ...(maxCharacters === undefined ? {} : { maxCharacters }),
    });
    call.notePaidWork?.(daemon.runner);
    await using _socket = await answerMeanwhile(call, daemon);
    await using _state = await recordState(setup.config);
    return await runOnce(call, daemon, { scope, events, setup });
  },
};

/** Answers other commands while this one works. On a file system without sockets they wait for its end. */
async function answerMeanwhile(
  { clock }: CommandCall<OnceOptions>,
  { answers, setup }: Daemon,
): Promise<AsyncDisposable | undefined> {
  const path = controlSocketPath(setup.config.state);
  return await serveControl(
    path,
    { control: answers.control, file: setup.config.file },
    clock,
  ).catch(() => undefined);
}

async function runOnce(
  call: CommandCall<OnceOptions>,
  daemon: Daemon,
  { scope, events, setup }: { scope: Scope; events: Events; setup: SoundConfig },
): Promise<ExitCode> {
  const { terminal, clock, signals, options } = call;
  using tally = new RunTally(events);
  const limit = readLimit(options.maxCharacters) ?? daemon.setup.config.budget.run;
  const verbose = options.verbose === true;
  const { stderr } = process;
  using progress = showProgress({
    ...{ terminal, stderr, clock, limit, verbose, cwd: call.cwd, until: 'run' },
    ...{ advice: nextStepOf(call, daemon), rootOf: shownRoots(daemon) },
  });
  if (!options.json) events.subscribe(progress);
  using _answer = answerSignal(signals, terminal);
  const isUnstated = await unstatedIn(daemon.lock, setup.config, () => daemon.answers.jobs(scope));
  const left = await daemon.workToIdle(scope, signals, () => requireKnownLanguages(call, setup));
  // After a signal, not all files may have been seen: nothing is said of routes without files.
  const blockers = daemon.answers
    .blockers(scope)
    .filter(({ kind }) => kind !== 'empty-route' || !signals.drain.aborted);
  // The jobs are listed once: two more lists of 10,000 jobs took 7 % of the time of a run with nothing to do.
  const jobs = daemon.answers.jobs(scope);
  const report = tally.report(jobs, blockers, isUnstated);
  progress[Symbol.dispose]();
  const undone = leftUndone(signals, jobs) ?? leftQueued(left);
  const stopped_by = reasonOfStop(daemon.runState) ?? undone ?? null;
  const { unreviewed, line, holds } = await unreviewedIn(daemon.answers.control, scope);
  if (options.json) terminal.json({ ...report, stopped_by, unreviewed });
  else {
    printRun(report, terminal);
    for (const note of report.notes) terminal.note(note);
    if (undone !== undefined) terminal.out(undone);
    if (line !== undefined) terminal.out(line);
    if (report.held.length + report.failed.length > 0) await printOpen(call, daemon, scope);
  }
  const hasJobs = async (part: Scope) => daemon.answers.jobs(part).length > 0;
  await requireKnownPaths(call, { scope, setup, hasJobs });
  const isUndone = signals.drain.aborted || left.length > 0;
  const failures = failuresOf(daemon.runState.stop, [
    ...jobs.map(({ state }) => state),
    ...blockers,
  ]);
  return gravest([exitCodeOfRun(report, { failures, isUndone }), holds ? 2 : 0]);
}

/** Reports open work without doing it. When a daemon or a run is active, that process answers. */
async function runFrozen(call: CommandCall<OnceOptions>): Promise<ExitCode> {
  const answer = async (control: Control, setup: SoundConfig): Promise<ExitCode> => {
    const scope = scopeFrom(call, call.args, setup);
    const report = await control.frozen(scope);
    await requirePaths(call, control, { scope, setup });
    const { json, format } = call.options;
    const { unreviewed, line, holds } = await unreviewedIn(control, scope);
    const notes = line === undefined ? report.notes : [...report.notes, line];
    if (json) call.terminal.json({ ...report, unreviewed });
    else if (format !== undefined) {
      const found = findingsOf(report, setup);
      const ends = frozenSummary(report, line);
      const summary = line === undefined ? ends : `${ends} ${line}`;
      await printFindings(call, format, { ...found, summary });
    } else {
      printFrozen(call, { ...report, notes }, standpointOf(call, setup));
      call.terminal.out(frozenSummary(report, line));
    }
    return gravest([exitCodeOfFrozen(report), holds ? 2 : 0]);
  };
  return await withControl(call, answer, 'asks');
}

function findingsOf({ jobs, attention }: FrozenReport, { config }: SoundConfig) {
  const roots = new Map(config.projects.map(({ name, root }) => [name, root]));
  const place = (project: string, source: string) => {
    const root = roots.get(project);
    const isFile = root !== undefined && source !== '*';
    return { file: isFile ? join(root, source) : config.file, line: 1, column: 1 };
  };
  const undone = jobs.map(
    ({ project, source, language, reason, texts }): ReportedFinding => ({
      ...place(project, source),
      line: texts?.[0]?.line ?? 1,
      ...{ severity: 'error', rule: 'work', message: `${language}: ${reason}${namesOf(texts)}` },
    }),
  );
  const others = attention.map(
    ({ project, source, language, state, reason, next_step }): ReportedFinding => ({
      ...place(project, source),
      ...{ severity: 'error', rule: state === 'held' ? 'held' : 'work' },
      message: `${language === '*' ? '' : `${language}: `}${reason}; ${next_step}`,
    }),
  );
  const findings = [...undone, ...others];
  return { name: 'dragoman once --frozen', folder: config.base, findings };
}

/** @param unreviewed the line about texts that nobody has reviewed */
function frozenSummary(
  { jobs, attention, is_lock_behind }: FrozenReport,
  unreviewed: string | undefined,
): string {
  const parts = [
    ...(jobs.length === 0 ? [] : [`${plural(jobs.length, 'job')} would have to be done`]),
    ...countAttention(attention),
  ];
  if (parts.length > 0) return `${parts.join(', ')}.`;
  if (is_lock_behind) return 'Only the lock would be written.';
  return unreviewed === undefined ? 'Nothing to do.' : 'Nothing is left but the review.';
}

function printFrozen(
  { terminal }: CommandCall<OnceOptions>,
  { jobs, attention, notes }: Pick<FrozenReport, 'jobs' | 'attention' | 'notes'>,
  from: Standpoint,
): void {
  for (const line of openLines(jobs, from)) terminal.out(line);
  printAttention(
    attention.map((line) => attentionLine(line, from)),
    terminal,
  );
  for (const note of notes) terminal.note(note);
}

/** The keys of the first texts, for one line. */
function namesOf(texts: FrozenReport['jobs'][number]['texts'] = []): string {
  return texts.length === 0
    ? ''
    : `: ${shortList(texts.map((text) => `${text.key} (${stateOfOpenText(text)})`))}`;
}

/** The state of a text; for a stale one whose source is the same, with the reason. */
function stateOfOpenText({ is, because = ['source'] }: OpenText): string {
  return because.includes('source') ? is : `${is}, ${describeOutOfDate(because)}`;
}

/** The open jobs of each source, in one line for all languages with the same reason. */
function openLines(jobs: FrozenReport['jobs'], from: Standpoint): string[] {
  const groups = Map.groupBy(
    jobs,
    ({ project, source, reason, texts }) => `${project}/${source}\n${reason}${namesOf(texts)}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const file = seen(join(from.roots.get(first.project) ?? '', first.source), from);
    const languages = group.map(({ language }) => language).join(' ');
    const lines = (first.texts ?? []).map((text) =>
      oneLine(`  ${file}:${text.line}: ${stateOfOpenText(text)}: ${text.key}`),
    );
    return [oneLine(`${file} -> ${languages}: ${first.reason}`), ...lines];
  });
}

function failuresOf(
  stop: Daemon['runState']['stop'],
  ended: readonly (JobRecord['state'] | Blocker)[],
): Failure[] {
  return [stop, ...ended.map((each) => ('failure' in each ? each.failure : undefined))].filter(
    (failure) => failure !== undefined,
  );
}

function reasonOfStop({ stop }: Daemon['runState']): string | null {
  return stop === undefined ? null : describeFailure(stop);
}

function printRun(report: RunReport, terminal: Terminal): void {
  const { delivered, unchanged, held, failed, billed_characters, requests } = report;
  terminal.out(
    `${delivered} written, ${unchanged} unchanged, ${held.length} held, ${failed.length} failed; ` +
      `${plural(billed_characters, 'character')} billed in ${plural(requests, 'request')}`,
  );
}

/** Prints what the run leaves to a person. */
async function printOpen(
  call: CommandCall<OnceOptions>,
  daemon: Daemon,
  scope: Scope,
): Promise<void> {
  const { tasks, attention } = await daemon.answers.control.status(scope);
  const shown = attentionDigest(tasks, standpointOf(call, daemon.setup));
  printAttention(shown, call.terminal);
  if (attention.length > shown.length)
    call.terminal.note('"dragoman status --all" lists each of them.');
}

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 0) return limit;
  throw new UsageError(`--max-characters needs a whole number, not "${text}"`);
}
