/** The files of the lock: one for each project and language, in a folder that is committed with the translations. */
import { join } from 'node:path';
import { type StepwiseWork, turnsOf } from '../clock.ts';
import { type Failure, JobFailure } from '../failure.ts';
import {
  type ReadFile,
  readBytesIfPresent,
  readFileHead,
  removeAtOnce,
  sizeOfFile,
  unlessAbsent,
  writeFailure,
} from '../files/disk.ts';
import { Mutex } from '../files/mutex.ts';
import { replaceFile, writeIfDifferent } from '../files/replace.ts';
import { ALONE, changeFile, type Right } from '../files/right.ts';
import type { WorkTree } from '../files/work-tree.ts';
import { type Stat, shellWords, type TargetPaths } from '../job.ts';
import { inEnglish, type LanguageTag } from '../language.ts';
import { statementsAbout } from '../segments/lock-section.ts';
import { type Statement, type UnitId, unitId } from '../segments/statements.ts';
import {
  CommittedLocks,
  inTurns,
  type LockIndex,
  lockIndex,
  type ParsedLock,
  TURN_MS,
} from './committed-locks.ts';
import {
  type ElsewhereByFile,
  joinedSections,
  type LinesElsewhere,
  linesElsewhere,
  setLinesElsewhere,
  withLinesTaken,
} from './lines-elsewhere.ts';
import {
  asLockFailure,
  attributesPath,
  filesOfLock,
  GIT_ATTRIBUTES,
  readable,
  refuseStrangers,
  requireWritableLock,
  statOfLock,
  whyUnwritable,
} from './lock-place.ts';
import {
  formatStatement,
  HEADER_START,
  LOCK_VERSION,
  type LockText,
  lockIn,
  parseLock,
  textOfLock,
} from './lock-text.ts';
import { folderName } from './memories/folder.ts';

export type { LockIndex } from './committed-locks.ts';

type Sections = LockText['sections'];

export interface LockName {
  readonly project: string;
  readonly language: LanguageTag;
}

/** Of all files of the lock that the config names. */
export function lockNames(
  projects: readonly { readonly name: string; readonly targets: readonly LanguageTag[] }[],
): LockName[] {
  return projects.flatMap(({ name: project, targets }) =>
    targets.map((language) => ({ project, language })),
  );
}

export interface LockedSource extends LockName {
  /** Relative to the project's root. */
  readonly source: string;
}

interface ReadLock extends ParsedLock {
  readonly stat: Stat;
  readonly text: string;
  readonly versions: SectionVersions;
}

/** Shows whether the statements of a section are still those that were read. */
interface SectionVersions {
  /** The stat of the file when it was last read. Later writings of this process change only the versions of their sections. */
  readonly since: Stat;
  /** How often this process has written each section since. */
  readonly written: Map<string, number>;
}

/** The stats of a file before and after this process wrote it. */
export interface Rewritten {
  /** Undefined: there was no file. */
  readonly replaced: Stat | undefined;
  readonly stat: Stat;
}

/** The path of a moved source in the lock, and its targets there. */
export interface FormerPath {
  /** Relative to the project's root. */
  readonly source: string;
  readonly targets: TargetPaths;
}

/** Finds the sources that were moved since the lock was written. @returns by their present paths */
export type FormerPaths = (
  name: LockName,
  lock: LockText,
) => Promise<ReadonlyMap<string, FormerPath>>;

/**
 * Characters of all files that are kept in memory. A file for a hundred thousand texts has three million characters, and takes
 * ten times as many bytes.
 */
const MOST_CHARACTERS = 12_000_000;

/** In bytes: eight million statements. */
const LARGEST_LOCK = 256 * 1024 * 1024;

/** The first line of a file has at most so many bytes. */
const HEAD_BYTES = 200;

const filesByFolder = new Map<string, LockFiles>();

/**
 * One object per folder for the life of this thread: a file is read again only when it has changed.
 * @param folder absolute
 */
export function lockFilesIn(folder: string): LockFiles {
  const files = filesByFolder.get(folder) ?? new LockFiles(folder);
  filesByFolder.set(folder, files);
  return files;
}

/** The lock for another thread. */
export interface PackedLock {
  /** Absolute. */
  readonly folder: string;
  readonly elsewhere: ElsewhereByFile;
}

