/** `dragoman review`: lists translations that people should review, records their marks, writes files for translators and reads them back. */

import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { oneLine } from '../config/one-line.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Control } from '../control/control.ts';
import type { ReviewFile, ReviewReport } from '../control/review-report.ts';
import { EXCHANGE_NAMES } from '../formats/exchange/exchange.ts';
import { plural } from '../language.ts';
import { REVIEW_STATES } from '../segments/review.ts';
import { userName } from '../state/edit-log.ts';
import { seen, standpointOf } from './attention-lines.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type ExitCode,
  UsageError,
} from './command.ts';
import { withControl } from './open-control.ts';
import { chosenTexts } from './review/chosen.ts';
import { exportTexts } from './review/export.ts';
import { importTexts } from './review/import.ts';
import { link } from './review/link.ts';
import { type ReviewOptions, refuseForeignOptions, requireLock } from './review/options.ts';
import { countLine } from './review-lines.ts';
import { addScope, scopeFrom } from './scope.ts';

export const command: CliCommand<ReviewOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('<action>', 'list, mark, export, import or link')
      .argument('[file...]', 'files or folders; for mark a file and a key; for link a name')
      .option(
        '--only <states>',
        `one or more of ${REVIEW_STATES.join(', ')}; with --since also changed (list, export)`,
        splitNames,
      )
      .option('--since <ref>', 'texts whose source changed since this commit (list, export)')
      .addOption(
        new Option('--format <form>', 'format of the file (export)').choices(EXCHANGE_NAMES),
      )
      .option('-o, --output <file>', 'the file to write (export)')
      .option('--force', 'replace an existing file (export)')
      .addOption(
        new Option('--as <word>', 'the state of all texts of the file (import)').choices([
          'human',
          'reviewed',
        ]),
      )
      .option('--dry-run', 'only show what would be done (import)')
      .option('--expires <time>', 'how long the link is valid: 12h, 30d (link)')
      .option('--revoke', 'end the links of that name now (link)')
      .option('--reviewed', 'a person has reviewed it (mark)')
      .option('--wanted', 'a person should review it (mark)')
      .addHelpText(
        'after',
        `
The lock of the team records reviews. Nothing is bought or sent.

Examples:
  dragoman review list --language de                            texts that need a reviewer
  dragoman review list --only unreviewed locales/de
  dragoman review list --only changed --since main              texts whose source this branch changed
  dragoman review mark locales/de/app.json --reviewed           all of a file
  dragoman review mark locales/de/app.json nav.home --reviewed  one text
  dragoman review mark locales/en/app.json --wanted             a source: in all languages
  dragoman review export --language de -o de.xlf                for an agency
  dragoman review export --language de --only changed --since main --format xlsx -o de.xlsx
  dragoman review import de.xlf --dry-run                       show the result, write nothing
  dragoman review import de.xlf                                 write the texts into the targets
  dragoman review link anna --expires 30d                       a link to review the languages that page.reviewers gives anna
  dragoman review link                                          list the valid links
  dragoman review link anna --revoke                            end her links, also where the page is open

import ends with 2 when a text waits for a person: it was changed on both sides, or its source changed since the export.
It ends with 1 when a row was refused.`,
      );
  },
  async run(call: CommandCall<ReviewOptions>) {
    const [action, ...rest] = call.args;
    refuseForeignOptions(action, call.options);
    switch (action) {
      case 'list':
        return await listReview(call, rest);
      case 'mark':
        return await mark(call, rest);
      case 'export':
        return await exportTexts(call, rest);
      case 'import':
        return await importTexts(call, rest);
      case 'link':
        return await link(call, rest);
      default:
        throw new UsageError(
          `the action is list, mark, export, import or link, not ${action ?? 'nothing'}`,
        );
    }
  },
};

function splitNames(value: string): string[] {
  return value.split(',').map((name) => name.trim());
}

/** `dragoman review list`: the texts that need a reviewer, one line each. */
async function listReview(
  call: CommandCall<ReviewOptions>,
  paths: readonly string[],
): Promise<ExitCode> {
  const answer = async (control: Control, setup: SoundConfig): Promise<ExitCode> => {
    const report = await chosenTexts(call, { control, setup, paths });
    if (call.options.json === true) call.terminal.json(withoutChecks(report));
    else printReview(call, report, standpointOf(call, setup));
    return report.unreadable.length > 0 ? 1 : 0;
  };
  return await withControl(call, answer, 'asks');
}

/** Only the page needs `check`. */
function withoutChecks(report: ReviewReport) {
  const files = report.files.map((file) => ({
    ...file,
    texts: file.texts.map(({ check: _, ...text }) => text),
  }));
  return { ...report, files };
}

function printReview(
  { terminal }: CommandCall<ReviewOptions>,
  { files, counts, unreadable }: ReviewReport,
  from: ReturnType<typeof standpointOf>,
): void {
  for (const file of files)
    for (const line of fileLines(file, seen(file.target, from))) terminal.out(line);
  for (const { file, reason } of unreadable) terminal.note(`${seen(file, from)}: ${reason}`);
  terminal.out(countLine(counts));
}

function fileLines({ texts }: ReviewFile, name: string): string[] {
  return texts.map(({ state, key, source, target }) => {
    const to = target === null || target === '' ? '' : ` -> ${target}`;
    return oneLine(`${name} ${key === '' ? '' : `${key} `}(${state}): ${source}${to}`);
  });
}

/** `dragoman review mark`: marks translations as reviewed, or as wanted for review. */
async function mark(
  call: CommandCall<ReviewOptions>,
  [name, key]: readonly string[],
): Promise<ExitCode> {
  const { reviewed = false, wanted = false, project, language } = call.options;
  if (reviewed === wanted) throw new UsageError('add one of --reviewed, --wanted');
  if (name === undefined) throw new UsageError('name a file');
  const file = resolve(call.cwd, name);
  return await withControl(call, async (control, setup) => {
    scopeFrom(call, [name], setup);
    const report = await control.reviewMark({
      ...{ file, projects: project, languages: language, by: userName() },
      ...(key === undefined ? {} : { key }),
      mark: reviewed ? 'reviewed' : 'wanted',
    });
    requireLock(report);
    const { marked, unchanged, refused } = report;
    const from = standpointOf(call, setup);
    if (call.options.json === true) call.terminal.json(report);
    else {
      for (const { file: target, key: text, reason } of refused) {
        call.terminal.note(oneLine(`${seen(target, from)} ${text}: ${reason}`));
      }
      const had = unchanged === 0 ? '' : `, ${unchanged} had the mark already`;
      call.terminal.out(`${plural(marked.length, 'text')} marked${had}.`);
    }
    if (marked.length + unchanged + refused.length === 0) {
      const nearest = report.missing_key?.nearest ?? null;
      const hint = nearest === null ? '' : `; did you mean "${nearest}"?`;
      const named = key === undefined ? '' : ` named ${key}${hint}`;
      throw new CommandFailure(1, `no translated text in ${name}${named}`);
    }
    return refused.length > 0 && key !== undefined ? 1 : 0;
  });
}
