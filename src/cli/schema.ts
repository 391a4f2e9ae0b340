/** `dragoman schema`: prints the schema of the config for editors, with routes, folders, languages and glossaries of this repository. */
import type { Command } from 'commander';
import { type RepositoryNames, schemaWith } from '../config/json-schema.ts';
import { CONFIG_NAME } from '../config/load.ts';
import { JobFailure } from '../failure.ts';
import { FORMATS } from '../formats/all.ts';
import { parse } from '../parsing/parse.ts';
import type { CliCommand, CommandCall } from './command.ts';
import { READ_TOOL_CONFIG } from './init/from/thread-calls.ts';
import { inspectRepository } from './init/inspect-repository.ts';
import { propose } from './init/propose.ts';
import { ownPaths, type Repository } from './init/repository.ts';

export const command: CliCommand = {
  describe(command: Command) {
    command.addHelpText(
      'after',
      `
Examples:
  dragoman schema > dragoman.schema.json    then write as the first line of ${CONFIG_NAME}:
  # yaml-language-server: $schema=./dragoman.schema.json`,
    );
  },
  async run({ cwd, terminal }: CommandCall) {
    const repository = await inspectRepository(cwd);
    const config = await projectsIn(repository.head(CONFIG_NAME));
    // The words of JSON Schema, which are no names of ours.
    terminal.json<unknown>(schemaWith(repositoryNames(repository, config)));
    return 0;
  },
};

function repositoryNames(
  repository: Repository,
  config: readonly WrittenProject[],
): RepositoryNames {
  const paths = ownPaths(repository);
  const { projects, suggestions, source } = propose(repository, {
    name: 'any',
    isSupported: () => true,
  });
  const routes = [...projects.flatMap((project) => project.routes), ...suggestions].map(
    ({ route }) => route,
  );
  return {
    routes: [...routes.map(({ from }) => from), ...patternsIn(paths)],
    targetPaths: routes.flatMap(({ to }) => to ?? []),
    folders: foldersIn(paths),
    languages: [
      ...new Set([
        ...projects.flatMap(({ targets }) => targets),
        source,
        ...config.flatMap(({ targets }) => stringsIn(targets)),
      ]),
    ].sort(),
    glossaries: [...new Set(config.flatMap(({ glossary }) => stringsIn(glossary?.name)))],
    tables: paths.filter((path) => /\.(?:csv|tsv)$/i.test(path)),
    styles: paths.filter((path) => /(?:^|[/._-])styles?\b.*\.ya?ml$/i.test(path)),
  };
}

interface WrittenProject {
  readonly targets?: unknown;
  readonly glossary?: { readonly name?: unknown };
}

/** The projects of a config, which may be unfinished and have faults. */
async function projectsIn(text: string | undefined): Promise<WrittenProject[]> {
  if (text === undefined) return [];
  const subject = { file: CONFIG_NAME, bytes: text.length };
  const data = await parse(READ_TOOL_CONFIG, { text, file: CONFIG_NAME }, subject).catch(
    (error) => {
      if (error instanceof JobFailure) return undefined;
      throw error;
    },
  );
  const { projects } = (data ?? {}) as { readonly projects?: unknown };
  if (typeof projects !== 'object' || projects === null) return [];
  return Object.values(projects).filter((each) => typeof each === 'object' && each !== null);
}

function stringsIn(value: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((each) => typeof each === 'string');
}

/** Folders of the first two levels: a deeper one is faster to type than to find in a list. */
function foldersIn(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) => {
    const names = path.split('/').slice(0, -1);
    return names.slice(0, 2).map((_, at) => names.slice(0, at + 1).join('/'));
  });
  return [...new Set(folders)].sort();
}

const READ_EXTENSIONS = new Set(FORMATS.flatMap(({ extensions }) => extensions));

/** Patterns such as `docs/**\/*.md`: one for each top folder and extension that a format reads. */
function patternsIn(paths: readonly string[]): string[] {
  const patterns = paths.flatMap((path) => {
    const [, folder, ext = ''] = /^([^/]+)\/.*\.(\w+)$/.exec(path) ?? [];
    return folder !== undefined && READ_EXTENSIONS.has(ext) ? [`${folder}/**/*.${ext}`] : [];
  });
  return [...new Set(patterns)].sort();
}
