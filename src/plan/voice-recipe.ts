/** What decides the outputs of a recording beside its sound: the language spoken, the outputs asked for and their form. Pure. */
import { hash } from 'node:crypto';
import type { Hash, RecipeKey } from '../job.ts';
import { apiCode, sourceCode } from '../language.ts';
import type { Project, Route } from '../project.ts';

export const OUTPUT_KINDS = ['transcript', 'subtitles', 'speech'] as const;

/** Sound and the language it is in: results of equal content are shared by copies, renames and projects. */
export type ContentKey = string & { readonly __brand: 'ContentKey' };

/** The service takes neither glossary nor style nor formality with recordings: they do not buy anew. */
export function voiceRecipe(project: Project, route: Route): RecipeKey {
  const to = typeof route.to === 'object' ? route.to : {};
  const outputs = OUTPUT_KINDS.filter((kind) => to[kind] !== undefined);
  const canonical = [spokenLanguage(project) ?? 'auto', ...outputs, route.voice.speechFormat];
  return `voice-${hash('sha256', canonical.join(' ')).slice(0, 16)}` as RecipeKey;
}

/** As the API spells it; undefined when the service shall detect it. */
export function spokenLanguage({ source, locales }: Project): string | undefined {
  if (source === 'auto') return undefined;
  return locales.get(source)?.api ?? apiCode(sourceCode(source), 'v3');
}

export function contentKey(source: Hash, spoken: string | undefined): ContentKey {
  return hash('sha256', `${source} ${spoken ?? 'auto'}`).slice(0, 32) as ContentKey;
}
