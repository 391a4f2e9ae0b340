/** `dragoman languages`: which languages and features the service has, per resource. */
import { type Command, Option } from 'commander';
import { keptLanguages } from '../config/load-languages.ts';
import { LANGUAGE_RESOURCES, type LanguageResourceName } from '../language.ts';
import type { Language, LanguageQuery } from '../service/languages.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type GlobalOptions,
} from './command.ts';
import { openServiceConfig } from './open-config.ts';
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
          .choices(LANGUAGE_RESOURCES)
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
  dragoman languages                      languages of text translation
  dragoman languages --resource glossary  any source with any target can be a pair
  dragoman languages --include beta --json`,
      );
  },
  async run(call: CommandCall<LanguagesOptions>) {
    const { resource, include, json } = call.options;
    const query: LanguageQuery = { resource, include };
    const languages = await listed(call, query);
    if (json) call.terminal.json({ resource, languages });
    else
      for (const line of table(COLUMNS, languages, call.terminal.columns)) call.terminal.out(line);
    return 0;
  },
};

/** The languages from the service; when it cannot be reached, from its last answer, with a note about the day. */
async function listed(
  call: CommandCall<LanguagesOptions>,
  query: LanguageQuery,
): Promise<readonly Language[]> {
  try {
    return await withService(call, (service, options) => service.languages.list(query, options));
  } catch (error) {
    const { config } = await openServiceConfig(call);
    const kept = keptLanguages({ url: config.service.url, state: config.state });
    const languages = kept?.resources[query.resource];
    if (!(error instanceof CommandFailure) || error.exitCode !== 69 || languages === undefined)
      throw error;
    call.terminal.note(
      `the service cannot be reached; this is its answer of ${kept?.asked.slice(0, 10)}`,
    );
    return languages;
  }
}

const COLUMNS: readonly Column<Language>[] = [
  { title: 'code', text: ({ lang }) => lang },
  { title: 'name', shrink: true, text: ({ name }) => name },
  { title: 'source', text: ({ usable_as_source }) => (usable_as_source ? 'yes' : 'no') },
  { title: 'target', text: ({ usable_as_target }) => (usable_as_target ? 'yes' : 'no') },
  { title: 'status', text: ({ status }) => status },
  { title: 'features', shrink: true, text: ({ features }) => Object.keys(features).join(', ') },
];
