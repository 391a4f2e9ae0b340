/** `dragoman pause`: the running daemon stops paid work; files are still watched. */
import type { CliCommand } from './command.ts';
import { requireDaemon } from './open-control.ts';

export const command: CliCommand = {
  describe() {},
  async run(call) {
    const daemon = await requireDaemon(call);
    await daemon.pause();
    call.terminal.out('paused: nothing is bought until "dragoman resume"');
    return 0;
  },
};
