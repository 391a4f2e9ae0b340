/** The recipe of a recording: its spoken language, the wanted outputs and their format. Pure. */
import { hash } from 'node:crypto';
import type { Hash, RecipeKey } from '../job.ts';
import { apiCode, sourceCode } from '../language.ts';
import type { Project, Route } from '../project.ts';

export const OUTPUT_KINDS = ['transcript', 'subtitles', 'speech'] as const;

/** Hash of the sound and its language. Copies, renamed files and other projects with an equal key share the results. */
export type ContentKey = string & { readonly __brand: 'ContentKey' };

/** The service uses no glossary, style or formality for recordings: a change of them buys nothing again. */
export function voiceRecipe(project: Project, route: Route): RecipeKey {
  const to = typeof route.to === 'object' ? route.to : {};
  const outputs = OUTPUT_KINDS.filter((kind) => to[kind] !== undefined);
  const canonical = [spokenLanguage(project) ?? 'auto', ...outputs, route.voice.speechFormat];
  return `voice-${hash('sha256', canonical.join(' ')).slice(0, 16)}` as RecipeKey;
}

/** The spoken language as the API spells it; undefined: the service detects it. */
export function spokenLanguage({ source, locales }: Project): string | undefined {
  if (source === 'auto') return undefined;
  return locales.get(source)?.api ?? apiCode(sourceCode(source), 'v3');
}

export function contentKey(source: Hash, spoken: string | undefined): ContentKey {
  return hash('sha256', `${source} ${spoken ?? 'auto'}`).slice(0, 32) as ContentKey;
}
