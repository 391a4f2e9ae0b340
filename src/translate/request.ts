/** The body of a translation request, from a recipe and its texts. Pure; its names are those of the API. */
import { apiCode, type LanguageTag, sourceCode, targetCode } from '../language.ts';
import type { Recipe, RemoteIds } from '../plan/recipe.ts';
import { jsonBytes, MAX_BODY_BYTES } from '../segments/batch.ts';
import type { Protected } from '../segments/inline/protect.ts';
import type { SendForm } from '../segments/inline/send-form.ts';
import { MAX_REPHRASE_BYTES } from '../service/rephrase.ts';
import type { TranslateBatch } from '../service/text.ts';
import type { JobText, Scene } from './order.ts';
import { conversionBytes } from './variants.ts';

/** Texts of one kind may share a request. */
export interface RequestKind {
  readonly recipe: Recipe;
  readonly form: 'plain' | 'xml';
  readonly version: 'v1' | 'v2';
  /** Texts of films have a context of their own, and never share a request with others. */
  readonly content: 'strings' | 'speech';
}

/** In which requests a text goes out, in one of its forms. */
export function requestKindOf(
  { recipe, scene }: Pick<JobText, 'recipe' | 'scene'>,
  { version }: Pick<SendForm, 'version'>,
  sent: Protected,
): RequestKind {
  const content = scene === undefined ? 'strings' : 'speech';
  return { recipe, form: sent.kind, version, content };
}

export interface RequestLine {
  readonly text: string;
  readonly note: string | undefined;
  readonly place?: string | undefined;
  readonly scene?: Scene | undefined;
}

/** Bytes kept free for notes: they improve a translation, but must never cost a second request. */
const NOTES_BYTES = 4096;
/** `"show_billed_characters":true` and `"split_sentences":"nonewlines"`, which the client and texts of several lines add. */
const ADDED_BYTES = 80;
const UUID = '00000000-0000-0000-0000-000000000000';

/** Bytes that the encoded body may have. */
export function requestLimit({ recipe }: RequestKind): number {
  return recipe.conversion === undefined ? MAX_BODY_BYTES : MAX_REPHRASE_BYTES;
}

/** Most UTF-8 bytes of a UTF-16 unit in JSON: as `\u0000`. */
const ESCAPED_BYTES = 6;

/** Why a text is held and never bought, whatever its size: no request and no file can carry half of a character as it is. */
export function whyNeverSent(text: string): string | undefined {
  return text.isWellFormed()
    ? undefined
    : 'the source has half of a character (a surrogate such as "\\ud800" without its other half): it is not sent; correct the source';
}

/** Whether no request can carry this text, also alone: it is held, and never bought. */
export function isUnsendable(kind: RequestKind, text: string): boolean {
  if (whyNeverSent(text) !== undefined) return true;
  const limit = requestLimit(kind);
  if (text.length * ESCAPED_BYTES < limit / 2) return false;
  return requestBytes(kind) + jsonBytes(text) > limit;
}

/** Upper bound of the encoded body's bytes without its texts. */
export function requestBytes(kind: RequestKind): number {
  if (kind.recipe.conversion !== undefined) return conversionBytes(kind.recipe);
  const empty = textRequestFor(kind, [], { glossary_id: UUID, style_id: UUID });
  const notes = kind.content === 'speech' ? SCENE_BYTES : NOTES_BYTES;
  return jsonBytes({ ...empty, context: empty.context ?? '' }) + notes + ADDED_BYTES;
}

export function textRequestFor(
  { recipe, form, version, content }: RequestKind,
  lines: readonly RequestLine[],
  remote: RemoteIds,
): TranslateBatch {
  const context = content === 'speech' ? filmContext(recipe, lines) : contextFor(recipe, lines);
  const source = remote.source_lang ?? spelled(recipe.source);
  return {
    text: lines.map(({ text }) => text),
    target_lang: remote.target_lang ?? apiCode(targetCode(recipe.target), 'v2'),
    ...(source === undefined ? {} : { source_lang: source }),
    ...(context === '' ? {} : { context }),
    ...(recipe.formality === undefined ? {} : { formality: recipe.formality }),
    ...(recipe.model === undefined ? {} : { model_type: recipe.model }),
    ...(recipe.customInstructions.length === 0
      ? {}
      : { custom_instructions: [...recipe.customInstructions] }),
    ...memoryFields(recipe),
    ...(remote.glossary_id === undefined ? {} : { glossary_id: remote.glossary_id }),
    ...(remote.style_id === undefined ? {} : { style_id: remote.style_id }),
    ...(form === 'xml' && { tag_handling: 'xml', tag_handling_version: version }),
    // Otherwise classic models split sentences at line ends, also in XML.
    split_sentences: content === 'speech' || isAnyBroken(lines) ? 'nonewlines' : '0',
  };
}

