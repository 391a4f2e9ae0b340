/** `dragoman init`: looks at the folder, asks, and writes the first `dragoman.yaml`. Never overwrites one. */
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { readTargets } from '../config/languages.ts';
import { CONFIG_NAME, readConfig } from '../config/load.ts';
import { errorCode } from '../files/disk.ts';
import { scan } from '../files/scan.ts';
import { findWorkTree, ignoredBy } from '../files/work-tree.ts';
import { type LanguageTag, parseLanguage, sameLanguage } from '../language.ts';
import { UNIGNORE } from './check-lock.ts';
import {
  type Call,
  type CliCommand,
  CommandFailure,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { type FirstConfig, firstConfigText } from './init/first-config.ts';
import { type FoundLayouts, type FoundRoute, findLayouts } from './init/layouts.ts';

interface InitOptions extends GlobalOptions {
  readonly yes?: boolean;
  readonly source?: string;
  readonly target?: readonly string[];
  readonly url?: string;
}

export const command: CliCommand<InitOptions> = {
  describe(command: Command) {
    command
      .option('--yes', 'take what is found without asking')
      .option('--source <code>', 'source language')
      .option('--target <code...>', 'target languages')
      .option('--url <address>', 'base address of the service')
      .addHelpText(
        'after',
        `
Examples:
  dragoman init                            look, ask, write dragoman.yaml
  dragoman init --yes                      look and write, for scripts
  dragoman init --yes --target de fr ja    with these languages`,
      );
  },
  async run(call: Call<InitOptions>) {
    const { cwd, options, terminal } = call;
    const file = join(cwd, CONFIG_NAME);
    if (existsSync(file)) throw alreadyThere(file);
    if (options.yes !== true && !terminal.interactive) {
      throw new UsageError('init asks on a terminal; elsewhere it needs --yes');
    }
    const found = await look(call);
    const answers = options.yes === true ? defaults(call, found) : await ask(call, found);
    const config = withoutRefused(answers, file);
    const lock = await lockFor(cwd);
    const whole = lock === undefined ? config : { ...config, lock };
    await writeNew(file, firstConfigText(whole));
    conclude(call, { file, config: whole });
    return 0;
  },
};

const LOCK = 'dragoman.lock';

/** Where the repository is git's, what the team knows goes into it. @throws CommandFailure when git would not take it */
async function lockFor(cwd: string): Promise<string | undefined> {
  const tree = findWorkTree(cwd);
  if (tree === undefined) return undefined;
  const lock = join(cwd, LOCK);
  const ignored = await ignoredBy(tree, [lock, join(lock, 'app', 'de')]);
  if (ignored === undefined || ignored.length === 0) return LOCK;
  throw new CommandFailure(1, `git ignores ${lock}, which is to be committed: ${UNIGNORE}`);
}

/** Folders of programs and of what they make: the texts in them are not this repository's own. */
const FOREIGN = new Set('vendor dist build out target Pods third_party coverage'.split(' '));

async function look({ cwd, options }: Call<InitOptions>): Promise<FoundLayouts> {
  const listing = await scan(cwd, {
    wants: () => true,
    enters: (folder) => !FOREIGN.has(basename(folder)),
  });
  const paths = listing.kind === 'online' ? listing.files.map(({ path }) => path) : [];
  return findLayouts(paths, options.source === undefined ? undefined : language(options.source));
}

function language(code: string): LanguageTag {
  const tag = parseLanguage(code);
  if (tag === undefined) throw new UsageError(`"${code}" is no language code`);
  return tag;
}

const SANDBOX_URL = 'http://127.0.0.1:8080';
const EXAMPLE: FoundRoute = {
  layout: 'an example: nothing was recognised',
  route: { from: 'locales/{locale}/**/*.json' },
};

function defaults({ cwd, options }: Call<InitOptions>, found: FoundLayouts): FirstConfig {
  const asked = options.target?.flatMap((codes) => codes.split(',')).filter((code) => code !== '');
  // Converting variants of the source is a decision that nobody should find made.
  const isForeign = (tag: LanguageTag) => !sameLanguage(tag, found.source);
  return {
    name:
      basename(cwd)
        .replaceAll(/[^\w.-]/g, '-')
        .replace(/^[^A-Za-z0-9]+/, '') || 'project',
    url: options.url ?? SANDBOX_URL,
    source: found.source,
    targets: targetsOf(asked ?? found.targets.filter(isForeign), found.source),
    spellings: found.spellings,
    routes: found.routes.length > 0 ? found.routes : [EXAMPLE],
  };
}

function targetsOf(codes: readonly string[], source: LanguageTag): LanguageTag[] {
  const targets = readTargets(codes, {
    path: [],
    source,
    report: (_, message) => {
      throw new UsageError(message);
    },
  });
  if (targets.length > 0) return targets;
  return (['de', 'fr', 'es'] as LanguageTag[]).filter((tag) => tag !== source);
}

async function ask(call: Call<InitOptions>, found: FoundLayouts): Promise<FirstConfig> {
  const { group, text, multiselect } = await import('@clack/prompts');
  const proposed = defaults(call, found);
  const answers = await group(
    {
      source: () =>
        text({ message: 'Source language', initialValue: proposed.source, validate: notLanguage }),
      targets: () =>
        text({
          message: 'Target languages',
          initialValue: proposed.targets.join(', '),
          validate: (value = '') =>
            codesOf(value)
              .map(notLanguage)
              .find((fault) => fault !== undefined),
        }),
      url: () => text({ message: 'Address of the service', initialValue: proposed.url }),
      routes: () =>
        multiselect({
          message: 'What to translate',
          options: proposed.routes.map((each) => ({
            value: each,
            label: each.route.from,
            hint: each.layout,
          })),
          initialValues: [...proposed.routes],
        }),
    },
    {
      onCancel: () => {
        throw new CommandFailure(1, 'nothing was written');
      },
    },
  );
  const source = language(answers.source);
  const targets = targetsOf(codesOf(answers.targets), source);
  return { ...proposed, source, targets, url: answers.url, routes: answers.routes };
}

function codesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((code) => code !== '');
}

