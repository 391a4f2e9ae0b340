/** Asks the history of the repository about texts that the lock does not explain, and about texts of the other branch of a merge. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFailure, type GitRepository, pathInRepository } from '../files/git.ts';
import { contentsOf } from '../files/git-contents.ts';
import { headsOf, type Revision, revisionsOf, sidesOf } from '../files/git-history.ts';
import { findWorkTree, type WorkTree } from '../files/work-tree.ts';
import { type Job, targetList } from '../job.ts';
import type { Decision, History, MergePolicy, TranslationElsewhere } from '../segments/decision.ts';
import {
  NO_TARGET,
  type SourceHash,
  type Statement,
  sourceHash,
  type TargetHash,
  targetHash,
  type UnitId,
  unitId,
} from '../segments/statements.ts';
import { ageOf, type TextAge, type Versions } from '../segments/text-age.ts';
import type { FormerPath, LockFiles } from '../state/lock-file.ts';
import { type PastText, PastVersion } from './past-version.ts';
import type { TextCase } from './text-case.ts';

export interface HistoryQuestion {
  readonly job: Pick<Job, 'project' | 'language' | 'source'>;
  readonly lock: LockFiles;
  /** Absolute paths of source and target. */
  readonly files: readonly [source: string, target: string];
  /** Whether texts are identified by their ids; else by their contents. */
  readonly isKeyed: boolean;
  /** The current texts by id; `target` is undefined when there is none. */
  readonly texts: (id: string) => { readonly source: string; readonly target: string | undefined };
  /** Ids of texts for which it is unknown whether they belong to their sources. */
  readonly unexplained: readonly string[];
  readonly bought: readonly string[];
  /** Ids of texts of ours that the target lacks, and of which no record says that a person removed them. */
  readonly missing: readonly string[];
  /** All texts of the target in their order. */
  present(): readonly string[];
  /** The units under which the lock may state the text: its own, and the one before its source was moved. */
  units(id: string): readonly UnitId[];
  /** Absolute paths of source and target before the source was moved. */
  readonly formerFiles?: readonly [source: string, target: string];
  readonly hashes: {
    source(text: string): SourceHash;
    target(text: string): TargetHash;
  };
  /** Undefined: it cannot be read. */
  read(file: 'source' | 'target', bytes: Buffer): Promise<readonly PastText[] | undefined>;
}

/** By id. */
export interface Past {
  readonly history: ReadonlyMap<string, History>;
  readonly elsewhere: ReadonlyMap<string, TranslationElsewhere>;
  /** Texts that the target lacks because it was put back to a version without them: nobody removed them. */
  readonly putBack: ReadonlySet<string>;
}

