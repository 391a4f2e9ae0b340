/** Style rule lists: configured rules of the catalogue and custom instructions; every change raises the version. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isoTime } from '../clock.ts';
import { readJson, readObject } from './body.ts';
import { type Fields, isObject } from './fields.ts';
import { sourceLanguage } from './language-table.ts';
import { callOwner } from './owned.ts';
import { queryFlag, readPage } from './page.ts';
import { badParameter, notFound } from './refusal.ts';
import {
  emptyReply,
  jsonReply,
  type KeyCall,
  type Resource,
  type ResourceRoute,
  type SandboxWorld,
} from './resource.ts';
import type { ConfiguredRules, CustomInstruction, StyleList } from './style-store.ts';

export const styles: Resource = (world) => [
  ...collectionRoutes(world),
  ...listRoutes(world),
  ...instructionRoutes(world, touch),
];

const STYLE_LANGUAGES = ['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'zh'];

function collectionRoutes(world: SandboxWorld): readonly ResourceRoute[] {
  return [
    {
      method: 'POST',
      path: '/v3/style_rules',
      feature: 'styles',
      async answer(call) {
        const list = createList(world, await readJson(call));
        world.styles.add(callOwner(call), list.style_id, list);
        return jsonReply(list, 201);
      },
    },
    {
      method: 'GET',
      path: '/v3/style_rules',
      feature: 'styles',
      answer(call) {
        const detailed = queryFlag(call.query, 'detailed');
        const { start, end } = readPage(call.query);
        const lists = world.styles.list(callOwner(call)).slice(start, end);
        return jsonReply({ style_rules: detailed ? lists : lists.map(withoutRules) });
      },
    },
  ];
}

function listRoutes(world: SandboxWorld): readonly ResourceRoute[] {
  const path = '/v3/style_rules/{style_id}';
  const find = (call: KeyCall) => world.styles.get(callOwner(call), call.params['style_id'] ?? '');
  return [
    { method: 'GET', path, feature: 'styles', answer: (call) => jsonReply(find(call)) },
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
        return jsonReply(touch(world, list));
      },
    },
    {
      method: 'DELETE',
      path,
      feature: 'styles',
      answer(call) {
        world.styles.delete(callOwner(call), call.params['style_id'] ?? '');
        return emptyReply;
      },
    },
    {
      method: 'PUT',
      path: `${path}/configured_rules`,
      feature: 'styles',
      async answer(call) {
        const list = find(call);
        list.configured_rules = readRules(await readObject(call));
        return jsonReply(touch(world, list));
      },
    },
  ];
}

function createList(world: SandboxWorld, fields: Fields): StyleList {
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

/** Codes are accepted in any case (docs/design/api.md, "Conventions"). */
function readLanguage(fields: Fields): string {
  const code = fields.requiredText('language').toLowerCase();
  if (STYLE_LANGUAGES.includes(code)) return code;
  throw fields.bad('language', `must be one of ${STYLE_LANGUAGES.join(', ')}`);
}

/** Every modification counts (docs/design/api.md, "Style rule lists": version). */
function touch(world: SandboxWorld, list: StyleList): StyleList {
  list.version++;
  list.updated_time = isoTime(world.clock);
  return list;
}

function withoutRules(list: StyleList): unknown {
  const { configured_rules: _rules, custom_instructions: _instructions, ...rest } = list;
  return rest;
}

/** The catalogue of configured rules: 7 categories, 159 rules, 518 options (docs/design/api.md, "What is not documented"). */
type RuleCatalogue = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const catalogue = JSON.parse(
  readFileSync(new URL('../../config/style-rule-catalogue.json', import.meta.url), 'utf8'),
) as RuleCatalogue;

/** @throws Refusal 400 that names the category, rule or option that the catalogue does not have. */
function readRules(value: unknown): ConfiguredRules {
  if (!isObject(value)) throw badParameter('configured_rules', 'must be an object');
  for (const [category, rules] of Object.entries(value)) checkCategory(category, rules);
  return structuredClone(value) as ConfiguredRules;
}

