/** `dragoman memory`: exports paid translations as TMX, imports TMX files, lists the memories. */
import { createWriteStream } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { isoTime } from '../clock.ts';
import type { Config } from '../config.ts';
import { isNamed } from '../control/scope.ts';
import { describeFailure, failureOf, JobFailure } from '../failure.ts';
import { isAbsent, writeFailure } from '../files/disk.ts';
import { readText } from '../files/read-file.ts';
import type { RecipeKey } from '../job.ts';
import { type LanguageTag, plural } from '../language.ts';
import { parse } from '../parsing/parse.ts';
import { recipeFor } from '../plan/recipe.ts';
import type { Project } from '../project.ts';
import type { TranslationMemory } from '../service/memories.ts';
import { VERSION } from '../service/version.ts';
import { holdState } from '../state/damage.ts';
import { isLeftText } from '../state/left-texts.ts';
import { FolderMemories, memoryReader } from '../state/memories/folder.ts';
import type { Memories, Memory } from '../state/memory.ts';
import { READ_TMX } from '../state/thread-calls.ts';
import { TMX_END, type TmxUnit, tmxHead, tmxUnit } from '../state/tmx-text.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type ExitCode,
  UsageError,
} from './command.ts';
import { openAdministration } from './open-administration.ts';
import { openConfig } from './open-config.ts';
import { withService } from './open-service.ts';
import { addScope, type ScopeOptions, scopeFrom } from './scope.ts';
import { type Column, table } from './table.ts';

interface MemoryOptions extends ScopeOptions {
  readonly service?: boolean;
}

export const command: CliCommand<MemoryOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('<action>', 'export, import or list')
      .argument('[file]', 'export, import: a .tmx file')
      .option('--service', 'list: the translation memories of the service, with their ids')
      .addHelpText(
        'after',
        `
Examples:
  dragoman memory export all.tmx --project webapp             paid translations, as TMX 1.4b
  dragoman memory import agency.tmx --project webapp          used before a translation is bought
  dragoman memory list                                        number of texts per project and language
  dragoman memory list --service                              ids for translation_memory: { id: … }`,
      );
  },
  async run(call: CommandCall<MemoryOptions>) {
    const [action, name] = call.args;
    if (action === 'list') {
      if (name !== undefined) throw new UsageError('list takes no file');
      return call.options.service === true ? await listOfService(call) : await listOwn(call);
    }
    if (action !== 'export' && action !== 'import')
      throw new UsageError('the action is export, import or list');
    if (call.options.service === true) throw new UsageError('--service is for list');
    if (name === undefined) throw new UsageError('name a .tmx file');
    const config = await openScoped(call);
    const project = theProject(call, config.projects);
    const file = resolve(call.cwd, name);
    const task = { call, project, file };
    const units =
      action === 'export' ? await exportMemory(task, config) : await importMemory(task, config);
    if (call.options.json) call.terminal.json({ action, file, units });
    else
      call.terminal.out(
        `${plural(units, 'text')} ${action === 'export' ? 'written to' : 'read from'} ${name}`,
      );
    return 0;
  },
};

async function listOfService(call: CommandCall<MemoryOptions>): Promise<ExitCode> {
  const { options, terminal } = call;
  const found = await withService(call, ({ memories }, given) => memories.listAll(given));
  if (options.json) terminal.json({ memories: found });
  else for (const line of table(SERVICE_COLUMNS, found, terminal.columns)) terminal.out(line);
  return 0;
}

/** Memories that are only read. */
interface ReadMemories {
  open(project: string, language: LanguageTag): Promise<Pick<Memory, 'entries'>>;
}

/** The memories of the team's database where the config names one, else those of the state folder, also while a daemon writes them. */
async function withMemories<T>(
  call: CommandCall<MemoryOptions>,
  { state, team }: Config,
  read: (memories: ReadMemories) => Promise<T>,
): Promise<T> {
  if (team === undefined) {
    const folder = join(state, 'memory');
    return await read({ open: async (...asked) => memoryReader(folder, ...asked) });
  }
  await using administration = await openAdministration(call, team);
  return await read(administration.memories('memory'));
}

