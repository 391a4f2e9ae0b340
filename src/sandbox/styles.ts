/** Style rule lists: configured rules of the catalogue and custom instructions, versioned with every change. */
import { randomUUID } from 'node:crypto';
import { isoTime } from '../clock.ts';
import { readJson, readObject } from './body.ts';
import type { Fields } from './fields.ts';
import { ownerOf } from './owned.ts';
import { queryFlag, readPage } from './page.ts';
import {
  json,
  type KeyCall,
  noContent,
  type Resource,
  type Route,
  type World,
} from './resource.ts';
import { readRules } from './style-catalogue.ts';
import { instructionRoutes, readInstruction } from './style-instructions.ts';
import type { StyleList } from './style-store.ts';

export const styles: Resource = (world) => [
  ...collectionRoutes(world),
  ...listRoutes(world),
  ...instructionRoutes(world, touch),
];

const LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'zh'];

function collectionRoutes(world: World): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v3/style_rules',
      feature: 'styles',
      async answer(call) {
        const list = create(world, await readJson(call));
        world.styles.add(ownerOf(call), list.style_id, list);
        return json(list, 201);
      },
    },
    {
      method: 'GET',
      path: '/v3/style_rules',
      feature: 'styles',
      answer(call) {
        const detailed = queryFlag(call.query, 'detailed');
        const { start, end } = readPage(call.query);
        const lists = world.styles.list(ownerOf(call)).slice(start, end);
        return json({ style_rules: detailed ? lists : lists.map(withoutRules) });
      },
    },
  ];
}

function listRoutes(world: World): readonly Route[] {
  const path = '/v3/style_rules/{style_id}';
  const find = (call: KeyCall) => world.styles.get(ownerOf(call), call.params['style_id'] ?? '');
  return [
    { method: 'GET', path, feature: 'styles', answer: (call) => json(find(call)) },
    {
      method: 'PATCH',
      path,
      feature: 'styles',
      async answer(call) {
        const list = find(call);
        const fields = await readJson(call);
        const name = fields.shortText('name', world.limits.style_name);
        fields.refuseUnknown(world.dialect);
        list.name = name;
        return json(touch(world, list));
      },
    },
    {
      method: 'DELETE',
      path,
      feature: 'styles',
      answer(call) {
        world.styles.delete(ownerOf(call), call.params['style_id'] ?? '');
        return noContent;
      },
    },
    {
      method: 'PUT',
      path: `${path}/configured_rules`,
      feature: 'styles',
      async answer(call) {
        const list = find(call);
        list.configured_rules = readRules(await readObject(call));
        return json(touch(world, list));
      },
    },
  ];
}

function create(world: World, fields: Fields): StyleList {
  const name = fields.shortText('name', world.limits.style_name);
  const language = readLanguage(fields);
  const configured_rules = readRules(fields.raw('configured_rules') ?? {});
  const instructions = fields.objects('custom_instructions') ?? [];
  fields.refuseUnknown(world.dialect);
  const { style_instructions: most } = world.limits;
  if (instructions.length > most) {
    throw fields.bad('custom_instructions', `may hold at most ${most} entries`);
  }
  const creation_time = isoTime(world.clock);
  return {
    style_id: randomUUID(),
    name,
    creation_time,
    updated_time: creation_time,
    language,
    version: 1,
    configured_rules,
    custom_instructions: instructions.map((each) => readInstruction(each, world)),
  };
}

/** Codes are accepted in any casing (API document, "Conventions"). */
function readLanguage(fields: Fields): string {
  const code = fields.requiredText('language').toLowerCase();
  if (LANGUAGES.includes(code)) return code;
  throw fields.bad('language', `must be one of ${LANGUAGES.join(', ')}`);
}

/** Every modification counts (API document, "Style rule list": version). */
function touch(world: World, list: StyleList): StyleList {
  list.version++;
  list.updated_time = isoTime(world.clock);
  return list;
}

function withoutRules(list: StyleList): unknown {
  const { configured_rules: _rules, custom_instructions: _instructions, ...rest } = list;
  return rest;
}
