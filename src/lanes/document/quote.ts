/** The price of a document, after a check of everything that the service is known to refuse. Nothing is sent. */
import { checkContent, checkFields } from '../../service/document-constraints.ts';
import { measureFile } from '../../service/upload-source.ts';
import { type DocumentCase, uploadRequestFor } from './document-case.ts';
import { type DocumentEstimate, estimateDocument } from './estimate.ts';
import { removeMedia } from './media.ts';
import type { PurchaseContext } from './purchase-context.ts';
import { readFilm } from './subtitle-check.ts';

/** @throws JobFailure `invalid-request`, `too-large`, `malformed`, `unreadable` */
export async function quoteDocument(
  { abilities }: Pick<PurchaseContext, 'abilities'>,
  doc: DocumentCase,
): Promise<DocumentEstimate> {
  const { sourcePath, extension, route } = doc;
  if (extension === 'srt') await readFilm(sourcePath, route.subtitles);
  const request = { file: sourcePath, ...uploadRequestFor(doc, {}, abilities.styles) };
  const measured = await measureFile(sourcePath);
  const estimate = await estimateDocument(sourcePath, { extension, name: sourcePath });
  if (estimate.kind === 'copied') return estimate;
  const size = doc.minify ? (await removeMedia(sourcePath, sourcePath)).byteLength : measured.size;
  checkFields(request, abilities);
  await checkContent(request, { ...measured, size }, abilities);
  return estimate;
}
