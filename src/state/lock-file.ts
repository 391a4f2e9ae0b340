/** The files of the lock: one for each project and language, in a folder that is committed with the translations. */
import { join } from 'node:path';
import { type StepwiseWork, turnsOf } from '../clock.ts';
import { type Failure, JobFailure } from '../failure.ts';
import { readFileHead, removeAtOnce, unlessAbsent, writeFailure } from '../files/disk.ts';
import { Mutex } from '../files/mutex.ts';
import { replaceFile, writeIfDifferent } from '../files/replace.ts';
import { ALONE, changeFile, type Right } from '../files/right.ts';
import type { WorkTree } from '../files/work-tree.ts';
import { type Stat, shellWords, type TargetPaths } from '../job.ts';
import type { LanguageTag } from '../language.ts';
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
import { joinedSections, LinesElsewhere } from './lines-elsewhere.ts';
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
import { LockReader, tooNew } from './lock-reader.ts';
import {
  formatStatement,
  HEADER_START,
  LOCK_VERSION,
  type LockText,
  parseLock,
  type Sections,
  textOfLock,
} from './lock-text.ts';
import { folderName } from './memories/folder.ts';

export type { LockIndex } from './committed-locks.ts';

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

/** The first line of a file has at most so many bytes. */
const HEAD_BYTES = 200;

interface LockParts {
  /** The right to write there. */
  readonly right?: Right;
  /** Lines that other files have. */
  readonly elsewhere?: LinesElsewhere;
}

export class LockFiles {
  /** Absolute. */
  readonly folder: string;
  readonly elsewhere: LinesElsewhere;
  readonly #reader = new LockReader();
  readonly #mutex = new Mutex();
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
  #writings = 0;

  readonly #right: Right;

  /** @param folder absolute; made for the first file */
  constructor(folder: string, { right = ALONE, elsewhere = new LinesElsewhere() }: LockParts = {}) {
    this.folder = folder;
    this.elsewhere = elsewhere;
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

  /** How often this thread has written or removed files, or knows that another one has. */
  get writings(): number {
    return this.#writings;
  }

  /** Another thread has written files: what was found in this turn may be from before. @param writings of that thread */
  noteWritings(writings: number): void {
    if (writings === this.#writings) return;
    this.#writings = writings;
    this.#present.clear();
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
    const elsewhere = this.elsewhere.of(this.pathOf(name));
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
    for (const file of [path, ...this.elsewhere.of(path).map((lines) => lines.file)]) {
      const line = (await this.#reader.load(file))?.lock.unreadable;
      if (line !== undefined) throw damagedLock(file, line);
    }
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
    const own = (await this.#reader.load(path)) ?? (await this.#committed.atHead(path));
    const others = await this.elsewhere.sectionsFor(path, this);
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
    this.#reader.forget(path);
    this.#noteWriting(path);
    return true;
  }

  /**
   * The version of a path's section: it changes when this process writes the section, or another program writes the file. Undefined:
   * there is no file.
   */
  async version(name: LockName, path: string): Promise<string | undefined> {
    const read = await this.#reader.load(this.pathOf(name));
    if (read === undefined) return undefined;
    const { since, written } = read.versions;
    return `${since} ${written.get(path) ?? 0}`;
  }

  /** Whether `write` would change the file. */
  async differs(name: LockName, sections: Sections): Promise<boolean> {
    const read = await this.#reader.load(this.pathOf(name));
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

  /** The sections of a file, whoever they belong to. @param path absolute */
  async sectionsIn(path: string): Promise<Sections | undefined> {
    return (await this.#reader.load(path))?.lock.sections;
  }

  /** Like `change`, with the sections of the file itself. @param path absolute */
  async changeAt(
    path: string,
    decide: (own: Sections | undefined) => Sections | undefined,
  ): Promise<boolean> {
    const changed = this.#changeAt(path, async () => decide(await this.sectionsIn(path)));
    return (await changed) !== undefined;
  }

  async #changeAt(
    path: string,
    decide: () => Promise<Sections | undefined>,
  ): Promise<Rewritten | undefined> {
    using _alone = await this.#mutex.take(path);
    this.#present.delete(path);
    const sections = await decide();
    return sections && (await this.#write(path, sections));
  }

  #noteWriting(path: string): void {
    this.#present.delete(path);
    this.#writings += 1;
  }

  async #write(path: string, sections: Sections): Promise<Rewritten | undefined> {
    const before = await this.#reader.load(path);
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
    this.#reader.forget(path);
    this.#noteWriting(path);
    if (before === undefined) return { replaced: undefined, stat };
    const { versions } = before;
    for (const section of changed ?? []) {
      versions.written.set(section, (versions.written.get(section) ?? 0) + 1);
    }
    // The file has been written, so it need not be read again.
    const now = { version: LOCK_VERSION, hasMarkers: false, sections };
    this.#reader.keep(path, { stat, text: content, lock: now, versions });
    return { replaced: before.stat, stat };
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
