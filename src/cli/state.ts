/** `dragoman state`: makes, fills, shows and cleans the database that a team shares. */
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Clock } from '../clock.ts';
import { readTeamKey } from '../config/load-team-url.ts';
import type { Config, TreeConfig } from '../config.ts';
import type { LanguageTag } from '../language.ts';
import { inEnglish, plural } from '../language.ts';
import { openBaselines } from '../state/baseline.ts';
import {
  beginPull,
  beginPush,
  endPull,
  endPush,
  isCopyOf,
  type PushRecord,
  requireWhole,
} from '../state/copies.ts';
import { holdState } from '../state/damage.ts';
import { openLedger } from '../state/json-ledger.ts';
import { FolderMemories } from '../state/memories/folder.ts';
import { copyPaidFiles } from '../state/paid-files.ts';
import type { Administration, DatabaseReport } from '../state/postgres/administer.ts';
import type { Copied, Folder } from '../state/postgres/copy-folder.ts';
import { SEEN } from '../state/team.ts';
import { takeSpool } from '../state/volume.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type ExitCode,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { openAdministration } from './open-administration.ts';
import { openConfig } from './open-config.ts';
import { worldOf } from './world.ts';

interface StateOptions extends GlobalOptions {
  readonly printSql?: boolean;
  readonly dryRun?: boolean;
  readonly project?: string;
  readonly before?: string;
  readonly yes?: boolean;
}

export const command: CliCommand<StateOptions> = {
  describe(command: Command) {
    command
      .argument('<action>', 'migrate, push, pull, status or forget')
      .option('--print-sql', 'with migrate: print the SQL, for the owner of the database')
      .option('--dry-run', 'with push: only count what would be copied')
      .option('--project <name>', 'with forget: only texts of this project')
      .option('--before <day>', 'with forget: only texts that were bought before this day')
      .option('-y, --yes', 'with forget: do not ask')
      .addHelpText(
        'after',
        `
"state.url" in the config names the database. "migrate" and "forget" need the address with the login of its owner.

Examples:
  dragoman state migrate              make the tables and the roles
  dragoman state push                 copy bought translations from this folder to the team
  dragoman state pull                 copy what the team or tree has here, so that this folder works alone
  dragoman state status               who works with the database, and what was billed
  dragoman state forget --project app --before 2026-01-01`,
      );
  },
  async run(call: CommandCall<StateOptions>) {
    const [action] = call.args;
    const { config } = await openConfig(call);
    const { team } = config;
    if (team === undefined) {
      throw new CommandFailure(78, 'the config names no database; add "url" to "state"');
    }
    if (action === 'migrate' && call.options.printSql === true) {
      const { schemaSql } = await import('../state/postgres/schema.ts');
      const { tree } = team;
      const queues =
        tree && (await import('../state/postgres/boss.ts')).queuesSql(team.schema, tree.name);
      call.terminal.out(`begin;\n${schemaSql(team.schema)}${queues ?? ''}commit;`);
      return 0;
    }
    const act = ACTIONS.get(action ?? '');
    if (act === undefined)
      throw new UsageError('the action is migrate, push, pull, status or forget');
    await using state = await openAdministration(call, team);
    return await act(call, { config, state });
  },
};

interface AdministrationTask {
  readonly config: Config;
  readonly state: Administration;
}

type Act = (call: CommandCall<StateOptions>, task: AdministrationTask) => Promise<ExitCode>;

const ACTIONS: ReadonlyMap<string, Act> = new Map(
  Object.entries<Act>({ migrate, push, pull, status, forget }),
);

async function migrate(
  { options, terminal }: CommandCall<StateOptions>,
  { config, state }: AdministrationTask,
) {
  const isMade = await state.migrate(config.team?.tree?.name);
  if (options.json === true) terminal.json({ action: 'migrate', changed: isMade });
  else terminal.out(isMade ? 'The tables and roles are made.' : 'Nothing to do.');
  return 0 as const;
}

