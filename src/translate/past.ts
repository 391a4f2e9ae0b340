/** Asks the history of the repository about texts that the lock does not explain, and about texts on another side of a merge. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFailure, type GitRepository, pathInRepository } from '../files/git.ts';
import { contentsOf } from '../files/git-contents.ts';
import { headsOf, revisionsOf, sidesOf } from '../files/git-history.ts';
import { findWorkTree, type WorkTree } from '../files/work-tree.ts';
import { type Part, partsText } from '../format.ts';
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
import { ageOf, type TextAge, type Version, type Versions } from '../segments/text-age.ts';
import type { FormerPath, LockFiles } from '../state/lock-file.ts';
import type { TextCase } from './text-case.ts';

/** One text of an earlier version of a file. */
export interface PastText {
  readonly id: string;
  readonly parts: readonly Part[];
}

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
}

/** Undefined when nothing is asked, or git is not there. */
export async function askHistory(question: HistoryQuestion): Promise<Past | undefined> {
  const { unexplained, bought } = question;
  if (unexplained.length + bought.length === 0) return undefined;
  const tree = findWorkTree(question.files[0]);
  if (tree === undefined) return undefined;
  const past = new PastFiles(question, tree);
  try {
    const history = await past.historyOf(unexplained);
    const elsewhere = await past.elsewhere(bought);
    return history.size + elsewhere.size === 0 ? undefined : { history, elsewhere };
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** The texts to ask about, of a file whose texts are decided one by one. */
export function openQuestions(
  decisions: readonly Decision[],
): Pick<HistoryQuestion, 'unexplained' | 'bought'> {
  const ids = (isAsked: (decision: Decision) => boolean) =>
    decisions.filter(isAsked).map(({ id }) => id);
  // When the history shows the source of a text, the text may have to be bought.
  const bought = ids((decision) => isBought(decision) || isUnexplained(decision));
  return { unexplained: ids(isUnexplained), bought };
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
      const { files, formerFiles: before = [] } = this.#question;
      const behind = await revisionsOf(this.#tree, [...files, ...before], head);
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

  /** Translations of the current sources on another side of a merge: they are already paid for, or a person wrote them. */
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

interface PastTexts {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly isKeyed: boolean;
  readonly texts: Readonly<Record<'source' | 'target', readonly PastText[]>>;
}

/** The texts of both files at one commit, identified by their ids or by their contents. */
class PastVersion implements Version {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly #isKeyed: boolean;
  readonly #texts: PastTexts['texts'];
  readonly #sources: ReadonlyMap<string, string>;
  readonly #targets: ReadonlyMap<string, readonly Part[]>;
  readonly #allSources: ReadonlyMap<SourceHash, string>;
  readonly #allTargets: ReadonlyMap<TargetHash, readonly Part[]>;

  constructor({ commit, parents, isKeyed, texts: pair }: PastTexts) {
    const { source, target } = pair;
    this.#texts = pair;
    this.commit = commit;
    this.parents = parents;
    this.#isKeyed = isKeyed;
    const texts = source.map(({ id, parts }) => [id, partsText(parts)] as const);
    this.#sources = new Map(texts);
    this.#targets = new Map(target.map(({ id, parts }) => [id, parts]));
    this.#allSources = new Map(texts.map(([, text]) => [sourceHash(text), text]));
    this.#allTargets = new Map(target.map(({ parts }) => [targetHash(partsText(parts)), parts]));
  }

  hasSource(id: string, text: string): boolean {
    return this.#isKeyed ? this.#sources.get(id) === text : this.#allSources.has(sourceHash(text));
  }

  hasTarget(id: string, text: string): boolean {
    const parts = this.#targets.get(id);
    return this.#isKeyed
      ? parts !== undefined && partsText(parts) === text
      : this.#allTargets.has(targetHash(text));
  }

  /** @param stated the stated sources of the translation: with the translation itself, they identify texts without ids */
  source(
    id: string,
    { stated, target }: { readonly stated: ReadonlySet<SourceHash>; readonly target: string },
  ): string | undefined {
    if (this.#isKeyed) return this.#sources.get(id);
    const known = [...stated].find((hash) => this.#allSources.has(hash));
    return known === undefined ? this.#sourceBeside(target) : this.#allSources.get(known);
  }

  /** For a translation that a person wrote and no lock states: the source text at the same position, if both files have as many texts. */
  #sourceBeside(target: string): string | undefined {
    const { source, target: translations } = this.#texts;
    if (source.length !== translations.length) return undefined;
    const places = translations.flatMap(({ parts }, at) =>
      partsText(parts) === target ? [at] : [],
    );
    const [place] = places;
    if (place === undefined || places.length > 1) return undefined;
    return partsText(source[place]?.parts ?? []);
  }

  target(
    id: string,
    stated: readonly Statement[],
    hashOf: (text: string) => TargetHash,
  ): TranslationElsewhere | undefined {
    for (const { target, mark } of stated) {
      const parts = this.#isKeyed ? this.#targets.get(id) : this.#allTargets.get(target);
      if (mark === 'held' || parts === undefined) continue;
      if (hashOf(partsText(parts)) === target) return { parts, origin: mark };
    }
    return undefined;
  }
}

export function policyOfPast({
  history,
  elsewhere,
}: Past): Pick<MergePolicy, 'history' | 'elsewhere'> {
  return { history: (id) => history.get(id), elsewhere: (id) => elsewhere.get(id) };
}
