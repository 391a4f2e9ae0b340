/** The table of commands. Each module is imported only when its command runs, so that `--help` starts fast. */
import type { CommandEntry } from './command.ts';

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'look at the folder, ask, and write dragoman.yaml',
    load: async () => (await import('./init.ts')).command,
  },
  schema: {
    summary: 'write the schema of the config for editors, with names of this repository',
    load: async () => (await import('./schema.ts')).command,
  },
  check: {
    summary: 'check config, folders and existing translations',
    load: async () => (await import('./check.ts')).command,
  },
  plan: {
    summary: 'dry run: show what would be done, and what it would bill',
    load: async () => (await import('./plan.ts')).command,
  },
  once: {
    summary: 'bring everything up to date, then end',
    load: async () => (await import('./once.ts')).command,
  },
  run: {
    summary: 'start the daemon: watch and translate',
    load: async () => (await import('./run.ts')).command,
  },
  status: {
    summary: 'show what is happening, what needs you, what it costs',
    load: async () => (await import('./status.ts')).command,
  },
  lock: {
    summary: 'bring the lock of the team up to date, without paid requests',
    load: async () => (await import('./lock.ts')).command,
  },
  review: {
    summary: 'list translations for people to review, and take their answers in',
    load: async () => (await import('./review.ts')).command,
  },
  explain: {
    summary: 'show where a file or a text comes from',
    load: async () => (await import('./explain.ts')).command,
  },
  retry: {
    summary: 'try failed and held jobs again',
    load: async () => (await import('./retry.ts')).command,
  },
  approve: {
    summary: 'release jobs that wait for approval',
    load: async () => (await import('./approve.ts')).command,
  },
  resolve: {
    summary: "choose between a person's text and the machine's",
    load: async () => (await import('./resolve.ts')).command,
  },
  undo: {
    summary: 'put files back as they were before a run',
    load: async () => (await import('./undo.ts')).command,
  },
  state: {
    summary: 'make, fill, show or clean the database that a team shares',
    load: async () => (await import('./state.ts')).command,
  },
  glossary: {
    summary: 'compare glossary files with the service, push or pull them',
    load: async () => (await import('./glossary.ts')).command,
  },
  style: {
    summary: 'compare style files with the service, push or list them',
    load: async () => (await import('./style.ts')).command,
  },
  usage: {
    summary: "show dragoman's own figures beside those of the account",
    load: async () => (await import('./usage.ts')).command,
  },
  dashboard: {
    summary: "open the running daemon's page",
    load: async () => (await import('./dashboard.ts')).command,
  },
  pause: {
    summary: 'stop paid work of the running daemon',
    load: async () => (await import('./pause.ts')).command,
  },
  resume: {
    summary: 'start paid work of the running daemon again',
    load: async () => (await import('./resume.ts')).command,
  },
  restore: {
    summary: 'bring a file back from the trash',
    load: async () => (await import('./restore.ts')).command,
  },
  doctor: {
    summary: 'check that the machine, the key and the state are ready',
    load: async () => (await import('./doctor.ts')).command,
  },
  memory: {
    summary: 'export and import paid translations as TMX',
    load: async () => (await import('./memory.ts')).command,
  },
  service: {
    summary: 'install or remove the systemd unit of this config',
    load: async () => (await import('./service.ts')).command,
  },
  completion: {
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionOf(COMMANDS),
  },
  sandbox: {
    summary: 'start a local server of the API: no key, no costs',
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
    summary: 'detect the language of texts',
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
  quickstart: {
    summary: 'run the bundled example against the embedded sandbox',
    hidden: true,
    load: async () => (await import('./quickstart.ts')).command,
  },
};
