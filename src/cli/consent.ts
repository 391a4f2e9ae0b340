/** The one place where a command asks a person before it buys, replaces or takes away something. */
import { type CommandCall, CommandFailure, type GlobalOptions } from './command.ts';

interface Asked {
  readonly question: string;
  /** What is left as it is without a yes: "Nothing was changed". */
  readonly otherwise: string;
}

/**
 * Asks, unless `--yes` was given. Where nobody can answer, or a script reads the output, that is a no.
 * @throws CommandFailure 2, so that `--json` prints an object too
 */
export async function requireYes(
  { options, terminal }: CommandCall<GlobalOptions & { readonly yes?: boolean }>,
  { question, otherwise }: Asked,
): Promise<void> {
  if (options.yes === true) return;
  if (options.json !== true && (await terminal.confirm(question))) return;
  throw new CommandFailure(2, `${otherwise}. Add --yes to do it without a question.`);
}
