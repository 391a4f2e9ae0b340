/** The lane of each extension. */

import { fileNameOf } from '../files/listing.ts';
import { FORMATS } from '../formats/all.ts';
import type { Lane } from '../job.ts';
import { xliffVersion } from '../parsing/markup.ts';

/** Extensions of all lanes except text, whose extensions come from the formats. */
const BY_DEFAULT: Readonly<Record<Exclude<Lane, 'text'>, string>> = {
  document: 'docx doc pptx xlsx pdf html htm txt jpg jpeg png xlf xliff',
  subtitle: 'srt vtt',
  voice: 'wav mp3 m4a ogg opus flac aac webm mp4',
};

const LANES = new Map<string, Lane>([
  ...FORMATS.filter(({ onRequest }) => !onRequest).flatMap(({ extensions }) =>
    extensions.map((extension): [string, Lane] => [extension, 'text']),
  ),
  ...(Object.keys(BY_DEFAULT) as (keyof typeof BY_DEFAULT)[]).flatMap((lane) =>
    BY_DEFAULT[lane].split(' ').map((extension): [string, Lane] => [extension, lane]),
  ),
]);

/** Extensions that are text only with `lane: text`. `.ts` is not among them: without a lane it is a file of Qt. */
const ON_REQUEST = new Set(
  FORMATS.flatMap(({ extensions, onRequest }) => (onRequest ? extensions : [])).filter(
    (extension) => !LANES.has(extension),
  ),
);

export type LaneChoice =
  | { readonly kind: 'lane'; readonly lane: Lane; readonly contentDecides: boolean }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * The lane of a file.
 * `contentDecides`: the extension is not enough; see `laneByContent`.
 * @param extension lower-case, without the dot
 * @param asked the lane in the route
 */
export function laneOf(extension: string, asked: Lane | undefined): LaneChoice {
  if (asked !== undefined) return { kind: 'lane', lane: asked, contentDecides: false };
  if (ON_REQUEST.has(extension)) {
    return { kind: 'none', reason: `.${extension} is text only where its route says lane: text` };
  }
  const lane = LANES.get(extension);
  if (lane === undefined) {
    const what = extension === '' ? 'a name without extension' : `.${extension}`;
    return { kind: 'none', reason: `no lane for ${what}; give its route a lane, or exclude it` };
  }
  return { kind: 'lane', lane, contentDecides: extension === 'xlf' || extension === 'xliff' };
}

/** The lane of an XLIFF file by its first few hundred characters: 2.1 is a document, 1.2 and 2.0 are strings. */
export function laneByContent(head: string): Lane {
  return xliffVersion(head) === '2.1' ? 'document' : 'text';
}

/** The extension of the target (docs/design/api.md, "Documents": doc becomes docx, pdf may; a PO template becomes a PO file). */
export function targetExtension(
  extension: string,
  { lane, pdfTo }: { lane: Lane | undefined; pdfTo: 'docx' | undefined },
): string {
  switch (extension.toLowerCase()) {
    case 'doc':
      return lane === undefined || lane === 'document' ? 'docx' : extension;
    case 'pdf':
      return pdfTo ?? extension;
    case 'pot':
      return 'po';
    default:
      return extension;
  }
}

/** The extension of a path, unchanged and without the dot; empty for `README` and `.env`. */
export function extensionOf(path: string): string {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}
