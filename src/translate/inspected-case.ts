/** The text case of a source or a target that is only looked at, by `check` and by reviewers. */
import { join } from 'node:path';
import { jobId } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import { fingerprint, recipeFor } from '../plan/recipe.ts';
import type { Project, Route } from '../project.ts';
import type { TermEntries } from '../segments/dictionary.ts';
import { TermIndex } from '../segments/terms.ts';
import { type BaselineSubject, segmentBaseline } from '../state/baselines/segment-baseline.ts';
import type { FormerPath } from '../state/lock-file.ts';
import { NO_MEMORY } from '../state/memory.ts';
import { type PackedLock, unpackLock } from '../state/thread-locks.ts';
import type { TextCase } from './text-case.ts';
import type { SourceCase } from './text-files.ts';

export interface SourceToInspect {
  readonly project: Project;
  readonly route: Route;
  /** Path relative to the root. */
  readonly source: string;
}

export interface PackedSource extends SourceToInspect {
  /** Path relative to the root. */
  readonly target: string;
  readonly language: LanguageTag;
}

/** Which of the records of a baseline is true. */
type BaselineReading = Pick<BaselineSubject, 'wrote' | 'fence'>;

/** A target with everything needed to look at it, as plain data. */
export interface PackedTarget extends PackedSource {
  /** The stored baseline. */
  readonly stored?: Uint8Array;
  /** Where the ledger is known: how the next claim of the job would read the baseline. */
  readonly reading?: BaselineReading;
  readonly packedLock?: PackedLock;
  /** The path that the lock has for the source, when the source was moved since. */
  readonly formerly?: FormerPath;
  /** Terms of the project in this language. */
  readonly terms?: { readonly entries: TermEntries; readonly version: string };
  /** Version of the style list. */
  readonly style?: string;
}

const indexes = new WeakMap<TermEntries, TermIndex>();

/** Each thread prepares a glossary once for all files. */
function termIndex(entries: TermEntries): TermIndex {
  const index = indexes.get(entries) ?? new TermIndex(entries);
  indexes.set(entries, index);
  return index;
}

/** A text case like that of a job, but without the memory: a daemon may be writing it. */
export function caseOf(inspected: PackedTarget): TextCase {
  const { source: path, terms, style, packedLock, formerly } = inspected;
  const stored = { read: async () => inspected.stored, write: async () => {} };
  return {
    ...sourceCase(inspected),
    memory: NO_MEMORY,
    ...(packedLock === undefined ? {} : { lock: unpackLock(packedLock) }),
    ...(formerly === undefined ? {} : { formerly }),
    baseline: segmentBaseline({ stored, path, wrote: undefined, ...inspected.reading }),
    projectTerms: {
      ...(terms && { terms: { index: termIndex(terms.entries), version: terms.version } }),
      ...(style === undefined ? {} : { style }),
    },
  };
}

export function sourceCase({ project, route, source, target, language }: PackedSource): SourceCase {
  const recipe = recipeFor(project, language);
  return {
    job: {
      id: jobId(project.name, language, source),
      project: project.name,
      lane: 'text',
      source,
      language,
      targets: { file: target },
      fingerprint: fingerprint('' as Parameters<typeof fingerprint>[0], recipe.key),
    },
    route,
    recipe,
    sourceLanguage: project.source === 'auto' ? undefined : project.source,
    root: project.root,
    sourcePath: join(project.root, source),
    targetPath: target,
    wrote: undefined,
    instructions: {},
  };
}
