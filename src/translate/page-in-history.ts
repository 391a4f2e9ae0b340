/**
 * Finds in git the version of a page from which its translation was last made. With that version, a checkout without records knows which
 * paragraphs were moved, added or removed, as the machine that made the translation did.
 */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { GitFailure, pathInRepository } from '../files/git.ts';
import { contentsOf } from '../files/git-contents.ts';
import { headsOf, revisionsOf } from '../files/git-history.ts';
import { findWorkTree, type WorkTree } from '../files/work-tree.ts';
import { type Part, partsText } from '../format.ts';
import { tokensIn } from '../formats/grammar/markup-tokens.ts';
import type { Limited } from '../parsing/within.ts';
import type { WantedSegment } from '../segments/decision.ts';
import {
  NO_TARGET,
  type SourceHash,
  type Statement,
  sourceHash,
  type TargetHash,
  targetHash,
} from '../segments/statements.ts';
import { type EarlierPage, earlierPage } from './earlier-page.ts';
import { findingsOf, type Material, type TextFindings } from './inspection.ts';
import type { TextCase } from './text-case.ts';

/** At most so many revisions are read: older ones are too different from the page now. */
const MOST_REVISIONS = 16;

interface SeenPage {
  readonly material: Material;
  readonly findings: TextFindings;
  readonly limited: Limited;
}

/** Parses and compares like `findingsOf`; for a page without records, it also uses the history. */
export async function findingsWithHistory(
  text: TextCase,
  material: Material,
  limited: Limited,
): Promise<TextFindings> {
  const findings = await limited(() => findingsOf(text, material));
  const seen = { material, findings, limited };
  const earlier = await pageInHistory(text, seen);
  if (earlier !== undefined) return await limited(() => findingsOf(text, { ...material, earlier }));
  const earlierFrame = await frameInHistory(text, seen);
  if (earlierFrame === undefined) return findings;
  return await limited(() => findingsOf(text, { ...material, earlierFrame }));
}

/**
 * Finds the version of the source page that belongs to a translation whose frame a person edited. It is the version at the commit where the
 * translation got its present content. The source may already have had its present frame at that commit, while the lock says that the
 * translation belongs to another frame. Then it is the version before.
 */
async function frameInHistory(
  text: TextCase,
  { material, findings, limited }: SeenPage,
): Promise<EarlierPage | undefined> {
  const { lock, target } = material;
  const { frame } = findings;
  if (lock === undefined || target === undefined || frame?.unexplained === undefined) {
    return undefined;
  }
  const now = frame.unexplained;
  return await withVersions(text, async (versions) => {
    let page: EarlierPage | undefined;
    for await (const pair of versions) {
      const isSame = plainText(pair.target) === plainText(target.bytes);
      if (page !== undefined && !isSame && page.frame !== now) break;
      page = (await limited(() => earlierPage(text, { ...material, lock }, pair))) ?? page;
    }
    // Then the version that the lock means was never committed, or the clone lacks it.
    return page?.frame === now ? undefined : page;
  });
}

function plainText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n');
}

type PageVersions = ReturnType<typeof versionsOf>;

/** Undefined when there is no work tree, or git refuses. */
async function withVersions(
  text: TextCase,
  choose: (versions: PageVersions) => Promise<EarlierPage | undefined>,
): Promise<EarlierPage | undefined> {
  const tree = findWorkTree(text.sourcePath);
  if (tree === undefined) return undefined;
  try {
    return await choose(versionsOf(text, tree));
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** Undefined when it is not needed, or the history does not have it. */
async function pageInHistory(
  text: TextCase,
  { material, findings, limited }: SeenPage,
): Promise<EarlierPage | undefined> {
  const { lock } = material;
  if (lock === undefined || !isOutOfStep(material, findings)) return undefined;
  return await withVersions(text, async (versions) => {
    let best: EarlierPage | undefined;
    for await (const pair of versions) {
      const page = await limited(() => earlierPage(text, { ...material, lock }, pair));
      if (page !== undefined && page.inStep > (best?.inStep ?? Number.NEGATIVE_INFINITY))
        best = page;
    }
    return best;
  });
}

/** Both files at each commit that changed one of them, the newest first. */
async function* versionsOf(text: TextCase, tree: WorkTree) {
  const files = [text.sourcePath, join(text.root, text.targetPath)] as const;
  const [head, ...others] = headsOf(tree);
  if (head === undefined || others.length > 0) return;
  const revisions = (await revisionsOf(tree, files, head)) ?? [];
  const repository = { top: await realpath(tree.root) };
  const [source, target] = await Promise.all(
    files.map((path) => pathInRepository(repository, path)),
  );
  if (source === undefined || target === undefined) return;
  const asked = revisions
    .slice(0, MOST_REVISIONS)
    .flatMap(({ commit }) => [source, target].map((path) => ({ commit, path })));
  let before: Buffer | undefined;
  for await (const { path, bytes } of contentsOf(repository, asked)) {
    if (path === source) before = bytes;
    else if (before !== undefined && bytes !== undefined) yield { source: before, target: bytes };
  }
}

/**
 * Whether only the old page shows which paragraphs are new, gone or moved, or what changed in one. That is so when this machine has no
 * record, and the lock does not state the order.
 */
function isOutOfStep(
  { candidates }: Material,
  { wanted, base, frame, found, target, statements }: TextFindings,
): boolean {
  if (candidates.length > 0) return false;
  if (frame === undefined || target === undefined) return false;
  const stated = statements?.('') ?? [];
  if (stated.length === 0) return false;
  const { placed } = frame;
  const texts = wanted.filter(({ treatment }) => treatment === 'translate');
  const places = texts.flatMap(({ id }) => placed.get(id) ?? []);
  if (places.some((place, at) => place < (places[at - 1] ?? -1))) return true;
  const lines = {
    bySource: Map.groupBy(stated, ({ source }) => source),
    targets: new Set(stated.map(({ target: text }) => text)),
  };
  const sides = texts.map(({ id, source }) => sideOf(source, found.get(id), lines));
  const ids = new Set(wanted.map(({ id }) => id));
  const isGone = [...base.keys()].some((id) => !ids.has(id));
  const isLoose = target.doc.segments.length > placed.size;
  // Without the earlier source, nobody knows whether only a destination changed.
  const hasMarkup = ({ source }: WantedSegment) => tokensIn(partsText(source)).length > 0;
  if (texts.some((each, at) => sides[at] === 'changed' && hasMarkup(each))) return true;
  const signs = [sides.includes('without place'), sides.includes('changed'), isGone, isLoose];
  return sides.includes('mixed') || signs.filter(Boolean).length > 1;
}

/**
 * `in step`: as the lock says. `without place`: the target has no text for it. `changed`: the lock does not know the source text.
 * `mixed`: the target has the translation of another text there.
 */
type SideVerdict = 'in step' | 'without place' | 'changed' | 'mixed';

interface StatedHashes {
  readonly bySource: ReadonlyMap<SourceHash, readonly Statement[]>;
  readonly targets: ReadonlySet<TargetHash>;
}

function sideOf(
  source: readonly Part[],
  target: readonly Part[] | undefined,
  { bySource, targets }: StatedHashes,
): SideVerdict {
  const own = bySource.get(sourceHash(partsText(source))) ?? [];
  if (target === undefined) {
    return own.some((each) => each.target === NO_TARGET) ? 'in step' : 'without place';
  }
  if (own.length === 0) return 'changed';
  const text = targetHash(partsText(target));
  return targets.has(text) && !own.some((each) => each.target === text) ? 'mixed' : 'in step';
}