function checkCategory(category: string, rules: unknown): void {
  const known = Object.hasOwn(catalogue, category) ? catalogue[category] : undefined;
  if (known === undefined) throw badParameter(`configured_rules.${category}`, 'is no category');
  if (!isObject(rules)) throw badParameter(`configured_rules.${category}`, 'must be an object');
  for (const [rule, option] of Object.entries(rules)) {
    const path = `configured_rules.${category}.${rule}`;
    const options = Object.hasOwn(known, rule) ? known[rule] : undefined;
    if (options === undefined) throw badParameter(path, 'is no rule of this category');
    if (!options.some((each) => each === option)) {
      throw badParameter(path, `must be one of ${options.join(', ')}`);
    }
  }
}

// Custom instructions of a style rule list: added one by one; a single one can be changed only on deployments.

/** @param touch counts a change of a list. */
function instructionRoutes(
  world: SandboxWorld,
  touch: (world: SandboxWorld, list: StyleList) => StyleList,
): readonly ResourceRoute[] {
  const add: ResourceRoute = {
    method: 'POST',
    path: '/v3/style_rules/{style_id}/custom_instructions',
    feature: 'styles',
    async answer(call) {
      const list = findList(world, call);
      const added = readInstruction(await readJson(call), world);
      refuseTooManyInstructions(world, list);
      list.custom_instructions = [...list.custom_instructions, added];
      // The documented answer is the list, that of deployments the instruction: this one has both (docs/design/api.md, "Where deployments differ").
      return jsonReply(
        { ...touch(world, list), ...added },
        world.dialect === 'deployed' ? 201 : 200,
      );
    },
  };
  return world.dialect === 'deployed' ? [add, ...singleRoutes(world, touch)] : [add];
}

/** A custom instruction with a new id. @throws Refusal 400 that names the field. */
function readInstruction(fields: Fields, world: SandboxWorld): CustomInstruction {
  const label = fields.shortText('label', world.limits.instruction_label);
  const prompt = fields.shortText('prompt', world.limits.instruction_prompt);
  const source = fields.text('source_language');
  fields.refuseUnknown(world.dialect);
  const source_language =
    source === undefined ? undefined : sourceLanguage(source, 'source_language');
  return { id: randomUUID(), label, prompt, ...(source_language && { source_language }) };
}

/** One custom instruction, by its id (docs/design/api.md, "What is not documented"). */
function singleRoutes(
  world: SandboxWorld,
  touch: (world: SandboxWorld, list: StyleList) => StyleList,
): readonly ResourceRoute[] {
  const path = '/v3/style_rules/{style_id}/custom_instructions/{id}';
  const replace = (list: StyleList, index: number, by: readonly CustomInstruction[]) => {
    list.custom_instructions = list.custom_instructions.toSpliced(index, 1, ...by);
    touch(world, list);
  };
  return [
    {
      method: 'GET',
      path,
      feature: 'styles',
      answer: (call) => jsonReply(findInstruction(world, call).instruction),
    },
    {
      method: 'PUT',
      path,
      feature: 'styles',
      async answer(call) {
        const { instruction } = findInstruction(world, call);
        const changed = {
          ...readInstruction(await readJson(call), world),
          id: instruction.id,
        };
        const { list, index } = findInstruction(world, call);
        replace(list, index, [changed]);
        return jsonReply(changed);
      },
    },
    {
      method: 'DELETE',
      path,
      feature: 'styles',
      answer(call) {
        const { list, index } = findInstruction(world, call);
        replace(list, index, []);
        return emptyReply;
      },
    },
  ];
}

function findList(world: SandboxWorld, call: KeyCall): StyleList {
  return world.styles.get(callOwner(call), call.params['style_id'] ?? '');
}

interface FoundInstruction {
  readonly list: StyleList;
  readonly index: number;
  readonly instruction: CustomInstruction;
}

function findInstruction(world: SandboxWorld, call: KeyCall): FoundInstruction {
  const list = findList(world, call);
  const index = list.custom_instructions.findIndex((each) => each.id === call.params['id']);
  const instruction = list.custom_instructions[index];
  if (instruction === undefined) throw notFound('Custom instruction');
  return { list, index, instruction };
}

function refuseTooManyInstructions(world: SandboxWorld, list: StyleList): void {
  const { style_instructions: most } = world.limits;
  if (list.custom_instructions.length < most) return;
  throw badParameter('custom_instructions', `may hold at most ${most} entries`);
}
