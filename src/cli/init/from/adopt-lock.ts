/** Takes the lock of another tool over into the team's lock, so that a translation that is stale there is stale here, too. */
import { join } from 'node:path';
import type { SoundConfig } from '../../../config/parse.ts';
import { JobFailure } from '../../../failure.ts';
import { bytesIn } from '../../../files/disk.ts';
import { readText } from '../../../files/read-file.ts';
import { type LanguageTag, plural } from '../../../language.ts';
import { parse } from '../../../parsing/parse.ts';
import type { Project } from '../../../project.ts';
import { type Statement, sourceHash, targetHash, unitId } from '../../../segments/statements.ts';
import { LockFiles } from '../../../state/lock-file.ts';
import type { PackedSource } from '../../../translate/inspected-case.ts';
import { type FoundSource, listProjectFiles } from '../../check/project-files.ts';
import { PAIR_TEXTS } from '../../check/target-calls.ts';
import type { TextPair } from '../../check/target-work.ts';
import type { Imported } from './imported.ts';
import { READ_TOOL_CONFIG } from './thread-calls.ts';
import { LOCKS, type ToolLock } from './tool-lock.ts';

/** @param folder root of the tool's paths @returns a sentence for people; undefined when there is no such lock */
export async function adoptLock(
  { config, router }: SoundConfig,
  imported: Imported,
  folder: string,
): Promise<string | undefined> {
  const tool = LOCKS.get(imported.tool);
  if (tool === undefined) return undefined;
  const file = join(folder, tool.file);
  const text = await readText(file).catch(() => undefined);
  if (text === undefined) return undefined;
  if (config.lock === undefined) {
    return `${tool.file} is not taken over: without git there is no lock; existing translations count as up to date.`;
  }
  const content = await readLock(text, file);
  if (content === undefined) {
    return `${tool.file} cannot be read: existing translations count as up to date.`;
  }
  const lock = tool.read(content, imported.source ?? 'en');
  const found: Adopted[] = [];
  for (const project of config.projects) {
    const { sources } = await listProjectFiles(project, { router, languages: [], paths: [] });
    for (const source of sources) found.push(...(await adopted({ project, source, lock })));
  }
  const statements = found.flatMap((each) => each.statements);
  const stale = found.reduce((sum, each) => sum + each.stale, 0);
  // When most texts are stale, the lock is of other files, and must not make dragoman buy anything.
  if (statements.length === 0 || stale * 2 > statements.length) {
    return `${tool.file} is not taken over: according to it, ${stale} of ${plural(statements.length, 'text')} are stale; existing translations count as up to date.`;
  }
  await writeAdopted(new LockFiles(config.lock), found);
  return `${tool.file}: ${plural(statements.length, 'text')} taken over into the lock, ${stale} of them stale: their sources changed since they were translated.`;
}

async function readLock(text: string, file: string): Promise<unknown> {
  try {
    return await parse(READ_TOOL_CONFIG, { text, file }, { file, bytes: text.length });
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
}

interface Adopted {
  readonly project: string;
  readonly language: LanguageTag;
  readonly path: string;
  readonly statements: readonly Statement[];
  readonly stale: number;
}

interface ToAdopt {
  readonly project: Project;
  readonly source: FoundSource;
  readonly lock: ToolLock;
}

async function adopted({ project, source: found, lock }: ToAdopt): Promise<Adopted[]> {
  const { route, source, lane, targets } = found;
  if (lane !== 'text') return [];
  const read: Adopted[] = [];
  for (const { target, language, exists } of targets) {
    if (!exists) continue;
    const pairs = await pairsIn({ project, route, source, target, language });
    const statements: Statement[] = [];
    let stale = 0;
    for (const { id, key, text, translation } of pairs) {
      const said = lock({ path: source, key, language, text });
      if (said === undefined) continue;
      if (said.source !== sourceHash(text)) stale += 1;
      statements.push({ ...said, unit: unitId(source, id), target: targetHash(translation) });
    }
    read.push({ project: project.name, language, path: source, statements, stale });
  }
  return read;
}

async function pairsIn(packed: PackedSource): Promise<readonly TextPair[]> {
  const { root } = packed.project;
  const file = join(root, packed.target);
  try {
    const bytes = await bytesIn(join(root, packed.source), file);
    return await parse(PAIR_TEXTS, packed, { file, bytes });
  } catch (error) {
    // `check` reports the file.
    if (error instanceof JobFailure) return [];
    throw error;
  }
}

async function writeAdopted(lock: LockFiles, found: readonly Adopted[]): Promise<void> {
  const files = Map.groupBy(found, ({ project, language }) => `${project}\n${language}`);
  for (const sources of files.values()) {
    const [first] = sources;
    if (first === undefined) continue;
    const sections = sources.filter(({ statements }) => statements.length > 0);
    if (sections.length === 0) continue;
    await lock.write(first, new Map(sections.map(({ path, statements }) => [path, statements])));
  }
}
