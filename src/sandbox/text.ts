/** `POST /v2/translate`: text translation with every rule that is documented (docs/design/api.md, "Translation rules"). */
import { countCharacters } from './billing.ts';
import { readFields } from './body.ts';
import { describeRecipe, resolveRecipe } from './recipe.ts';
import {
  jsonReply,
  type KeyCall,
  type Reply,
  type Resource,
  type SandboxWorld,
} from './resource.ts';
import { readTextRequest, type TextRequest } from './text-request.ts';
import { type TranslatedText, translateTexts } from './translation.ts';

export const text: Resource = (world) => [
  {
    method: 'POST',
    path: '/v2/translate',
    async answer(call) {
      const fields = await readFields(call, world.limits.translate_body);
      return answerTranslate(world, call, readTextRequest(fields, world));
    },
  },
];

async function answerTranslate(
  world: SandboxWorld,
  call: KeyCall,
  request: TextRequest,
): Promise<Reply> {
  const { texts, target_lang, source_lang, context } = request;
  await call.record({
    texts,
    target_lang,
    recipe: describeRecipe({ ...request, texts: [], context: undefined }),
    ...(source_lang && { source_lang }),
    ...(context && { context_characters: countCharacters([context]) }),
  });
  const recipe = resolveRecipe(world, call, request);
  call.bill('text', countCharacters(texts));
  return jsonReply(
    translationsShape(world, request, await translateTexts(world, call, { ...request, recipe })),
  );
}

/** Puts bill and model beside the translations, for deployments inside each one (docs/design/api.md, "Where deployments differ"). */
function translationsShape(
  world: SandboxWorld,
  request: TextRequest,
  translated: readonly TranslatedText[],
): unknown {
  const { texts, model_type_used, show_billed_characters } = request;
  const model = model_type_used === undefined ? {} : { model_type_used };
  const bill = (billed: readonly string[]) =>
    show_billed_characters ? { billed_characters: countCharacters(billed) } : {};
  const translations = translated.map((each, i) => ({
    detected_source_language: each.source.toUpperCase(),
    text: each.text,
    ...(world.dialect === 'deployed' && { ...bill([texts[i] ?? '']), ...model }),
  }));
  return { translations, ...bill(texts), ...model };
}
