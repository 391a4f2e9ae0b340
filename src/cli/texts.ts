/** The texts of a command: its arguments; `-` stands for all of standard input. */
import { PartialFailure } from '../service/parts.ts';
import { type CommandCall, UsageError } from './command.ts';

/** @returns one text for each argument @throws UsageError when there is none */
export async function textsToTranslate({
  args,
  terminal,
}: CommandCall): Promise<readonly string[]> {
  if (args.length === 0) throw new UsageError('give a text, or - to read standard input');
  return await Promise.all(args.map((arg) => (arg === '-' ? readInput(terminal) : arg)));
}

/** Standard input without the line end that a pipe adds, which would be billed. */
async function readInput(terminal: CommandCall['terminal']): Promise<string> {
  return (await terminal.readInput()).replace(/\r?\n$/, '');
}

/** Shows the result of a paid call; when it failed after a part was paid, shows that part. */
export async function showingAll<T>(call: Promise<T>, show: (bought: T) => void): Promise<T> {
  try {
    const bought = await call;
    show(bought);
    return bought;
  } catch (error) {
    if (error instanceof PartialFailure) show(error.done as T);
    throw error;
  }
}
