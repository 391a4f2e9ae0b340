/** `dragoman review`: which translations a person is to look at, the files that go to translators, and what they said. */
import { type Command, Option } from 'commander';
import { EXCHANGE_NAMES } from '../formats/exchange/exchange.ts';
import { REVIEW_STATES } from '../segments/review.ts';
import { type Call, type CliCommand, UsageError } from './command.ts';
import { exportTexts } from './review/export.ts';
import { importTexts } from './review/import.ts';
import { list } from './review/list.ts';
import { mark } from './review/mark.ts';
import type { ReviewOptions } from './review/options.ts';
import { addScope } from './scope.ts';

export const command: CliCommand<ReviewOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('<action>', 'list, mark, export or import')
      .argument('[file...]', 'files or folders; for mark a file, and a key')
      .option(
        '--only <states>',
        `of ${REVIEW_STATES.join(', ')}, and changed with --since (list, export)`,
        listed,
      )
      .option('--since <ref>', 'texts whose source changed since this commit (export)')
      .addOption(new Option('--format <form>', 'of the file (export)').choices(EXCHANGE_NAMES))
      .option('-o, --output <file>', 'the file to be written (export)')
      .option('--force', 'replace that file (export)')
      .addOption(
        new Option('--as <word>', 'what all texts of the file are (import)').choices([
          'human',
          'reviewed',
        ]),
      )
      .option('--dry-run', 'only say what would be done (import)')
      .option('--reviewed', 'a person has looked at it (mark)')
      .option('--wanted', 'a person is to look at it (mark)')
      .addHelpText(
        'after',
        `
What was reviewed stands in the lock of the team. Nothing is bought or sent.

Examples:
  dragoman review list --language de                            what needs a person
  dragoman review list --only unreviewed locales/de
  dragoman review mark locales/de/app.json --reviewed           all of a file
  dragoman review mark locales/de/app.json nav.home --reviewed  one text
  dragoman review mark locales/en/app.json --wanted             a source: in all languages
  dragoman review export --language de -o de.xlf                for an agency
  dragoman review export --language de --only changed --since main --format xlsx -o de.xlsx
  dragoman review import de.xlf --dry-run                       what would become of it
  dragoman review import de.xlf                                 put it in place

import ends with 2 when something waits for a person: a text that was changed on both sides, or whose source changed
since the export; with 1 when a row was refused.`,
      );
  },
  async run(call: Call<ReviewOptions>) {
    const [action, ...rest] = call.args;
    switch (action) {
      case 'list':
        return await list(call, rest);
      case 'mark':
        return await mark(call, rest);
      case 'export':
        return await exportTexts(call, rest);
      case 'import':
        return await importTexts(call, rest);
      default:
        throw new UsageError(
          `review does list, mark, export or import, not ${action ?? 'nothing'}`,
        );
    }
  },
};

function listed(value: string): string[] {
  return value.split(',').map((name) => name.trim());
}
