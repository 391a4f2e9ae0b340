/** One line in the journal of a memory: texts that one request bought for one recipe. */
import type { RecipeKey } from '../../job.ts';
import type { Remembered } from '../memory.ts';
import { partsFromField, partsKey, partsToField } from './parts.ts';

export interface MemoryLine {
  readonly request: string;
  readonly at: string;
  readonly recipe: RecipeKey;
  /** Encoded source and translation. */
  readonly texts: readonly (readonly [string, string])[];
}

/** A line is read as a whole, also for one of its texts. A request has 50 texts, an import any number. */
const MOST_TEXTS = 100;

/** The lines for these entries: each request and recipe has its own lines. */
export function linesFor(entries: readonly Remembered[]): MemoryLine[] {
  const groups = Map.groupBy(entries, ({ request, at, recipe }) => `${request} ${at} ${recipe}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { request, at, recipe } = first;
    const texts = group.map(
      ({ source, translation }) => [partsKey(source), partsToField(translation)] as const,
    );
    return portionsOf(texts).map((portion) => ({ request, at, recipe, texts: portion }));
  });
}

function portionsOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / MOST_TEXTS);
  return Array.from({ length: count }, (_, n) => all.slice(n * MOST_TEXTS, (n + 1) * MOST_TEXTS));
}

export function rememberedInLine({ request, at, recipe, texts }: MemoryLine): Remembered[] {
  return texts.map(([source, translation]) => ({
    recipe,
    source: partsFromField(source),
    translation: partsFromField(translation),
    request,
    at,
  }));
}
