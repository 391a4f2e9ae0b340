/** Looks for what a config names by its id: glossaries, style lists and translation memories on the service. Nothing is changed. */
import { describeFailure, JobFailure } from '../failure.ts';
import { baseLanguage, type LanguageTag } from '../language.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { Glossary } from '../service/glossaries.ts';
import { languageTagOf } from './glossary-lookup.ts';

export interface IdLookup {
  readonly service: Pick<Service, 'glossaries' | 'styles' | 'memories'>;
  readonly options: CallOptions;
}

/** `problem`: why requests with the id would fail. */
export type LookedUp<T> = { readonly found: T } | { readonly problem: string };

export async function lookUpGlossary(
  { service, options }: IdLookup,
  id: string,
): Promise<LookedUp<Glossary>> {
  const answer = await lookUp(() => service.glossaries.get(id, options));
  return 'problem' in answer ? { problem: `glossary ${id}: ${answer.problem}` } : answer;
}

/** @param languages those that are translated with the list */
export async function lookUpStyle(
  { service, options }: IdLookup,
  id: string,
  languages: readonly LanguageTag[],
): Promise<LookedUp<unknown>> {
  const answer = await lookUp(() => service.styles.get(id, options));
  if ('problem' in answer) return { problem: `style list ${id}: ${answer.problem}` };
  const { language } = answer.found;
  const others = languages.filter((tag) => baseLanguage(tag) !== languageTagOf(language));
  if (others.length === 0) return answer;
  return { problem: `style list ${id} is for ${language}, not ${others.join(', ')}` };
}

/** `unknown`: the deployment cannot list translation memories (docs/design/api.md, "What is not documented"). */
export async function lookUpMemory(
  { service, options }: IdLookup,
  id: string,
): Promise<LookedUp<unknown> | { readonly unknown: string }> {
  const answer = await lookUp(() => service.memories.listAll(options));
  if ('problem' in answer) {
    return { unknown: `it is not known whether the service has ${id}: ${answer.problem}` };
  }
  const ids = answer.found.map((each) => each.translation_memory_id.toLowerCase());
  if (ids.includes(id.toLowerCase())) return { found: id };
  const advice = 'dragoman memory list --service names them';
  return { problem: `translation memory ${id}: ${NOT_THERE}; ${advice}` };
}

const NOT_THERE = 'the service has none of this id for this key';

/** Looks for one object. @throws JobFailure for a failure that says nothing about it, such as a network fault */
export async function lookUp<T>(ask: () => Promise<T>): Promise<LookedUp<T>> {
  try {
    return { found: await ask() };
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    switch (error.failure.kind) {
      case 'not-found':
        return { problem: NOT_THERE };
      case 'rejected':
      case 'forbidden':
      case 'invalid-request':
      case 'unsupported':
        return { problem: describeFailure(error.failure) };
      default:
        throw error;
    }
  }
}
