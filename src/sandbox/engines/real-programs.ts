/** Runs the programs of the real engine to their end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** The programs that this machine does not have. */
export async function missingPrograms(names: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(names.map((name) => isInstalled(name)));
  return names.filter((_, index) => !found[index]);
}

async function isInstalled(name: string): Promise<boolean> {
  const shell = spawn('sh', ['-c', 'command -v "$1"', 'sh', name], { stdio: 'ignore' });
  const [code] = await once(shell, 'close');
  return code === 0;
}

/** The standard output of a program. @throws Error when it ends with another code than 0 */
export async function run(
  name: string,
  args: readonly string[],
  input?: string | Uint8Array,
): Promise<Buffer> {
  const program = spawn(name, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(program, 'close');
  feed(program.stdin, input);
  const [output, [code]] = await Promise.all([buffer(program.stdout), ended]);
  if (code !== 0) throw new Error(`${name} failed with code ${code}`);
  return output;
}

/** A program may end before it has read everything; its exit code is the result. */
function feed(stdin: Writable, input: string | Uint8Array | undefined): void {
  stdin.on('error', () => stdin.destroy());
  stdin.end(input ?? '');
}
