/**
 * Copies files of an earlier commit into a temporary folder. These are the config with its glossaries, styles and lock, and all sources and
 * targets that may need work since that commit. Reads no other file and changes nothing in the repository.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { ANYTHING } from '../config/capabilities.ts';
import { faultLine, sortFaults } from '../config/fault.ts';
import { loadConfig } from '../config/load.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Config } from '../config.ts';
import { errorCode } from '../files/disk.ts';
import { filesAtCommit, type GitRepository, pathInRepository } from '../files/git.ts';
import { contentsOf } from '../files/git-contents.ts';
import { isWithin } from '../files/listing.ts';
import { targetList } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { Project } from '../project.ts';
import { LockFiles } from '../state/lock-file.ts';
import { configuredGlossaries } from '../terminology/configured.ts';
import { type CommandCall, CommandFailure } from './command.ts';

export interface EarlierCheckout extends AsyncDisposable {
  /** The config of the commit. Undefined: the commit has none, or one that this version refuses. */
  readonly setup: SoundConfig | undefined;
  /** Why this version refuses the config of the commit; undefined: it accepts it, or there is none. */
  readonly refusal: string | undefined;
  /** Languages whose files all count as changed: config, glossary, style or lock changed since. */
  readonly languages: ReturnType<typeof touchedLanguages>;
  /** The temporary folder, absolute. */
  readonly folder: string;
  /** The top folder of the work tree, absolute. */
  readonly top: string;
}

export interface Commit {
  readonly repository: GitRepository;
  readonly commit: string;
  /** Paths changed since the commit, absolute, as git spells them. */
  readonly changed: readonly string[];
}

export async function openEarlier(
  call: CommandCall,
  { config: now }: SoundConfig,
  at: Commit,
): Promise<EarlierCheckout> {
  const { top } = at.repository;
  const folder = await temporarily(async () =>
    realpath(await mkdtemp(join(tmpdir(), 'dragoman-since-'))),
  );
  await using opening = new AsyncDisposableStack();
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const writer = { ...at, folder };
  const file = await pathInRepository(at.repository, now.file);
  if (file !== undefined) await copyFrom(writer, [file]);
  const parsed = file && (await configIn(call, { folder, file: join(folder, file) }));
  const setup = typeof parsed === 'object' ? parsed : undefined;
  const changed = new Set(at.changed.map((path) => join(folder, relative(top, path))));
  const there = await Promise.all(
    now.projects.map(({ root }) => pathInRepository(at.repository, root)),
  );
  const roots = new Map(
    now.projects.map(({ name }, index) => [name, join(folder, there[index] ?? '')]),
  );
  const languages = touchedLanguages(now, setup?.config, {
    isChanged: (path) => changed.has(join(folder, relative(top, path))),
    rootThen: (name) => roots.get(name),
  });
  if (setup) {
    const files = (await filesAtCommit(at.repository, at.commit)).map((path) =>
      relative(top, path),
    );
    const wanted = wantedFiles(setup, { folder, files, changed, languages });
    await copyFrom(writer, wanted);
    for (const { root } of setup.config.projects) await mkdir(root, { recursive: true });
  }
  const stack = opening.move();
  return {
    setup,
    refusal: parsed === undefined || typeof parsed === 'object' ? undefined : parsed,
    languages,
    folder,
    top,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function copyFrom(
  { repository, commit, folder }: Commit & { readonly folder: string },
  paths: readonly string[],
): Promise<void> {
  const files = paths.map((path) => ({ commit, path }));
  for await (const { path, bytes } of contentsOf(repository, files)) {
    if (bytes === undefined) continue;
    const file = join(folder, path);
    await temporarily(async () => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes);
    });
  }
}

/** @throws CommandFailure that names the disk, which a person did not choose here */
async function temporarily<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const message = `the folder for temporary files ${tmpdir()} cannot be written (${errorCode(error)})\nThe files of the earlier commit are copied there: give it space, or name another folder as TMPDIR.`;
    throw new CommandFailure(1, message, { cause: error });
  }
}

/**
 * Loads the copied config, with an empty state folder of its own and only the projects inside the repository.
 * @returns a message when it is refused; undefined when there is none
 */
async function configIn(
  { env }: CommandCall,
  { folder, file }: { readonly folder: string; readonly file: string },
): Promise<SoundConfig | string | undefined> {
  if (!existsSync(file)) return undefined;
  const parsed = await loadConfig(file, { env, capabilitiesOf: () => ANYTHING });
  if (parsed.faults !== undefined) {
    const [first] = sortFaults([...parsed.faults]);
    return first === undefined ? 'it has faults' : faultLine(first, folder);
  }
  const { config } = parsed;
  const { caFile: _caFile, ...service } = config.service;
  return {
    ...parsed,
    config: {
      ...config,
      service,
      state: join(folder, '.dragoman-since'),
      projects: config.projects.filter(({ root }) => isWithin(root, folder)),
    },
  };
}

