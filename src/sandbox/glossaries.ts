/** Glossaries v3: with several dictionaries. One request changes one of them. */
import { randomUUID } from 'node:crypto';
import { isoTime } from '../clock.ts';
import { refuseExhausted } from './billing.ts';
import { readDialectFields } from './body.ts';
import type { Fields } from './fields.ts';
import { formatEntries } from './glossary-entries.ts';
import { checkSize, readDictionary, readLanguagePair, readName } from './glossary-request.ts';
import {
  type Dictionary,
  dictionaryFor,
  type Glossary,
  type LanguagePair,
} from './glossary-store.ts';
import { callOwner } from './owned.ts';
import { requiredQuery } from './page.ts';
import { badParameter, notFound, Refusal } from './refusal.ts';
import {
  emptyReply,
  jsonReply,
  type KeyCall,
  type Reply,
  type Resource,
  type ResourceRoute,
  type SandboxWorld,
} from './resource.ts';

export const glossaries: Resource = (world) => [
  ...collectionRoutes(world),
  ...glossaryRoutes(world),
  ...dictionaryRoutes(world),
];

function collectionRoutes(world: SandboxWorld): readonly ResourceRoute[] {
  const path = '/v3/glossaries';
  return [
    {
      method: 'POST',
      path,
      answer: async (call) =>
        createGlossary(world, call, await readDialectFields(call, world, bodyLimit(world))),
    },
    {
      method: 'GET',
      path,
      answer(call) {
        const list = world.glossaries.list(callOwner(call));
        return jsonReply({ glossaries: list.map((glossary) => glossaryShape(world, glossary)) });
      },
    },
  ];
}

function glossaryRoutes(world: SandboxWorld): readonly ResourceRoute[] {
  const path = '/v3/glossaries/{glossary_id}';
  return [
    {
      method: 'GET',
      path,
      answer: (call) => jsonReply(withReadiness(world, call, find(world, call))),
    },
    {
      method: 'PATCH',
      path,
      async answer(call) {
        const glossary = findEditable(world, call);
        return jsonReply(
          glossaryShape(
            world,
            edit(world, glossary, await readDialectFields(call, world, bodyLimit(world))),
          ),
        );
      },
    },
    {
      method: 'DELETE',
      path,
      answer(call) {
        world.glossaries.delete(callOwner(call), call.params['glossary_id'] ?? '');
        return emptyReply;
      },
    },
  ];
}

function dictionaryRoutes(world: SandboxWorld): readonly ResourceRoute[] {
  return [
    {
      method: 'GET',
      path: '/v3/glossaries/{glossary_id}/entries',
      answer(call) {
        const dictionary = requireDictionary(world, call, find(world, call));
        return jsonReply({ dictionaries: [withEntries(dictionary)] });
      },
    },
    {
      method: 'PUT',
      path: '/v3/glossaries/{glossary_id}/dictionaries',
      async answer(call) {
        const glossary = findEditable(world, call);
        return jsonReply(
          put(world, glossary, await readDialectFields(call, world, bodyLimit(world))),
        );
      },
    },
    {
      method: 'DELETE',
      path: '/v3/glossaries/{glossary_id}/dictionaries',
      answer(call) {
        const glossary = findEditable(world, call);
        const gone = requireDictionary(world, call, glossary);
        glossary.dictionaries = glossary.dictionaries.filter((each) => each !== gone);
        return emptyReply;
      },
    },
  ];
}

function find(world: SandboxWorld, call: KeyCall): Glossary {
  return world.glossaries.get(callOwner(call), call.params['glossary_id'] ?? '');
}

/** Bytes of a request: JSON may write a character of an entry with up to six bytes. */
export function bodyLimit(world: SandboxWorld): number {
  return 6 * world.limits.glossary_bytes + 65_536;
}

/** @throws Refusal 400 when the account has the most glossaries allowed, 456 when the key has used up its limit. */
export function refuseTooManyGlossaries(world: SandboxWorld, call: KeyCall): void {
  refuseExhausted(call.key, world.clock);
  const { glossaries: most } = world.limits;
  if (world.glossaries.list(callOwner(call)).length < most) return;
  throw new Refusal(400, `Bad request. The account already has ${most} glossaries.`);
}

function createGlossary(world: SandboxWorld, call: KeyCall, fields: Fields): Reply {
  refuseTooManyGlossaries(world, call);
  const name = readName(fields, world);
  const inputs = fields.objects('dictionaries') ?? [];
  if (inputs.length === 0) throw badParameter('dictionaries', 'must hold at least one dictionary');
  fields.refuseUnknown(world.dialect);
  const dictionaries = inputs.map((input) => readDictionary(input, world));
  dictionaries.forEach((dictionary, i) => {
    if (dictionaries.slice(0, i).some((other) => isPair(other, dictionary))) {
      throw badParameter('dictionaries', `names the pair ${pairWords(dictionary)} twice`);
    }
  });
  const glossary: Glossary = {
    glossary_id: randomUUID(),
    version: 'v3',
    name,
    creation_time: isoTime(world.clock),
    dictionaries: checkSize(dictionaries, world),
  };
  world.glossaries.add(callOwner(call), glossary.glossary_id, glossary);
  const ready = call.fault('not_ready') === undefined;
  return jsonReply({ ...glossaryShape(world, glossary), ready }, 201);
}

