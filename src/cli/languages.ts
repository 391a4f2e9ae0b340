/** `dragoman languages`: which languages and features the service has, per resource. */
import { type Command, Option } from 'commander';
import type { Language, LanguageQuery, LanguageResourceName } from '../service/languages.ts';
import type { Call, CliCommand, GlobalOptions } from './command.ts';
import { withService } from './open-service.ts';
import { type Column, table } from './table.ts';

interface LanguagesOptions extends GlobalOptions {
  readonly resource: LanguageResourceName;
  readonly include: readonly ('beta' | 'external')[];
}

export const command: CliCommand<LanguagesOptions> = {
  describe(command: Command) {
    command
      .addOption(
        new Option('--resource <resource>', 'what the languages are for')
          .choices(['translate_text', 'translate_document', 'glossary', 'voice', 'write'])
          .default('translate_text'),
      )
      .addOption(
        new Option('--include <kind...>', 'also languages and features that are not stable')
          .choices(['beta', 'external'])
          .default([]),
      )
      .addHelpText(
        'after',
        `
Examples:
  dragoman languages                      for translating texts
  dragoman languages --resource glossary  any source with any target may have a dictionary
  dragoman languages --include beta --json`,
      );
  },
  async run(call: Call<LanguagesOptions>) {
    const { resource, include, json } = call.options;
    const query: LanguageQuery = { resource, include };
    const languages = await withService(call, (service, options) =>
      service.languages.list(query, options),
    );
    if (json) call.terminal.json({ resource, languages });
    else
      for (const line of table(COLUMNS, languages, call.terminal.columns)) call.terminal.out(line);
    return 0;
  },
};

const COLUMNS: readonly Column<Language>[] = [
  { title: 'code', text: ({ lang }) => lang },
  { title: 'name', shrink: true, text: ({ name }) => name },
  { title: 'source', text: ({ usable_as_source }) => (usable_as_source ? 'yes' : 'no') },
  { title: 'target', text: ({ usable_as_target }) => (usable_as_target ? 'yes' : 'no') },
  { title: 'status', text: ({ status }) => status },
  { title: 'features', shrink: true, text: ({ features }) => Object.keys(features).join(', ') },
];
