/** Reads `.deepl-sync.yaml` of the DeepL CLI. Pure. */
import type { RouteSketch } from '../known-layouts.ts';
import {
  type ByHand,
  type Imported,
  type ImportedRoute,
  leftBy,
  pathWithoutSource,
  plainPath,
  type Settings,
  settingsIn,
  stringIn,
  stringsIn,
  TOKENS,
} from './imported.ts';

const REASONS = {
  context:
    'write what translators should know into "context" of the project or "keys.notes" of a route',
  tms: '"dragoman review" exports and imports translations',
  validation: 'the settings in "checks" decide what is held',
  ignore: 'write the patterns into "exclude" of the routes',
  instruction_templates: 'write them into "custom_instructions"',
  length_limits: 'write limits into "keys.max_length" of the routes',
  locale_overrides: 'make a project for each language that differs',
  key_style: 'dragoman does not change keys',
};

export function importDeepl(settings: Settings): Imported {
  const source = stringIn(settings['source_locale']) ?? 'en';
  const buckets = Object.entries(settingsIn(settings['buckets'])).map(([format, bucket]) =>
    bucketOf({ format, bucket: settingsIn(bucket), source }),
  );
  const translation = settingsIn(settings['translation']);
  const { rules, byHand } = rulesIn(translation);
  const sync = settingsIn(settings['sync']);
  const most = sync['max_characters'];
  return {
    tool: 'DeepL sync',
    source,
    targets: stringsIn(settings['target_locales']),
    routes: buckets.flatMap(({ routes }) => routes),
    rules,
    ...(typeof most === 'number' ? { budget: most } : {}),
    byHand: [
      ...buckets.flatMap(({ byHand: own }) => own),
      ...byHand,
      ...leftBy(sync, { under: 'sync', taken: ['max_characters'], reasons: {} }),
      ...leftBy(settings, {
        taken: ['version', 'source_locale', 'target_locales', 'buckets', 'translation', 'sync'],
        reasons: REASONS,
      }),
    ],
  };
}

interface Bucket {
  readonly format: string;
  readonly bucket: Settings;
  readonly source: string;
}

function bucketOf({ format, bucket, source }: Bucket): {
  readonly routes: readonly ImportedRoute[];
  readonly byHand: readonly ByHand[];
} {
  const exclude = stringsIn(bucket['exclude']).map(plainPath);
  const pattern = stringIn(bucket['target_path_pattern']);
  const byHand: ByHand[] = [];
  const routes = stringsIn(bucket['include']).flatMap((include) => {
    const path = plainPath(include);
    const from =
      pattern === undefined && format !== 'xcstrings' ? pathWithoutSource(path, source) : path;
    if (from === undefined) {
      const reason = `${source} is not in the path ${include}: write a route with "to"`;
      byHand.push({ setting: `buckets.${format}.include`, reason });
      return [];
    }
    const route: RouteSketch = {
      from,
      ...(pattern === undefined ? {} : { to: targetOf(plainPath(pattern), path) }),
      ...(exclude.length === 0 ? {} : { exclude }),
      ...(format === 'laravel_php' || format === 'toml' || format === 'xliff'
        ? { lane: 'text' }
        : {}),
    };
    return [{ route, tokens: TOKENS, spellings: new Map<string, string>() }];
  });
  const left = leftBy(bucket, {
    under: `buckets.${format}`,
    taken: ['include', 'exclude', 'target_path_pattern'],
    reasons: REASONS,
  });
  return { routes, byHand: [...byHand, ...left] };
}

/** The path of a target. `{basename}` is the name of the source; its extension is added where the pattern has none. */
function targetOf(pattern: string, from: string): string {
  const named = pattern.replaceAll('{locale}', '{}').replace(/\{basename\}$/, '{name}.{ext}');
  const to = named.replaceAll('{basename}', '{name}');
  const isDeep = from.includes('**') && !to.includes('{dir}');
  return isDeep ? to.replace(/([^/]*)$/, '{dir}/$1') : to;
}

const FORMALITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ formal: 'more', informal: 'less' }),
);
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function rulesIn(translation: Settings): Pick<Imported, 'rules' | 'byHand'> {
  const text = (name: string) => stringIn(translation[name]);
  const [formality, model, glossary, memory] = [
    text('formality'),
    text('model_type'),
    text('glossary'),
    text('translation_memory'),
  ];
  const threshold = translation['translation_memory_threshold'];
  const instructions = stringsIn(translation['custom_instructions']);
  const byHand: ByHand[] = [];
  const rules: Record<string, unknown> = {};
  if (formality !== undefined && formality !== 'default') {
    rules['formality'] = FORMALITIES.get(formality) ?? formality;
  }
  if (model !== undefined) rules['model'] = model;
  if (instructions.length > 0) rules['custom_instructions'] = instructions;
  if (glossary !== undefined && ID.test(glossary)) rules['glossary'] = { id: glossary };
  else if (glossary !== undefined) {
    const reason =
      glossary === 'auto'
        ? 'dragoman does not make a glossary by itself: write the terms into a CSV file and name it in "glossary"'
        : `write its terms into a CSV file, then: glossary: { name: ${JSON.stringify(glossary)}, csv: … }`;
    byHand.push({ setting: 'translation.glossary', reason });
  }
  if (memory !== undefined && ID.test(memory)) {
    rules['translation_memory'] = {
      id: memory,
      ...(typeof threshold === 'number' ? { threshold } : {}),
    };
  } else if (memory !== undefined) {
    const reason = `translation_memory takes the id of ${JSON.stringify(memory)}, not its name`;
    byHand.push({ setting: 'translation.translation_memory', reason });
  }
  const style = text('style_id');
  if (style !== undefined) {
    const reason = `a style belongs to one language: style: { de: { id: ${style} } }`;
    byHand.push({ setting: 'translation.style_id', reason });
  }
  const taken = [
    ...['formality', 'model_type', 'custom_instructions', 'glossary', 'style_id'],
    ...['translation_memory', 'translation_memory_threshold'],
  ];
  const left = leftBy(translation, { under: 'translation', taken, reasons: REASONS });
  return { rules, byHand: [...byHand, ...left] };
}
