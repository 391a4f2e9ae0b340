/**
 * Finds where a source was before it was moved, by the hashes of its texts in the lock. It is for a checkout that never saw the source at
 * its old path. What the lock says about the old path then counts for the new one.
 */
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { hashFile, hashIfPresent, parseStat } from '../files/disk.ts';
import { checkedOutIfText } from '../files/line-ends.ts';
import type { FoundFile } from '../files/listing.ts';
import { absentOnPurpose, findWorkTree } from '../files/work-tree.ts';
import { type Hash, targetList } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { LedgerView } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Project } from '../project.ts';
import type { PathMatch } from '../routes/compiled.ts';
import { matchesKey } from '../segments/key-pattern.ts';
import { FRAME, OWN } from '../segments/lock-section.ts';
import {
  hashesOfBytes,
  NO_TARGET,
  type Statement,
  sourceHash,
  targetHash,
  unitId,
} from '../segments/statements.ts';
import type { FormerPath, FormerPaths } from '../state/lock-file.ts';
import type { LockText } from '../state/lock-text.ts';
import { type Described, pairAlike } from './similarity.ts';
import { comparable, readTextsIn } from './source-texts.ts';

/** A source that exists now. `hash`: absent where it was not read yet. */
type PlacedSource = Pick<FoundFile, 'path' | 'raw' | 'size'> & { readonly hash?: Hash };

interface FormerPathsOptions {
  readonly inForce: Pick<InForce, 'config' | 'router'>;
  /** The sources of a project that are on the disk. */
  sources(project: string): Iterable<PlacedSource>;
  /** Number of sources in all projects. It is called for each job, so it must be fast. */
  count(): number;
}

/** At most so many new files, and as many gone ones, are compared: when more changed, they were not simply moved. */
const MOST_FILES = 5000;

export function formerPaths({ inForce, sources, count }: FormerPathsOptions): FormerPaths {
  const known = new WeakMap<LockText, { count: number; places: ReturnType<typeof find> }>();
  return async (name, lock) => {
    const project = inForce.config.projects.find((each) => each.name === name.project);
    if (project === undefined) return NOWHERE;
    const before = known.get(lock);
    if (before?.count === count()) return await before.places;
    const moving = { project, router: inForce.router, language: name.language, lock };
    const places = find(moving, [...sources(project.name)]);
    known.set(lock, { count: count(), places });
    return await places;
  };
}

/** Finds former places among the sources of the ledger. */
export function formerPathsOf(
  inForce: FormerPathsOptions['inForce'],
  ledger: Pick<LedgerView, 'all' | 'size'>,
): FormerPaths {
  return formerPaths({
    inForce,
    count: () => ledger.size('sources'),
    *sources(name) {
      for (const { project, path, raw = path, hash, stat } of ledger.all('sources')) {
        if (project === name) yield { path, raw, hash, size: Number(parseStat(stat).size) };
      }
    },
  });
}

const NOWHERE: ReadonlyMap<string, FormerPath> = new Map();

interface MoveSearch {
  readonly project: Project;
  readonly router: InForce['router'];
  readonly language: LanguageTag;
  readonly lock: LockText;
}

async function find(
  moving: MoveSearch,
  all: readonly PlacedSource[],
): Promise<ReadonlyMap<string, FormerPath>> {
  const gone = await goneSources(moving, new Set(all.map(({ path }) => path)));
  if (gone.length === 0) return NOWHERE;
  const came = all.filter(({ path }) => !moving.lock.sections.has(path)).slice(0, MOST_FILES);
  const arrived = await Promise.all(came.map((source) => arrival(moving, source)));
  // The route may have moved with its folder: then the format of a gone file is that of new ones with its extension.
  const formats = new Map(arrived.map(({ source: { path, format } }) => [extname(path), format]));
  const departed = gone.map((path) => departure(moving, path, formats.get(extname(path))));
  const pairs = new Map([
    // First with the texts of the translation, where it moved too: the source may have been edited.
    ...pairAlike(
      arrived.flatMap(({ whole }) => whole ?? []),
      departed.map(({ whole }) => whole),
    ),
  ]);
  const taken = new Set(pairs.values());
  const rest = pairAlike(
    arrived.flatMap(({ source }) => (pairs.has(source.path) ? [] : source)),
    departed.flatMap(({ source }) => (taken.has(source.path) ? [] : source)),
  );
  return new Map(
    [...pairs, ...rest].flatMap(([to, from]): [string, FormerPath][] => {
      const match = moving.router.match(moving.project.name, from);
      const targets = match.kind === 'source' ? match.targets(moving.language) : {};
      return [[to, { source: from, targets }]];
    }),
  );
}

interface StatedSource extends Omit<MoveSearch, 'lock'> {
  /** Of a source that exists now. */
  readonly path: string;
  /** The path that the lock has for it. */
  readonly there: string;
  readonly statements: readonly Statement[];
}

