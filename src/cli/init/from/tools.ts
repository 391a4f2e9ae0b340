/** The tools whose configs `init --from` reads, by the names of the configs. Pure. */
import { importCrowdin } from './crowdin.ts';
import { importDeepl } from './deepl.ts';
import { importI18nTasks } from './i18n-tasks.ts';
import { type Imported, settingsIn } from './imported.ts';
import { importLingo } from './lingo.ts';
import { importPhrase } from './phrase.ts';
import { importTolgee } from './tolgee.ts';
import { importTransifex } from './transifex.ts';

export interface Tool {
  readonly name: string;
  /** Matches the path of the config. */
  readonly pattern: RegExp;
  /** The format of the file. */
  readonly language: 'YAML' | 'INI';
  /** Its paths start this many folders above the file. */
  readonly above: number;
  read(content: unknown): Imported;
}

export const TOOLS: readonly Tool[] = [
  {
    ...{ name: 'DeepL sync', pattern: /(?:^|\/)\.deepl-sync\.ya?ml$/, language: 'YAML', above: 0 },
    read: (content) => importDeepl(settingsIn(content)),
  },
  {
    ...{ name: 'lingo.dev', pattern: /(?:^|\/)i18n\.json$/, language: 'YAML', above: 0 },
    read: (content) => importLingo(settingsIn(content)),
  },
  {
    ...{
      name: 'Crowdin',
      pattern: /(?:^|\/)\.?crowdin[\w.-]*\.ya?ml$/,
      language: 'YAML',
      above: 0,
    },
    read: (content) => importCrowdin(settingsIn(content)),
  },
  {
    ...{
      name: 'i18n-tasks',
      pattern: /(?:^|\/)config\/i18n-tasks\.yml$/,
      language: 'YAML',
      above: 1,
    },
    read: (content) => importI18nTasks(settingsIn(content)),
  },
  {
    ...{
      name: 'Tolgee',
      pattern: /(?:^|\/)(?:\.config\/|\.)tolgeerc(?:\.json|\.ya?ml)?$/,
      language: 'YAML',
      above: 0,
    },
    read: (content) => importTolgee(settingsIn(content)),
  },
  {
    ...{ name: 'Phrase', pattern: /(?:^|\/)\.phrase(?:app)?\.ya?ml$/, language: 'YAML', above: 0 },
    read: (content) => importPhrase(settingsIn(content)),
  },
  {
    ...{ name: 'Transifex', pattern: /(?:^|\/)\.tx\/config$/, language: 'INI', above: 1 },
    read: (content) => importTransifex(typeof content === 'string' ? content : ''),
  },
];

/** The names of the configs, for messages. */
export const TOOL_FILES =
  '.deepl-sync.yaml, i18n.json, crowdin.yml, config/i18n-tasks.yml, .tolgeerc, .phrase.yml or .tx/config';
