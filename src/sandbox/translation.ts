/** Translates texts with the engine: detects missing source languages, leaves texts in the target language unchanged, applies faults. */
import { type LanguageTag, sameLanguage } from '../language.ts';
import { damaged } from './damage.ts';
import type { Engine, EngineRecipe } from './engine.ts';
import { cutLines } from './engines/protected.ts';
import { guessedSource } from './language-guess.ts';
import type { TranslationRecipe } from './recipe.ts';
import type { ReceivedCall, SandboxWorld } from './resource.ts';

export interface TranslatedText {
  readonly text: string;
  /** From the request, or detected. */
  readonly source: LanguageTag;
}

export interface TranslationOrder {
  readonly texts: readonly string[];
  readonly source_lang: LanguageTag | undefined;
  readonly recipe: TranslationRecipe;
}

/** One per text, in order. Does not bill. */
export async function translateTexts(
  world: SandboxWorld,
  call: Pick<ReceivedCall, 'fault'>,
  translation: TranslationOrder,
): Promise<readonly TranslatedText[]> {
  const { texts, source_lang, recipe } = translation;
  const sources = texts.map((text) => source_lang ?? guessedSource(text, recipe.target));
  const written: string[] = [...texts];
  for (const source of new Set(sources)) {
    // docs/design/api.md, "Translation rules", 6: accepted, billed, unchanged.
    if (recipe.untranslated || sameLanguage(source, recipe.target)) continue;
    const indices = sources.flatMap((each, i) => (each === source ? [i] : []));
    const batch = indices.map((i) => texts[i] ?? '');
    const answers = await ask(world.engine, batch, { ...recipe, source });
    indices.forEach((index, i) => {
      written[index] = answers[i] ?? '';
    });
  }
  const result = damaged(written, call);
  return result.map((text, i) => ({ text, source: sources[i] ?? recipe.target }));
}

async function ask(
  engine: Engine,
  texts: readonly string[],
  recipe: TranslationRecipe & EngineRecipe,
): Promise<readonly string[]> {
  if (recipe.splitsLines !== true) return engine.translate(texts, recipe);
  const lines = texts.map((text) => cutLines(text, recipe));
  const units = lines.flat().map(({ text }) => text);
  const answers = (await engine.translate(units, recipe)).values();
  return lines.map((each) => each.map(({ end }) => `${answers.next().value ?? ''}${end}`).join(''));
}
