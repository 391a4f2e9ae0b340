/** Changes of a config that leave the files where they are: projects are renamed, merged or split, or get other roots and routes. */

export const WEB = 'web/{locale}/*.json';
export const APP = 'app/{locale}/*.json';

export interface SomeProject {
  readonly routes: readonly string[];
  readonly root?: string;
  readonly targets?: string;
}

export function configOf(projects: Readonly<Record<string, SomeProject>>): string {
  const blocks = Object.entries(projects).map(([name, { routes, root, targets = 'de' }]) =>
    [
      `  ${name}:`,
      ...(root === undefined ? [] : [`    root: ${root}`]),
      '    source: en',
      `    targets: [${targets}]`,
      `    routes: [${routes.map((from) => `{ from: "${from}" }`).join(', ')}]`,
    ].join('\n'),
  );
  return `lock: dragoman.lock\ndefaults: { settle_ms: 0 }\nprojects:\n${blocks.join('\n')}\n`;
}

export const FILES = {
  'web/en/a.json': '{"hello":"Hello"}\n',
  'app/en/c.json': '{"three":"Three words"}\n',
  '.gitignore': '.dragoman/\n',
};

const APART = { web: { routes: [WEB] }, app: { routes: [APP] } };
const TOGETHER = { all: { routes: [WEB, APP] } };
export const ROUTE = '{locale}/*.json';
const ROOTED = { web: { routes: [ROUTE], root: 'web' }, app: { routes: [ROUTE], root: 'app' } };

/** Configs of the same two sources. */
export const CHANGES: readonly (readonly [
  string,
  Record<string, SomeProject>,
  Record<string, SomeProject>,
])[] = [
  ['a renamed project', APART, { web: { routes: [WEB] }, site: { routes: [APP] } }],
  ['a project merged into another one', APART, { web: { routes: [WEB, APP] } }],
  ['two projects merged into a new one', APART, TOGETHER],
  [
    'a split project that keeps its name',
    TOGETHER,
    { all: { routes: [WEB] }, app: { routes: [APP] } },
  ],
  ['a project split into two new ones', TOGETHER, APART],
  [
    'a route moved to another project',
    { web: { routes: [WEB, APP] }, app: { routes: [`zzz/${ROUTE}`] } },
    APART,
  ],
  ['names that changed places', APART, { web: { routes: [APP] }, app: { routes: [WEB] } }],
  ['roots of their own', TOGETHER, ROOTED],
  ['one root for two', ROOTED, { web: { routes: [WEB, APP] } }],
  ['a project with another root', { app: { routes: [APP] }, web: { routes: [WEB] } }, ROOTED],
];
