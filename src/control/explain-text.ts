/** Finds the text at a line of a source or a target, in every format that is bought text by text. */
import { bytesIn } from '../files/disk.ts';
import { parse } from '../parsing/parse.ts';
import type { Project } from '../project.ts';
import type { ExplainedSegment } from './explain-report.ts';
import type { LocalControlOptions } from './options.ts';
import { packedPair, pairsIn, type ReviewPair, targetPathOf } from './review/files.ts';
import { FIND_TEXTS } from './review/thread-calls.ts';
import type { UnnumberedText } from './review/thread-work.ts';

export interface LineToExplain {
  readonly project: Project;
  /** Absolute path of the source or target. */
  readonly file: string;
  /** The same path, relative to the root. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

export type ExplainedLine =
  | {
      readonly kind: 'text';
      readonly pair: ReviewPair;
      readonly id: string;
      readonly segment: ExplainedSegment;
      /** Keys of other texts on the line, as people write them. */
      readonly others: readonly string[];
    }
  /** `nearest`: the nearest line with a text. */
  | { readonly kind: 'no text'; readonly nearest: number | null }
  /** No route matches the file as text, or the target is built differently from its source. */
  | { readonly kind: 'unknown' };

/** @throws JobFailure for a file that cannot be read */
export async function findText(
  options: LocalControlOptions,
  { project, file, path, line }: LineToExplain,
): Promise<ExplainedLine> {
  await options.scan();
  const scope = { projects: [project.name], languages: [], paths: [file] };
  let nearest: number | null = null;
  let isKnown = false;
  for (const pair of pairsIn(options, scope)) {
    const side = pair.target === path ? 'target' : 'source';
    const bytes = await bytesIn(file, targetPathOf(pair));
    const packed = { ...(await packedPair(options, pair)), line, side } as const;
    const found = await parse(FIND_TEXTS, packed, { file, bytes });
    const [first, ...others] = found.texts;
    if (first !== undefined) {
      const segment = explainedSegment(first, side === 'source' ? '' : pair.language);
      return { kind: 'text', pair, id: first.id, segment, others: others.map(nameOfText) };
    }
    isKnown ||= !found.isUnlike;
    nearest ??= found.nearest;
    // All languages have the same source; a file with all languages is searched for each.
    if (side === 'source') break;
  }
  return isKnown ? { kind: 'no text', nearest } : { kind: 'unknown' };
}

function explainedSegment(
  text: UnnumberedText,
  language: ExplainedSegment['language'],
): ExplainedSegment {
  const { source, target, mark, state } = text;
  return {
    key: nameOfText(text),
    language,
    source,
    target: language === '' ? null : target,
    origin: language === '' || target === null || mark === 'held' ? 'none' : mark,
    state: language === '' ? 'source' : state,
  };
}

/** Running text has no keys, so its line is used. */
function nameOfText({ key, line }: UnnumberedText): string {
  return key === '' ? `line ${line} of the source` : key;
}
