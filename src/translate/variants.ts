/** Targets that are variants of the source (en -> en-GB): text improvement converts them, where translation would bill and change nothing. */
import { convertsInto } from '../capabilities.ts';
import type { Config, Project } from '../config.ts';
import { sameLanguage } from '../language.ts';
import type { Recipe } from '../plan/recipe.ts';
import { jsonBytes } from '../segments/batch.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { RephraseRequest, Tone, WritingStyle } from '../service/rephrase.ts';
import type { TranslateResult } from '../service/text.ts';

/** Converts texts. The answer carries no bill: their characters are counted by us. */
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

/** Variants that text improvement does not know: nothing is written for them, and a person should hear of it. */
export function unconvertedVariants({ projects }: Config): string[] {
  return projects.flatMap((project) => {
    const { name, source, targets } = project;
    if (source === 'auto') return [];
    const variants = targets.filter((target) => sameLanguage(source, target));
    const unknown = variants.filter((target) => !convertsInto(project, target));
    if (unknown.length === 0) return [];
    const codes = unknown.join(', ');
    return [
      `${name}: nothing is written for ${codes}: translation does not convert variants of ${source}, and text improvement does not know them`,
    ];
  });
}

/** Variants that only texts are converted into, where a project has documents or recordings as well. */
export function variantsOfTexts({ name, source }: Project, languages: readonly string[]): string {
  return `${name}: of documents and recordings nothing is written for ${languages.join(', ')}: only texts are converted into a variant of ${source}; for html and txt, "lane: text" is a way`;
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
