/** Plain text, line by line; line ends and white space stay. */
import { countCharacters } from '../billing.ts';
import { answerPieces, blockHasWords, textForEngine } from './blocks.ts';
import type { ReadDocument, SourceDocument } from './document.ts';
import { withSplices } from './splice.ts';
import { decodeText } from './text-bytes.ts';

export function readTxt({ bytes }: SourceDocument): ReadDocument {
  const { text, encode } = decodeText(bytes);
  const lines = [...text.matchAll(/[^\r\n]+/g)].filter(([line]) => blockHasWords([line]));
  return {
    texts: lines.map(([line]) => textForEngine([line])),
    characters: countCharacters([text]),
    write(answers) {
      const splices = lines.map((line, index) => ({
        start: line.index,
        end: line.index + line[0].length,
        text: answerPieces([line[0]], answers[index] ?? '').join(''),
      }));
      return encode(withSplices(text, splices));
    },
  };
}
