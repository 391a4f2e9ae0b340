/** The text of a first `dragoman.yaml`, from the proposal and the answers. Pure. */
import type { FoundRoute, ProposedProject, SuggestedRoute } from './proposal.ts';

export interface FirstConfig {
  readonly url: string;
  readonly projects: readonly ProposedProject[];
  readonly suggestions: readonly PricedSuggestion[];
  readonly notes: readonly string[];
  /** Characters that a run may bill. */
  readonly budget?: number;
  /** Whether the package is installed in the folder, so that editors find the schema there. */
  readonly isInstalled?: boolean;
  /** Folder of the lock; absent outside of a git work tree. */
  readonly lock?: string;
}

export interface PricedSuggestion extends SuggestedRoute {
  /** The costs in words. */
  readonly price: string;
}

/** The address of a first config without `--url`: that of a sandbox on port 8080. */
export const SANDBOX_URL = 'http://127.0.0.1:8080';

export function firstConfigText(config: FirstConfig): string {
  const { url, projects, suggestions, notes, lock, budget, isInstalled } = config;
  return `${isInstalled === true ? INSTALLED_SCHEMA : OWN_SCHEMA}
# "dragoman check" validates this file, "dragoman plan" says what it would cost, "dragoman run" does it.
version: 1

service:
  url: ${quote(url)}
  key: { env: DRAGOMAN_KEY }       # or { file: PATH } or { credential: NAME }; never the key itself

${lock === undefined ? '' : lockLines(lock)}# What may be billed, in characters; more is held until "dragoman approve".
${budget === undefined ? '# budget: { month: 2000000, run: 200000, file: 60000 }' : `budget: { run: ${budget} }`}

${notes.map((note) => `# ${oneLine(note)}\n`).join('')}projects:
${projects.map((project, index) => projectLines(project, index === 0 ? suggestions : [])).join('\n')}`;
}

const INSTALLED_SCHEMA =
  '# yaml-language-server: $schema=./node_modules/dragoman/config/dragoman.schema.json';
/** Editors report a fault for a path to a missing file, so this is a comment. */
const OWN_SCHEMA = `# Editors complete this file with a schema of this repository: dragoman schema > dragoman.schema.json
# and here, as the first line:  yaml-language-server: $schema=./dragoman.schema.json`;

function lockLines(lock: string): string {
  return `# The lock records the state of every translation: commit it with the translations.
lock: ${lock}

`;
}

function projectLines(project: ProposedProject, suggestions: readonly PricedSuggestion[]): string {
  const { name, root, source, targets, spellings, rules = {}, routes, leftOut } = project;
  const known = [...spellings].filter(([tag]) => tag === source || targets.includes(tag));
  const locales = known.map(([tag, file]) => `${word(tag)}: { file: ${quote(file)} }`).join(', ');
  const lines = [
    `  ${word(name)}:`,
    ...(root === undefined ? [] : [`    root: ${quote(root)}`]),
    `    source: ${word(source)}`,
    `    targets: [${targets.map(word).join(', ')}]`,
    ...[...Map.groupBy(leftOut, ([, reason]) => reason)].map(
      ([reason, codes]) =>
        `    # left out: ${oneLine(codes.map(([code]) => code).join(', '))}: ${reason}`,
    ),
    ...(locales === '' ? [] : [`    locales: { ${locales} }`]),
    ...Object.entries(rules).map(([rule, value]) => `    ${rule}: ${flow(value)}`),
    '    routes:',
    ...routes.map((route) => `      ${routeLine(route)}`),
    ...suggestions.flatMap((suggestion) => [
      `      # not taken: ${oneLine(suggestion.reason)}; ${suggestion.price}`,
      `      # ${routeLine(suggestion)}`,
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

export function routeLine({ layout, route }: FoundRoute): string {
  const settings = Object.entries(route).map(([setting, value]) => `${setting}: ${flow(value)}`);
  return `- { ${settings.join(', ')} }   # ${oneLine(layout)}`;
}

function flow(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${flow(each)}`)
      .join(', ')} }`;
  }
  return String(value);
}

/** A word, quoted where YAML would read it otherwise: in YAML 1.1, the code `no` means false. */
function word(text: string): string {
  return /^(?:no?|y|yes|on|off|true|false|null)$/i.test(text) || !/^[A-Za-z][\w.-]*$/.test(text)
    ? quote(text)
    : text;
}

// A JSON string is a double-quoted YAML string. `${` becomes `$${`, so that it is not read as a variable.
function quote(text: string): string {
  return JSON.stringify(text.replaceAll('${', '$${'));
}

/** Removes line breaks: one in a file name would end the comment. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
}
