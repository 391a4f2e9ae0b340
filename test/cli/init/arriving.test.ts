/** One complete repository for each tool of docs/migrating.md, with a config as the tool's own documentation shows it. */
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOOLS } from '../../../src/cli/init/from/tools.ts';
import { execFileSync } from '../../in-time.ts';
import { Rig } from '../../rig.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FIXTURES = join(ROOT, 'test', 'fixtures', 'arriving');

interface Arrival {
  readonly tool: string;
  readonly folder: string;
  readonly file: string;
  /** Of the new config, without what stands behind them. */
  readonly projects: readonly string[];
}

const ARRIVALS: readonly Arrival[] = [
  {
    ...{ tool: 'DeepL sync', folder: 'deepl-sync', file: '.deepl-sync.yaml' },
    projects: [
      'targets: [de, fr]',
      'formality: "less"',
      'model: "prefer_quality_optimized"',
      '- { from: "locales/{locale}/*.json", exclude: ["locales/en/generated.json"] }',
      '- { from: "app/src/main/res/values/strings.xml", to: "app/src/main/res/values-{locale}/strings.xml" }',
    ],
  },
  {
    ...{ tool: 'lingo.dev', folder: 'lingo', file: 'i18n.json' },
    projects: [
      'targets: [es, pt-BR]',
      '- { from: "locales/{locale}.json", keys: { lock: ["brand.name"] } }',
      '- { from: "docs/{locale}/*.md", exclude: ["docs/*/internal.md"] }',
      '- { from: "app/res/values-{locale_underscore}/strings.xml" }',
    ],
  },
  {
    // Three sets of languages are three projects: in one, texts would be bought that nobody has.
    ...{ tool: 'Crowdin', folder: 'crowdin', file: 'crowdin.yml' },
    projects: [
      'targets: [de, pt-BR, zh-CN]',
      'locales: { zh-CN: { file: "cn" }, pt-BR: { file: "pt_BR" } }',
      '- { from: "locales/en/**/*.json", to: "locales/{locale}/{dir}/{name}.{ext}" }',
      'app:',
      'targets: [de, he]',
      '- { from: "app/src/main/res/values/strings.xml", to: "app/src/main/res/values-{android}/{name}.{ext}" }',
      'docs:',
      'targets: [de]',
      '- { from: "docs/**/*.md", to: "docs/{dir}/{name}.{locale}.{ext}", exclude: ["docs/**/*.*.md"] }',
    ],
  },
  {
    ...{ tool: 'i18n-tasks', folder: 'i18n-tasks', file: 'config/i18n-tasks.yml' },
    projects: [
      'targets: [de, fr]',
      '- { from: "config/locales/{locale}.yml", keys: { ignore: ["errors.internal.*"] } }',
      '- { from: "config/locales/**/*.{locale}.yml", keys: { ignore: ["errors.internal.*"] } }',
    ],
  },
  {
    ...{ tool: 'Tolgee', folder: 'tolgee', file: '.tolgeerc' },
    projects: ['targets: [cs, de]', '- { from: "public/i18n/{locale}.json" }'],
  },
  {
    // The files that are pulled one by one are those of the pattern that is pushed.
    ...{ tool: 'Phrase', folder: 'phrase', file: '.phrase.yml' },
    projects: [
      'targets: [de, fr]',
      '- { from: "config/locales/{locale}.yml" }',
      '- { from: "lang/{locale}/*.php", lane: "text" }',
    ],
  },
  {
    ...{ tool: 'Transifex', folder: 'transifex', file: '.tx/config' },
    projects: [
      'targets: [de, pt-BR]',
      'locales: { pt-BR: { file: "pt-br" } }',
      '- { from: "locale/app.pot", to: "locale/{locale}/LC_MESSAGES/app.po" }',
      '- { from: "app/src/main/res/values/strings.xml", to: "app/src/main/res/values-{android}/strings.xml" }',
    ],
  },
];

function filesIn(folder: string): Record<string, Buffer> {
  const paths = globSync(['**/*', '**/.*', '**/.*/**/*'], { cwd: join(FIXTURES, folder) });
  const files = [...new Set(paths)].filter((path) =>
    statSync(join(FIXTURES, folder, path)).isFile(),
  );
  return Object.fromEntries(
    files.map((path) => [path, readFileSync(join(FIXTURES, folder, path))]),
  );
}

test('every tool, and every row of the page about them, has a complete repository as an example', () => {
  const tools = ARRIVALS.map(({ tool }) => tool);
  expect(TOOLS.map(({ name }) => name).toSorted()).toEqual(tools.toSorted());
  expect(readdirSync(FIXTURES).toSorted()).toEqual(ARRIVALS.map(({ folder }) => folder).toSorted());
  const page = readFileSync(join(ROOT, 'docs', 'migrating.md'), 'utf8');
  const rows =
    page.slice(page.indexOf('\n', page.indexOf('| automatic |'))).match(/^\| [A-Za-z]/gm) ?? [];
  expect(rows).toHaveLength(ARRIVALS.length);
});

test.each(ARRIVALS)(
  'a complete repository of $tool is taken over and buys nothing',
  async ({ folder, file, projects }) => {
    const files = filesIn(folder);
    await using rig = await Rig.start({ config: '', files });
    rig.remove('dragoman.yaml');
    execFileSync('git', ['init', '--quiet'], { cwd: rig.root });
    const init = await rig.run('init', '--yes', '--from', file, '--url', rig.sandbox.url);
    expect(init).toMatchObject({ code: 0, stdout: expect.not.stringContaining('not taken') });
    expect(linesOf(rig.read('dragoman.yaml'))).toEqual(projects);
    const plan = await rig.run('plan', '--json');
    expect(JSON.parse(plan.stdout)).toMatchObject({ estimated_characters: 0 });
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 0 });
    expect(await rig.run('check')).toMatchObject({ code: 0 });
    for (const [path, content] of Object.entries(files)) {
      expect(readFileSync(rig.path(path)), path).toEqual(content);
    }
  },
);

/** The lines of the projects, without the name of the first and the source language. */
function linesOf(config: string): string[] {
  return config
    .slice(config.indexOf('projects:'))
    .split('\n')
    .slice(2)
    .map((line) => line.trim().replace(/ {3}#.*$/, ''))
    .filter((line) => line !== '' && line !== 'routes:' && !line.startsWith('source:'));
}
