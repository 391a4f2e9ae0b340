/** Targets that are variants of the source (en -> en-GB): text improvement converts them; translation would bill and change nothing. */
import type { Recipe } from '../plan/recipe.ts';
import { jsonBytes } from '../segments/batch.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { RephraseRequest, Tone, WritingStyle } from '../service/rephrase.ts';
import type { TranslateResult } from '../service/text.ts';

/** Converts texts. The answer has no bill, so we count the characters. */
export async function convertTexts(
  { writing }: Pick<Service, 'writing'>,
  { recipe, texts }: { readonly recipe: Recipe; readonly texts: readonly string[] },
  options: CallOptions,
): Promise<TranslateResult> {
  const { improvements, counted_characters } = await writing.rephrase(
    conversionRequest(recipe, texts),
    options,
  );
  return {
    translations: improvements.map(({ text, detected_source_language }) => ({
      text,
      detected_source_language,
    })),
    billed_characters: counted_characters,
    billed_by_service: false,
  };
}

/** Bytes of the request without its texts. */
export function conversionBytes(recipe: Recipe): number {
  return jsonBytes(conversionRequest(recipe, []));
}

function conversionRequest({ conversion }: Recipe, text: readonly string[]): RephraseRequest {
  const { writingStyle, tone, code } = conversion ?? {};
  return {
    text,
    ...(code === undefined ? {} : { target_lang: code }),
    ...(writingStyle === undefined ? {} : { writing_style: writingStyle as WritingStyle }),
    ...(tone === undefined ? {} : { tone: tone as Tone }),
  };
}