async function push(call: CommandCall<StateOptions>, { config, state }: AdministrationTask) {
  const { options, terminal } = call;
  const run = options.dryRun === true ? 'dry' : 'real';
  const tree = config.team?.tree;
  if (tree !== undefined && run === 'real') {
    await state.spoolOf(tree.name, tree.spool).require();
    await takeSpool(tree.spool, tree.name);
  }
  const copied = await withFolder(config, call.clock, async (folder) => ({
    ...(await state.push(folder, run)),
    ...(await pushTree(call, { config, state }, { folder, run })),
  }));
  // After a push, a database that was restored from a backup has everything again that this folder knows.
  if (run === 'real') await writeFile(join(config.state, SEEN), '{}\n', { mode: 0o600 });
  if (options.json === true) terminal.json({ action: 'push', dry_run: run === 'dry', ...copied });
  else {
    const jobs = 'jobs' in copied ? [plural(copied.jobs, 'job')] : [];
    const all = [plural(copied.texts, 'translation'), plural(copied.charges, 'charge'), ...jobs];
    const what = `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
    terminal.out(run === 'dry' ? `Would copy ${what}.` : `${what} copied to the team.`);
  }
  return 0 as const;
}

/** Of a dry run. */
const NO_PUSH: PushRecord = { push: '', leader: '', earlier: undefined };

/** Copies jobs, their baselines, and paid documents and recordings, where the config names a tree. */
async function pushTree(
  call: CommandCall<StateOptions>,
  { config: { state: place, team }, state }: AdministrationTask,
  { folder, run }: { readonly folder: Folder; readonly run: 'dry' | 'real' },
): Promise<{ readonly jobs: number } | object> {
  const key = team && (await readTeamKey(team, worldOf(call).secrets));
  if (team?.tree === undefined || key === undefined) return {};
  const { name: tree, spool } = team.tree;
  await using baselines = openBaselines(join(place, 'base'));
  await requireWhole(place);
  if (run === 'real') await copyPaidFiles({ from: place, to: spool, existing: 'stays' });
  const mark = run === 'real' ? await beginPush(place, tree) : NO_PUSH;
  const own = { ledger: folder.ledger, baselines, folder: place, mark };
  const jobs = await state.pushTree({ tree, key, ...own }, run);
  if (run === 'real') await endPush(place, tree);
  return { jobs };
}

async function pull(call: CommandCall<StateOptions>, { config, state }: AdministrationTask) {
  const { options, terminal } = call;
  const tree = config.team?.tree;
  await requireSpool(state, tree);
  // They would change jobs while these are copied.
  const daemons = tree === undefined ? [] : await state.working(tree.name);
  const copied = await withFolder(config, call.clock, async (folder) =>
    tree === undefined || daemons.length > 0
      ? { ...(await state.pull(folder)), ...(tree && { daemons }) }
      : await pullTree(call, { config, state }, { folder, tree }),
  );
  if (options.json === true) terminal.json({ action: 'pull', ...copied });
  else for (const line of pulledLines(copied)) terminal.out(line);
  return 0 as const;
}

interface Pulled extends Copied {
  readonly jobs?: number;
  /** Paid documents and recordings. */
  readonly files?: number;
  /** The daemons that keep the jobs from being copied. */
  readonly daemons?: readonly string[];
}

function pulledLines({ texts, charges, jobs, files, daemons = [] }: Pulled): string[] {
  const all = [
    ...[plural(texts, 'translation'), plural(charges, 'charge')],
    ...(jobs === undefined ? [] : [plural(jobs, 'job')]),
    ...(files === undefined ? [] : [plural(files, 'paid file')]),
  ];
  const copied = `${all.slice(0, -1).join(', ')} and ${all.at(-1)} copied here.`;
  if (daemons.length === 0) return [copied];
  const stay = `The jobs are not copied, because daemons work on the tree: ${daemons.join(', ')}.`;
  return [copied, `${stay} If this folder is to work alone, end them and pull again.`];
}

/** @throws JobFailure `team-state` (`absent`) or CommandFailure when the paid files of the tree cannot be read here */
async function requireSpool(state: Administration, tree: TreeConfig | undefined): Promise<void> {
  if (tree === undefined) return;
  const spool = state.spoolOf(tree.name, tree.spool);
  await spool.require();
  const problem = await spool.problem();
  if (problem !== undefined) throw new CommandFailure(75, problem.message);
}

/** Copies everything of a tree into a folder, which is refused until that has ended. */
async function pullTree(
  call: CommandCall<StateOptions>,
  { config: { state: place, team }, state }: AdministrationTask,
  { folder, tree }: { readonly folder: Folder; readonly tree: TreeConfig },
): Promise<Pulled> {
  const { ledger } = folder;
  const [isEmpty, key] = [
    ledger.size('jobs') + ledger.size('sources') === 0,
    team && (await readTeamKey(team, worldOf(call).secrets)),
  ];
  if (key === undefined) throw new CommandFailure(78, 'a tree needs "key" in "state"');
  if (!isEmpty && !(await isCopyOf(place, tree.name))) {
    const message = `${place} holds jobs that the tree "${tree.name}" does not know, and a pull would replace them: name an empty folder in "state", or run "dragoman state push" first`;
    throw new CommandFailure(78, message);
  }
  await using baselines = openBaselines(join(place, 'base'));
  const mark = await beginPull(place, tree.name, isEmpty && folder.scopes.length === 0);
  const copied = await state.pull(folder);
  const files = await copyPaidFiles({ from: tree.spool, to: place, existing: 'replaced' });
  const jobs = await state.pullTree({ tree: tree.name, key, ledger, baselines, mark });
  // What a folder of its own bought is not in the database.
  if (mark.wasEmpty) await writeFile(join(place, SEEN), '{}\n', { mode: 0o600 });
  await endPull(place, tree.name);
  return { ...copied, jobs, files };
}

async function status(
  { options, terminal }: CommandCall<StateOptions>,
  { state }: AdministrationTask,
) {
  const report = await state.report();
  if (options.json === true) terminal.json(report);
  else for (const line of databaseLines(report)) terminal.out(line);
  return 0 as const;
}

function databaseLines(report: DatabaseReport): string[] {
  const { open, runners } = report;
  return [
    `${report.host}, schema ${report.schema}, version ${report.version}`,
    [
      ...(report.texts === null ? [] : [`${inEnglish(report.texts)} translations`]),
      `${inEnglish(report.billed_characters)} characters billed`,
    ].join('; '),
    ...(report.possibly_billed_twice === 0
      ? []
      : [`${inEnglish(report.possibly_billed_twice)} characters may have been billed twice`]),
    ...(open.requests === 0
      ? []
      : [
          `${plural(open.requests, 'request')} under way (${inEnglish(open.characters)} characters)`,
        ]),
    ...(runners.length === 0 ? ['no runner works with it now'] : []),
    ...runners.map(
      ({ name, login, silent_s }) => `${name} (${login}): last seen ${silent_s} s ago`,
    ),
  ];
}

async function forget(
  { options, terminal }: CommandCall<StateOptions>,
  { state }: AdministrationTask,
) {
  const { project, before } = options;
  if (project === undefined && before === undefined) {
    throw new UsageError('add --project, --before, or both');
  }
  if (before !== undefined && Number.isNaN(Date.parse(before))) {
    throw new UsageError(`--before ${before} is no day such as 2026-01-01`);
  }
  if (options.yes !== true) {
    throw new UsageError('forgotten texts are bought again when they are needed; add --yes');
  }
  const texts = await state.forget({
    ...(project === undefined ? {} : { project }),
    ...(before === undefined ? {} : { before: new Date(before).toISOString() }),
  });
  if (options.json === true) terminal.json({ action: 'forget', texts });
  else terminal.out(`${plural(texts, 'translation')} forgotten.`);
  return 0 as const;
}

async function withFolder<T>(
  { state }: Config,
  clock: Clock,
  work: (folder: Folder) => Promise<T>,
): Promise<T> {
  await using _lock = await holdState(state, clock, { isCommand: true });
  await using ledger = await openLedger({ folder: state, clock });
  const folder = join(state, 'memory');
  await using memories = new FolderMemories({ folder });
  const { allLetters, outboxIn } = await import('../state/postgres/outbox.ts');
  const letters = () => allLetters(outboxIn(state));
  return await work({ ledger, memories, scopes: await memoriesIn(folder), letters });
}

/** The memories of a folder: each subfolder is a project, each file a language. */
async function memoriesIn(folder: string): Promise<Folder['scopes']> {
  if (!existsSync(folder)) return [];
  const files = await readdir(folder, { withFileTypes: true, recursive: true });
  return files
    .filter((file) => file.isFile() && file.name.endsWith('.journal'))
    .map(({ parentPath, name }) => ({
      project: decodeURIComponent(parentPath.slice(folder.length + 1)),
      language: name.slice(0, -'.journal'.length) as LanguageTag,
    }));
}
