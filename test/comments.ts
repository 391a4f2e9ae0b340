/** The sentences of comments, for the law of `layers.test.ts` that a comment is understood at the first reading. */

export interface CommentSentence {
  /** Where its paragraph begins, from 1. */
  readonly line: number;
  readonly text: string;
  readonly words: number;
}

/** A comment of one of the two kinds. Line comments below each other are one comment; one may also stand behind code. */
const COMMENT =
  /^[ \t]*\/\*\*?(?<block>(?:(?!\*\/)[\s\S])*)\*\/|^(?<indent>[ \t]*)\/\/(?<lines>[^\n]*(?:\n\k<indent>\/\/[^\n]*)*)|(?<=\S )\/\/ (?<behind>[^\n]*)/gm;

/** Counts as one word, and no sentence ends in it: quoted code, a link, an address. */
const ONE_WORD = /`[^`]*`|\{@link [^}]*\}|https?:\/\/[^\s)]+/g;

/** The sentences of all comments of a module. */
export function commentSentences(source: string): CommentSentence[] {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index, groups }) => {
    const first = source.slice(0, index).split('\n').length;
    const marks =
      groups?.['block'] === undefined ? /^\s*\/\/ ?/ : /^\s*(?:\/\*\*?|\*(?!\/)) ?|\s*\*\/$/g;
    const lines = comment.split('\n').map((line) => line.replace(marks, ''));
    return paragraphsOf(lines).flatMap(({ line, text }) =>
      sentencesOf(text).map((sentence) => ({
        line: first + line,
        text: sentence,
        words: wordsIn(sentence),
      })),
    );
  });
}

/** A tag, an item of a list, a row of a table and a line of a drawing begin a paragraph. So does an empty line. */
function paragraphsOf(lines: readonly string[]): { line: number; text: string }[] {
  const paragraphs: { line: number; text: string }[] = [];
  for (const [line, written] of lines.entries()) {
    for (const text of written.split(/(?<=\s)(?=@(?:param|returns|throws)\b)/)) {
      const last = paragraphs.at(-1);
      if (last === undefined || last.text === '' || /^(?:@\w|[-|] | {2}|$)/.test(text))
        paragraphs.push({ line, text: text.trimEnd() });
      else last.text += ` ${text.trim()}`;
    }
  }
  return paragraphs.filter(({ text }) => text !== '');
}

function sentencesOf(paragraph: string): string[] {
  const codes: string[] = [];
  const plain = paragraph.replaceAll(ONE_WORD, (code) => `\0${codes.push(code) - 1}\0`);
  return plain
    .split(/(?<=[.!?]["')\]]*)\s+(?=["'([]*[\p{Lu}\p{N}\0])/u)
    .map((text) => text.replaceAll(/\0(\d+)\0/g, (_, nth) => codes[Number(nth)] ?? '').trim());
}

function wordsIn(sentence: string): number {
  const words = sentence
    .replace(/^@param \S+|^@\w+/, '')
    .replaceAll(ONE_WORD, 'code')
    .split(/\s+/);
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
