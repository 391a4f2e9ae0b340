/** `dragoman init`: looks at the folder, asks, and writes the first `dragoman.yaml`. Never overwrites one. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { readTargets } from '../config/languages.ts';
import { CONFIG_NAME, readConfig } from '../config/load.ts';
import { errorCode } from '../files/disk.ts';
import { isWithin } from '../files/listing.ts';
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
import { keysWithoutText } from './init/contents.ts';
import { type FirstConfig, firstConfigText, type PricedOffer } from './init/first-config.ts';
import { adoptLock } from './init/from/adopt-lock.ts';
import { importTool } from './init/from/import-tool.ts';
import type { Imported } from './init/from/imported.ts';
import { proposeImported } from './init/from/propose-imported.ts';
import { TOOL_FILES, TOOLS } from './init/from/tools.ts';
import { look } from './init/look.ts';
import { priced, withReadable } from './init/prices.ts';
import { EXAMPLE_TARGETS, type Proposal, type ProposedProject, propose } from './init/proposals.ts';
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
  async run(call: Call<InitOptions>) {
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
        : await ask(call, found);
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

const SANDBOX_URL = 'http://127.0.0.1:8080';
const EXAMPLE: ProposedProject['routes'][number] = {
  layout: 'an example: nothing was recognised',
  sources: [],
  route: { from: 'locales/{locale}/**/*.json' },
};
const EXAMPLE_FOLDER = 'locales';

const NOTHING_TAKEN = 'an example: what was found is not taken, with the reasons below';

async function propositionFor(
  call: Call<InitOptions>,
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

/** @param source empty: not known yet */
function targetsOf(codes: readonly string[], source: LanguageTag | ''): LanguageTag[] {
  return readTargets(codes, {
    path: [],
    source,
    report: (_, message) => {
      throw new UsageError(message);
    },
  });
}

/** Of several projects the answers are for all. */
async function ask(call: Call<InitOptions>, found: Proposal): Promise<Answered> {
  const { group, text, multiselect } = await import('@clack/prompts');
  const { projects, offers } = found;
  const taken = projects.flatMap(({ routes }) => routes);
  const answers = await group(
    {
      url: () =>
        text({
          message: 'Address of the service',
          initialValue: call.options.url ?? SANDBOX_URL,
        }),
      routes: () =>
        multiselect<ProposedProject['routes'][number]>({
          message: 'What to translate',
          options: [...taken, ...offers].map((each) => ({
            value: each,
            label: each.route.from,
            hint: 'reason' in each ? `${each.layout}: ${each.reason}` : each.layout,
          })),
          initialValues: [...taken],
        }),
      targets: async () => {
        const answered: LanguageTag[][] = [];
        for (const { name, source, targets, leftOut } of projects) {
          const lacking = [...leftOut].map(([code, reason]) => `${code} (${reason})`).join(', ');
          const codes = await text({
            message: `Target languages of ${name}${lacking === '' ? '' : `; left out: ${lacking}`}`,
            initialValue: targets.join(', '),
            validate: (value = '') =>
              codesOf(value)
                .map(notLanguage)
                .find((fault) => fault !== undefined),
          });
          if (typeof codes === 'symbol') throw new CommandFailure(1, 'nothing was written');
          answered.push(targetsOf(codesOf(codes), source));
        }
        return answered;
      },
    },
    {
      onCancel: () => {
        throw new CommandFailure(1, 'nothing was written');
      },
    },
  );
  const chosen = new Set<unknown>(answers.routes);
  const added = offers.filter((offer) => chosen.has(offer));
  return {
    url: answers.url,
    proposal: {
      ...found,
      projects: projects.flatMap((project, index) => {
        const kept = project.routes.filter((route) => chosen.has(route));
        const routes = index === 0 ? [...kept, ...added] : kept;
        const targets = answers.targets[index] ?? project.targets;
        return routes.length === 0 ? [] : [{ ...project, routes, targets }];
      }),
      offers: offers.filter((offer) => !chosen.has(offer)),
    },
  };
}

interface Answered {
  readonly url: string;
  readonly proposal: Proposal;
}

function codesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((code) => code !== '');
}

function notLanguage(code = ''): string | undefined {
  return parseLanguage(code) === undefined ? `"${code}" is no language code` : undefined;
}

// A repository may hold what routes cannot: routes that are refused together are left to the person, with the fault.
function withoutRefused(config: FirstConfig, file: string): FirstConfig {
  const parsed = readConfig(firstConfigText(config), { file, env: {} });
  const rules = (parsed.faults ?? []).flatMap(({ path, message }) => {
    const [, project = '', rule = ''] = RULE.exec(path) ?? [];
    const own = config.projects.find(({ name }) => name === project)?.rules ?? {};
    return rule in own ? [{ project, rule, value: own[rule], message }] : [];
  });
  if (rules.length > 0) return withoutRefused(withoutRules(config, rules), file);
  const refused = new Map(
    (parsed.faults ?? []).flatMap(({ path, message }) => {
      const [, project = '', route = ''] = /^projects\.(.+)\.routes\.(\d+)/.exec(path) ?? [];
      return route === '' ? [] : [[`${project} ${route}`, message] as const];
    }),
  );
  if (refused.size === 0) return config;
  const offers: PricedOffer[] = [];
  const projects = config.projects.flatMap((project) => {
    const routes = project.routes.filter((found, index) => {
      const reason = refused.get(`${project.name} ${index}`);
      if (reason === undefined) return true;
      offers.push({ ...found, reason, sources: [], price: 'remove that route to take this one' });
      return false;
    });
    return routes.length === 0 ? [] : [{ ...project, routes }];
  });
  if (projects.length === 0) return config;
  return withoutRefused({ ...config, projects, offers: [...config.offers, ...offers] }, file);
}

