/** Reads `.tx/config` of the Transifex CLI. Pure. */
import type { RouteSketch } from '../known-layouts.ts';
import { type ByHand, type Imported, type ImportedRoute, plainPath, TOKENS } from './imported.ts';

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    minimum_perc: 'files are written as far as they are translated',
    mode: '"checks.unreviewed" decides about texts without review',
    replace_edited_strings: '"human_edits" decides about texts that a person changed',
    keep_translations: '"human_edits" decides about texts that a person changed',
  }),
);

/** Settings that are read, that concern the server, or that follow from the extension. */
const TAKEN = [
  'file_filter',
  'source_file',
  'source_lang',
  'lang_map',
  'type',
  'resource_name',
  'host',
];

interface TransifexSection {
  readonly name: string;
  readonly settings: ReadonlyMap<string, string>;
}

export function importTransifex(text: string): Imported {
  const sections = sectionsIn(text);
  const main = sections.find(({ name }) => name === 'main');
  const resources = sections.filter(({ name }) => name !== 'main');
  const byHand: ByHand[] = [];
  const shared = mapIn(main?.settings.get('lang_map'));
  const routes = resources.flatMap((section) => routeOf(section, { shared, byHand }));
  for (const { name, settings } of sections) {
    for (const setting of settings.keys()) {
      if (TAKEN.includes(setting)) continue;
      const reason = setting.startsWith('trans.')
        ? 'one language at a place of its own: spell it in "locales", or write a route'
        : (REASONS.get(setting) ?? 'dragoman has no such setting');
      byHand.push({ setting: `${name}.${setting}`, reason });
    }
  }
  const source = resources.map(({ settings }) => settings.get('source_lang')).find((code) => code);
  return {
    tool: 'Transifex',
    ...(source === undefined ? {} : { source }),
    routes,
    rules: {},
    byHand,
  };
}

function sectionsIn(text: string): TransifexSection[] {
  const sections: { name: string; settings: Map<string, string> }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const name = /^\s*\[([^\]]+)\]\s*$/.exec(line)?.[1];
    if (name !== undefined) sections.push({ name, settings: new Map() });
    const [, key, value = ''] = /^\s*([^#;=[\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined) sections.at(-1)?.settings.set(key, value);
  }
  return sections;
}

/** Spelling -> code, from `pt_BR: pt-br, zh_CN: zh-cn`: the code of the server, then the spelling in files. */
function mapIn(text = ''): [string, string][] {
  return text.split(',').flatMap((pair): [string, string][] => {
    const [code, spelled] = pair.split(':').map((each) => each.trim());
    return code && spelled ? [[spelled, code]] : [];
  });
}

function routeOf(
  { name, settings }: TransifexSection,
  { shared, byHand }: { shared: readonly [string, string][]; byHand: ByHand[] },
): ImportedRoute[] {
  const [filter, source] = [settings.get('file_filter'), settings.get('source_file')];
  if (filter === undefined || !filter.includes('<lang>')) {
    byHand.push({ setting: `${name}.file_filter`, reason: 'it names no <lang>: write the route' });
    return [];
  }
  const to = plainPath(filter).replaceAll('<lang>', '{}');
  const own = source === undefined ? undefined : plainPath(source);
  const code = settings.get('source_lang') ?? 'en';
  const isMirrored = own === undefined || own === to.replaceAll('{}', code);
  const route: RouteSketch = {
    ...(isMirrored ? { from: to } : { from: own, to }),
    ...(/\.(?:php|ini|toml|html?|txt|xlf|xliff)$/.test(to) ? { lane: 'text' } : {}),
  };
  const spellings = new Map([...shared, ...mapIn(settings.get('lang_map'))]);
  return [{ route, tokens: ['locale_underscore', ...TOKENS], spellings }];
}
