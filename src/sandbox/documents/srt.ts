/** SubRip subtitles: only the words of each cue change; numbers, times and blank lines stay byte for byte. */
import { countCharacters } from '../billing.ts';
import { answerPieces, blockHasWords, textForEngine } from './blocks.ts';
import { malformedDocument, type ReadDocument, type SourceDocument } from './document.ts';
import { withSplices } from './splice.ts';
import { decodeText } from './text-bytes.ts';

export function readSrt({ bytes, name }: SourceDocument): ReadDocument {
  const { text, encode } = decodeText(bytes);
  const cues = findCues(text);
  if (cues.length === 0 && text.trim() !== '')
    throw malformedDocument(name, 'no subtitle timing in it');
  const worded = cues.filter((cue) => blockHasWords([cue.text]));
  return {
    texts: worded.map((cue) => textForEngine([cue.text])),
    characters: countCharacters(cues.map((cue) => cue.text)),
    write(answers) {
      const splices = worded.map((cue, index) => ({
        start: cue.start,
        end: cue.start + cue.text.length,
        text: answerPieces([cue.text], withoutBlankLines(answers[index] ?? '')).join(''),
      }));
      return encode(withSplices(text, splices));
    },
  };
}

interface SrtCue {
  readonly start: number;
  readonly text: string;
}

const TIMING =
  /^[ \t]*-?\d+:\d{1,2}:\d{1,2}(?:[,.:]\d+)?[ \t]*-?->[ \t]*-?\d+:\d{1,2}:\d{1,2}(?:[,.:]\d+)?[^\r\n]*(?:\r\n|\r|\n|$)/gm;

/** Each cue reaches from its timing line to the blank line or number before the next one. */
function findCues(text: string): readonly SrtCue[] {
  const timings = [...text.matchAll(TIMING)];
  return timings.map((timing, index) => {
    const start = timing.index + timing[0].length;
    const next = timings[index + 1];
    const block = text.slice(start, next?.index ?? text.length);
    const withoutNumber =
      next === undefined ? block : block.replace(/(^|[\r\n])[ \t]*\d+[ \t]*[\r\n]*$/, '$1');
    return { start, text: withoutNumber.trimEnd() };
  });
}

/** A blank line would end the cue. */
function withoutBlankLines(answer: string): string {
  return answer.replace(/(?:\r?\n[ \t]*){2,}/g, '\n');
}
