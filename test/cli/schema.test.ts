/** `dragoman schema`: the completions of an editor in this repository. */
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

interface Node {
  readonly examples?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

/** The values that editors offer for a setting, of all its shapes. */
function offered(schema: Node, path: string): readonly string[] {
  const nodes = path.split('.').reduce<readonly Node[]>(
    (found, name) =>
      found
        .flatMap((node) => [node, ...(node.anyOf ?? [])])
        .flatMap((node) => {
          const next = name === '*' ? node.additionalProperties : node.properties?.[name];
          return (name === '[]' ? node.items : next) ?? [];
        }),
    [schema],
  );
  return nodes
    .flatMap((node) => [node, ...(node.anyOf ?? [])])
    .flatMap((node) => node.examples ?? []);
}

const FILES = {
  'locales/en/app.json': '{"a":"Open"}',
  'locales/de/app.json': '{"a":"Auf"}',
  'docs/guide.md': '# Guide\n',
  'l10n/terms.csv': 'en,de\nledger,Buch\n',
  'l10n/style.de.yaml': 'rules: []\n',
};

test('without a config: routes, languages, tables and folders of the repository', async () => {
  await using rig = await Rig.start({ config: '', files: FILES });
  rig.remove('dragoman.yaml');
  const { code, stdout } = await rig.run('schema');
  expect(code).toBe(0);
  const schema = JSON.parse(stdout) as Node;
  expect(offered(schema, 'projects.*.routes.[].from')).toEqual([
    'locales/{locale}/**/*.json',
    'docs/**/*.md',
    'l10n/**/*.csv',
    'l10n/**/*.yaml',
    'locales/**/*.json',
  ]);
  expect(offered(schema, 'projects.*.root')).toEqual([
    ...['docs', 'l10n', 'locales', 'locales/de', 'locales/en'],
  ]);
  expect(offered(schema, 'projects.*.targets.[]').slice(0, 3)).toEqual(['de', 'en', 'ar']);
  expect(offered(schema, 'projects.*.glossary.csv')[0]).toBe('l10n/terms.csv');
  expect(offered(schema, 'projects.*.style.*')).toEqual(['l10n/style.de.yaml']);
  expect(offered(schema, 'projects.*.routes.[].exclude.[]')).toContain('docs/**');
});

test('init names the schema of the package only where it is', async () => {
  await using rig = await Rig.start({ config: '', files: FILES });
  const firstLine = async () => {
    rig.remove('dragoman.yaml');
    await rig.run('init', '--yes');
    return rig.read('dragoman.yaml').split('\n')[0];
  };
  expect(await firstLine()).toContain('dragoman schema > dragoman.schema.json');
  rig.write('node_modules/dragoman/config/dragoman.schema.json', '{}');
  expect(await firstLine()).toBe(
    '# yaml-language-server: $schema=./node_modules/dragoman/config/dragoman.schema.json',
  );
});

test('with a config: its glossaries and languages, too, also where it has a fault', async () => {
  await using rig = await Rig.start({
    config: `projects:
  app:
    source: en
    targets: [pt-BR]
    glossary: { name: product-terms, csv: l10n/terms.csv }
    routs: []
`,
    files: FILES,
  });
  const { code, stdout } = await rig.run('schema');
  expect(code).toBe(0);
  const schema = JSON.parse(stdout) as Node;
  expect(offered(schema, 'projects.*.glossary.name')).toEqual(['product-terms']);
  expect(offered(schema, 'projects.*.targets.[]').slice(0, 3)).toEqual(['de', 'en', 'pt-BR']);
});
