/** The page of all commands, made from what each command says of itself in its help. */
import { Command } from 'commander';
import { COMMANDS } from '../src/cli/commands.ts';
import { addGlobalOptions } from '../src/cli/global-options.ts';

const HEAD = `# All commands

Made from the help of the commands. Every command also takes the [options of all commands](#options-of-all-commands).

`;

export async function commandReference(): Promise<string> {
  const visible = Object.entries(COMMANDS).filter(([, { hidden }]) => hidden !== true);
  const parts = await Promise.all(
    visible.map(async ([name, { summary, load }]) => {
      const command = new Command(name);
      (await load()).describe(command);
      return commandPart(command, summary);
    }),
  );
  const general = rowsOf(addGlobalOptions(new Command()).options);
  return `${HEAD}${parts.join('\n')}\n## Options of all commands\n\n${table('option', general)}`;
}

function commandPart(command: Command, summary: string): string {
  const name = command.name();
  const values = command.registeredArguments.map((argument) => [
    argument.name(),
    argument.description,
  ]);
  return [
    `## ${name}`,
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    `\`\`\`sh\ndragoman ${name} ${command.usage()}\n\`\`\``,
    values.length === 0 ? '' : table('argument', values),
    command.options.length === 0 ? '' : table('option', rowsOf(command.options)),
    moreOf(command),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function rowsOf(options: Command['options']): string[][] {
  return options.map(({ flags, description, argChoices }) => [
    flags,
    argChoices === undefined ? description : `${description} (${argChoices.join(', ')})`,
  ]);
}

function table(head: string, rows: readonly (readonly string[])[]): string {
  const lines = rows.map(
    ([name = '', meaning = '']) =>
      `| \`${cell(name)}\` | ${cell(meaning).replaceAll('<', '&lt;')} |`,
  );
  return [`| ${head} | meaning |`, '| --- | --- |', ...lines, ''].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

/** What the help says behind its options: examples, and remarks. */
function moreOf(command: Command): string {
  let printed = '';
  command.configureOutput({ writeOut: (text) => (printed += text) });
  command.outputHelp();
  const more = printed.slice(command.helpInformation().length).trim();
  if (more === '') return '';
  return `\`\`\`text\n${more}\n\`\`\``;
}
