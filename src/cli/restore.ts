/** `dragoman restore FILE`: brings a file back from the trash. */
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { Trash } from '../trash.ts';
import { type CliCommand, CommandFailure, UsageError } from './command.ts';
import { openConfig } from './open-config.ts';

export const command: CliCommand = {
  describe(command: Command) {
    command.argument('<file>', 'where it stood').addHelpText(
      'after',
      `
Example:
  dragoman restore locales/de/app.json    the newest copy that went to the trash`,
    );
  },
  async run(call) {
    const [name] = call.args;
    if (name === undefined) throw new UsageError('name a file');
    const { config } = await openConfig(call);
    const file = resolve(call.cwd, name);
    const trash = new Trash(join(config.state, 'trash'), call.clock);
    for (const { name: project, root } of config.projects) {
      const path = relative(root, file);
      if (path.startsWith('..') || !(await trash.restore({ project, path }, root))) continue;
      if (call.options.json) call.terminal.json({ restored: file });
      else call.terminal.out(`restored ${name}`);
      return 0;
    }
    throw new CommandFailure(1, `the trash holds no ${name}`);
  },
};
