/** Glossaries v2 (legacy): one pair each, immutable, with entries as tab-separated text. */
import { randomUUID } from 'node:crypto';
import { isoTime } from '../clock.ts';
import { readDialectFields } from './body.ts';
import type { Fields } from './fields.ts';
import { bodyLimit, refuseTooManyGlossaries } from './glossaries.ts';
import { formatEntries } from './glossary-entries.ts';
import { checkSize, readDictionary, readName } from './glossary-request.ts';
import type { Dictionary, Glossary } from './glossary-store.ts';
import { callOwner } from './owned.ts';
import { notFound, Refusal } from './refusal.ts';
import {
  bytes,
  emptyReply,
  jsonReply,
  type KeyCall,
  type Reply,
  type Resource,
  type SandboxWorld,
} from './resource.ts';

export const legacyGlossaries: Resource = (world) => [
  {
    method: 'POST',
    path: '/v2/glossaries',
    answer: async (call) =>
      createLegacy(world, call, await readDialectFields(call, world, bodyLimit(world))),
  },
  {
    method: 'GET',
    path: '/v2/glossaries',
    answer(call) {
      const list = world.glossaries.list(callOwner(call)).filter(isLegacy);
      return jsonReply({ glossaries: list.map((glossary) => legacyShape(world, glossary)) });
    },
  },
  {
    method: 'GET',
    path: '/v2/glossaries/{glossary_id}',
    answer: (call) => jsonReply(legacyShape(world, find(world, call))),
  },
  {
    method: 'GET',
    path: '/v2/glossaries/{glossary_id}/entries',
    answer(call) {
      const entries = formatEntries(dictionaryOf(find(world, call)).entries);
      requireTsv(call.headers.accept ?? '*/*');
      return bytes(Buffer.from(entries), TSV);
    },
  },
  {
    method: 'DELETE',
    path: '/v2/glossaries/{glossary_id}',
    answer(call) {
      world.glossaries.delete(callOwner(call), find(world, call).glossary_id);
      return emptyReply;
    },
  },
];

const TSV = 'text/tab-separated-values';

function createLegacy(world: SandboxWorld, call: KeyCall, fields: Fields): Reply {
  refuseTooManyGlossaries(world, call);
  const name = readName(fields, world);
  const glossary: Glossary = {
    glossary_id: randomUUID(),
    version: 'v2',
    name,
    creation_time: isoTime(world.clock),
    dictionaries: checkSize([readDictionary(fields, world)], world),
  };
  world.glossaries.add(callOwner(call), glossary.glossary_id, glossary);
  const ready = call.fault('not_ready') === undefined;
  return jsonReply({ ...legacyShape(world, glossary), ready }, 201);
}

function find(world: SandboxWorld, call: KeyCall): Glossary {
  const glossary = world.glossaries.get(callOwner(call), call.params['glossary_id'] ?? '');
  if (!isLegacy(glossary)) throw notFound('Glossary');
  return glossary;
}

function isLegacy(glossary: Glossary): boolean {
  return glossary.version === 'v2';
}

function dictionaryOf(glossary: Glossary): Dictionary {
  const [only] = glossary.dictionaries;
  if (only === undefined) throw new TypeError('a v2 glossary holds one dictionary');
  return only;
}

/** 415 for formats in which entries cannot be written (docs/design/api.md, "Errors"). */
function requireTsv(accept: string): void {
  const types = accept.split(',').map((each) => each.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (types.some((type) => type === TSV || type === 'text/*' || type === '*/*')) return;
  throw new Refusal(415, `Unsupported entries format '${accept}': use ${TSV}.`);
}

/** v2 answers in upper case (docs/design/api.md, "Conventions"), deployments in lower case ("Where deployments differ"). */
function legacyShape(world: SandboxWorld, glossary: Glossary): Record<string, unknown> {
  const { source_lang, target_lang, entries } = dictionaryOf(glossary);
  const code = (lang: string) =>
    world.dialect === 'deployed' ? lang.toLowerCase() : lang.toUpperCase();
  return {
    glossary_id: glossary.glossary_id,
    ready: true,
    name: glossary.name,
    source_lang: code(source_lang),
    target_lang: code(target_lang),
    creation_time: glossary.creation_time,
    entry_count: entries.size,
  };
}
