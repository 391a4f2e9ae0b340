/** Reads one source or one target for `check`: the work behind `target-parsers.ts`. */
import { join } from 'node:path';
import { describeDuplicate } from '../../formats/text/duplicates.ts';
import { jobId } from '../../job.ts';
import type { Reading } from '../../parsing/parser.ts';
import { fingerprint, recipeFor } from '../../plan/recipe.ts';
import type { Entries } from '../../segments/dictionary.ts';
import { TermIndex } from '../../segments/terms.ts';
import { segmentBaseline } from '../../state/baselines/segment-baseline.ts';
import type { Memory } from '../../state/memory.ts';
import { decide, gather, look } from '../../translate/inspection.ts';
import type { TextCase } from '../../translate/text-case.ts';
import {
  openSource,
  readSource as readSourceFile,
  type SourceCase,
} from '../../translate/text-files.ts';
import { type Finding, findingsIn } from './findings.ts';
import type { PackedSource, PackedTarget } from './target-parsers.ts';

export const readSource: Reading<PackedSource, readonly Finding[]> = async (inspected) => {
  const text = sourceCase(inspected);
  const files = await readSourceFile(text);
  return () => {
    const { warnings, duplicates = [] } = openSource(text, files).doc;
    const repeated = duplicates.map((duplicate) => ({
      line: duplicate.lines[1] ?? 1,
      message: describeDuplicate(duplicate),
    }));
    return [...warnings, ...repeated].map(({ line, message }) => ({
      line,
      column: 1,
      severity: 'warn',
      message,
    }));
  };
};

export const readTarget: Reading<PackedTarget, readonly Finding[]> = async (inspected) => {
  const text = caseOf(inspected);
  const material = await gather(text);
  return () => {
    const findings = look(text, material);
    return findingsIn({ ...findings, ...decide(text, findings) }, text);
  };
};

const indexes = new WeakMap<Entries, TermIndex>();

/** On this thread a glossary is made ready once for all files. */
function indexOf(entries: Entries): TermIndex {
  const index = indexes.get(entries) ?? new TermIndex(entries);
  indexes.set(entries, index);
  return index;
}

const NO_MEMORY: Memory = {
  lookup: () => undefined,
  remember: async () => {},
  holdsAnswerTo: () => false,
  entries: async function* () {},
  size: 0,
};

/** The look that a job gets, but for the memory: `check` reads beside a daemon that writes it. */
function caseOf(inspected: PackedTarget): TextCase {
  const { source: path, terms, style } = inspected;
  const stored = { read: async () => inspected.stored, write: async () => {} };
  return {
    ...sourceCase(inspected),
    memory: NO_MEMORY,
    baseline: segmentBaseline({ stored, path, wrote: undefined }),
    projectTerms: {
      ...(terms && { terms: { index: indexOf(terms.entries), version: terms.version } }),
      ...(style === undefined ? {} : { style }),
    },
  };
}

function sourceCase({ project, route, source, target, language }: PackedSource): SourceCase {
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
    word: {},
  };
}