/** Findings that the earlier commit did not have. The same file and message are the same finding, also on another line. */
export function addedFindings<F extends { readonly file: string; readonly message: string }>(
  found: readonly F[],
  before: readonly F[],
  { top, folder }: Pick<EarlierCheckout, 'top' | 'folder'>,
): F[] {
  const known = new Map<string, number>();
  for (const { file, message } of before) {
    const name = `${relative(folder, file)}\n${message.replaceAll(folder, top)}`;
    known.set(name, (known.get(name) ?? 0) + 1);
  }
  return found.filter(({ file, message }) => {
    const name = `${relative(top, file)}\n${message}`;
    const times = known.get(name) ?? 0;
    known.set(name, times - 1);
    return times <= 0;
  });
}

interface CommitFiles {
  readonly folder: string;
  /** All files of the commit, relative to `folder`. */
  readonly files: readonly string[];
  /** Absolute paths inside `folder`. */
  readonly changed: ReadonlySet<string>;
  readonly languages: EarlierCheckout['languages'];
}

/** The files to copy. @returns paths relative to the folder */
function wantedFiles(setup: SoundConfig, wanted: CommitFiles): string[] {
  const { config } = setup;
  const { folder } = wanted;
  const beside = new Set(terminologyFilesOf(config));
  const absolute = wanted.files.map((path) => join(folder, path));
  const present = new Set(absolute);
  const texts = config.projects.flatMap((project) =>
    textFiles(setup, project, { ...wanted, present }),
  );
  const { lock } = config;
  const rest = absolute.filter(
    (path) => beside.has(path) || (lock !== undefined && isWithin(path, lock)),
  );
  return [...new Set([...texts, ...rest])].map((path) => relative(folder, path));
}

function terminologyFilesOf(config: Config): string[] {
  return [
    ...configuredGlossaries(config).flatMap(({ files }) => files.map(({ path }) => path)),
    ...config.projects.flatMap(({ rules }) =>
      [...rules.styles.values()].flatMap((style) => ('file' in style ? [style.file] : [])),
    ),
  ];
}

/** Changed sources and targets of a project: a source with all its targets. */
function textFiles(
  { router }: SoundConfig,
  { name, root, targets }: Project,
  { present, changed, languages }: CommitFiles & { readonly present: ReadonlySet<string> },
): string[] {
  const isTouched = languages.some(({ project }) => project === name);
  return [...present].flatMap((path) => {
    if (!isWithin(path, root)) return [];
    const match = router.match(name, relative(root, path));
    if (match.kind !== 'source') return [];
    const files = [
      path,
      ...targets.flatMap((language) =>
        targetList(match.targets(language)).map((target) => join(root, target)),
      ),
    ];
    if (!isTouched && !files.some((file) => changed.has(file))) return [];
    return files.filter((file) => present.has(file));
  });
}

interface Changes {
  /** @param path absolute, of the config as it is now */
  isChanged(path: string): boolean;
  /** Path of a project's present root inside the temporary folder. */
  rootThen(project: string): string | undefined;
}

interface TouchedLanguage {
  readonly project: string;
  readonly language: LanguageTag;
}

/** Languages of projects that changed as a whole, by a change of config, glossary, style or lock. @param then undefined: there was no config, or it was refused */
function touchedLanguages(
  now: Config,
  then: Config | undefined,
  changes: Changes,
): TouchedLanguage[] {
  const terms = configuredGlossaries(now).flatMap(({ files, projects }) =>
    files
      .filter(({ path }) => changes.isChanged(path))
      .flatMap(({ locales }) => projects.flatMap((project) => pairs(project, locales))),
  );
  const touched = now.projects.flatMap((project) => {
    const before = then?.projects.find(({ name }) => name === project.name);
    const isSame = before !== undefined && hasSameTerminology(project, before, changes);
    const own = project.targets.filter(
      (language) =>
        !isSame ||
        !before.targets.includes(language) ||
        hasChangedFiles(now, { project, language }, changes),
    );
    return pairs(project.name, own);
  });
  const all = [...touched, ...terms];
  return [...new Map(all.map((pair) => [`${pair.project}\n${pair.language}`, pair])).values()];
}

function pairs(project: string, languages: readonly LanguageTag[]): TouchedLanguage[] {
  return languages.map((language) => ({ project, language }));
}

function hasChangedFiles(
  { lock }: Config,
  { project, language }: { readonly project: Project; readonly language: LanguageTag },
  { isChanged }: Changes,
): boolean {
  const style = project.rules.styles.get(language);
  if (style !== undefined && 'file' in style && isChanged(style.file)) return true;
  if (lock === undefined) return false;
  return isChanged(new LockFiles(lock).pathOf({ project: project.name, language }));
}

/** An added language does not change the others. The line of a setting in the file changes nothing. */
function hasSameTerminology(now: Project, then: Project, { rootThen }: Changes): boolean {
  return rootThen(now.name) === then.root && rulesOf(now) === rulesOf(then);
}

/** Properties that no translation depends on. */
const IRRELEVANT: ReadonlySet<string> = new Set([
  ...['root', 'targets', 'convertible', 'budget', 'settleMs', 'settleIsExplicit'],
  ...['line', 'column', 'index', 'approveOver'],
]);

function rulesOf(project: Project): string {
  return JSON.stringify(project, (name, value: unknown) => {
    if (IRRELEVANT.has(name)) return undefined;
    if (name === 'file' && typeof value === 'string') return relative(project.root, value);
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}