/** @param folder absolute */
export function packLock(folder: string): PackedLock {
  return { folder, elsewhere: linesElsewhere(folder) };
}

/** The lock as the thread has it that packed its place. */
export function unpackLock({ folder, elsewhere }: PackedLock): LockFiles {
  setLinesElsewhere(folder, elsewhere);
  return lockFilesIn(folder);
}

export class LockFiles {
  /** Absolute. */
  readonly folder: string;
  readonly #read = new Map<string, ReadLock>();
  readonly #mutex = new Mutex();
  /** The files that are being read, with their stats before. */
  readonly #reading = new Map<
    string,
    { stat: Stat | undefined; read: Promise<ReadLock | undefined> }
  >();
  readonly #committed = new CommittedLocks();
  /** Files with the lines that others have of them, and what they were made of. */
  readonly #joined = new Map<string, { parts: readonly unknown[]; read: ParsedLock }>();
  #formerPaths: FormerPaths | undefined;
  /**
   * What was found in this turn of the event loop. Jobs ask one after the other: to look for each took a third of the first contact with
   * 10,000 translations.
   */
  readonly #present = new Map<string, Promise<ParsedLock | undefined>>();
  readonly #writable = new Set<string>();

  readonly #right: Right;

  /**
   * @param folder absolute; made for the first file
   * @param right the right to write there
   */
  constructor(folder: string, right: Right = ALONE) {
    this.folder = folder;
    this.#right = right;
  }

