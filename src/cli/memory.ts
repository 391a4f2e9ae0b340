/** `dragoman memory export|import FILE.tmx`: the paid translations, for and from the tools that people already have. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { isoTime } from '../clock.ts';
import type { Project } from '../config.ts';
import { lockState } from '../files/exclusive.ts';
import type { RecipeKey } from '../job.ts';
import { parse } from '../parsing/parse.ts';
import { recipeFor } from '../plan/recipe.ts';
import { VERSION } from '../service/version.ts';
import { Memories, type Memory } from '../state/memory.ts';
import { READ_TMX } from '../state/parsers.ts';
import { TMX_END, type TmxUnit, tmxHead, tmxUnit } from '../state/tmx-text.ts';
import { type Call, type CliCommand, CommandFailure, UsageError } from './command.ts';
import { openConfig } from './open-config.ts';
import { addScope, type ScopeOptions } from './scope.ts';

export const command: CliCommand<ScopeOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('<action>', 'export or import')
      .argument('<file>', 'a .tmx file')
      .addHelpText(
        'after',
        `
Examples:
  dragoman memory export all.tmx --project webapp             what was paid for, as TMX 1.4b
  dragoman memory import agency.tmx --project webapp          used before anything is bought`,
      );
  },
  async run(call: Call<ScopeOptions>) {
    const [action, name] = call.args;
    if (name === undefined) throw new UsageError('name a .tmx file');
    if (action !== 'export' && action !== 'import') throw new UsageError('say export or import');
    const { config } = await openConfig(call);
    const project = theProject(call, config.projects);
    await using _lock = await lockState(config.state, call.clock);
    await using memories = new Memories({ folder: join(config.state, 'memory') });
    const file = resolve(call.cwd, name);
    const task = { call, project, memories, file };
    const units = action === 'export' ? await exportMemory(task) : await importMemory(task);
    if (call.options.json) call.terminal.json({ action, file, units });
    else
      call.terminal.out(
        `${units} texts ${action === 'export' ? 'written to' : 'read from'} ${name}`,
      );
    return 0;
  },
};

interface Task {
  readonly call: Call<ScopeOptions>;
  readonly project: Project;
  readonly memories: Memories;
  /** Absolute. */
  readonly file: string;
}

function theProject({ options }: Call<ScopeOptions>, projects: readonly Project[]): Project {
  const named = projects.filter(
    ({ name }) => options.project.length === 0 || options.project.includes(name),
  );
  const [project, another] = named;
  if (project === undefined)
    throw new UsageError(`no project is named ${options.project.join(', ')}`);
  if (another !== undefined) throw new UsageError('name one project with --project');
  return project;
}

async function exportMemory({ call, project, memories, file }: Task): Promise<number> {
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
  await pipeline(lines, createWriteStream(file));
  return units;
}

/** The translation bought last for each text. */
async function* unitsOf(
  call: Call<ScopeOptions>,
  project: Project,
  memories: Memories,
): AsyncGenerator<TmxUnit> {
  const wanted = new Set(call.options.language);
  for (const language of project.targets) {
    if (wanted.size > 0 && !wanted.has(language)) continue;
    const { shared } = recipeFor(project, language);
    const own = await memories.open(project.name, language);
    for await (const unit of rememberedIn(own)) yield { ...unit, language };
    if (shared === undefined) continue;
    const other = await memories.open(project.name, shared.target);
    for await (const unit of rememberedIn(other, shared.key)) yield { ...unit, language };
  }
}

/** @param key what is remembered for this recipe alone */
async function* rememberedIn(
  memory: Memory,
  key?: RecipeKey,
): AsyncGenerator<Omit<TmxUnit, 'language'>> {
  for await (const { recipe, source, translation, at } of memory.entries()) {
    const isMeant = key === undefined || recipe.split('/', 1)[0] === key;
    if (!isMeant || memory.lookup(recipe, source) === undefined) continue;
    yield { source, target: translation, at };
  }
}

async function importMemory({ call, project, memories, file }: Task): Promise<number> {
  if (project.source === 'auto') {
    throw new CommandFailure(1, `${project.name} has no fixed source language; a TMX needs one`);
  }
  const text = await readFile(file, 'utf8');
  const tmx = { text, file, sourceLanguage: project.source };
  const units = await parse(READ_TMX, tmx, { file, bytes: text.length });
  const at = isoTime(call.clock);
  let remembered = 0;
  for (const language of project.targets) {
    const recipe = recipeFor(project, language).key;
    const memory = await memories.open(project.name, language);
    const entries = units
      .filter((unit) => unit.language === language)
      .filter(({ source }) => memory.lookup(recipe, source) === undefined)
      .map(({ source, target }) => ({ recipe, source, translation: target, request: 'tmx', at }));
    await memory.remember(entries);
    remembered += entries.length;
  }
  return remembered;
}