/** The same for writing: those of the state folder are locked meanwhile. */
async function openMemories(
  call: CommandCall<MemoryOptions>,
  { state, team }: Config,
): Promise<Memories> {
  await using opening = new AsyncDisposableStack();
  const memories =
    team === undefined
      ? await folderMemories(call, state, opening)
      : opening.use(await openAdministration(call, team)).memories('memory');
  const stack = opening.move();
  return {
    open: (...asked) => memories.open(...asked),
    of: (owner) => memories.of(owner),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function folderMemories(
  { clock }: CommandCall<MemoryOptions>,
  state: string,
  stack: AsyncDisposableStack,
): Promise<Memories> {
  stack.use(await holdState(state, clock, { isCommand: true }));
  return stack.use(new FolderMemories({ folder: join(state, 'memory') }));
}

const SERVICE_COLUMNS: readonly Column<TranslationMemory>[] = [
  { title: 'id', text: ({ translation_memory_id }) => translation_memory_id },
  { title: 'name', shrink: true, text: ({ name }) => name },
  { title: 'source', text: ({ source_language }) => source_language },
  { title: 'targets', shrink: true, text: ({ target_languages }) => target_languages.join(', ') },
  { title: 'segments', align: 'right', text: ({ segment_count }) => String(segment_count) },
];

interface OwnMemory {
  readonly project: string;
  readonly language: LanguageTag;
  readonly texts: number;
}

async function listOwn(call: CommandCall<MemoryOptions>): Promise<ExitCode> {
  const { options, terminal } = call;
  const config = await openScoped(call);
  const found: OwnMemory[] = [];
  await withMemories(call, config, async (memories) => {
    for (const project of projectsIn(call, config.projects)) {
      const texts = new Map(project.targets.map((language) => [language, 0]));
      for await (const { language } of unitsOf(call, project, memories)) {
        texts.set(language, (texts.get(language) ?? 0) + 1);
      }
      for (const [language, count] of texts) {
        if (count > 0) found.push({ project: project.name, language, texts: count });
      }
    }
  });
  if (options.json) terminal.json({ memories: found });
  else for (const line of table(OWN_COLUMNS, found, terminal.columns)) terminal.out(line);
  return 0;
}

const OWN_COLUMNS: readonly Column<OwnMemory>[] = [
  { title: 'project', shrink: true, text: ({ project }) => project },
  { title: 'language', text: ({ language }) => language },
  { title: 'texts', align: 'right', text: ({ texts }) => String(texts) },
];

interface TmxTask {
  readonly call: CommandCall<ScopeOptions>;
  readonly project: Project;
  /** Absolute. */
  readonly file: string;
}

/** The config. @throws UsageError when it lacks a named project or language */
async function openScoped(call: CommandCall<ScopeOptions>): Promise<Config> {
  const setup = await openConfig(call);
  scopeFrom(call, [], setup);
  return setup.config;
}

/** The projects named by `--project`, or all. */
function projectsIn(
  { options }: CommandCall<ScopeOptions>,
  projects: readonly Project[],
): readonly Project[] {
  return projects.filter(
    ({ name }) => options.project.length === 0 || options.project.includes(name),
  );
}

/** The target languages of a project named by `--language`, or all. */
function languagesIn(
  { options }: CommandCall<ScopeOptions>,
  { name, targets }: Project,
): readonly LanguageTag[] {
  const wanted = { projects: [], languages: options.language };
  return targets.filter((language) => isNamed(wanted, name, language));
}

function theProject(call: CommandCall<ScopeOptions>, projects: readonly Project[]): Project {
  const [project, another] = projectsIn(call, projects);
  if (project === undefined || another !== undefined)
    throw new UsageError('name one project with --project');
  return project;
}

async function exportMemory(task: TmxTask, config: Config): Promise<number> {
  return await withMemories(task.call, config, (memories) => exportFrom(memories, task));
}

async function exportFrom(
  memories: ReadMemories,
  { call, project, file }: TmxTask,
): Promise<number> {
  const sourceLanguage = project.source === 'auto' ? undefined : project.source;
  let units = 0;
  const lines = async function* () {
    yield tmxHead({ sourceLanguage, version: VERSION });
    for await (const unit of unitsOf(call, project, memories)) {
      units += 1;
      yield tmxUnit(unit, sourceLanguage ?? 'und');
    }
    yield TMX_END;
  };
  const { drain: signal } = call.signals;
  await pipeline(lines, createWriteStream(file), { signal }).catch(async (error: unknown) => {
    if (!signal.aborted) throw writeFailure(file, error);
    // A part of a TMX is none.
    if ((await lstat(file)).isFile()) await rm(file);
    throw new JobFailure({ kind: 'stopped' }, { cause: error });
  });
  return units;
}

/** The last bought translation of each text, in all wanted languages. */
async function* unitsOf(
  call: CommandCall<ScopeOptions>,
  project: Project,
  memories: ReadMemories,
): AsyncGenerator<TmxUnit> {
  for (const language of languagesIn(call, project)) {
    const { shared } = recipeFor(project, language);
    const own = await memories.open(project.name, language);
    for await (const unit of rememberedIn(own)) yield { ...unit, language };
    if (shared === undefined) continue;
    const other = await memories.open(project.name, shared.target);
    for await (const unit of rememberedIn(other, shared.key)) yield { ...unit, language };
  }
}

/** All entries of a memory. @param key only entries of this recipe */
async function* rememberedIn(
  memory: Pick<Memory, 'entries'>,
  key?: RecipeKey,
): AsyncGenerator<Omit<TmxUnit, 'language'>> {
  for await (const entry of memory.entries()) {
    if (isLeftText(entry)) continue;
    const { recipe, source, translation, at } = entry;
    const isMeant = key === undefined || recipe.split('/', 1)[0] === key;
    if (!isMeant) continue;
    yield { source, target: translation, at };
  }
}

/** Dragoman does not retry it: a person imports the file again. */
function notImported(error: unknown): CommandFailure {
  const reason = describeFailure(failureOf(error));
  const message = `${reason}\nNothing was imported. Correct the file, or split it, and import it again.`;
  return new CommandFailure(1, message, { cause: error });
}

async function importMemory({ call, project, file }: TmxTask, config: Config): Promise<number> {
  await using memories = await openMemories(call, config);
  if (project.source === 'auto') {
    throw new CommandFailure(1, `${project.name} has no fixed source language; a TMX needs one`);
  }
  const text = await readText(file).catch((error: unknown) => {
    throw isAbsent(error) ? new UsageError(`${file} does not exist`) : notImported(error);
  });
  const tmx = { text, file, sourceLanguage: project.source };
  const units = await parse(READ_TMX, tmx, { file, bytes: text.length });
  const at = isoTime(call.clock);
  let remembered = 0;
  for (const language of languagesIn(call, project)) {
    const recipe = recipeFor(project, language).key;
    const memory = await memories.open(project.name, language);
    const own = units.filter((unit) => unit.language === language);
    const known = await memory.find(own.map(({ source }) => ({ recipe, parts: source })));
    const entries = own
      .filter((_, index) => known[index] === undefined)
      .map(({ source, target }) => ({ recipe, source, translation: target, request: 'tmx', at }));
    await memory.remember(entries);
    remembered += entries.length;
  }
  return remembered;
}