  /** @throws JobFailure `unwritable`, `disk-full`, `damaged-state` when the file of a language could not be written now */
  requireWritable(name: LockName): void {
    const path = this.pathOf(name);
    if (this.#writable.has(path)) return;
    requireWritableLock(this.folder, path);
    this.#forgetAfterTurn();
    this.#writable.add(path);
  }

  #forgetAfterTurn(): void {
    if (this.#writable.size + this.#present.size > 0) return;
    void turnsOf(TURN_MS)
      .next()
      .then(() => {
        this.#writable.clear();
        this.#present.clear();
      });
  }

  /** Why the file of one of these languages could not be written now; undefined: all can. */
  whyUnwritable(names: Iterable<LockName>): Failure | undefined {
    for (const path of new Set([...names].map((name) => this.pathOf(name)))) {
      const failure = whyUnwritable(this.folder, path);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  pathOf({ project, language }: LockName): string {
    return join(this.folder, folderName(project), language);
  }

  /** Sets how moved sources are found. */
  follow(formerPaths: FormerPaths): void {
    this.#formerPaths = formerPaths;
  }

  /** The moved sources of a language, by their present paths. */
  async moved(name: LockName): Promise<ReadonlyMap<string, FormerPath>> {
    const elsewhere = this.#elsewhere(this.pathOf(name));
    const lock = this.#formerPaths && (await this.lock(name));
    const moved = lock && (await this.#formerPaths?.(name, lock));
    if (elsewhere.length === 0) return moved ?? NOWHERE;
    const others = elsewhere.flatMap(({ paths }) =>
      [...paths].filter(([now, then]) => now !== then),
    );
    // Their targets are where they were: only the project has changed.
    const there = others.map(([now, source]) => [now, { source, targets: {} }] as const);
    return new Map([...there, ...(moved ?? [])]);
  }

  /** The former place of a source in the lock; undefined: the lock has its present path, or does not have it. */
  async formerPath({ source, ...name }: LockedSource): Promise<FormerPath | undefined> {
    return (await this.moved(name)).get(source);
  }

  /** Reads only the beginning of each file. @throws JobFailure `damaged-state` if it is not a regular file, or one of a newer version */
  async refuseNewer(names: readonly LockName[]): Promise<void> {
    for (const name of names) {
      const path = this.pathOf(name);
      refuseStrangers(path);
      const head = await unlessAbsent(readable(path, readFileHead(path, HEAD_BYTES)));
      const { version } = parseLock(head?.toString('utf8') ?? '');
      if (version > LOCK_VERSION) throw tooNew(path, version);
    }
  }

  /** Reads the whole file. @throws JobFailure `damaged-state` for a file with a line that no version of dragoman writes */
  async refuseDamaged(name: LockName): Promise<void> {
    const path = this.pathOf(name);
    for (const file of [path, ...this.#elsewhere(path).map((lines) => lines.file)]) {
      const line = (await this.#load(file))?.lock.unreadable;
      if (line !== undefined) throw damagedLock(file, line);
    }
  }

  /** Paths in a file of the lines that belong into other files, see `linesElsewhere`. */
  async owes(file: string): Promise<ReadonlySet<string>> {
    const lines = [...linesElsewhere(this.folder).values()].flat();
    const paths = lines.flatMap((each) => (each.file === file ? [...each.paths.values()] : []));
    const sections = paths.length === 0 ? undefined : (await this.#load(file))?.lock.sections;
    return new Set(paths.filter((path) => sections?.has(path)));
  }

  /** Whether other files have lines of a language, see `linesElsewhere`. */
  hasLinesElsewhere(name: LockName): boolean {
    return this.#elsewhere(this.pathOf(name)).length > 0;
  }

  /** The files that have lines of this one, see `linesElsewhere`. */
  #elsewhere(path: string): readonly LinesElsewhere[] {
    return linesElsewhere(this.folder).get(path) ?? [];
  }

  /** The statements of the team for a language; undefined: there is no lock for it. */
  async index(name: LockName): Promise<LockIndex | undefined> {
    const read = await this.#find(name);
    return read && (await lockIndex(read));
  }

  /** The same for some units alone: for a hundred thousand texts, an index of all units takes longer than a save. */
  async indexOf(name: LockName, units: readonly UnitId[]): Promise<LockIndex | undefined> {
    const read = await this.#find(name);
    if (read === undefined || read.index !== undefined) return await read?.index;
    return await inTurns(statementsAbout(read.lock.sections.values(), new Set(units)));
  }

  /** The statements of the team at a commit. @throws GitFailure */
  async indexAt(
    tree: WorkTree,
    { commit, name }: { readonly commit: string; readonly name: LockName },
  ): Promise<LockIndex | undefined> {
    const past = await this.#committed.at(tree, { commit, path: this.pathOf(name) });
    return past && (await lockIndex(past));
  }

  async lock(name: LockName): Promise<LockText | undefined> {
    return (await this.#find(name))?.lock;
  }

  /** The file on the disk; where it was deleted, the committed one. */
  async #find(name: LockName): Promise<ParsedLock | undefined> {
    const path = this.pathOf(name);
    const known = this.#present.get(path);
    if (known !== undefined) return await known;
    const found = this.#findNow(path);
    this.#forgetAfterTurn();
    this.#present.set(path, found);
    return await found;
  }

  async #findNow(path: string): Promise<ParsedLock | undefined> {
    const own = (await this.#load(path)) ?? (await this.#committed.atHead(path));
    const others = await this.#othersOf(path);
    if (others.length === 0) return own;
    const parts = [own?.lock, ...others.map(({ sections }) => sections)];
    const known = this.#joined.get(path);
    if (known?.parts.every((part, at) => part === parts[at])) return known.read;
    const sections = joinedSections(own?.lock.sections, others);
    const lock = { version: LOCK_VERSION, hasMarkers: false, ...own?.lock, sections };
    const read: ParsedLock = { lock };
    this.#joined.set(path, { parts, read });
    return read;
  }

  async #othersOf(path: string) {
    const others: { paths: LinesElsewhere['paths']; sections: Sections }[] = [];
    for (const { file, paths } of this.#elsewhere(path)) {
      const read = await this.#load(file);
      if (read !== undefined) others.push({ paths, sections: read.lock.sections });
    }
    return others;
  }

  /**
   * Moves lines into the files where they belong, see `linesElsewhere`. A file loses a line when the other one has it, and goes without any.
   * @returns absolute paths of the files that were written or removed
   */
  async takeLines(): Promise<string[]> {
    const changed = new Set<string>();
    for (const [path, lines] of linesElsewhere(this.folder)) {
      const others = await this.#othersOf(path);
      const taken = await this.#changeAt(path, (own) => withLinesTaken(own?.sections, others));
      if (taken !== undefined) changed.add(path);
      const own = (await this.#load(path))?.lock.sections ?? new Map();
      for (const { file, paths } of lines) {
        const gone = new Set([...paths].flatMap(([now, then]) => (own.has(now) ? [then] : [])));
        if (gone.size > 0 && (await this.#dropPaths(file, gone))) changed.add(file);
      }
    }
    return [...changed];
  }

  async #dropPaths(file: string, gone: ReadonlySet<string>): Promise<boolean> {
    const known = (await this.#load(file))?.lock.sections;
    if (known === undefined) return false;
    const rest = new Map([...known].filter(([path]) => !gone.has(path)));
    if (rest.values().every((lines) => lines.length === 0)) return await this.remove(file);
    return (await this.#changeAt(file, () => rest)) !== undefined;
  }

  /** Whether there is a file for a language. */
  async has(name: LockName): Promise<boolean> {
    return (await statOfLock(this.pathOf(name))) !== undefined;
  }

  /** Absolute paths of all files in the folder, also of files that dragoman did not write; without temporary files. */
  async paths(): Promise<string[]> {
    return await filesOfLock(this.folder);
  }

  /** Whether dragoman wrote a file. */
  async isOwn(path: string): Promise<boolean> {
    if ((await statOfLock(path)) === undefined) return false;
    const head = await readFileHead(path, HEAD_BYTES);
    return head.toString('latin1').startsWith(HEADER_START);
  }

  /** Removes a file. @returns false, and removes nothing, when dragoman did not write it */
  async remove(path: string): Promise<boolean> {
    if (!(await this.isOwn(path))) return false;
    await changeFile(this.#right, () => removeAtOnce(path)).catch((error: unknown) =>
      throwOfLock(writeFailure(path, error)),
    );
    this.#read.delete(path);
    this.#present.delete(path);
    return true;
  }

  /**
   * The version of a path's section: it changes when this process writes the section, or another program writes the file. Undefined:
   * there is no file.
   */
  async version(name: LockName, path: string): Promise<string | undefined> {
    const read = await this.#load(this.pathOf(name));
    if (read === undefined) return undefined;
    const { since, written } = read.versions;
    return `${since} ${written.get(path) ?? 0}`;
  }

  /** Whether `write` would change the file. */
  async differs(name: LockName, sections: Sections): Promise<boolean> {
    const read = await this.#load(this.pathOf(name));
    return read?.text !== (await inTurns(textOfLock(sections, read?.lock.sections)));
  }

  /** @returns false when the file already has this content */
  async write(name: LockName, sections: Sections): Promise<boolean> {
    return (await this.change(name, () => sections)) !== undefined;
  }

  /**
   * Reads and writes a file in one step of this process: no other write comes in between.
   * @param decide gets the present content and returns the new one; undefined: no change
   * @returns undefined when nothing was written
   */
  async change(
    name: LockName,
    decide: (known: LockText | undefined) => Sections | undefined | Promise<Sections | undefined>,
  ): Promise<Rewritten | undefined> {
    const path = this.pathOf(name);
    return await this.#changeAt(path, async () => await decide(await this.lock(name)));
  }

  async #changeAt(
    path: string,
    decide: (own: LockText | undefined) => Sections | undefined | Promise<Sections | undefined>,
  ): Promise<Rewritten | undefined> {
    using _alone = await this.#mutex.take(path);
    this.#present.delete(path);
    const sections = await decide((await this.#load(path))?.lock);
    return sections && (await this.#write(path, sections));
  }

  async #write(path: string, sections: Sections): Promise<Rewritten | undefined> {
    const before = await this.#load(path);
    const content = await inTurns(textOfLock(sections, before?.lock.sections));
    if (before?.text === content) return undefined;
    const changed = before && (await inTurns(changedSections(before.lock.sections, sections)));
    const root = this.folder;
    const right = this.#right;
    const { stat } = await replaceFile({ path, root, content, right }).catch(throwOfLock);
    const attributes = attributesPath(root);
    await writeIfDifferent({ path: attributes, root, content: GIT_ATTRIBUTES, right }).catch(
      throwOfLock,
    );
    this.#read.delete(path);
    this.#present.delete(path);
    if (before === undefined) return { replaced: undefined, stat };
    const { versions } = before;
    for (const section of changed ?? []) {
      versions.written.set(section, (versions.written.get(section) ?? 0) + 1);
    }
    // The file has been written, so it need not be read again.
    const now = { version: LOCK_VERSION, hasMarkers: false, sections };
    this.#keep(path, { stat, text: content, lock: now, versions });
    return { replaced: before.stat, stat };
  }

  /** Keeps a file in memory, and forgets those that were used least recently when there are too many characters. */
  #keep(path: string, read: ReadLock): void {
    this.#read.delete(path);
    this.#read.set(path, read);
    let characters = 0;
    for (const [each, { text }] of [...this.#read].reverse()) {
      characters += text.length;
      if (each !== path && characters > MOST_CHARACTERS) this.#read.delete(each);
    }
  }

  /** Reads a file, if it has changed since the last time. Concurrent callers share one read. */
  async #load(path: string): Promise<ReadLock | undefined> {
    const stat = await statOfLock(path);
    const known = this.#read.get(path);
    if (known !== undefined && stat === known.stat) return known;
    const other = this.#reading.get(path);
    if (other !== undefined && other.stat === stat) return await other.read;
    const reading = { stat, read: this.#readNow(path, known) };
    this.#reading.set(path, reading);
    try {
      return await reading.read;
    } finally {
      if (this.#reading.get(path) === reading) this.#reading.delete(path);
    }
  }

  /** @param before the content that is in memory; when this process writes the file meanwhile, the newer content stays there */
  async #readNow(path: string, before: ReadLock | undefined): Promise<ReadLock | undefined> {
    const file = await readLockBytes(path);
    const lock = file && (await inTurns(lockIn(file.bytes.toString('utf8'))));
    const isStill = this.#read.get(path) === before;
    if (file === undefined || lock === undefined) {
      if (isStill) this.#read.delete(path);
      return undefined;
    }
    if (lock.version > LOCK_VERSION) throw tooNew(path, lock.version);
    const versions = { since: file.stat, written: new Map() };
    const read = { stat: file.stat, text: file.bytes.toString('utf8'), lock, versions };
    if (isStill) this.#keep(path, read);
    return read;
  }
}

const NOWHERE: ReadonlyMap<string, FormerPath> = new Map();

/**
 * The statements about a text, at the present and at the former path of its source.
 * @param id segment id; absent for a whole file
 */
export function statementsAt(
  index: LockIndex,
  { source, formerly }: { readonly source: string; readonly formerly: FormerPath | undefined },
  id?: string,
): readonly Statement[] {
  const now = index.get(unitId(source, id)) ?? [];
  const before = formerly === undefined ? [] : (index.get(unitId(formerly.source, id)) ?? []);
  return before.length === 0 ? now : [...now, ...before];
}

/** The content of a file of the lock; undefined when there is none. @throws JobFailure `damaged-state` if it is not a regular file, or too large */
export async function readLockBytes(path: string): Promise<ReadFile | undefined> {
  refuseStrangers(path);
  const size = sizeOfFile(path) ?? 0;
  if (size <= LARGEST_LOCK) return await readable(path, readBytesIfPresent(path, LARGEST_LOCK));
  const message = `it has ${inEnglish(size)} bytes, more than any lock that dragoman writes; take it from git again`;
  throw new JobFailure({ kind: 'damaged-state', file: path, message, isLock: true });
}

/** @param line the number of the first one that nobody writes */
export function damagedLock(file: string, line: number): JobFailure {
  const [found, part] =
    line === 0
      ? ['the lock is empty, so its lines are missing', 'file']
      : [`line ${line} of the lock cannot be read, so others may be missing too`, 'line'];
  const message = `${found}; "git checkout HEAD -- ${shellWords(file)}" brings it back; without git, delete the ${part}`;
  return new JobFailure({ kind: 'damaged-state', file, message, isLock: true });
}

function throwOfLock(error: unknown): never {
  throw asLockFailure(error);
}

/** The lines of a newer version may mean something else: this version must not write them. */
function tooNew(file: string, version: number): JobFailure {
  const message = `the lock is of version ${version}, written by a newer dragoman; this one reads and writes version ${LOCK_VERSION}`;
  return new JobFailure({ kind: 'damaged-state', file, message, isNewer: true, isLock: true });
}

function* changedSections(
  before: LockText['sections'],
  now: LockText['sections'],
): StepwiseWork<string[]> {
  const changed: string[] = [];
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    yield;
    const [was, is] = [before.get(path) ?? [], now.get(path) ?? []];
    const isSame = (statement: Statement, at: number) => isSameStatement(statement, was[at]);
    if (was !== is && (was.length !== is.length || !is.every(isSame))) changed.push(path);
  }
  return changed;
}

function isSameStatement(a: Statement | undefined, b: Statement | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && formatStatement(a) === formatStatement(b);
}