function notLanguage(code = ''): string | undefined {
  return parseLanguage(code) === undefined ? `"${code}" is no language code` : undefined;
}

// A repository may hold what routes cannot: routes that are refused together are left to the person.
function withoutRefused(config: FirstConfig, file: string): FirstConfig {
  const parsed = readConfig(firstConfigText(config), { file, env: {} });
  const refused = new Set(
    (parsed.faults ?? []).map(({ path }) => Number(/\.routes\.(\d+)/.exec(path)?.[1])),
  );
  const routes = config.routes.filter((_, index) => !refused.has(index));
  return routes.length === config.routes.length || routes.length === 0
    ? config
    : withoutRefused({ ...config, routes }, file);
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyThere(file);
    throw error;
  }
}

function alreadyThere(file: string): CommandFailure {
  return new CommandFailure(1, `${file} is there already and stays as it is`);
}

function conclude(
  { cwd, terminal, options }: Call<InitOptions>,
  { file, config }: { file: string; config: FirstConfig },
): void {
  const { source, targets, routes, lock } = config;
  if (options.json === true) {
    terminal.json({
      file,
      source,
      targets,
      routes: routes.map(({ route, layout }) => ({ ...route, layout })),
      lock: lock ?? null,
    });
  } else {
    terminal.out(`Wrote ${file}: ${source} into ${targets.join(', ')}`);
    for (const { layout, route } of routes) terminal.out(`  ${route.from}   (${layout})`);
  }
  if (lock !== undefined) {
    terminal.note(
      `Commit ${lock}/ with the translations: it tells every checkout what is translated and what a person wrote.`,
    );
  }
  if (!ignoresState(cwd))
    terminal.note(
      'Add ".dragoman/" to .gitignore: the state holds what was paid for, and is nobody else’s.',
    );
  terminal.note('Next: set DRAGOMAN_KEY, then "dragoman check" and "dragoman plan".');
}

function ignoresState(folder: string): boolean {
  try {
    return /^\/?\.dragoman\/?$/m.test(readFileSync(join(folder, '.gitignore'), 'utf8'));
  } catch {
    return false;
  }
}
