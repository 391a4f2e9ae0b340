/**
 * Earlier versions read the import and export statements of a page as a paragraph. They are lines of its frame now, and follow the source
 * as such. Pure.
 */
import type { BaselineRecord } from '../baseline.ts';
import { partsText } from '../format.ts';
import { moduleLinesOf } from '../formats/grammar/mdx-signs.ts';
import { lineKey } from '../segments/frame/frame.ts';

/** By the frame key of a paragraph that had statements: the keys of their lines. @param ids of the segments, in order */
export function modulesOf(
  { segments }: BaselineRecord,
  ids: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const records = segments.filter(({ isFrame }) => isFrame !== true);
  return new Map(
    records.flatMap(({ source, target }, at) => {
      // A translated statement is a paragraph that the target has to lose.
      const isCopied = target !== null && moduleLinesOf(partsText(target)) !== undefined;
      const lines = isCopied ? moduleLinesOf(source) : undefined;
      return lines ? [[`#${ids[at]}`, lines.map((line) => lineKey(`${line}\n`))] as const] : [];
    }),
  );
}

/** The end of the last line was a piece of its own. */
export function withModuleLines(
  keys: readonly string[] | undefined,
  modules: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  if (keys === undefined || modules.size === 0) return keys;
  const end = lineKey('\n');
  return keys.flatMap((key, at) => {
    const isEnd = key === end && modules.has(keys[at - 1] ?? '');
    return isEnd ? [] : (modules.get(key) ?? [key]);
  });
}
