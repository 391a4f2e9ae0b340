/** The texts that a command was given: its arguments, where `-` is all of standard input. */
import { type Call, UsageError } from './command.ts';

/** @throws UsageError when there is none */
export async function readTexts({ args, terminal }: Call): Promise<readonly string[]> {
  if (args.length === 0) throw new UsageError('give a text, or - to read standard input');
  return await Promise.all(args.map((arg) => (arg === '-' ? readInput(terminal) : arg)));
}

/** Without the line end that a pipe leaves behind the text: it would be billed. */
async function readInput(terminal: Call['terminal']): Promise<string> {
  return (await terminal.readInput()).replace(/\r?\n$/, '');
}

/** Cuts a list into parts of at most `size` items. */
export function inGroups<T>(items: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let start = 0; start < items.length; start += size) {
    groups.push(items.slice(start, start + size));
  }
  return groups;
}