/** Whether statements are about a source: it has most of their source texts, or most of the texts of both sides. */
export async function isStatedIn({
  path,
  there,
  statements,
  ...moving
}: StatedSource): Promise<boolean> {
  const now = await arrival(moving, { path, raw: path, size: 0 });
  const { format } = now.source;
  const then = traitsOf({ path: there, format }, statements);
  const isAlike = (a: Described | undefined, b: Described) =>
    a !== undefined && pairAlike([a], [b]).size > 0;
  return isAlike(now.whole, then.whole) || isAlike(now.source, then.source);
}

/** Sources of the lock that do not exist, and that git did not leave out of this checkout. */
async function goneSources(
  { project, router, lock }: MoveSearch,
  present: ReadonlySet<string>,
): Promise<string[]> {
  const missing = [...lock.sections.keys()].filter(
    (path) =>
      path !== '' &&
      !present.has(path) &&
      mayHaveBeenSource(router.match(project.name, path)) &&
      !existsSync(join(project.root, path)),
  );
  const tree = missing.length === 0 ? undefined : findWorkTree(project.root);
  const isAway = tree === undefined ? () => false : await absentOnPurpose(tree);
  return missing.filter((path) => !isAway(join(project.root, path))).slice(0, MOST_FILES);
}

/** A route that was renamed together with its folder matches the old paths no more. */
function mayHaveBeenSource(match: PathMatch): boolean {
  return match.kind === 'source' || (match.kind === 'skipped' && match.because === 'no-route');
}

/** The texts of a file: with those of its translation, and alone. */
interface Traits {
  readonly whole?: Described;
  readonly source: Described;
}

async function arrival(moving: Omit<MoveSearch, 'lock'>, file: PlacedSource): Promise<Traits> {
  const { project, router, language } = moving;
  const { path } = file;
  const match = router.match(project.name, path);
  if (match.kind !== 'source') return { source: { path, format: '', texts: new Set() } };
  const [target] = targetList(match.targets(language));
  const read = await comparable({ project, router }, file);
  const [ours, theirs] =
    read === undefined
      ? await bytesOf(project, file, target)
      : await textsOfSides(moving, { file, match, target });
  const format = formatOf(match, path);
  return {
    source: { path, format, texts: new Set(ours) },
    ...(theirs.length === 0
      ? {}
      : { whole: { path, format, texts: new Set([...ours, ...theirs]) } }),
  };
}

async function bytesOf(
  project: Project,
  { raw, hash: known }: PlacedSource,
  target: string | undefined,
) {
  const text = await checkedOutIfText(join(project.root, raw));
  const hash = text?.text ?? known ?? (await hashFile(join(project.root, raw)));
  const found = target === undefined ? undefined : await textOrBytes(join(project.root, target));
  const ours = [ofSource(hashesOfBytes(hash).source)];
  return [ours, found === undefined ? [] : [ofTarget(hashesOfBytes(found).target)]] as const;
}

/** The hash that the lock has for such a file; undefined: there is no file. */
async function textOrBytes(path: string): Promise<Hash | undefined> {
  return (await checkedOutIfText(path))?.text ?? (await hashIfPresent(path));
}

interface RoutedFile {
  readonly file: PlacedSource;
  readonly match: Extract<PathMatch, { kind: 'source' }>;
  readonly target: string | undefined;
}

async function textsOfSides(
  { project, language }: Pick<MoveSearch, 'project' | 'language'>,
  { file, match, target }: RoutedFile,
) {
  const { size } = file;
  const own = await readTextsIn(project, { raw: file.raw, size, match });
  const isThere = target !== undefined && existsSync(join(project.root, target));
  const theirs = isThere
    ? await readTextsIn(project, { raw: target, size, match, translated: language })
    : [];
  // The lock has no lines for texts that are copied.
  const isStated = ({ id, source }: { id: string; source: string }) =>
    /\p{L}/u.test(source) && !matchesKey(match.route.keys.lock, id);
  return [
    own.filter(isStated).map(({ source }) => ofSource(sourceHash(source))),
    theirs.filter(isStated).map(({ source }) => ofTarget(targetHash(source))),
  ] as const;
}

function departure(
  { project, router, lock }: MoveSearch,
  path: string,
  alike = '',
): Required<Traits> {
  const match = router.match(project.name, path);
  const format = match.kind === 'source' ? formatOf(match, path) : alike;
  return traitsOf({ path, format }, lock.sections.get(path));
}

/** The texts that the lock has of a source. @param path in the lock */
function traitsOf(
  { path, format }: { readonly path: string; readonly format: string },
  statements: readonly Statement[] = [],
): Required<Traits> {
  const whole = new Set([FRAME, OWN].map((id) => unitId(path, id)));
  const said = statements.filter(({ unit }) => !whole.has(unit));
  const ours = said.map(({ source }) => ofSource(source));
  const theirs = said.flatMap(({ target }) => (target === NO_TARGET ? [] : ofTarget(target)));
  return {
    source: { path, format, texts: new Set(ours) },
    whole: { path, format, texts: new Set([...ours, ...theirs]) },
  };
}

/** Only files of the same lane and extension are compared. */
function formatOf({ lane }: RoutedFile['match'], path: string): string {
  return `${lane} ${extname(path).toLowerCase()}`;
}

function ofSource(hash: string): string {
  return `source ${hash}`;
}

function ofTarget(hash: string): string {
  return `target ${hash}`;
}
