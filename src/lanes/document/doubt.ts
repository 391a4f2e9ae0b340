/** Doubts about a complete, paid result: it may be no translation, or in another language than the target. */
import { JobFailure } from '../../failure.ts';
import type { SpooledFile } from '../../files/spool-folder.ts';
import { baseLanguage, type LanguageTag, languageName, sameLanguage } from '../../language.ts';
import { isPage, wrongResult } from './check-result.ts';
import type { DocumentCase } from './document-case.ts';
import { filmProblem } from './subtitle-check.ts';
import { documentTexts, holdsNoWord } from './texts.ts';
import type { DocumentFile } from './thread-work.ts';

/** `hold`: a person must look at the result before it is delivered. */
export interface DocumentDoubt {
  readonly severity: 'hold' | 'warn';
  readonly message: string;
}

/**
 * @param flaw what is wrong with its structure; undefined: nothing
 * @returns undefined when the result may be delivered
 */
export async function doubtAbout(
  doc: DocumentCase,
  kept: SpooledFile,
  flaw: string | undefined,
): Promise<DocumentDoubt | undefined> {
  const broken = (await newFlaw(doc, flaw)) ?? (await filmProblem(doc, kept));
  if (broken !== undefined) return { severity: 'hold', message: broken };
  const texts = await readableTexts({
    path: kept.file,
    extension: doc.output,
    side: 'translation',
  });
  const from = { path: kept.file, extension: doc.output, name: doc.job.source };
  // A source without a word is copied and never sent.
  if (texts !== undefined && (await holdsNoWord(from, texts))) {
    return { severity: 'hold', message: 'the translation has no words' };
  }
  const lacking = await lackingTexts(doc, texts ?? []);
  if (lacking !== undefined) return { severity: 'hold', message: lacking };
  const severity = doc.route.policies.checks.untranslated;
  if (severity === 'off') return undefined;
  if (kept.hash === doc.source.hash) {
    return { severity, message: 'the service returned the document as it was sent' };
  }
  const detected = await languageOf(texts ?? [], doc);
  if (detected === undefined) return undefined;
  const { source, target } = doc.recipe;
  const message = `the translation is in ${languageName(detected) ?? detected}, as far as that can be told`;
  switch (judgeLanguage(detected, { source, target })) {
    case 'fits':
      return undefined;
    case 'source':
      return { severity, message };
    case 'another':
      return { severity: 'hold', message };
  }
}

/** The service keeps the elements of a page. A page with far fewer texts than its source is another one, as a proxy sends it. */
async function lackingTexts(
  { sourcePath, extension, output }: DocumentCase,
  texts: readonly string[],
): Promise<string | undefined> {
  if (!isPage(extension) || !isPage(output)) return undefined;
  const own = (await readableTexts({ path: sourcePath, extension, side: 'source' })) ?? [];
  if (texts.length * 2 >= own.length) return undefined;
  return `the translation has ${texts.length} of the ${own.length} texts of its source`;
}

/** A flaw that the source has too, such as a missing end tag, is not a fault of the service. */
async function newFlaw({ sourcePath, extension }: DocumentCase, flaw: string | undefined) {
  if (flaw === undefined || (await wrongResult(sourcePath, extension)) !== undefined)
    return undefined;
  return flaw;
}

/** The language of the texts of a result in ISO 639-1; undefined when it is not certain. */
async function languageOf(texts: readonly string[], { recipe }: DocumentCase) {
  const samples = samplesOf(texts);
  if (samples.length === 0) return undefined;
  // Its tables take 37 MB, so they are loaded for the first result that is long enough.
  const { eld } = await import('eld/extrasmall');
  const isKnown = Object.values(eld.info().Languages).includes(detectedAs(recipe.target));
  if (!isKnown) return undefined;
  const guesses = samples.map((sample) => {
    const guess = eld.detect(sample);
    return guess.isReliable() ? guess.language : undefined;
  });
  return agreedLanguage(guesses) as typeof recipe.target | undefined;
}

/** Undefined for what only the service can read. The file is complete: when its texts cannot be read, that proves nothing. */
async function readableTexts(
  file: Omit<DocumentFile, 'name'>,
): Promise<readonly string[] | undefined> {
  try {
    return await documentTexts({ ...file, name: file.path });
  } catch (error) {
    if (error instanceof JobFailure) return undefined;
    throw error;
  }
}

/**
 * Letters of one sample. With fewer, a list of names may decide (measured: with these numbers, 0 of 2,234 message catalogues
 * were misjudged).
 */
const SAMPLE_LETTERS = 250;
const MOST_SAMPLES = 8;
/** Share of the samples that must be certainly in the same language. */
const AGREEMENT = 0.75;

/** Samples from all parts of a text, each long enough to detect its language; none when the text is too short. */
export function samplesOf(texts: readonly string[]): readonly string[] {
  const lines = texts.flatMap((text) => text.split('\n'));
  const samples: string[] = [];
  let free = 0;
  for (let nth = 0; nth < MOST_SAMPLES; nth++) {
    const from = Math.max(free, Math.floor((nth * lines.length) / MOST_SAMPLES));
    const end = endOfSample(lines, from);
    if (end === undefined) break;
    samples.push(lines.slice(from, end).join('\n'));
    free = end;
  }
  return samples;
}

/** @returns undefined when too few letters are left */
function endOfSample(lines: readonly string[], from: number): number | undefined {
  let letters = 0;
  for (let at = from; at < lines.length; at++) {
    letters += lines[at]?.match(/\p{L}/gu)?.length ?? 0;
    if (letters >= SAMPLE_LETTERS) return at + 1;
  }
  return undefined;
}

/**
 * @param guesses the language of each sample in ISO 639-1; undefined: not certain
 * @returns undefined when they do not agree
 */
export function agreedLanguage(guesses: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const guess of guesses) {
    if (guess !== undefined) counts.set(guess, (counts.get(guess) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most !== undefined && most[1] >= AGREEMENT * guesses.length ? most[0] : undefined;
}

/** `source`: it was not translated. `another`: it is in neither of the two. */
type LanguageVerdict = 'fits' | 'source' | 'another';

/** @param source undefined: unknown; then each language but the target counts as the source */
export function judgeLanguage(
  detected: string,
  { source, target }: { source: LanguageTag | undefined; target: LanguageTag },
): LanguageVerdict {
  if (isAlike(detected, target)) return 'fits';
  return source === undefined || isAlike(detected, source) ? 'source' : 'another';
}

/** The code of a language in the detector: it does not distinguish Indonesian from Malay, nor the two forms of Norwegian. */
export function detectedAs(tag: LanguageTag): string {
  const base = baseLanguage(tag);
  return NAMES.get(base) ?? base;
}

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ nb: 'no', nn: 'no', id: 'ms' }),
);

/** Groups of languages that the detector confuses, also in long texts. */
const ALIKE = ['no da sv', 'cs sk', 'sl hr sr', 'bg ru uk be', 'es pt ca', 'ms tl'].map(
  (group) => new Set(group.split(' ')),
);

function isAlike(detected: string, tag: LanguageTag): boolean {
  if (sameLanguage(detected as LanguageTag, tag)) return true;
  const asked = detectedAs(tag);
  return detected === asked || ALIKE.some((group) => group.has(detected) && group.has(asked));
}
