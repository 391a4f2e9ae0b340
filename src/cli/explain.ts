/** `dragoman explain FILE [KEY]`: the route, lane and rules of a file; for a target also the time, recipe and price, and who wrote a text. */

import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { oneLine } from '../config/one-line.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Control } from '../control/control.ts';
import { recordsFor } from '../control/explain.ts';
import type { ExplainedJob, ExplainReport } from '../control/explain-report.ts';
import { describeReport } from '../formats/captions/report.ts';
import { inEnglish } from '../language.ts';
import { shownFrom } from '../routes/shown-paths.ts';
import { type CliCommand, type CommandCall, type GlobalOptions, UsageError } from './command.ts';
import { withControl } from './open-control.ts';

interface ExplainOptions extends GlobalOptions {
  readonly at?: string;
}

export const command: CliCommand<ExplainOptions> = {
  describe(command: Command) {
    command
      .argument('[file]', 'a source or a target')
      .argument('[key]', 'one segment of it')
      .option('--at <place>', 'FILE:LINE, the text at that line')
      .addHelpText(
        'after',
        `
Examples:
  dragoman explain locales/en/app.json            where it goes, and by which rules
  dragoman explain locales/de/app.json nav.home   who wrote this text, and from which source
  dragoman explain --at docs/de/guide.md:12       the same for the text at a line, for editors`,
      );
  },
  async run(call: CommandCall<ExplainOptions>) {
    const { file, key, line } = askedOf(call);
    const at = line === undefined ? key : { line };
    const path = resolve(call.cwd, file);
    const asked = (control: Control) => control.explain(path, at);
    const needs = (setup: SoundConfig) => recordsFor(setup, path, at);
    const report = await withControl(call, asked, needs);
    // A missing file may still have a job, for example a target that somebody deleted.
    if (!existsSync(report.file) && (report.jobs ?? []).length === 0) {
      throw new UsageError(`${file} does not exist, and no job has written it`);
    }
    if (report.missing_key !== undefined) {
      const { nearest } = report.missing_key;
      const hint = nearest === null ? '' : `; did you mean "${nearest}"?`;
      throw new UsageError(`${file} has no key "${key}"${hint}`);
    }
    if (report.missing_text !== undefined || (line !== undefined && !report.segment)) {
      const { nearest = null } = report.missing_text ?? {};
      const hint = nearest === null ? '' : `; the nearest one is at line ${nearest}`;
      const reason = report.kind === 'skipped' ? `: ${report.reason ?? 'it is skipped'}` : hint;
      throw new UsageError(`dragoman knows no text at ${file}:${line}${reason}`);
    }
    if (call.options.json) call.terminal.json(report);
    else printExplained(report, call);
    return 0;
  },
};

interface ExplainArguments {
  readonly file: string;
  readonly key?: string | undefined;
  readonly line?: number | undefined;
}

function askedOf({
  args: [file, key],
  options: { at },
}: CommandCall<ExplainOptions>): ExplainArguments {
  if (at === undefined) {
    if (file === undefined) throw new UsageError('name a file');
    return { file, key };
  }
  if (file !== undefined) throw new UsageError('give either a file or --at FILE:LINE');
  // Editors and compilers add the column.
  const [, path, line] = /^(.+?):(\d+)(?::\d+)?$/s.exec(at) ?? [];
  const number = Number(line);
  if (path === undefined || number < 1) {
    throw new UsageError(`--at needs FILE:LINE, for example docs/de/guide.md:12, not "${at}"`);
  }
  return { file: path, line: number };
}

function printExplained(report: ExplainReport, { terminal, cwd }: CommandCall): void {
  const line = (name: string, value: string | undefined | null) => {
    if (value !== undefined && value !== null) terminal.out(`${name.padEnd(9)} ${value}`);
  };
  terminal.out(oneLine(relative(cwd, report.file)));
  line('is', report.kind === 'skipped' ? `skipped: ${report.reason ?? ''}` : `a ${report.kind}`);
  line('project', report.project);
  line('route', report.route);
  line('lane', report.lane);
  for (const [name, value] of Object.entries(report.rules ?? {})) line(name, value);
  for (const job of report.jobs ?? []) {
    const state = shownFrom({ cwd }, job.state);
    terminal.out(oneLine(`${job.language}: ${relative(cwd, job.target)}: ${state}`));
    line('  at', job.delivered_at);
    line('  recipe', job.recipe);
    line('  billed', billedFor(job));
    for (const { runner, at } of job.bought_by ?? []) line('  bought', `by ${runner}, ${at}`);
    if (job.subtitles !== undefined) line('  cues', describeReport(job.subtitles));
  }
  const { segment } = report;
  if (segment === undefined) return;
  const language = segment.language === '' ? '' : ` (${segment.language})`;
  terminal.out(oneLine(`${segment.key}${language}`));
  line('source', segment.source);
  line('target', segment.target);
  const { edited } = segment;
  const person = edited === undefined ? '' : ` (${edited.by}, ${edited.at}, ${edited.how})`;
  line('by', `${segment.origin}${person}`);
  const { bought_by } = segment;
  if (bought_by !== undefined) line('bought', `by ${bought_by.runner}, ${bought_by.at}`);
  line('state', segment.state);
  line('also', report.also_there?.join(', '));
}

/** Seconds of audio for a recording. The first language pays the upload; the others use the same one. */
function billedFor({ billed_characters, voice_seconds }: ExplainedJob): string {
  return voice_seconds === undefined
    ? `${inEnglish(billed_characters)} characters`
    : `${inEnglish(Math.ceil(voice_seconds))} seconds of audio`;
}
