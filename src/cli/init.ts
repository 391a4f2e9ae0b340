/** `dragoman init`: finds translatable files, asks questions, and writes the first `dragoman.yaml`. Never overwrites one. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_NAME, readConfig } from '../config/load.ts';
import { errorCode } from '../files/disk.ts';
import { isWithin } from '../files/listing.ts';
import { readText } from '../files/read-file.ts';
import { findWorkTree, ignoredBy } from '../files/work-tree.ts';
import { type LanguageTag, parseLanguage, sameLanguage } from '../language.ts';
import { UNIGNORE } from './check/lock.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { askPerson, targetsOf } from './init/ask.ts';
import { concludeInit } from './init/conclusion.ts';
import { keysWithoutText } from './init/contents.ts';
import { type FirstConfig, firstConfigText, SANDBOX_URL } from './init/first-config.ts';
import { adoptLock } from './init/from/adopt-lock.ts';
import { importTool } from './init/from/import-tool.ts';
import type { Imported } from './init/from/imported.ts';
import { proposeImported } from './init/from/propose-imported.ts';
import { TOOL_FILES, TOOLS } from './init/from/tools.ts';
import { inspectRepository } from './init/inspect-repository.ts';
import { priced, withReadable } from './init/prices.ts';
import { EXAMPLE_TARGETS, type Proposal, type ProposedProject } from './init/proposal.ts';
import { propose } from './init/propose.ts';
import { withoutRefused } from './init/refused.ts';
import type { Repository } from './init/repository.ts';
import { supportedBy } from './init/supported.ts';

interface InitOptions extends GlobalOptions {
  readonly yes?: boolean;
  readonly source?: string;
  readonly target?: readonly string[];
  readonly url?: string;
  readonly from?: string;
}

export const command: CliCommand<InitOptions> = {
  describe(command: Command) {
    command
      .option('--yes', 'ask nothing: use what is found')
      .option('--source <code>', 'source language')
      .option('--target <code...>', 'target languages')
      .option('--url <address>', 'base address of the service')
      .option('--from <file>', 'take routes and languages from the config of another tool')
      .addHelpText(
        'after',
        `
Examples:
  dragoman init                            find files, ask, write dragoman.yaml
  dragoman init --yes                      ask nothing, for scripts
  dragoman init --yes --target de fr ja    with these languages
  dragoman init --yes --from crowdin.yml   read a config of Crowdin, which is not changed

--from takes ${TOOL_FILES}. See docs/migrating.md.`,
      );
  },
  async run(call: CommandCall<InitOptions>) {
    const { cwd, options, terminal } = call;
    const file = join(cwd, CONFIG_NAME);
    if (existsSync(file)) throw alreadyThere(file);
    if (options.yes !== true && !terminal.interactive) {
      throw new UsageError('init asks questions and needs a terminal; without one, add --yes');
    }
    const { from } = options;
    const imported = from === undefined ? undefined : await importTool(from, cwd);
    const repository = await inspectRepository(call.cwd);
    const found = await proposalFor(call, repository, imported);
    const { url, proposal } =
      options.yes === true
        ? { url: options.url ?? SANDBOX_URL, proposal: found }
        : await askPerson(found, options.url ?? SANDBOX_URL);
    const lock = await lockFor(cwd);
    const config: FirstConfig = {
      ...{ url, projects: proposal.projects, notes: proposal.notes },
      suggestions: await priced(proposal.suggestions, join(cwd, imported?.root ?? '')),
      ...(imported?.budget === undefined ? {} : { budget: imported.budget }),
      ...(lock === undefined ? {} : { lock }),
      isInstalled: existsSync(join(cwd, 'node_modules', 'dragoman', 'config')),
    };
    const whole = withoutRefused(config, file);
    await writeNew(file, firstConfigText(whole));
    const made = await makeExampleFolders(cwd, whole);
    concludeInit(call, { file, config: { ...whole, notes: [...whole.notes, ...made] } });
    if (imported !== undefined) await adoptImportedLock(call, file, imported);
    if (imported !== undefined && options.json !== true) await showPlan(call);
    return 0;
  },
};

const LOCK = 'dragoman.lock';

/** The lock setting: only in a git repository, where the lock is committed. @throws CommandFailure when git ignores the lock */
async function lockFor(cwd: string): Promise<string | undefined> {
  const tree = findWorkTree(cwd);
  if (tree === undefined) return undefined;
  const lock = join(cwd, LOCK);
  const ignored = await ignoredBy(tree, [lock, join(lock, 'app', 'de')]);
  if (ignored === undefined || ignored.length === 0) return LOCK;
  throw new CommandFailure(1, `git ignores ${lock}, which must be committed: ${UNIGNORE}`);
}

function language(code: string): LanguageTag {
  const tag = parseLanguage(code);
  if (tag === undefined) throw new UsageError(`"${code}" is no language code`);
  return tag;
}

const EXAMPLE: ProposedProject['routes'][number] = {
  layout: 'an example: nothing was recognised',
  sources: [],
  route: { from: 'locales/{locale}/**/*.json' },
};
const EXAMPLE_FOLDER = 'locales';

const NOTHING_USED = 'an example: the files that were found are not used, for the reasons below';

