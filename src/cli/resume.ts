/** `dragoman resume`: the running daemon starts paid work again, also after a refused key or a used-up quota. */
import type { CliCommand } from './command.ts';
import { requireDaemon } from './open-control.ts';

export const command: CliCommand = {
  describe() {},
  async run(call) {
    const daemon = await requireDaemon(call);
    await daemon.resume();
    call.terminal.out('paid work resumes');
    return 0;
  },
};