/** Undefined when nothing is asked, or git is not there. */
export async function askHistory(question: HistoryQuestion): Promise<Past | undefined> {
  const { unexplained, bought, missing } = question;
  if (unexplained.length + bought.length + missing.length === 0) return undefined;
  const tree = findWorkTree(question.files[0]);
  if (tree === undefined) return undefined;
  const past = new PastFiles(question, tree);
  try {
    const putBack = await past.putBack(missing);
    const history = await past.historyOf(unexplained);
    const elsewhere = await past.elsewhere(bought);
    const isKnown = putBack.size + history.size + elsewhere.size > 0;
    return isKnown ? { putBack, history, elsewhere } : undefined;
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** The texts to ask about, of a file whose texts are decided one by one. */
export function openQuestions(
  decisions: readonly Decision[],
): Pick<HistoryQuestion, 'unexplained' | 'bought' | 'missing'> {
  const ids = (isAsked: (decision: Decision) => boolean) =>
    decisions.filter(isAsked).map(({ id }) => id);
  // When the history shows the source of a text, the text may have to be bought.
  const bought = ids((decision) => isBought(decision) || isUnexplained(decision));
  const missing = ids((decision) => decision.kind === 'keep' && decision.isMissing === true);
  return { unexplained: ids(isUnexplained), bought, missing };
}

/** Whether no record and no statement says that this text was written for this source. */
function isUnexplained(decision: Decision): boolean {
  if (decision.kind === 'keep') return decision.isEdit === true;
  if (decision.kind !== 'conflict') return false;
  return decision.isUnstated === true || decision.record.previousSource === undefined;
}

function isBought(decision: Decision): boolean {
  if (decision.kind === 'conflict') return decision.record.machine === undefined;
  return decision.kind === 'buy' && ['new', 'changed', 'missing'].includes(decision.reason);
}

/** Identifies texts by their ids, or by their contents. */
export function textUnits(
  { job, formerly, root }: Pick<TextCase, 'job' | 'formerly' | 'root'>,
  isKeyed: boolean,
): Pick<HistoryQuestion, 'units' | 'hashes' | 'isKeyed' | 'formerFiles'> {
  return {
    isKeyed,
    units: (id) => unitsAt(job.source, formerly, isKeyed ? id : undefined),
    hashes: { source: sourceHash, target: targetHash },
    ...formerFiles(root, formerly),
  };
}

/** @param id absent without keys */
export function unitsAt(source: string, formerly: FormerPath | undefined, id?: string): UnitId[] {
  return [source, ...(formerly === undefined ? [] : [formerly.source])].map((path) =>
    unitId(path, id),
  );
}

export function formerFiles(
  root: string,
  formerly: FormerPath | undefined,
): Pick<HistoryQuestion, 'formerFiles'> {
  const [target] = formerly === undefined ? [] : targetList(formerly.targets);
  if (formerly === undefined || target === undefined) return {};
  return { formerFiles: [join(root, formerly.source), join(root, target)] };
}

interface RepositoryPaths {
  readonly repository: GitRepository;
  /** The path of the source, then its former path. */
  readonly sources: readonly string[];
  readonly targets: readonly string[];
}

/** Versions that are read at a time: the newest ones explain most texts. */
const PORTION = 8;

/** Versions with the present target that are read: it was put back to one of the newest. */
const MOST_SAME = 16;

class PastFiles {
  readonly #question: HistoryQuestion;
  readonly #tree: WorkTree;
  readonly #versions = new Map<string, PastVersion>();

  constructor(question: HistoryQuestion, tree: WorkTree) {
    this.#question = question;
    this.#tree = tree;
  }

  async historyOf(ids: readonly string[]): Promise<Map<string, History>> {
    const history = new Map<string, History>();
    const heads = ids.length === 0 ? [] : headsOf(this.#tree);
    if (heads.length === 0) return history;
    // The heads alone already show what is not committed.
    await this.#read(heads.map((commit) => ({ commit, parents: ['unread'] })));
    let open = await this.#explain(ids, { heads, history });
    if (open.length === 0) return history;
    const tops: string[] = [];
    const revisions = new Map<string, readonly string[]>();
    for (const head of heads) {
      const behind = await this.#revisions(head);
      if (behind === undefined) return history;
      if (behind[0] !== undefined) tops.push(behind[0].commit);
      for (const { commit, parents } of behind) revisions.set(commit, parents);
    }
    this.#versions.clear();
    const all = [...revisions].map(([commit, parents]) => ({
      commit,
      parents: parents.filter((parent) => revisions.has(parent)),
    }));
    for (let from = 0; from < all.length && open.length > 0; from += PORTION) {
      await this.#read(all.slice(from, from + PORTION));
      open = await this.#explain(open, { heads: tops, history });
    }
    return history;
  }

  /** @returns the ids for which older versions are needed */
  async #explain(
    ids: readonly string[],
    { heads, history }: { heads: readonly string[]; history: Map<string, History> },
  ): Promise<string[]> {
    const versions: Versions = {
      heads,
      version: (commit) => this.#versions.get(commit) ?? 'unread',
    };
    const open: string[] = [];
    for (const id of ids) {
      const { source, target = '' } = this.#question.texts(id);
      const age = ageOf({ id, source, target }, versions);
      if (age === 'unread') open.push(id);
      else history.set(id, await this.#historyAt(id, age));
    }
    return open;
  }

  async #historyAt(id: string, age: TextAge): Promise<History> {
    const { source, target = '' } = this.#question.texts(id);
    const { hashes } = this.#question;
    const [ofSource, ofTarget] = [hashes.source(source), hashes.target(target)];
    if (age.kind === 'current') {
      const said = await this.#statementsOf(age.commits, id);
      const pair = said.filter((each) => each.source === ofSource && each.target === ofTarget);
      return { kind: 'current', statements: pair };
    }
    const { made, last } = age;
    const said = await this.#statementsOf([made, last], id);
    const statements = said.filter((each) => each.target === ofTarget && each.source !== ofSource);
    const belongsTo = this.#versions
      .get(made)
      ?.source(id, { stated: new Set(statements.map((s) => s.source)), target });
    return {
      kind: 'older',
      commit: made,
      statements,
      ...(belongsTo === undefined ? {} : { source: belongsTo }),
    };
  }

  /**
   * Follows the versions of git that have the target as it is now. When one of them lacks the source of a text, the text was written later.
   * So was a text that the lock of that version does not know: `git checkout` or a merge put the target back.
   */
  async putBack(ids: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    const heads = ids.length === 0 ? [] : headsOf(this.#tree);
    const present = heads.length === 0 ? [] : this.#question.present();
    for (const head of heads) {
      for await (const version of this.#sameTarget(head, present)) {
        for (const id of ids) if (await this.#lacksText(version, id)) found.add(id);
      }
    }
    this.#versions.clear();
    return found;
  }

  /** From the newest one back, as long as the target is the same. Of a merge, both sides. */
  async *#sameTarget(head: string, present: readonly string[]): AsyncIterable<PastVersion> {
    const behind = (await this.#revisions(head)) ?? [];
    const before = new Map(behind.map(({ commit, parents }) => [commit, parents]));
    const seen = new Set<string>();
    for (let next = [behind[0]?.commit ?? head]; next.length > 0 && seen.size < MOST_SAME; ) {
      await this.#read(next.map((commit) => ({ commit, parents: [] })));
      const versions = next.flatMap((commit) => this.#versions.get(commit) ?? []);
      const same = versions.filter((version) => version.isTarget(present));
      yield* same;
      for (const commit of next) seen.add(commit);
      const sides = await Promise.all(same.map(({ commit }) => sidesOf(this.#tree, commit)));
      const parents = same.flatMap(({ commit }) => before.get(commit) ?? []);
      next = [...new Set([...parents, ...sides.flat()])].filter((commit) => !seen.has(commit));
    }
  }

  async #lacksText(version: PastVersion, id: string): Promise<boolean> {
    const { source } = this.#question.texts(id);
    if (!version.hasSource(id, source)) return true;
    const { lock, job, hashes } = this.#question;
    const index = await lock.indexAt(this.#tree, { commit: version.commit, name: job });
    if (index === undefined) return false;
    const said = await this.#statements(version.commit, id);
    return said.every((each) => each.source !== hashes.source(source));
  }

  async #revisions(head: string): Promise<Revision[] | undefined> {
    const { files, formerFiles: before = [] } = this.#question;
    return await revisionsOf(this.#tree, [...files, ...before], head);
  }

  /** Translations of the current sources on another branch of a merge: they are already paid for, or a person wrote them. */
  async elsewhere(ids: readonly string[]): Promise<Map<string, TranslationElsewhere>> {
    const found = new Map<string, TranslationElsewhere>();
    for (const commit of ids.length === 0 ? [] : await this.#sides()) {
      const stated = new Map<string, readonly Statement[]>();
      for (const id of ids.filter((each) => !found.has(each))) {
        const of = this.#question.hashes.source(this.#question.texts(id).source);
        const said = await this.#statements(commit, id);
        const fit = said.filter(
          ({ source, target, mark }) => source === of && target !== NO_TARGET && mark !== 'held',
        );
        if (fit.length > 0) stated.set(id, fit);
      }
      if (stated.size === 0) continue;
      if (!this.#versions.has(commit)) await this.#read([{ commit, parents: [] }]);
      for (const [id, said] of stated) {
        const { hashes } = this.#question;
        const text = this.#versions.get(commit)?.target(id, said, hashes.target);
        if (text !== undefined) found.set(id, { ...text, commit });
      }
    }
    return found;
  }

  /** The commits of the last merge, if the files come from one. */
  async #sides(): Promise<readonly string[]> {
    const heads = headsOf(this.#tree);
    const [head] = heads;
    if (head === undefined || heads.length > 1) return heads;
    return await sidesOf(this.#tree, head);
  }

  async #statementsOf(commits: readonly string[], id: string): Promise<readonly Statement[]> {
    const all = await Promise.all(commits.map((commit) => this.#statements(commit, id)));
    return all.flat();
  }

  async #statements(commit: string, id: string): Promise<readonly Statement[]> {
    const { lock, job, units } = this.#question;
    const index = await lock.indexAt(this.#tree, { commit, name: job });
    return units(id).flatMap((unit) => index?.get(unit) ?? []);
  }

  async #read(
    revisions: readonly { readonly commit: string; readonly parents: readonly string[] }[],
  ): Promise<void> {
    const named = await this.#names();
    if (named === undefined) return;
    const { repository, sources, targets } = named;
    const { isKeyed, read } = this.#question;
    const paths = [...sources, ...targets];
    const asked = revisions.flatMap(({ commit }) => paths.map((path) => ({ commit, path })));
    const contents = new Map<string, Buffer>();
    for await (const { commit, path, bytes } of contentsOf(repository, asked)) {
      if (bytes !== undefined) contents.set(`${commit}:${path}`, bytes);
    }
    for (const { commit, parents } of revisions) {
      const first = (places: readonly string[]) =>
        places.map((path) => contents.get(`${commit}:${path}`)).find((each) => each !== undefined);
      const [ours, theirs] = [first(sources), first(targets)];
      const texts = {
        source: (ours && (await read('source', ours))) ?? [],
        target: (theirs && (await read('target', theirs))) ?? [],
      };
      this.#versions.set(commit, new PastVersion({ commit, parents, isKeyed, texts }));
    }
  }

  async #names(): Promise<RepositoryPaths | undefined> {
    const repository = { top: await realpath(this.#tree.root) };
    const { files, formerFiles: before } = this.#question;
    const named = async (paths: readonly string[]) =>
      (await Promise.all(paths.map((path) => pathInRepository(repository, path)))).filter(
        (path) => path !== undefined,
      );
    const [sources, targets] = await Promise.all(
      [0, 1].map((nth) => named([files, before ?? []].flatMap((each) => each[nth] ?? []))),
    );
    return sources?.length && targets?.length ? { repository, sources, targets } : undefined;
  }
}

export function policyOfPast({
  history,
  elsewhere,
  putBack,
}: Past): Pick<MergePolicy, 'history' | 'elsewhere' | 'isPutBack'> {
  return {
    history: (id) => history.get(id),
    elsewhere: (id) => elsewhere.get(id),
    isPutBack: (id) => putBack.has(id),
  };
}
