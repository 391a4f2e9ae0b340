/** Language lists: `/v3/languages` with its resources and features, and the deprecated v2 lists. */
import { readOptionalJson } from './body.ts';
import {
  featuresFor,
  isResourceName,
  languagesOf,
  RESOURCE_NAMES,
  resourceFeatures,
} from './language-features.ts';
import { englishName, LANGUAGES, WITH_FORMALITY } from './language-table.ts';
import { badParameter } from './refusal.ts';
import {
  type Dialect,
  jsonReply,
  type ReceivedCall,
  type Resource,
  type SandboxWorld,
} from './resource.ts';

export const languages: Resource = (world) => [
  {
    method: 'GET',
    path: '/v3/languages',
    answer: ({ query }) =>
      jsonReply(listLanguages(query.get('resource') ?? '', query.getAll('include'))),
  },
  {
    method: 'GET',
    path: '/v3/languages/resources',
    answer: () =>
      jsonReply(RESOURCE_NAMES.map((name) => ({ name, features: resourceFeatures(name) }))),
  },
  {
    method: 'GET',
    path: '/v2/languages',
    answer: async (call) => jsonReply(legacyList((await typeOf(world, call)) ?? 'source')),
  },
  {
    method: 'GET',
    path: '/v2/glossary-language-pairs',
    answer: () => jsonReply({ supported_languages: pairs(world.dialect) }),
  },
];

function listLanguages(resource: string, include: readonly string[]): unknown {
  if (!isResourceName(resource)) {
    throw badParameter('resource', `must be one of ${RESOURCE_NAMES.join(', ')}`);
  }
  const wanted = include.flatMap((each) => each.split(','));
  if (wanted.some((each) => each !== 'beta' && each !== 'external')) {
    throw badParameter('include', 'must be beta or external');
  }
  return languagesOf(resource)
    .filter((language) => language.status === 'stable' || wanted.includes('beta'))
    .map((language) => ({
      lang: language.lang,
      name: englishName(language.lang),
      usable_as_source: language.source,
      usable_as_target: language.target,
      status: language.status,
      features: featuresFor(resource, language, wanted),
    }));
}

/** Deployments also accept it in a JSON body. */
async function typeOf({ dialect }: SandboxWorld, call: ReceivedCall): Promise<string | undefined> {
  const type = call.query.get('type') ?? undefined;
  if (type !== undefined || dialect === 'document') return type;
  return (await readOptionalJson(call)).text('type');
}

function legacyList(type: string): unknown {
  if (type !== 'source' && type !== 'target') {
    throw badParameter('type', 'must be source or target');
  }
  return LANGUAGES.filter((language) => language.status === 'stable' && language[type]).map(
    ({ lang }) => ({
      language: lang.toUpperCase(),
      name: englishName(lang),
      ...(type === 'target' && { supports_formality: WITH_FORMALITY.includes(lang) }),
    }),
  );
}

/** v2 answers in upper case (docs/design/api.md, "Conventions"), deployments in lower case ("Where deployments differ"). */
function pairs(dialect: Dialect): unknown {
  const known = languagesOf('glossary').map(({ lang }) =>
    dialect === 'deployed' ? lang.toLowerCase() : lang.toUpperCase(),
  );
  return known.flatMap((source_lang) =>
    known
      .filter((target_lang) => target_lang !== source_lang)
      .map((target_lang) => ({ source_lang, target_lang })),
  );
}