function isAnyBroken(lines: readonly RequestLine[]): boolean {
  return lines.some(({ text }) => text.includes('\n'));
}

/** The project's note, then the texts that are spoken before and after those of this request. */
function filmContext({ context }: Recipe, lines: readonly RequestLine[]): string {
  const around = sceneAround(lines.flatMap(({ scene }) => scene ?? []));
  return [...(context === undefined ? [] : [context]), ...around].join('\n');
}

function spelled(tag: LanguageTag | undefined): string | undefined {
  return tag === undefined ? undefined : apiCode(sourceCode(tag), 'v2');
}

function memoryFields({ translationMemory }: Recipe) {
  if (translationMemory === undefined) return {};
  const { id, threshold } = translationMemory;
  return {
    translation_memory_id: id,
    ...(threshold === undefined ? {} : { translation_memory_threshold: threshold }),
  };
}

/** Characters of a text that show which text a note is about. */
const LABEL = 60;

/**
 * The project's note, then the developers' comments on the texts of this request, then the positions of the others. `context` is not billed
 * and applies to every text (docs/design/api.md, "Text translation"), so notes join a batch and do not split it. Notes that
 * do not fit are left out.
 */
function contextFor({ context }: Recipe, lines: readonly RequestLine[]): string {
  const notes = new Set<string>();
  let free = NOTES_BYTES;
  const add = ({ text }: RequestLine, words: readonly (string | undefined)[]) => {
    const about = words.filter((word) => word !== undefined).join('; ');
    const line = `"${text.slice(0, LABEL).toWellFormed()}": ${about.replaceAll(/\s+/g, ' ')}`;
    const bytes = jsonBytes(line);
    if (bytes > free || notes.has(line)) return;
    free -= bytes;
    notes.add(line);
  };
  for (const line of lines) if (line.note !== undefined) add(line, [line.note, line.place]);
  for (const line of lines) {
    if (line.note === undefined && line.place !== undefined) add(line, [line.place]);
  }
  return [...(context === undefined ? [] : [context]), ...notes].join('\n');
}

// The context for texts of a film: what is spoken around them. It is not billed, and shows pronouns and tone.

/** Bytes of a request that are kept free for it. */
export const SCENE_BYTES = 6144;
/** Texts of context before the sent ones, and after them. */
const BEFORE = 10;
const AFTER = 5;

/** Lines of context; if not all fit, the nearest ones. Each film in the request gets its share. */
export function sceneAround(scenes: readonly Scene[]): string[] {
  const films = [...Map.groupBy(scenes, ({ texts }) => texts)];
  const share = SCENE_BYTES / Math.max(1, films.length);
  return films.flatMap(([texts, places]) => {
    const indices = places.map(({ at }) => at);
    const first = Math.min(...indices);
    const last = Math.max(...indices);
    const before = texts.slice(Math.max(0, first - BEFORE), first);
    const after = texts.slice(last + 1, last + 1 + AFTER);
    const kept = nearest(after, (share * AFTER) / (BEFORE + AFTER));
    const free = share - kept.reduce((bytes, line) => bytes + jsonBytes(line), 0);
    return [...nearest(before.reverse(), free).reverse(), ...kept];
  });
}

/** As many texts as fit, one per line. */
function nearest(texts: readonly string[], bytes: number): string[] {
  let free = bytes;
  const lines = texts.map((text) => text.replaceAll('\n', ' '));
  const end = lines.findIndex((line) => {
    free -= jsonBytes(line);
    return free < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
