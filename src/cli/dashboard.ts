/** `dragoman dashboard`: opens the running daemon's page in a browser; without a terminal it prints the address. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import type { Clock } from '../clock.ts';
import { type CliCommand, CommandFailure } from './command.ts';
import { requireDaemon } from './open-control.ts';

export const command: CliCommand = {
  describe(command: Command) {
    command.addHelpText(
      'after',
      `
Examples:
  dragoman dashboard               opens the browser
  dragoman dashboard --no-input    prints the address; everyone who has it can see and do everything`,
    );
  },
  async run({ options, terminal, ...call }) {
    const control = await requireDaemon({ options, terminal, ...call });
    const { page: visit, address: page } = await control.visit();
    if (page === null || visit === null) {
      throw new CommandFailure(
        69,
        'the running daemon serves no page: its config says "page: false"',
      );
    }
    if (options.json) terminal.json({ page });
    else if (!terminal.interactive || !(await opened(visit, call.clock))) terminal.out(page);
    else terminal.note('The page opens in your browser.');
    return 0;
  },
};

/** Milliseconds to wait for the program that opens the page: some systems keep it until the browser is closed. */
const OPENING_MS = 10_000;

/** @returns whether a browser was found */
async function opened(address: string, clock: Clock): Promise<boolean> {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  const over = new AbortController();
  const stillOpen = clock.sleep(OPENING_MS, over.signal).then(() => true);
  const ended = once(child, 'exit').then(
    ([code]) => code === 0,
    () => false,
  );
  try {
    return await Promise.race([ended, stillOpen]);
  } finally {
    child.unref();
    stillOpen.catch(() => {});
    over.abort();
  }
}
