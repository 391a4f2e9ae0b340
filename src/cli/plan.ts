/** `dragoman plan`: lists the jobs of the next run, with reason and price. Pays nothing. */
import { isDeepStrictEqual } from 'node:util';
import { type Command, Option } from 'commander';
import { faultLine } from '../config/fault.ts';
import { oneLine } from '../config/one-line.ts';
import type { SoundConfig } from '../config/parse.ts';
import { soundOf } from '../control/audio.ts';
import type { Control, Scope } from '../control/control.ts';
import type { PlanLine, PlanReport } from '../control/plan-report.ts';
import { inEnglish, plural } from '../language.ts';
import { lackedLanguages, requireKnownLanguages } from './ask-languages.ts';
import {
  attentionLine,
  countAttention,
  printAttention,
  type Standpoint,
  seen,
  standpointOf,
} from './attention-lines.ts';
import type { CliCommand, CommandCall, ExitCode } from './command.ts';
import { exitCodeOfPlan } from './exit-code.ts';
import { withControl } from './open-control.ts';
import {
  blockerLines,
  cutToShown,
  heldLines,
  newTextLines,
  nextCommand,
  planTable,
  projectTable,
} from './plan-lines.ts';
import { planMarkdown, type UnreviewedTexts } from './plan-markdown.ts';
import { addScope, requirePaths, type ScopeOptions, scopeFrom } from './scope.ts';
import { addSince, type SinceOptions, withSince } from './since.ts';
import { soundTerminology } from './sound-terminology.ts';

interface PlanOptions extends ScopeOptions, SinceOptions {
  readonly format?: 'markdown';
}

export const command: CliCommand<PlanOptions> = {
  describe(command: Command) {
    addSince(addScope(command))
      .argument('[path...]', 'only these files or folders')
      .addOption(
        new Option('--format <form>', 'print the plan as a comment for a pull request')
          .choices(['markdown'])
          .conflicts('json'),
      )
      .addHelpText(
        'after',
        `
Examples:
  dragoman plan                        everything that "once" would do
  dragoman plan --language de docs     only German, only below docs
  dragoman plan --verbose              every file; without it, the ten rows that bill most
  dragoman plan --since origin/main    only what this branch adds
  dragoman plan --since origin/main --format markdown   for a comment of a pull request
  dragoman plan --json                 for scripts: jobs, skipped, estimated_characters`,
      );
  },
  async run(call: CommandCall<PlanOptions>) {
    const answer = async (control: Control, setup: SoundConfig): Promise<ExitCode> => {
      // A run would end with their faults.
      await soundTerminology(setup);
      const asked = scopeFrom(call, call.args, setup);
      const { scope, notes: uncompared } = await withSince(call, setup, asked);
      const first = await control.plan(scope);
      await requirePaths(call, control, { scope: asked, setup });
      const lacked = lackedLanguages(setup.config);
      if (mayBuy(first.jobs, setup)) await requireKnownLanguages(call, setup);
      // A language that the service lacks by its new answer is not bought and has no price.
      const isChanged = !isDeepStrictEqual(lackedLanguages(setup.config), lacked);
      const plan = isChanged ? await control.plan(scope) : first;
      const warnings = setup.warnings.map((fault) => faultLine(fault, setup.config.base));
      const report = { ...plan, notes: [...uncompared, ...plan.notes, ...warnings] };
      const { json, format, since } = call.options;
      if (json) call.terminal.json(report);
      else if (format === 'markdown') {
        const waiting = await waitingForReview(control, asked);
        call.terminal.out(planMarkdown(report, since, waiting).trimEnd());
      } else printPlan(report, call, standpointOf(call, setup));
      return exitCodeOfPlan(report);
    };
    return await withControl(call, answer, 'asks');
  },
};

async function waitingForReview(control: Control, scope: Scope): Promise<UnreviewedTexts[]> {
  const progress = await control.reviewProgress(scope);
  return progress
    .map(({ project, language, counts }) => ({ project, language, texts: counts.unreviewed }))
    .filter(({ texts }) => texts > 0);
}

/** Whether to ask the service about languages: when something may be bought. Without a lock, any job of a new checkout may buy. */
function mayBuy(jobs: readonly PlanLine[], { config }: SoundConfig): boolean {
  if (config.lock === undefined) return jobs.length > 0;
  return jobs.some(
    ({ estimated_characters, estimated_seconds = 0, at_least, would_fail }) =>
      estimated_characters + estimated_seconds > 0 || at_least || would_fail !== undefined,
  );
}

