/** A memory's journal without the translations that later ones superseded, or that are older than they are kept. */
import { frame } from '../frame.ts';
import type { Replayed } from '../replay.ts';
import type { MemoryLine } from './line.ts';
import { Texts } from './texts.ts';

/**
 * @param lines of the journal as it is
 * @param texts what those that are kept say in the end
 * @param isKept says it of a line
 * @returns the bytes of the new journal; of the lines that are kept no request is forgotten, for recovery asks which ones
 * were answered
 */
export async function* compacted(
  lines: AsyncGenerator<readonly string[], Replayed>,
  texts: Texts,
  isKept: (line: MemoryLine) => boolean,
): AsyncGenerator<Buffer> {
  const kept = new Texts();
  let offset = 0;
  for await (const batch of lines) {
    for (const json of batch) {
      const line = JSON.parse(json) as MemoryLine;
      if (!isKept(line)) continue;
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
