/** `POST /v2/write/rephrase`: text improvement in the same language, or into another variant of it. */
import { type LanguageTag, sameLanguage } from '../language.ts';
import { countCharacters } from './billing.ts';
import { readFields } from './body.ts';
import { damaged } from './damage.ts';
import type { Fields } from './fields.ts';
import { guessedSource, guessLanguage } from './language-guess.ts';
import { WITH_WRITING_STYLE, WRITE_TARGETS } from './language-table.ts';
import { describeRecipe } from './recipe.ts';
import {
  jsonReply,
  type KeyCall,
  type Reply,
  type Resource,
  type SandboxWorld,
} from './resource.ts';
import { readTexts } from './text-request.ts';

export const rephrase: Resource = (world) => [
  {
    method: 'POST',
    path: '/v2/write/rephrase',
    feature: 'write',
    async answer(call) {
      const fields = await readFields(call, world.limits.rephrase_body);
      return answerRephrase(world, call, readRequest(fields, world));
    },
  },
];

const STYLES = ['simple', 'business', 'academic', 'casual'] as const;
const TONES = ['enthusiastic', 'friendly', 'confident', 'diplomatic'] as const;

interface RephraseRequest {
  readonly texts: readonly string[];
  readonly target_lang: LanguageTag | undefined;
  /** Detected for each text. */
  readonly sources: readonly LanguageTag[];
  /** Writing style or tone for each text; undefined when `prefer_` uses the default. */
  readonly manners: readonly (string | undefined)[];
}

function readRequest(fields: Fields, world: SandboxWorld): RephraseRequest {
  const texts = readTexts(fields, world.limits.texts);
  const target_lang = readTarget(fields);
  const style = readManner(fields, 'writing_style', STYLES);
  const tone = readManner(fields, 'tone', TONES);
  if (style !== undefined && tone !== undefined) {
    throw fields.bad('writing_style', 'cannot be combined with tone');
  }
  fields.refuseUnknown(world.dialect);
  const sources = texts.map((text) => rephrasedLanguage(fields, text, target_lang));
  const parameter = style === undefined ? 'tone' : 'writing_style';
  const manners = sources.map((source) =>
    mannerFor(fields, { parameter, value: style ?? tone, language: target_lang ?? source }),
  );
  return { texts, target_lang, sources, manners };
}

async function answerRephrase(
  world: SandboxWorld,
  call: KeyCall,
  request: RephraseRequest,
): Promise<Reply> {
  const { texts, target_lang, sources, manners } = request;
  const recipe = describeRecipe({ manners: [...new Set(manners)] });
  await call.record({ texts, recipe, target_lang: target_lang ?? sources[0] ?? '' });
  call.bill('write', countCharacters(texts));
  const casing = (lang: string) => (world.dialect === 'deployed' ? lang : lang.toUpperCase());
  const improved = damaged(await improve(world, request), call);
  const improvements = improved.map((text, i) => {
    const source = sources[i] ?? FALLBACK;
    return {
      text,
      target_language: casing(target_lang ?? source),
      detected_source_language: casing(source),
    };
  });
  return jsonReply({ improvements });
}

/** Text by text, since each may have a language and a style of its own. */
function improve(world: SandboxWorld, request: RephraseRequest): Promise<readonly string[]> {
  const { texts, target_lang, sources, manners } = request;
  const improvements = texts.map(async (text, i) => {
    const source = sources[i] ?? FALLBACK;
    const manner = manners[i];
    const marks = manner === undefined ? ['improved'] : ['improved', manner];
    const recipe = { source, target: target_lang ?? source, marks };
    const [improved = ''] = await world.engine.translate([text], recipe);
    return improved;
  });
  return Promise.all(improvements);
}

const FALLBACK = 'en' as LanguageTag;

function readTarget(fields: Fields): LanguageTag | undefined {
  const code = fields.text('target_lang');
  if (code === undefined) return undefined;
  const found = WRITE_TARGETS.find((each) => each.toLowerCase() === code.toLowerCase());
  if (found === undefined) {
    throw fields.bad('target_lang', `must be one of ${WRITE_TARGETS.join(', ')}`);
  }
  return found;
}

/** `default` is the same as an absent field. */
function readManner(
  fields: Fields,
  parameter: string,
  values: readonly string[],
): string | undefined {
  const preferred = values.map((each) => `prefer_${each}`);
  const value = fields.oneOf(parameter, [...values, 'default', ...preferred]);
  return value === 'default' ? undefined : value;
}

/** The language of the text must be the target's (docs/design/api.md, "Text improvement"). */
function rephrasedLanguage(
  fields: Fields,
  text: string,
  target: LanguageTag | undefined,
): LanguageTag {
  if (target === undefined) return guessedSource(text);
  const guess = guessLanguage(text);
  if (guess !== undefined && !sameLanguage(guess, target)) {
    throw fields.bad('target_lang', `is ${target}, but the text is in ${guess}`);
  }
  return guess ?? (target.split('-', 1)[0] as LanguageTag);
}

function mannerFor(
  fields: Fields,
  manner: { parameter: string; value: string | undefined; language: LanguageTag },
): string | undefined {
  const { parameter, value, language } = manner;
  if (value === undefined) return undefined;
  const supported = WITH_WRITING_STYLE.some(
    (each) => each === language || each.startsWith(`${language}-`),
  );
  if (supported) return value.replace('prefer_', '');
  if (value.startsWith('prefer_')) return undefined;
  throw fields.bad(parameter, `is not supported for ${language}`);
}
