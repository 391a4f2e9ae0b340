/** The text of a first `dragoman.yaml`, with what `init` found and was told. Pure. */
import type { FoundRoute, OfferedRoute, ProposedProject } from './proposal.ts';

export interface FirstConfig {
  readonly url: string;
  readonly projects: readonly ProposedProject[];
  readonly offers: readonly PricedOffer[];
  readonly notes: readonly string[];
  /** Characters that a run may bill. */
  readonly budget?: number;
  /** Whether the package is installed in the folder: editors take the schema from there. */
  readonly isInstalled?: boolean;
  /** Folder of the lock; absent outside of a git work tree. */
  readonly lock?: string;
}

export interface PricedOffer extends OfferedRoute {
  /** What it would cost, in words. */
  readonly price: string;
}

/** Where the sandbox is served: the address of a first config that names no service. */
export const SANDBOX_URL = 'http://127.0.0.1:8080';

export function firstConfigText(config: FirstConfig): string {
  const { url, projects, offers, notes, lock, budget, isInstalled } = config;
  return `${isInstalled === true ? INSTALLED_SCHEMA : OWN_SCHEMA}
# "dragoman check" validates this file, "dragoman plan" says what it would cost, "dragoman run" does it.
version: 1

service:
  url: ${quote(url)}
  key: { env: DRAGOMAN_KEY }       # or { file: PATH } or { credential: NAME }; never the key itself

${lock === undefined ? '' : lockLines(lock)}# What may be billed, in characters; more is held until "dragoman approve".
${budget === undefined ? '# budget: { month: 2000000, run: 200000, file: 60000 }' : `budget: { run: ${budget} }`}

${notes.map((note) => `# ${oneLine(note)}\n`).join('')}projects:
${projects.map((project, index) => projectLines(project, index === 0 ? offers : [])).join('\n')}`;
}

const INSTALLED_SCHEMA =
  '# yaml-language-server: $schema=./node_modules/dragoman/config/dragoman.schema.json';
/** A path to a file that is not there is a fault in editors. */
const OWN_SCHEMA = `# Editors complete this file with a schema of this repository: dragoman schema > dragoman.schema.json
# and here, as the first line:  yaml-language-server: $schema=./dragoman.schema.json`;

function lockLines(lock: string): string {
  return `# What the team knows of every translation: commit it with them.
lock: ${lock}

`;
}

function projectLines(project: ProposedProject, offers: readonly PricedOffer[]): string {
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
    ...offers.flatMap((offer) => [
      `      # not taken: ${oneLine(offer.reason)}; ${offer.price}`,
      `      # ${routeLine(offer)}`,
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

/** Norwegian is a word for false to readers of YAML 1.1. */
function word(text: string): string {
  return /^(?:no?|y|yes|on|off|true|false|null)$/i.test(text) || !/^[A-Za-z][\w.-]*$/.test(text)
    ? quote(text)
    : text;
}

// JSON's strings are YAML's double-quoted ones; a dollar sign is doubled, so that no variable is looked up.
function quote(text: string): string {
  return JSON.stringify(text.replaceAll('${', '$${'));
}

/** A file's name may hold a line break, and would end its comment. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
}
