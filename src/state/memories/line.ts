/** One line of a memory's journal: the texts that one request bought for one recipe. */
import type { RecipeKey } from '../../job.ts';
import type { Remembered } from '../memory.ts';
import { decodeParts, encodeParts, partsKey } from './parts.ts';

export interface MemoryLine {
  readonly request: string;
  readonly at: string;
  readonly recipe: RecipeKey;
  /** Encoded source and translation. */
  readonly texts: readonly (readonly [string, string])[];
}

/** One line per request and recipe. */
export function linesFor(entries: readonly Remembered[]): MemoryLine[] {
  const groups = Map.groupBy(entries, ({ request, at, recipe }) => `${request} ${at} ${recipe}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { request, at, recipe } = first;
    const texts = group.map(
      ({ source, translation }) => [partsKey(source), encodeParts(translation)] as const,
    );
    return [{ request, at, recipe, texts }];
  });
}

export function entriesOf({ request, at, recipe, texts }: MemoryLine): Remembered[] {
  return texts.map(([source, translation]) => ({
    recipe,
    source: decodeParts(source),
    translation: decodeParts(translation),
    request,
    at,
  }));
}