const RULE = /^projects\.([^.]+)\.(\w+)/;

interface RefusedRule {
  readonly project: string;
  readonly rule: string;
  readonly value: unknown;
  readonly message: string;
}

/** What another tool allows, and this one does not, is by hand. */
function withoutRules(config: FirstConfig, refused: readonly RefusedRule[]): FirstConfig {
  return {
    ...config,
    projects: config.projects.map((project) => {
      const rules = Object.entries(project.rules ?? {}).filter(
        ([rule]) => !refused.some((each) => each.project === project.name && each.rule === rule),
      );
      return { ...project, rules: Object.fromEntries(rules) };
    }),
    notes: [
      ...config.notes,
      ...refused.map(
        ({ project, rule, value, message }) =>
          `by hand: ${rule}: ${JSON.stringify(value)} of project ${project}: ${message}`,
      ),
    ],
  };
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

function conclude(
  { cwd, terminal, options }: Call<InitOptions>,
  { file, config }: { file: string; config: FirstConfig },
): void {
  const { projects, offers, notes, lock } = config;
  if (options.json === true) terminal.json(asData(file, config));
  else {
    terminal.out(`Wrote ${file}`);
    for (const { name, source, targets, routes, leftOut } of projects) {
      terminal.out(`${name}: ${source} into ${targets.join(', ')}`);
      for (const { layout, route } of routes) terminal.out(`  ${route.from}   (${layout})`);
      for (const [reason, codes] of Map.groupBy(leftOut, ([, why]) => why)) {
        terminal.out(`  left out: ${codes.map(([code]) => code).join(', ')}: ${reason}`);
      }
    }
    for (const { route, reason, price } of offers) {
      terminal.out(`not taken: ${route.from}: ${reason}; ${price}`);
    }
  }
  for (const note of notes) terminal.note(note);
  if (lock !== undefined) {
    terminal.note(
      `Commit ${lock}/ with the translations: it tells every checkout what is translated and what a person wrote.`,
    );
  }
  if (!ignoresState(cwd))
    terminal.note(
      'Add ".dragoman/" to .gitignore: the state holds what was paid for, and is nobody else’s.',
    );
  terminal.note(
    config.url === SANDBOX_URL
      ? 'The address is that of the sandbox: "dragoman sandbox" starts it and prints its key; --url names the service.'
      : `Texts will go to ${config.url}.`,
  );
  terminal.note('Next: set DRAGOMAN_KEY, then "dragoman check" and "dragoman plan".');
}

function asData(file: string, { projects, offers, notes, lock }: FirstConfig): object {
  const [first] = projects;
  const routesOf = (project: ProposedProject) =>
    project.routes.map(({ route, layout }) => ({ ...route, layout }));
  return {
    file,
    source: first?.source,
    targets: first?.targets,
    routes: projects.flatMap(routesOf),
    lock: lock ?? null,
    projects: projects.map((project) => ({
      name: project.name,
      source: project.source,
      targets: project.targets,
      routes: routesOf(project),
      left_out: Object.fromEntries(project.leftOut),
    })),
    not_taken: offers.map(({ route, layout, reason, price }) => ({
      ...route,
      layout,
      reason,
      price,
    })),
    notes,
  };
}

/** Where the other tool kept a lock, what was stale there is stale here. */
async function takeOverLock(
  { cwd, env, terminal }: Call<InitOptions>,
  file: string,
  imported: Imported,
): Promise<void> {
  const parsed = readConfig(readFileSync(file, 'utf8'), { file, env });
  if (parsed.faults !== undefined) return;
  const said = await adoptLock(parsed, imported, join(cwd, imported.root ?? ''));
  if (said !== undefined) terminal.note(said);
}

/** For a complete repository it says 0 characters: what stands is adopted. */
async function showPlan(call: Call<InitOptions>): Promise<void> {
  const { command: plan } = await import('./plan.ts');
  const { input, verbose = false } = call.options;
  const options = { input, verbose, project: [], language: [] };
  // The next `check` and `plan` print its notes; one of them asks whether the state was lost, and there was none yet.
  const terminal = { ...call.terminal, note: () => {} };
  await plan.run({ ...call, args: [], options, terminal });
}

function ignoresState(folder: string): boolean {
  try {
    return /^\/?\.dragoman\/?$/m.test(readFileSync(join(folder, '.gitignore'), 'utf8'));
  } catch {
    return false;
  }
}
