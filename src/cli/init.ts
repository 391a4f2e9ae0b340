/** `dragoman init`: looks at the folder, asks, and writes the first `dragoman.yaml`. Never overwrites one. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { CONFIG_NAME, readConfig } from '../config/load.ts';
import { errorCode } from '../files/disk.ts';
import { isWithin } from '../files/listing.ts';
import { findWorkTree, ignoredBy } from '../files/work-tree.ts';
import { type LanguageTag, parseLanguage, sameLanguage } from '../language.ts';
import { UNIGNORE } from './check-lock.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { ask, targetsOf } from './init/ask.ts';
import { conclude } from './init/conclusion.ts';
import { keysWithoutText } from './init/contents.ts';
import { type FirstConfig, firstConfigText, SANDBOX_URL } from './init/first-config.ts';
import { adoptLock } from './init/from/adopt-lock.ts';
import { importTool } from './init/from/import-tool.ts';
import type { Imported } from './init/from/imported.ts';
import { proposeImported } from './init/from/propose-imported.ts';
import { TOOL_FILES, TOOLS } from './init/from/tools.ts';
import { look } from './init/look.ts';
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
      .option('--yes', 'take what is found without asking')
      .option('--source <code>', 'source language')
      .option('--target <code...>', 'target languages')
      .option('--url <address>', 'base address of the service')
      .option('--from <file>', 'take routes and languages from the config of another tool')
      .addHelpText(
        'after',
        `
Examples:
  dragoman init                            look, ask, write dragoman.yaml
  dragoman init --yes                      look and write, for scripts
  dragoman init --yes --target de fr ja    with these languages
  dragoman init --yes --from crowdin.yml   arrive from Crowdin; the file stays as it is

--from takes ${TOOL_FILES}. See docs/migrating.md.`,
      );
  },
  async run(call: CommandCall<InitOptions>) {
    const { cwd, options, terminal } = call;
    const file = join(cwd, CONFIG_NAME);
    if (existsSync(file)) throw alreadyThere(file);
    if (options.yes !== true && !terminal.interactive) {
      throw new UsageError('init asks on a terminal; elsewhere it needs --yes');
    }
    const { from } = options;
    const imported = from === undefined ? undefined : await importTool(from, cwd);
    const repository = await look(call.cwd);
    const found = await propositionFor(call, repository, imported);
    const { url, proposal } =
      options.yes === true
        ? { url: options.url ?? SANDBOX_URL, proposal: found }
        : await ask(found, options.url ?? SANDBOX_URL);
    const lock = await lockFor(cwd);
    const config: FirstConfig = {
      ...{ url, projects: proposal.projects, notes: proposal.notes },
      offers: await priced(proposal.offers, join(cwd, imported?.root ?? '')),
      ...(imported?.budget === undefined ? {} : { budget: imported.budget }),
      ...(lock === undefined ? {} : { lock }),
      isInstalled: existsSync(join(cwd, 'node_modules', 'dragoman', 'config')),
    };
    const whole = withoutRefused(config, file);
    await writeNew(file, firstConfigText(whole));
    const made = await makeExampleFolders(cwd, whole);
    conclude(call, { file, config: { ...whole, notes: [...whole.notes, ...made] } });
    if (imported !== undefined) await takeOverLock(call, file, imported);
    if (imported !== undefined && options.json !== true) await showPlan(call);
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

const NOTHING_TAKEN = 'an example: what was found is not taken, with the reasons below';

async function propositionFor(
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
    name: nameOf(cwd),
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
    const [first] = found.offers;
    throw new CommandFailure(
      1,
      `${imported.tool} names ${first?.route.from ?? 'no files'}: ${first?.reason ?? 'no route'}; nothing was written`,
    );
  }
  if (found.projects.length > 0) return found;
  const example = found.offers.length === 0 ? EXAMPLE : { ...EXAMPLE, layout: NOTHING_TAKEN };
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

/** Other tools know by a type of file which keys are no texts. */
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

/** The configs of other tools say more than the files: names with a dot are not in the listing. */
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

function nameOf(folder: string): string {
  const name = basename(folder)
    .replaceAll(/[^\w.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return name === '' ? 'project' : name;
}

/** The folder of an example is there from the start: a route without one is a fault. @returns what was made, for people */
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
  return new CommandFailure(1, `${file} is there already and stays as it is`);
}

/** Where the other tool kept a lock, what was stale there is stale here. */
async function takeOverLock(
  { cwd, env, terminal }: CommandCall<InitOptions>,
  file: string,
  imported: Imported,
): Promise<void> {
  const parsed = readConfig(readFileSync(file, 'utf8'), { file, env });
  if (parsed.faults !== undefined) return;
  const said = await adoptLock(parsed, imported, join(cwd, imported.root ?? ''));
  if (said !== undefined) terminal.note(said);
}

/** For a complete repository it says 0 characters: what stands is adopted. */
async function showPlan(call: CommandCall<InitOptions>): Promise<void> {
  const { command: plan } = await import('./plan.ts');
  const { input, verbose = false } = call.options;
  const options = { input, verbose, project: [], language: [] };
  // The next `check` and `plan` print its notes; one of them asks whether the state was lost, and there was none yet.
  const terminal = { ...call.terminal, note: () => {} };
  await plan.run({ ...call, args: [], options, terminal });
}
