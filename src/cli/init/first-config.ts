/** The text of a first `dragoman.yaml`, with what `init` found and was told. Pure. */
import type { LanguageTag } from '../../language.ts';
import type { FoundRoute } from './layouts.ts';

export interface FirstConfig {
  readonly name: string;
  readonly url: string;
  readonly source: LanguageTag;
  readonly targets: readonly LanguageTag[];
  readonly spellings: ReadonlyMap<LanguageTag, string>;
  readonly routes: readonly FoundRoute[];
  /** Folder of the lock; absent outside of a git work tree. */
  readonly lock?: string;
}

export function firstConfigText(config: FirstConfig): string {
  const { name, url, source, targets, spellings, routes, lock } = config;
  const spelled = [...spellings].filter(([tag]) => tag === source || targets.includes(tag));
  const locales = spelled.map(([tag, file]) => `${tag}: { file: ${quote(file)} }`).join(', ');
  return `# yaml-language-server: $schema=./node_modules/dragoman/config/dragoman.schema.json
# "dragoman check" validates this file, "dragoman plan" says what it would cost, "dragoman run" does it.
version: 1

service:
  url: ${quote(url)}
  key: { env: DRAGOMAN_KEY }       # or { file: PATH } or { credential: NAME }; never the key itself

${lock === undefined ? '' : lockLines(lock)}# What may be billed, in characters; more is held until "dragoman approve".
# budget: { month: 2000000, run: 200000, file: 60000 }

projects:
  ${name}:
    source: ${source}
    targets: [${targets.join(', ')}]
${locales === '' ? '' : `    locales: { ${locales} }\n`}    routes:
${routes.map(routeLine).join('\n')}
`;
}

function lockLines(lock: string): string {
  return `# What the team knows of every translation: commit it with them.
lock: ${lock}

`;
}

function routeLine({ layout, route }: FoundRoute): string {
  const settings = Object.entries(route).map(([setting, value]) => `${setting}: ${quote(value)}`);
  return `      - { ${settings.join(', ')} }   # ${layout}`;
}

// JSON's strings are YAML's double-quoted ones; a dollar sign is doubled, so that no variable is looked up.
function quote(text: string): string {
  return JSON.stringify(text.replaceAll('${', '$${'));
}
