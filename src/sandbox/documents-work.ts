/** Processes an uploaded document: reads it at once, so that it can be billed, and translates it while the caller polls. */
import { readFile, writeFile } from 'node:fs/promises';
import { describeFailure, failureOf } from '../failure.ts';
import { type LanguageTag, sameLanguage } from '../language.ts';
import { countCharacters } from './billing.ts';
import { type Converter, cannot, type ReadDocument } from './documents/document.ts';
import { readHtml } from './documents/html.ts';
import { readOffice } from './documents/office.ts';
import { readPdf } from './documents/pdf.ts';
import { readSrt } from './documents/srt.ts';
import { readTxt } from './documents/txt.ts';
import { readXliff } from './documents/xliff.ts';
import type { DocumentUpload } from './documents-upload.ts';
import { guessedSource } from './language-guess.ts';
import type { TranslationRecipe } from './recipe.ts';
import { Refusal } from './refusal.ts';
import type { ReceivedCall, SandboxWorld } from './resource.ts';
import { translateTexts } from './translation.ts';

const CONVERTERS: ReadonlyMap<string, Converter> = new Map(
  Object.entries<Converter>({
    docx: readOffice,
    pptx: readOffice,
    xlsx: readOffice,
    pdf: readPdf,
    htm: readHtml,
    html: readHtml,
    txt: readTxt,
    xlf: readXliff,
    xliff: readXliff,
    srt: readSrt,
  }),
);

/** The result of a look at a document when it arrives: it can be translated, it will be copied, or its translation will fail. */
export type Assessment =
  | { readonly kind: 'translatable'; readonly source: LanguageTag; readonly characters: number }
  | { readonly kind: 'copied'; readonly characters: number }
  | { readonly kind: 'hopeless'; readonly message: string };

/** Extensions with a minimum charge (docs/design/api.md, "Limits"). */
const WITH_MINIMUM = new Set(['pptx', 'docx', 'doc', 'xlsx', 'pdf']);

/**
 * Reads a document and counts the characters to bill: code points, at least the minimum for office files and pdf.
 * @throws Refusal 413 when it has more characters than a document may have
 */
export async function assess(world: SandboxWorld, upload: DocumentUpload): Promise<Assessment> {
  const minimum = WITH_MINIMUM.has(upload.extension) ? world.limits.document_minimum : 0;
  try {
    const document = await readUploaded(world, upload);
    refuseLength(world, document);
    const source = upload.source_lang ?? guessedSource(sample(document), upload.target_lang);
    if (sameLanguage(source, upload.target_lang)) {
      return { kind: 'hopeless', message: 'Source and target language are equal.' };
    }
    return { kind: 'translatable', source, characters: Math.max(minimum, document.characters) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (world.passthrough) return { kind: 'copied', characters: minimum };
    return { kind: 'hopeless', message: describeFailure(failureOf(error)) };
  }
}

/** Writes the translated document to a file of the spool. */
export async function translateDocument(
  world: SandboxWorld,
  call: Pick<ReceivedCall, 'fault'>,
  work: {
    readonly upload: DocumentUpload;
    readonly source: LanguageTag;
    readonly recipe: TranslationRecipe;
  },
): Promise<string> {
  const document = await readUploaded(world, work.upload);
  const answers: string[] = [];
  for (let at = 0; at < document.texts.length; at += BATCH) {
    const texts = document.texts.slice(at, at + BATCH);
    const translation = { texts, source_lang: work.source, recipe: work.recipe };
    answers.push(...(await translateTexts(world, call, translation)).map(({ text }) => text));
    // Other requests are answered between two batches of a long document.
    await new Promise(setImmediate);
  }
  const file = await world.spool.file();
  await writeFile(file, document.write(answers));
  return file;
}

const BATCH = 500;
/** Bytes: converters hold a whole file in memory. */
const MAX_READ = 256 * 1024 * 1024;

async function readUploaded(world: SandboxWorld, upload: DocumentUpload): Promise<ReadDocument> {
  const { file, name, extension, output, size, target_lang: target } = upload;
  const converter = CONVERTERS.get(extension);
  if (converter === undefined) {
    throw cannot(
      `${name}: this sandbox cannot translate ${extension} files`,
      '--passthrough copies them.',
    );
  }
  if (size > MAX_READ) throw cannot(`${name} is too large for this sandbox to translate`, '');
  return converter({
    bytes: await readFile(file),
    name,
    extension,
    output,
    target,
    dialect: world.dialect,
  });
}

function refuseLength(world: SandboxWorld, { characters }: ReadDocument): void {
  const limit = world.limits.document_characters;
  if (characters > limit) throw new Refusal(413, `The document has more than ${limit} characters.`);
}

/** Enough text to detect the language. */
function sample({ texts }: ReadDocument): string {
  let taken = '';
  for (const text of texts) {
    if (countCharacters([taken]) > 2000) break;
    taken += ` ${text.replace(/<[^>]*>/g, ' ')}`;
  }
  return taken;
}
