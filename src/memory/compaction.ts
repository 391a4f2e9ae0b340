/** A memory's journal without the translations that later ones superseded. */
import { frame } from '../state/frame.ts';
import type { Replayed } from '../state/replay.ts';
import type { MemoryLine } from './line.ts';
import { Texts } from './texts.ts';

/**
 * @param lines of the journal as it is
 * @param texts what all of them say in the end
 * @returns the bytes of the new journal; no request is forgotten, for recovery asks which ones were answered
 */
export async function* compacted(
  lines: AsyncGenerator<readonly string[], Replayed>,
  texts: Texts,
): AsyncGenerator<Buffer> {
  const kept = new Texts();
  let offset = 0;
  for await (const batch of lines) {
    for (const json of batch) {
      const line = JSON.parse(json) as MemoryLine;
      const current = { ...line, texts: line.texts.filter((text) => isCurrent(line, text)) };
      kept.add(current);
      const bytes = Buffer.from(frame(JSON.stringify(current), offset));
      offset += bytes.length;
      yield bytes;
    }
  }

  function isCurrent({ recipe }: MemoryLine, [source, translation]: readonly [string, string]) {
    return texts.get(recipe, source) === translation && kept.get(recipe, source) === undefined;
  }
}