function put(world: SandboxWorld, glossary: Glossary, fields: Fields): unknown {
  const dictionary = readDictionary(fields, world);
  glossary.dictionaries = checkSize(replaceIn(glossary, dictionary), world);
  return summary(world, dictionary);
}

/** All or nothing: if the dictionary has a fault, the name also stays. */
function edit(world: SandboxWorld, glossary: Glossary, fields: Fields): Glossary {
  const name = fields.has('name') ? readName(fields, world) : glossary.name;
  const inputs = fields.objects('dictionaries') ?? [];
  fields.refuseUnknown(world.dialect);
  if (inputs.length > 1) throw badParameter('dictionaries', 'may hold only one dictionary');
  const [input] = inputs;
  if (input !== undefined) {
    const merged = merge(world, glossary, readDictionary(input, world));
    glossary.dictionaries = checkSize(replaceIn(glossary, merged), world);
  }
  glossary.name = name;
  return glossary;
}

/** Deployments create a missing dictionary; else entries are added to an existing one only (docs/design/api.md, "Where deployments differ"). */
function merge(world: SandboxWorld, glossary: Glossary, added: Dictionary): Dictionary {
  const existing = dictionaryFor(glossary, added);
  if (existing === undefined && world.dialect === 'document') {
    throw noDictionary(world, added);
  }
  return { ...added, entries: new Map([...(existing?.entries ?? []), ...added.entries]) };
}

function replaceIn(glossary: Glossary, dictionary: Dictionary): readonly Dictionary[] {
  const index = glossary.dictionaries.findIndex((each) => isPair(each, dictionary));
  return index < 0
    ? [...glossary.dictionaries, dictionary]
    : glossary.dictionaries.with(index, dictionary);
}

/** @throws Refusal 404, 400 for a v2 glossary, or 456. */
function findEditable(world: SandboxWorld, call: KeyCall): Glossary {
  const glossary = find(world, call);
  if (glossary.version !== 'v3') {
    throw new Refusal(400, 'Bad request. Glossaries made with v2 cannot be changed.');
  }
  refuseExhausted(call.key, world.clock);
  return glossary;
}

function requireDictionary(world: SandboxWorld, call: KeyCall, glossary: Glossary): Dictionary {
  const pair = readLanguagePair((name) => requiredQuery(call.query, name));
  const found = dictionaryFor(glossary, pair);
  if (found === undefined) throw noDictionary(world, pair);
  return found;
}

/** Clients recognise this case on deployments by its wording. */
function noDictionary({ dialect }: SandboxWorld, pair: LanguagePair): Refusal {
  const detail = pairWords(pair);
  return dialect === 'deployed'
    ? new Refusal(404, 'No dictionary found for language pair', { detail })
    : notFound(`Dictionary for the pair ${detail}`);
}

function isPair(a: LanguagePair, b: LanguagePair): boolean {
  return a.source_lang === b.source_lang && a.target_lang === b.target_lang;
}

function pairWords(pair: LanguagePair): string {
  return `${pair.source_lang} to ${pair.target_lang}`;
}

function glossaryShape(world: SandboxWorld, glossary: Glossary): Record<string, unknown> {
  return {
    glossary_id: glossary.glossary_id,
    name: glossary.name,
    dictionaries: glossary.dictionaries.map((dictionary) => summary(world, dictionary)),
    creation_time: glossary.creation_time,
  };
}

/** `ready` is documented for the answer to a creation only (docs/design/api.md, "Glossaries"). It is also sent where it can be false. */
function withReadiness(world: SandboxWorld, call: KeyCall, glossary: Glossary): unknown {
  const waiting = call.fault('not_ready') !== undefined;
  const shown = waiting || world.dialect === 'deployed';
  return { ...glossaryShape(world, glossary), ...(shown && { ready: !waiting }) };
}

function summary(world: SandboxWorld, dictionary: Dictionary): unknown {
  const code = (lang: string) => (world.dialect === 'deployed' ? lang.toLowerCase() : lang);
  return {
    source_lang: code(dictionary.source_lang),
    target_lang: code(dictionary.target_lang),
    entry_count: dictionary.entries.size,
  };
}

function withEntries({ source_lang, target_lang, entries }: Dictionary): unknown {
  return { source_lang, target_lang, entries: formatEntries(entries), entries_format: 'tsv' };
}
