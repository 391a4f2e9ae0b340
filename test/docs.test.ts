/** Runs the examples of the documentation: every config is loaded, every command line is tried against the sandbox. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../src/cli/commands.ts';
import { parseConfig } from '../src/config/parse.ts';
import { commitAll } from './git.ts';
import { Rig } from './rig.ts';

const ROOT = join(import.meta.dirname, '..');
/** Examples of file names in comments. */
const KNOWN_ELSEWHERE = new Set(['a.md', 'b.md', 'guide.md', 'page.md']);
const PAGES = [
  'README.md',
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).map((file) => join(folder, file)),
  ),
].filter((file) => file.endsWith('.md'));

interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const blocks: Block[] = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', text = '']) => ({ page, language, text }),
  ),
);

const configs = blocks.filter(
  ({ language, text }) => language === 'yaml' && text.startsWith('version: 1'),
);

test.each(configs)('a config of $page is sound', ({ text }) => {
  const env = { STATE_DIRECTORY: '/var/lib/dragoman/webapp', DRAGOMAN_URL: 'http://127.0.0.1:1' };
  expect(parseConfig(text, { file: '/repo/dragoman.yaml', env }).faults ?? []).toEqual([]);
});

/** Lines that never end, ask the person, or are run by a test of their own. */
const ELSEWHERE = /^(run|init|sandbox|dashboard|quickstart|status --watch)\b/;

const linesOf = (page: string): ReadonlySet<string> =>
  new Set(
    blocks
      .filter((block) => block.language === 'sh' && block.page === page)
      .flatMap(({ text }) => text.split('\n'))
      .map((line) => /^(?:npx )?dragoman ([^#|>]+)/.exec(line)?.[1]?.trim() ?? '')
      .filter((line) => line !== '' && !ELSEWHERE.test(line)),
  );

// A few lines each: a slow machine takes seconds for one.
const portions = PAGES.flatMap((page) => {
  const lines = [...linesOf(page)];
  const starts = lines.map((_, at) => at).filter((at) => at % 8 === 0);
  return starts.map((at) => ({ page, from: at + 1, lines: lines.slice(at, at + 8) }));
});

test.each(portions)(
  'the command lines of $page from line $from are understood and run',
  async ({ page, lines }) => {
    await using rig = await Rig.start({
      config: `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  webapp:
    source: en
    targets: [de, fr]
    glossary: { name: shop, csv: "l10n/{source}-{locale}.csv" }
    style: { de: l10n/style.de.yaml }
    routes: [{ from: "locales/{locale}/**/*.json" }]
  handbook:
    source: en
    targets: [de]
    routes: [{ from: "handbook/{locale}/**/*.md" }]
`,
      files: {
        'locales/en/app.json': '{"nav":{"home":"Home"}}',
        'l10n/en-de.csv': 'home,Startseite\n',
        'l10n/style.de.yaml': 'name: shop German\nlanguage: de\n',
      },
    });
    // The commit that `--since main` compares with.
    commitAll(rig.root, 'begin');
    // Pages speak of targets that are there.
    await rig.once();
    const wrong: string[] = [];
    for (const line of lines) {
      const { code, stderr } = await rig.run(
        ...line.split(/\s+/).map((word) => word.replaceAll('"', '')),
      );
      if (code === null || code === 64 || code === 78)
        wrong.push(`${page}: dragoman ${line}: ${code} ${stderr}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('every command has its line in the README or in docs', () => {
  const all = PAGES.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n');
  const missing = Object.entries(COMMANDS)
    .filter(([name, { hidden }]) => hidden !== true && !all.includes(`dragoman ${name}`))
    .map(([name]) => name);
  expect(missing).toEqual([]);
});

test('every page that the code names is in the repository', () => {
  const named = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(src|test|bench)[\\/].*\.ts$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) =>
      [
        ...readFileSync(join(ROOT, file), 'utf8').matchAll(
          /^\s*(?:\/\/|\/?\*).*?(?<![\w/{}*.-])((?:[\w-]+\/)*[a-z][a-z-]+\.md)(?![\w`])/gm,
        ),
      ].map(([, page = '']) => ({ file, page })),
    )
    .filter(({ page }) => !KNOWN_ELSEWHERE.has(page));
  const missing = named.filter(
    ({ page }) => !existsSync(join(ROOT, page)) && !existsSync(join(ROOT, 'docs', page)),
  );
  expect(missing).toEqual([]);
});

const GUIDES = PAGES.filter((page) => /adding-a-|small-changes/.test(page));

