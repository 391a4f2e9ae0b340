/** The options that every command takes. */
import type { Command } from 'commander';

export function addGlobalOptions(command: Command): Command {
  return command
    .option('--config <file>', 'config file (default: dragoman.yaml, searched upward)')
    .option('--json', 'print one JSON object and nothing else')
    .option('--no-input', 'never ask; refuse what needs a person')
    .option('--verbose', 'more detail, and stack traces');
}