function printPlan(
  report: PlanReport,
  { terminal, options }: CommandCall<PlanOptions>,
  from: Standpoint,
): void {
  const rows = options.verbose === true ? 'all' : 'largest';
  const screen = { width: terminal.columns, rows } as const;
  for (const line of planTable(report.jobs, from, screen)) terminal.out(line);
  for (const line of projectTable(report, terminal.columns)) terminal.out(line);
  const listed = new Set(report.attention.map(({ reason }) => reason));
  const unlisted = report.jobs.filter(({ would_fail = '' }) => !listed.has(would_fail));
  for (const line of blockerLines(unlisted, from)) terminal.out(line);
  for (const line of newTextLines(report.new_texts, from)) terminal.out(line);
  printAttention(
    report.attention.map((line) => attentionLine(line, from)),
    terminal,
  );
  const held = heldLines(report.held, from);
  printAttention(held, terminal);
  if (report.held.length > held.length) {
    terminal.out(
      `and ${report.held.length - held.length} more; "dragoman status --all" lists them`,
    );
  }
  const skipped = report.skipped.filter(({ reason }) => !listed.has(reason));
  const skippedLines = skipped.map(({ path, reason }) =>
    oneLine(`skipped: ${seen(path, from)}: ${reason}`),
  );
  for (const line of cutToShown(
    skippedLines,
    (more) => `and ${more} more are skipped; --json lists them`,
  )) {
    terminal.out(line);
  }
  for (const { name, pair, difference } of report.drift) {
    terminal.out(`drift: ${[name, pair].filter(Boolean).join(' ')}: ${difference}`);
  }
  const isListed = (note: string) => skipped.some(({ reason }) => note.includes(`: ${reason}; `));
  for (const note of report.notes.filter((note) => !isListed(note))) terminal.note(note);
  terminal.out(summary(report, options.since));
  const next = options.since === undefined ? nextCommand(report) : undefined;
  if (next !== undefined) terminal.out(`Next: ${next}`);
}

/** The last line. @param since with a branch, files that it does not change are not mentioned */
function summary(report: PlanReport, since: string | undefined): string {
  const { jobs, unchanged, estimated_characters } = report;
  const upToDate = `${plural(unchanged, 'target')} ${unchanged === 1 ? 'is' : 'are'} up to date`;
  if (jobs.length === 0) {
    const open = openParts(report);
    if (open.length > 0) {
      const rest = since === undefined ? `; ${upToDate}` : ` since ${since}`;
      return `No job${rest}; ${open.join(', ')}.`;
    }
    return since === undefined ? `Nothing to do: ${upToDate}.` : `Nothing to do since ${since}.`;
  }
  const [held, bought] = [jobs.filter(isHeld), jobs.filter((job) => !isHeld(job))];
  const later = amountsOf(
    held.reduce((sum, job) => sum + job.estimated_characters, 0),
    secondsOf(held),
  );
  const waiting = later === '' ? '' : `, ${later} more when what is held is released`;
  const seconds = secondsOf(bought);
  const audio = seconds === 0 ? '' : ` and ${plural(seconds, 'second')} of audio`;
  const characters = plural(estimated_characters, 'character');
  const texts = textsNotBought(jobs);
  return `${plural(jobs.length, 'job')}, ${characters}${audio} to be billed${waiting}${texts}${since === undefined ? `; ${upToDate}` : ''}.`;
}

/** Everything that is open when there is no job to do: matters for people, new texts, and drift of glossaries and style lists. */
function openParts({ attention, held, new_texts, drift }: PlanReport): string[] {
  const texts = new_texts.reduce((sum, line) => sum + line.texts, 0);
  const names = new Set(drift.map(({ name }) => name)).size;
  return [
    ...countAttention([...attention, ...held]),
    ...(texts === 0 ? [] : [`${plural(texts, 'new text')} to be approved`]),
    ...(names === 0 ? [] : [`drift in ${names}`]),
  ];
}

/** Texts that are not bought: from memory, adopted, held or in conflict. */
function textsNotBought(jobs: readonly PlanLine[]): string {
  const sum = (of: (texts: NonNullable<PlanLine['texts']>) => number) =>
    jobs.reduce((all, { texts }) => all + (texts === undefined ? 0 : of(texts)), 0);
  const [adopted, held] = [sum((texts) => texts.adopted), sum((texts) => texts.held)];
  const conflicts = sum((texts) => texts.conflicts);
  const known = sum((texts) => texts.from_memory);
  return [
    ...(known === 0 ? [] : [`; ${plural(known, 'text')} from memory`]),
    ...(adopted === 0 ? [] : [`; ${plural(adopted, 'text')} adopted unchanged`]),
    ...(held === 0 ? [] : [`; ${plural(held, 'text')} held`]),
    ...(conflicts === 0 ? [] : [`; ${plural(conflicts, 'conflict')}`]),
  ].join('');
}

function isHeld({ would_hold }: PlanLine): boolean {
  return would_hold !== undefined;
}

function secondsOf(jobs: readonly PlanLine[]): number {
  return soundOf(jobs.map(({ estimated_seconds: length = 0, ...job }) => ({ ...job, length })));
}

function amountsOf(characters: number, seconds: number): string {
  return [
    ...(characters === 0 ? [] : [inEnglish(characters)]),
    ...(seconds === 0 ? [] : [`${plural(seconds, 'second')} of audio`]),
  ].join(' and ');
}
