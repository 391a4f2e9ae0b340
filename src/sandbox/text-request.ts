/** The request of text translation, field by field, with every rule that needs no lookup. */

import { XMLValidator } from 'fast-xml-parser';
import type { LanguageTag } from '../language.ts';
import type { Fields } from './fields.ts';
import { sourceLanguage, targetLanguage, WITHOUT_NEXT_GEN } from './language-table.ts';
import { FORMALITIES, type Formality, requireStyleLanguage } from './recipe.ts';
import { badParameter } from './refusal.ts';
import type { SandboxWorld } from './resource.ts';

type ModelUsed = 'latency_optimized' | 'quality_optimized';

export interface TextRequest {
  readonly texts: readonly string[];
  readonly target_lang: LanguageTag;
  readonly source_lang: LanguageTag | undefined;
  readonly context: string | undefined;
  readonly formality: Formality | undefined;
  readonly glossary_id: string | undefined;
  readonly style_id: string | undefined;
  readonly custom_instructions: readonly string[] | undefined;
  readonly translation_memory_id: string | undefined;
  readonly translation_memory_threshold: number | undefined;
  readonly tag_handling: 'xml' | 'html' | undefined;
  /** Each line is a sentence by itself: a line end inside a sentence splits it. */
  readonly splits_lines: boolean;
  readonly ignore_tags: readonly string[] | undefined;
  /** Present when the request set model_type. */
  readonly model_type_used: ModelUsed | undefined;
  readonly show_billed_characters: boolean;
}

/** @throws Refusal 400 that names the first parameter that breaks a rule. */
export function readTextRequest(fields: Fields, world: SandboxWorld): TextRequest {
  const target_lang = targetLanguage(fields.requiredText('target_lang'));
  const source = fields.text('source_lang');
  const languages = {
    target_lang,
    source_lang: source === undefined || source === '' ? undefined : sourceLanguage(source),
  };
  const tags = readTagFields(fields);
  const model = readModel(fields, languages);
  const request = {
    texts: readMarkedTexts(fields, world, tags),
    ...languages,
    context: fields.text('context'),
    formality: fields.oneOf('formality', FORMALITIES),
    glossary_id: fields.text('glossary_id'),
    style_id: fields.text('style_id'),
    custom_instructions: readInstructions(fields, world, target_lang),
    translation_memory_id: fields.text('translation_memory_id'),
    translation_memory_threshold: fields.integer('translation_memory_threshold', PERCENT),
    tag_handling: tags.tag_handling,
    ignore_tags: tags.ignore_tags,
    splits_lines: model.generation === 'classic' && tags.split_sentences === '1',
    model_type_used: model.used,
    show_billed_characters: fields.flag('show_billed_characters') ?? false,
  };
  fields.refuseUnknown(world.dialect);
  return request;
}

/** 1 to `most` texts; an empty one is accepted and bills nothing. */
export function readTexts(fields: Fields, most: number): readonly string[] {
  const texts = fields.list('text');
  if (texts === undefined || texts.length === 0) throw badParameter('text', 'is required');
  if (texts.length > most) throw badParameter('text', `may hold at most ${most} entries`);
  return texts;
}

/** @throws Refusal 400 for XML that is not well-formed, with the position of the first fault. */
function readMarkedTexts(
  fields: Fields,
  world: SandboxWorld,
  { tag_handling }: Pick<TextRequest, 'tag_handling'>,
): readonly string[] {
  const texts = readTexts(fields, world.limits.texts);
  for (const [index, text] of tag_handling === 'xml' ? texts.entries() : []) {
    const fault = xmlFault(text);
    if (fault !== undefined) {
      const { line, column, message } = fault;
      const place = `entry ${index}, line ${line}, column ${column}`;
      throw fields.bad('text', `is malformed XML at ${place}: ${message.replace(/\.$/, '')}`);
    }
  }
  return texts;
}

const PERCENT = { min: 0, max: 100 };
const MODELS = ['latency_optimized', 'quality_optimized', 'prefer_quality_optimized'] as const;
/** docs/design/api.md, "Translation rules", 3 and 4: these imply quality_optimized. */
const NEED_QUALITY = ['style_id', 'custom_instructions', 'translation_memory_id'] as const;

interface Model {
  /** Next-generation models do not split sentences at line ends (docs/design/api.md, "Translation rules", 2). */
  readonly generation: 'classic' | 'next';
  readonly used: ModelUsed | undefined;
}

