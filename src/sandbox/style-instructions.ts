/** Custom instructions of a style rule list: added one by one; single ones are changed on deployments only. */
import { randomUUID } from 'node:crypto';
import { readJson } from './body.ts';
import type { Fields } from './fields.ts';
import { sourceLanguage } from './language-table.ts';
import { ownerOf } from './owned.ts';
import { badParameter, notFound } from './refusal.ts';
import { json, type KeyCall, noContent, type Route, type World } from './resource.ts';
import type { CustomInstruction, StyleList } from './style-store.ts';

/** @param touch counts a modification of a list. */
export function instructionRoutes(
  world: World,
  touch: (world: World, list: StyleList) => StyleList,
): readonly Route[] {
  const add: Route = {
    method: 'POST',
    path: '/v3/style_rules/{style_id}/custom_instructions',
    feature: 'styles',
    async answer(call) {
      const list = findList(world, call);
      const added = readInstruction(await readJson(call), world);
      requireRoom(world, list);
      list.custom_instructions = [...list.custom_instructions, added];
      // The document answers with the list, deployments with the instruction: one answer serves both (docs/design/api.md).
      return json({ ...touch(world, list), ...added }, world.dialect === 'deployed' ? 201 : 200);
    },
  };
  return world.dialect === 'deployed' ? [add, ...singleRoutes(world, touch)] : [add];
}

/** A custom instruction with a new id. @throws Refusal 400 that names the field. */
export function readInstruction(fields: Fields, world: World): CustomInstruction {
  const label = fields.shortText('label', world.limits.instruction_label);
  const prompt = fields.shortText('prompt', world.limits.instruction_prompt);
  const source = fields.text('source_language');
  fields.refuseUnknown(world.dialect);
  const source_language =
    source === undefined ? undefined : sourceLanguage(source, 'source_language');
  return { id: randomUUID(), label, prompt, ...(source_language && { source_language }) };
}

/** docs/design/api.md, "single custom instruction". */
function singleRoutes(
  world: World,
  touch: (world: World, list: StyleList) => StyleList,
): readonly Route[] {
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
      answer: (call) => json(findInstruction(world, call).instruction),
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
        return json(changed);
      },
    },
    {
      method: 'DELETE',
      path,
      feature: 'styles',
      answer(call) {
        const { list, index } = findInstruction(world, call);
        replace(list, index, []);
        return noContent;
      },
    },
  ];
}

function findList(world: World, call: KeyCall): StyleList {
  return world.styles.get(ownerOf(call), call.params['style_id'] ?? '');
}

interface FoundInstruction {
  readonly list: StyleList;
  readonly index: number;
  readonly instruction: CustomInstruction;
}

function findInstruction(world: World, call: KeyCall): FoundInstruction {
  const list = findList(world, call);
  const index = list.custom_instructions.findIndex((each) => each.id === call.params['id']);
  const instruction = list.custom_instructions[index];
  if (instruction === undefined) throw notFound('Custom instruction');
  return { list, index, instruction };
}

function requireRoom(world: World, list: StyleList): void {
  const { style_instructions: most } = world.limits;
  if (list.custom_instructions.length < most) return;
  throw badParameter('custom_instructions', `may hold at most ${most} entries`);
}
