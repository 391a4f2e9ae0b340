/** What is spoken around the texts of a request: unbilled context that tells pronouns and tone. Pure. */
import { jsonBytes } from '../segments/batch.ts';
import type { Scene } from './order.ts';

/** Bytes of a request that are kept for it. */
export const SCENE_BYTES = 6144;
/** Texts of context before and after those that are sent. */
const BEFORE = 10;
const AFTER = 5;

/** Lines of context, the nearest first when not all of them fit; each film that has texts in the request gets its share. */
export function sceneAround(scenes: readonly Scene[]): string[] {
  const films = [...Map.groupBy(scenes, ({ texts }) => texts)];
  const share = SCENE_BYTES / Math.max(1, films.length);
  return films.flatMap(([texts, places]) => {
    const indices = places.map(({ at }) => at);
    const first = Math.min(...indices);
    const last = Math.max(...indices);
    const before = texts.slice(Math.max(0, first - BEFORE), first);
    const after = texts.slice(last + 1, last + 1 + AFTER);
    const kept = nearest(after, (share * AFTER) / (BEFORE + AFTER));
    const free = share - kept.reduce((bytes, line) => bytes + jsonBytes(line), 0);
    return [...nearest(before.reverse(), free).reverse(), ...kept];
  });
}

/** As many texts as fit, each on one line. */
function nearest(texts: readonly string[], bytes: number): string[] {
  let free = bytes;
  const lines = texts.map((text) => text.replaceAll('\n', ' '));
  const end = lines.findIndex((line) => {
    free -= jsonBytes(line);
    return free < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
