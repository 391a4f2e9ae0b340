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
  translate: {
    summary: 'translate texts or one document, for scripts',
    load: async () => (await import('./translate.ts')).command,
  },
  improve: {
    summary: 'correct and restyle texts in their own language',
    load: async () => (await import('./improve.ts')).command,
  },
  detect: {
    summary: 'tell the language of texts',
    load: async () => (await import('./detect.ts')).command,
  },
  languages: {
    summary: 'list the languages and features of the service',
    load: async () => (await import('./languages.ts')).command,
  },
  keys: {
    summary: 'list, make, limit and deactivate developer keys',
    load: async () => (await import('./keys.ts')).command,
  },
  analytics: {
    summary: 'show what the keys of the organization used',
    load: async () => (await import('./analytics.ts')).command,
  },
};