async function proposalFor(
  call: CommandCall<InitOptions>,
  repository: Repository,
  imported: Imported | undefined,
): Promise<Proposal> {
  const { cwd, options } = call;
  const asked = options.target?.flatMap((codes) => codes.split(',')).filter((code) => code !== '');
  const source = options.source === undefined ? undefined : language(options.source);
  const targets = asked === undefined ? undefined : targetsOf(asked, source ?? '');
  const isSupported = await supportedBy(call, options.url ?? SANDBOX_URL);
  const wishes = {
    name: projectNameFor(cwd),
    isSupported,
    ...(source && { source }),
    ...(targets && { targets }),
  };
  const found =
    imported === undefined
      ? withTools(await withReadable(propose(repository, wishes), cwd), repository)
      : ignoringNotes(
          proposeImported(imported, pathsBelow(imported.root, repository), wishes),
          (path) => repository.head(join(imported.root ?? '', path)),
        );
  if (imported !== undefined && found.projects.length === 0) {
    const [first] = found.suggestions;
    throw new CommandFailure(
      1,
      `${imported.tool} names ${first?.route.from ?? 'no files'}: ${first?.reason ?? 'no route'}; nothing was written`,
    );
  }
  if (found.projects.length > 0) return found;
  const example = found.suggestions.length === 0 ? EXAMPLE : { ...EXAMPLE, layout: NOTHING_USED };
  const project = {
    name: wishes.name,
    source: found.source,
    targets: targets ?? EXAMPLE_TARGETS.filter((tag) => !sameLanguage(tag, found.source)),
    spellings: new Map(),
    routes: [example],
    leftOut: new Map(),
  };
  return { ...found, projects: [project] };
}

/** Adds the keys that are not texts to `keys.ignore`: other tools know these by the file type alone. */
function ignoringNotes(found: Proposal, head: Repository['head']): Proposal {
  const projects = found.projects.map((project) => ({
    ...project,
    routes: project.routes.map((each) => {
      const [first = ''] = each.sources;
      const ignore = keysWithoutText(first, head(first));
      if (ignore.length === 0) return each;
      const keys = { ...each.route.keys, ignore: [...(each.route.keys?.ignore ?? []), ...ignore] };
      return { ...each, route: { ...each.route, keys } };
    }),
  }));
  return { ...found, projects };
}

function pathsBelow(root: string | undefined, { paths }: Repository): readonly string[] {
  if (root === undefined) return paths;
  return paths.filter((path) => isWithin(path, root)).map((path) => path.slice(root.length + 1));
}

/** Adds a note for each config of another tool. Names that begin with a dot are looked for one by one: the file list leaves them out. */
function withTools(found: Proposal, { paths, head }: Repository): Proposal {
  const hidden = ['.deepl-sync.yaml', '.tolgeerc', '.tolgeerc.json', '.phrase.yml', '.tx/config'];
  const here = [
    ...hidden.filter((path) => head(path) !== undefined),
    ...paths.filter((path) => TOOLS.some(({ pattern }) => pattern.test(path))),
  ];
  const notes = here.map(
    (path) => `${path} is here: "dragoman init --from ${path}" starts from it.`,
  );
  return { ...found, notes: [...notes, ...found.notes] };
}

function projectNameFor(folder: string): string {
  const name = basename(folder)
    .replaceAll(/[^\w.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return name === '' ? 'project' : name;
}

/** Makes the source folder of an example route, since a route without its folder is a fault. @returns notes for people */
async function makeExampleFolders(cwd: string, { projects }: FirstConfig): Promise<string[]> {
  const notes: string[] = [];
  for (const { source, routes } of projects) {
    if (!routes.some(({ route }) => route === EXAMPLE.route)) continue;
    const folder = `${EXAMPLE_FOLDER}/${source}`;
    try {
      await mkdir(join(cwd, folder), { recursive: true });
      notes.push(`Made ${folder}/ for the example: put sources there, or correct the route.`);
    } catch (error) {
      notes.push(`${folder}/ could not be made (${errorCode(error)}): correct the route.`);
    }
  }
  return notes;
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
  return new CommandFailure(1, `${file} exists already and was not changed`);
}

/** Takes over the lock of the other tool, so that translations that are stale there are stale here, too. */
async function adoptImportedLock(
  { cwd, env, terminal }: CommandCall<InitOptions>,
  file: string,
  imported: Imported,
): Promise<void> {
  const parsed = readConfig(await readText(file), { file, env });
  if (parsed.faults !== undefined) return;
  const note = await adoptLock(parsed, imported, join(cwd, imported.root ?? ''));
  if (note !== undefined) terminal.note(note);
}

/** Prints the plan: 0 characters for a complete repository, since existing translations are adopted. */
async function showPlan(call: CommandCall<InitOptions>): Promise<void> {
  const { command: plan } = await import('./plan.ts');
  const { input, verbose = false } = call.options;
  const options = { input, verbose, project: [], language: [] };
  // The notes are left to the next `check` and `plan`. One of them would ask about a lost state, and there was none yet.
  const terminal = { ...call.terminal, note: () => {} };
  await plan.run({ ...call, args: [], options, terminal });
}
