/** The table of commands: one lazily imported module each, so that `--help` starts fast. */
import type { CliCommand } from './command.ts';

export interface CommandEntry {
  readonly summary: string;
  readonly hidden?: true;
  load(): Promise<CliCommand<never>>;
}

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  sandbox: {
    summary: 'start the local API server: everything runs without key or money',
    load: async () => (await import('./sandbox.ts')).command,
  },
};