test.each([...GUIDES, 'ARCHITECTURE.md'])('every file that %s names is there', (page) => {
  const named = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/`([\w/-]+\.(?:ts|md|yaml))`/g)]
    .map(([, file = '']) => file)
    .filter((file) => file.includes('/'));
  expect(named.length).toBeGreaterThan(3);
  const places = page === 'ARCHITECTURE.md' ? ['src', ''] : [''];
  const missing = named.filter((file) => !places.some((at) => existsSync(join(ROOT, at, file))));
  expect(missing).toEqual([]);
});

test.each(GUIDES)('every name, script and test that %s mentions exists', (page) => {
  const guide = readFileSync(join(ROOT, page), 'utf8');
  const code = [...guide.matchAll(/`([^`]+)`/g)].map(([, each = '']) => each);
  const files = code.filter((each) => each.includes('/') && existsSync(join(ROOT, each)));
  const text = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  const names = code.filter((each) => /^[A-Za-z]+$/.test(each));
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const wanted = code.flatMap((each) => /^npm run (\w+)/.exec(each)?.[1] ?? []);
  expect(wanted.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('the guide to ledgers names every method of a ledger', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'adding-a-ledger.md'), 'utf8');
  const contract = readFileSync(join(ROOT, 'src', 'ledger.ts'), 'utf8');
  const [methods = ''] = /^export interface Ledger extends[\s\S]*?^\}/m.exec(contract) ?? [];
  const names = [...methods.matchAll(/^ {2}(\w+)\(/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(6);
  expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

test('the guide to ledgers names every file that opens one', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'adding-a-ledger.md'), 'utf8');
  const opening = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /\bopenLedger\(/.test(readFileSync(join(ROOT, 'src', file), 'utf8')));
  expect(opening.length).toBeGreaterThan(1);
  expect(opening.filter((file) => !guide.includes(`\`src/${file}\``))).toEqual([]);
});

test('the guide to ledgers names every file beside the JSON ledger that knows its files', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'adding-a-ledger.md'), 'utf8');
  const own = /^state\/(?:json-ledger|store|snapshot|replay|journal|frame|schema)\.ts$/;
  const knowing = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !own.test(file))
    .filter((file) =>
      /\bSNAPSHOT\b|'db\.json'/.test(readFileSync(join(ROOT, 'src', file), 'utf8')),
    );
  expect(knowing.length).toBeGreaterThan(2);
  expect(knowing.filter((file) => !guide.includes(`\`src/${file}\``))).toEqual([]);
  expect(knowing.filter((file) => !file.startsWith('state/'))).toEqual([]);
});

/** Paths of the TypeScript files below a folder of the repository whose text passes. */
function filesBelow(folder: string, passes: (text: string) => boolean): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`)
    .filter((file) => passes(readFileSync(join(ROOT, file), 'utf8')));
}

test.each([
  ['format', 'FORMATS', []],
  // Example configs and pages: they are tried through all commands, and have no row for one.
  ['command', 'COMMANDS', [/^test\/(?:docs|examples\/.*|site\/.*)\.test\.ts$/]],
])('the guide to adding a %s names the tests that have a row for each', (kind, list, others) => {
  const guide = readFileSync(join(ROOT, 'docs', `adding-a-${kind}.md`), 'utf8');
  const imported = new RegExp(`import \\{[^}]*\\b${list}\\b[^}]*\\} from`);
  const rows = filesBelow('test', (text) => imported.test(text))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => !others.some((other) => other.test(file)));
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.filter((file) => !guide.includes(file))).toEqual([]);
});

test.each([
  ['a reason why a job waits', 'Hold', 'job'],
  ['a failure', 'Failure', 'failure'],
  ['an event', 'Event', 'event'],
])('the row about %s names each file that lists all kinds of it', (change, type, file) => {
  const text = readFileSync(join(ROOT, 'src', `${file}.ts`), 'utf8');
  const [, union = ''] =
    new RegExp(`^export type ${type} =$([\\s\\S]*?)^\\S`, 'm').exec(text) ?? [];
  const kinds = [...union.matchAll(/kind: '([\w-]+)'/g)].map(([, kind]) => kind);
  expect(kinds.length).toBeGreaterThan(10);
  const listing = filesBelow('src', (each) =>
    kinds.every((kind) => new RegExp(`'${kind}'|\\b${kind}:`).test(each)),
  );
  expect(listing.length).toBeGreaterThan(2);
  const guide = readFileSync(join(ROOT, 'docs', 'small-changes.md'), 'utf8');
  const row = guide.split('\n').find((line) => line.startsWith(`| ${change} |`)) ?? '';
  expect(listing.filter((each) => !row.includes(`\`${each}\``))).toEqual([]);
});
