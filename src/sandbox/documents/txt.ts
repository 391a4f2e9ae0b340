/** Plain text: line by line, line ends and white space kept. */
import { answerPieces, askFor, hasWords } from './blocks.ts';
import { codePoints, type ReadDocument, type SourceDocument } from './document.ts';
import { splice } from './splice.ts';
import { decodeText } from './text-bytes.ts';

export function readTxt({ bytes }: SourceDocument): ReadDocument {
  const { text, encode } = decodeText(bytes);
  const lines = [...text.matchAll(/[^\r\n]+/g)].filter(([line]) => hasWords([line]));
  return {
    texts: lines.map(([line]) => askFor([line])),
    characters: codePoints([text]),
    write(answers) {
      const splices = lines.map((line, index) => ({
        start: line.index,
        end: line.index + line[0].length,
        text: answerPieces([line[0]], answers[index] ?? '').join(''),
      }));
      return encode(splice(text, splices));
    },
  };
}
