/** Links and tags that a person changed in a paragraph stay when it is bought again, where those of the source are the same. Pure. */
import { type Part, partsText } from '../format.ts';

/** Of Markdown and of HTML attributes: what stands before a destination, itself, what ends it. */
const DESTINATION = /(\]\(|\b(?:href|src)=["'])([^\s"'()<>]+)/g;

export interface Replaced {
  /** The source of the paragraph that is replaced, and what stands there, with their host syntax. */
  readonly source: string;
  readonly standing: readonly Part[];
}

/** Of HTML and JSX, with its attributes. */
const TAG = /<[A-Za-z][^<>]*>/g;

/** @returns the bought text with the destinations and tags of the one that it replaces, where the source's are still the same */
export function withTheirLinks(bought: readonly Part[], { source, standing }: Replaced): Part[] {
  const [ours, theirs] = [destinationsIn(source), destinationsIn(partsText(standing))];
  const tags = tagsOf(source, partsText(standing));
  const own = new Map<string, string>();
  if (ours.length === theirs.length) {
    for (const [index, destination] of ours.entries()) {
      const other = theirs[index] ?? destination;
      // One destination that a person led to two places says nothing of a third.
      if (own.has(destination) && own.get(destination) !== other) return [...bought];
      own.set(destination, other);
    }
  }
  const withDestinations = (raw: string) =>
    raw.replace(
      DESTINATION,
      (_, before: string, destination: string) => `${before}${own.get(destination) ?? destination}`,
    );
  return bought.map((part) =>
    typeof part === 'string'
      ? part
      : { ...part, raw: tags.get(part.raw) ?? withDestinations(part.raw) },
  );
}

/** The tags of a translation by those of its source; none of one that has two, and none where other tags stand. */
function tagsOf(source: string, standing: string): ReadonlyMap<string, string> {
  const [ours, theirs] = [source.match(TAG) ?? [], standing.match(TAG) ?? []];
  const name = (tag: string) => /^<[\w.:-]+/.exec(tag)?.[0];
  const isSame =
    ours.length === theirs.length && ours.every((tag, at) => name(tag) === name(theirs[at] ?? ''));
  if (!isSame) return new Map();
  const pairs = Map.groupBy(
    ours.map((tag, at) => ({ tag, theirs: theirs[at] ?? tag })),
    ({ tag }) => tag,
  );
  return new Map(
    [...pairs].flatMap(([tag, all]): [string, string][] => {
      const [own, ...others] = new Set(all.map((each) => each.theirs));
      return own === undefined || others.length > 0 ? [] : [[tag, own]];
    }),
  );
}

function destinationsIn(text: string): string[] {
  return [...text.matchAll(DESTINATION)].map(([, , destination = '']) => destination);
}