function readModel(
  fields: Fields,
  pair: { source_lang: LanguageTag | undefined; target_lang: LanguageTag },
): Model {
  const model = fields.oneOf('model_type', MODELS);
  const needing = needsQuality(fields);
  if (model === 'latency_optimized' && needing !== undefined) {
    throw badParameter('model_type', `latency_optimized cannot be combined with ${needing}`);
  }
  const { source_lang, target_lang } = pair;
  // Rule 1: without source_lang always a next-gen model.
  const classic =
    source_lang !== undefined &&
    [source_lang, target_lang].some((lang) => WITHOUT_NEXT_GEN.includes(lang));
  const insisting = needing ?? (model === 'quality_optimized' ? 'model_type' : undefined);
  if (classic && insisting !== undefined) {
    throw badParameter(insisting, `has no next-gen model for ${source_lang} to ${target_lang}`);
  }
  const wantsQuality = model?.endsWith('quality_optimized') || needing !== undefined;
  const generation = classic || (source_lang !== undefined && !wantsQuality) ? 'classic' : 'next';
  if (model === undefined) return { generation, used: undefined };
  return { generation, used: generation === 'classic' ? 'latency_optimized' : 'quality_optimized' };
}

/** The parameter that implies quality_optimized (rules 3 and 4), which means a next-gen model. */
function needsQuality(fields: Fields): string | undefined {
  const named = NEED_QUALITY.find((name) => fields.has(name));
  if (named !== undefined) return named;
  return fields.text('tag_handling_version') === 'v2' ? 'tag_handling_version' : undefined;
}

function readInstructions(
  fields: Fields,
  world: SandboxWorld,
  target: LanguageTag,
): readonly string[] | undefined {
  const instructions = fields.list('custom_instructions');
  if (instructions === undefined) return undefined;
  const { request_instructions: most, request_instruction_prompt: length } = world.limits;
  if (instructions.length > most) {
    throw badParameter('custom_instructions', `may hold at most ${most} entries`);
  }
  if (instructions.some((each) => [...each].length > length)) {
    throw badParameter(
      'custom_instructions',
      `may hold at most ${length} characters in each entry`,
    );
  }
  requireStyleLanguage('custom_instructions', target);
  return instructions;
}

function readTagFields(fields: Fields) {
  const tag_handling = fields.oneOf('tag_handling', ['xml', 'html']);
  fields.oneOf('tag_handling_version', ['v1', 'v2']);
  fields.flag('outline_detection');
  fields.flag('preserve_formatting');
  readTagNames(fields, 'splitting_tags');
  readTagNames(fields, 'non_splitting_tags');
  const ignore_tags = readTagNames(fields, 'ignore_tags');
  const usual = tag_handling === 'html' ? 'nonewlines' : '1';
  const split_sentences = fields.oneOf('split_sentences', ['0', '1', 'nonewlines']) ?? usual;
  return { tag_handling, ignore_tags, split_sentences };
}

/** A comma-separated string, or a JSON array as on deployments: both are accepted (docs/design/api.md, "Where deployments differ"). */
function readTagNames(fields: Fields, name: string): readonly string[] | undefined {
  const value = fields.raw(name);
  if (value === undefined) return undefined;
  const names = Array.isArray(value) ? fields.list(name) : fields.text(name)?.split(',');
  return names?.flatMap((each) => each.split(',')).map((each) => each.trim());
}

// Checks whether a text is a well-formed piece of XML: any number of elements, with text around them.

/** Line and column are 1-based. */
interface XmlFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const ROOT = 'text';

function xmlFault(text: string): XmlFault | undefined {
  // The root tags are on lines of their own, so that columns are those of the text.
  const validity = XMLValidator.validate(`<${ROOT}>\n${withoutDeclaration(text)}\n</${ROOT}>`);
  if (validity === true) return undefined;
  const { line, col, msg } = validity.err;
  if (line === 1)
    return { ...lineAndColumn(text, startOfUnclosed(text)), message: 'it never ends' };
  const lines = text.split('\n');
  const message = msg
    .replace(
      /\(opened in line (\d+)/,
      (_, opened: string) => `(opened in line ${Number(opened) - 1}`,
    )
    .replace(` instead of closing tag '${ROOT}'`, ' before the text ends');
  if (line - 1 > lines.length) return { ...lineAndColumn(text, text.length), message };
  return { line: line - 1, column: col, message };
}

/** Only a whole document may have one, at its very beginning. */
function withoutDeclaration(text: string): string {
  return text.replace(/^\s*<\?xml\s[^<>]*\?>/u, (found) => found.replaceAll(/[^\n]/gu, ' '));
}

/** The start of a comment, CDATA section or instruction without an end, which the validator reports at the end of the text. */
function startOfUnclosed(text: string): number {
  return Math.max(0, ...['<!--', '<![CDATA[', '<?'].map((mark) => text.lastIndexOf(mark)));
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
