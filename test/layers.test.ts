/** The layers of ARCHITECTURE.md, checked against every import of src/. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const LAYERS = 'words service contracts rules edges work sandbox daemon face'.split(' ');
const SIBLINGS = ['formats', 'lanes', 'queues', 'ledgers'];
const IO = /^node:(fs|fs\/promises|http|https|net|child_process|sqlite|dns|tls|worker_threads)$/;
/** Libraries that only one file may know. */
const OWNERS: Readonly<Record<string, string>> = {
  pino: 'log',
  undici: 'service/http',
  chokidar: 'watch',
  lowdb: 'ledgers/json-file|state/store',
  'p-queue': 'queues/in-process|service/pace|hooks/receiver',
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
  /** `import()`: it is resolved when both are loaded, so it closes no circle. */
  readonly isLazy: boolean;
}

const layers = [
  ...readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| (\w+) \| ([^|]+) \|.*$/gm),
]
  .map(([, name = '', files = '']) => ({ name, files: files.trim().split(/\s+/) }))
  .filter(({ name }) => LAYERS.includes(name));

const modules = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3));

const imports: Import[] = modules.flatMap((from) => {
  const text = readFileSync(join(SRC, `${from}.ts`), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)'|import\('([^']+)'\)/gm)].map(
    (found) => {
      const name = found[1] ?? found[2] ?? '';
      const isLazy = found[2] !== undefined;
      const to = name.startsWith('.')
        ? relative(SRC, join(SRC, dirname(from), name)).slice(0, -3)
        : name;
      return { from, to, isLazy, isType: /^(?:import|export) type/.test(found[0]) };
    },
  );
});

/** The row with the longest name that covers a module. */
function layerOf(module: string): number {
  const fits = layers.flatMap(({ files }, index) =>
    files
      .filter((file) => file === module || (file.endsWith('/') && module.startsWith(file)))
      .map((file) => ({ index, length: file.length })),
  );
  return fits.sort((a, b) => b.length - a.length)[0]?.index ?? -1;
}

test('every file of src belongs to a layer of ARCHITECTURE.md', () => {
  expect(modules.filter((module) => layerOf(module) < 0)).toEqual([]);
});

test('no file imports from a layer below its own', () => {
  const upward = imports
    .filter(({ from, to }) => layerOf(to) > layerOf(from))
    .map(({ from, to }) => `${from} -> ${to}`);
  expect(upward).toEqual([]);
});

test('siblings of one contract never import each other', () => {
  const between = imports.filter(({ from, to }) => {
    const folder = SIBLINGS.find((name) => dirname(from) === name && dirname(to) === name);
    return folder !== undefined && from !== `${folder}/all`;
  });
  expect(between).toEqual([]);
});

test('words, contracts and rules import no input or output', () => {
  const pure = ['words', 'contracts', 'rules'].map((name) =>
    layers.findIndex((each) => each.name === name),
  );
  const impure = imports.filter(
    ({ from, to, isType }) => !isType && pure.includes(layerOf(from)) && IO.test(to),
  );
  expect(impure).toEqual([]);
});

test('the sandbox shares no code with the client that it checks', () => {
  const shared = imports.filter(
    ({ from, to, isType }) => from.startsWith('sandbox/') && to.startsWith('service/') && !isType,
  );
  expect(shared).toEqual([]);
});

test('each outside library is known to one file', () => {
  const strangers = imports.filter(({ from, to }) => {
    const owner = OWNERS[to];
    return owner !== undefined && !owner.split('|').includes(from);
  });
  expect(strangers).toEqual([]);
});

test('only main and the command line read arguments or end the process', () => {
  const found = modules
    .filter((module) => module !== 'main' && !module.startsWith('cli/'))
    .filter((module) =>
      /(?<![#.\w])process\.(argv|exit\b|exitCode)/.test(
        readFileSync(join(SRC, `${module}.ts`), 'utf8'),
      ),
    );
  expect(found.filter((module) => module !== 'config/schema-file')).toEqual([]);
});

test('rules know no code of the service client', () => {
  const rules = layers.findIndex(({ name }) => name === 'rules');
  const found = imports.filter(
    ({ from, to, isType }) => layerOf(from) === rules && to.startsWith('service/') && !isType,
  );
  expect(found).toEqual([]);
});

test('no file imports itself by way of others', () => {
  const next = Map.groupBy(
    imports.filter(({ isType, isLazy }) => !isType && !isLazy),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (module: string, path: readonly string[]) => {
    if (path.includes(module))
      cycles.push([...path.slice(path.indexOf(module)), module].join(' -> '));
    if (done.has(module) || path.includes(module)) return;
    for (const { to } of next.get(module) ?? []) visit(to, [...path, module]);
    done.add(module);
  };
  for (const module of modules) visit(module, []);
  expect(cycles).toEqual([]);
});
