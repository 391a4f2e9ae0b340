/** The texts that a command was given: its arguments, where `-` is all of standard input. */
import { encodedTextSize } from '../service/text-request.ts';
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

/** What one request may hold. */
export interface Room {
  readonly texts: number;
  /** Bytes of JSON that are left for texts; absent where the API document names no limit. */
  readonly bytes?: number;
}

/** Spreads texts over requests, in their order. A text that is too long for any stands alone, and is the service's to refuse. */
export function inGroups(texts: readonly string[], room: Room): string[][] {
  const { bytes: most = Number.POSITIVE_INFINITY } = room;
  const groups: string[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = encodedTextSize(text);
    const group = groups.at(-1);
    if (group !== undefined && group.length < room.texts && bytes + size <= most) {
      group.push(text);
      bytes += size;
    } else {
      groups.push([text]);
      bytes = size;
    }
  }
  return groups;
}
