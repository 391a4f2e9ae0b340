/** Where links of a paragraph lead, when it is bought again: a destination that a person changed stays, as the frame does. Pure. */
import { type Part, partsText } from '../format.ts';

/** Of Markdown and of HTML attributes: what stands before a destination, itself, what ends it. */
const DESTINATION = /(\]\(|\b(?:href|src)=["'])([^\s"'()<>]+)/g;

export interface Replaced {
  /** The source of the paragraph that is replaced, and what stands there, with their host syntax. */
  readonly source: string;
  readonly standing: readonly Part[];
}

/** @returns the bought text with the destinations of the one that it replaces, where the source's are still the same */
export function withTheirLinks(bought: readonly Part[], { source, standing }: Replaced): Part[] {
  const [ours, theirs] = [destinationsIn(source), destinationsIn(partsText(standing))];
  const own = new Map<string, string>();
  if (ours.length === theirs.length) {
    for (const [index, destination] of ours.entries()) {
      const other = theirs[index] ?? destination;
      // One destination that a person led to two places says nothing of a third.
      if (own.has(destination) && own.get(destination) !== other) return [...bought];
      own.set(destination, other);
    }
  }
  return bought.map((part) =>
    typeof part === 'string'
      ? part
      : {
          ...part,
          raw: part.raw.replace(
            DESTINATION,
            (_, before: string, destination: string) =>
              `${before}${own.get(destination) ?? destination}`,
          ),
        },
  );
}

function destinationsIn(text: string): string[] {
  return [...text.matchAll(DESTINATION)].map(([, , destination = '']) => destination);
}
