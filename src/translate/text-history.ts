/** What the history of the repository says of texts that no statement of the lock explains, and the older sources of those that a person wrote. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { contentsIn, pathIn } from '../files/git.ts';
import { findWorkTree, revisionsOf, type WorkTree } from '../files/work-tree.ts';
import { partsText, sourceParts } from '../format.ts';
import type { Limited } from '../parsing/within.ts';
import type { Decision, History } from '../segments/decide.ts';
import { ageOf, type Version } from '../segments/text-age.ts';
import { decideWithMemory, type Findings, look, type Material } from './inspection.ts';
import type { TextCase } from './text-case.ts';
import { openSource, openTarget, type TextFile } from './text-files.ts';

/** Asked once for a file that this machine has never seen; undefined where nothing needs it, or the history is not there. */
export async function historyOf(
  text: TextCase,
  material: Material,
  limited: Limited,
): Promise<ReadonlyMap<string, History> | undefined> {
  if (material.lock === undefined || material.known !== undefined) return undefined;
  if (material.target === undefined) return undefined;
  const findings = await limited(() => look(text, material));
  const { merge } = await decideWithMemory(text, findings, limited);
  const open = merge.decisions.filter(isOpen);
  const tree = open.length === 0 ? undefined : findWorkTree(text.root);
  if (tree === undefined) return undefined;
  const versions = await versionsOf(text, { material, findings, tree, limited });
  if (versions === undefined) return undefined;
  const sources = new Map(findings.wanted.map(({ id, source }) => [id, partsText(source)]));
  return new Map(
    open.flatMap(({ id }): [string, History][] => {
      const [source, target] = [sources.get(id), findings.found.get(id)];
      if (source === undefined || target === undefined) return [];
      return [[id, ageOf({ id, source, target: partsText(target) }, versions)]];
    }),
  );
}

/** A person's text of which nobody here knows the source that it was written for. */
function isOpen(decision: Decision): boolean {
  return decision.kind === 'conflict' && decision.record.previousSource === undefined;
}

interface Asked {
  readonly material: Material;
  readonly findings: Findings;
  readonly tree: WorkTree;
  readonly limited: Limited;
}

/** The newest first; undefined where git cannot tell. */
async function versionsOf(text: TextCase, asked: Asked): Promise<Version[] | undefined> {
  const { material, findings, tree, limited } = asked;
  const files = [text.sourcePath, join(text.root, text.targetPath)];
  const revisions = await revisionsOf(tree, files);
  const repository = { top: await realpath(tree.root) };
  const paths = await Promise.all(files.map((file) => pathIn(repository, file)));
  const [source, target] = paths;
  if (revisions === undefined || source === undefined || target === undefined) return undefined;
  const isKeyed = findings.reader.format.shape === 'keyed';
  const versions: Version[] = [];
  for (const { commit } of revisions) {
    const bytes = new Map<string, Buffer>();
    for await (const file of contentsIn(repository, { commit, paths: [source, target] })) {
      if (file.bytes !== undefined) bytes.set(file.path, file.bytes);
    }
    const [ours, theirs] = [bytes.get(source), bytes.get(target)];
    versions.push(
      await limited(() => ({
        commit,
        ...sourceSide(
          opened(
            () =>
              ours &&
              openSource(text, { ...material, source: { ...material.source, bytes: ours } }),
          ),
          isKeyed,
        ),
        ...targetSide(
          opened(
            () =>
              theirs &&
              material.target &&
              openTarget(
                { ...material, target: { ...material.target, bytes: theirs } },
                findings.reader,
              ),
          ),
          isKeyed,
        ),
      })),
    );
  }
  return versions;
}

/** What could not be read then holds no text. */
function opened(open: () => TextFile | undefined): TextFile | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}

function sourceSide(
  file: TextFile | undefined,
  isKeyed: boolean,
): Pick<Version, 'source' | 'hasSource'> {
  const texts = new Map(
    file?.doc.segments.map((segment) => [segment.id, partsText(sourceParts(segment))]),
  );
  const all = new Set(texts.values());
  return {
    source: (id) => (isKeyed ? texts.get(id) : undefined),
    hasSource: (id, text) => (isKeyed ? texts.get(id) === text : all.has(text)),
  };
}

function targetSide(file: TextFile | undefined, isKeyed: boolean): Pick<Version, 'hasTarget'> {
  const texts = new Map(file?.doc.segments.map(({ id, parts }) => [id, partsText(parts)]));
  const all = new Set(texts.values());
  return { hasTarget: (id, text) => (isKeyed ? texts.get(id) === text : all.has(text)) };
}
