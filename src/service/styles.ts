/** Style rule lists, paid plan only (docs/design/api.md, "Style rule lists"). */
import * as z from 'zod';
import { JobFailure } from '../failure.ts';
import { jsonAnswer, noContent } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import { requireConstraints } from './constraint.ts';
import { allPages, type Page, requirePage } from './paging.ts';
import { requireShape } from './shape.ts';
import {
  type ConfiguredRules,
  INSTRUCTION_RULES,
  INSTRUCTION_SHAPE,
  type InstructionInput,
  RULES_SHAPE,
  STYLE_NAME_RULE,
  STYLE_RULES,
  STYLE_SHAPE,
  type StyleInput,
} from './style-constraints.ts';

export type { InstructionInput, StyleInput } from './style-constraints.ts';

const Instruction = z.object({
  id: z.string().min(1),
  label: z.string(),
  prompt: z.string(),
  source_language: z.string().nullish(),
});
export type Instruction = z.infer<typeof Instruction>;

const StyleSummary = z.object({
  style_id: z.string().min(1),
  name: z.string(),
  creation_time: z.string(),
  updated_time: z.string(),
  language: z.string(),
  version: z.int(),
});
/** `version` starts at 1 and rises with every change. */
export type StyleSummary = z.infer<typeof StyleSummary>;

const Style = StyleSummary.extend({
  configured_rules: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  custom_instructions: z.array(Instruction).default([]),
});
export type Style = z.infer<typeof Style>;

export interface StylesResource {
  /** @throws JobFailure `unanswered` when the answer was lost: list the style lists before creating it again */
  create(style: StyleInput, options?: CallOptions): Promise<Style>;
  /** One page, without the rules. */
  list(page: Page, options?: CallOptions): Promise<readonly StyleSummary[]>;
  /** All lists with their rules, page by page. */
  listDetailed(options?: CallOptions): Promise<readonly Style[]>;
  get(style_id: string, options?: CallOptions): Promise<Style>;
  rename(style_id: string, name: string, options?: CallOptions): Promise<Style>;
  /** Replaces all configured rules; the custom instructions stay. */
  replaceRules(style_id: string, rules: ConfiguredRules, options?: CallOptions): Promise<Style>;
  /** Irreversible. @throws JobFailure `not-found` when there is no such list */
  remove(style_id: string, options?: CallOptions): Promise<void>;
  /** Adds an instruction and reads the list again, since deployments differ in what the POST answers. */
  addInstruction(
    style_id: string,
    instruction: InstructionInput,
    options?: CallOptions,
  ): Promise<Style>;
  /** The next three methods need the configured capability `instruction_edit`. */
  getInstruction(at: InstructionAddress, options?: CallOptions): Promise<Instruction>;
  updateInstruction(
    at: InstructionAddress,
    instruction: InstructionInput,
    options?: CallOptions,
  ): Promise<Style>;
  removeInstruction(at: InstructionAddress, options?: CallOptions): Promise<void>;
}

export interface InstructionAddress {
  readonly style_id: string;
  readonly id: string;
}

const readStyle = jsonAnswer(Style);
const CALM = { traffic: 'glossaries', repeat: 'safe' } as const;
const ONCE = { traffic: 'glossaries', repeat: 'once' } as const;
const LISTS = '/v3/style_rules';
const ONE = `${LISTS}/{style_id}` as const;
const INSTRUCTION = `${ONE}/custom_instructions/{id}` as const;

const CREATE = { ...ONCE, operation: `POST ${LISTS}`, read: readStyle } as const;
const LIST = {
  ...CALM,
  operation: `GET ${LISTS}`,
  read: jsonAnswer(z.object({ style_rules: z.array(StyleSummary) })),
} as const;
const LIST_DETAILED = {
  ...LIST,
  read: jsonAnswer(z.object({ style_rules: z.array(Style) })),
} as const;
const GET = { ...CALM, operation: `GET ${ONE}`, read: readStyle } as const;
const RENAME = { ...CALM, operation: `PATCH ${ONE}`, read: readStyle } as const;
const REPLACE = { ...CALM, operation: `PUT ${ONE}/configured_rules`, read: readStyle } as const;
const REMOVE = { ...CALM, operation: `DELETE ${ONE}`, read: noContent } as const;
const ADD = { ...ONCE, operation: `POST ${ONE}/custom_instructions`, read: noContent } as const;
const GET_ONE = {
  ...CALM,
  operation: `GET ${INSTRUCTION}`,
  read: jsonAnswer(Instruction),
} as const;
const UPDATE_ONE = { ...CALM, operation: `PUT ${INSTRUCTION}`, read: noContent } as const;
const REMOVE_ONE = { ...CALM, operation: `DELETE ${INSTRUCTION}`, read: noContent } as const;

export function stylesResource(ask: Ask, edits: 'accepted' | 'unknown'): StylesResource {
  return { ...listMethods(ask), ...instructionMethods(ask, edits) };
}

type InstructionMethod =
  | 'addInstruction'
  | 'getInstruction'
  | 'updateInstruction'
  | 'removeInstruction';

function listMethods(ask: Ask): Omit<StylesResource, InstructionMethod> {
  return {
    async create(style, options) {
      requireShape(style, { operation: CREATE.operation, shape: STYLE_SHAPE });
      requireConstraints(style, { operation: CREATE.operation, constraints: STYLE_RULES });
      return ask({ ...CREATE, json: style }, options);
    },
    async list(page, options) {
      requirePage(page, LIST.operation);
      return (await ask({ ...LIST, query: { detailed: false, ...page } }, options)).style_rules;
    },
    listDetailed: (options) =>
      allPages(async (page) => {
        const call = { ...LIST_DETAILED, query: { detailed: true, ...page } };
        return (await ask(call, options)).style_rules;
      }),
    get: (style_id, options) => ask({ ...GET, params: { style_id } }, options),
    async rename(style_id, name, options) {
      requireShape(name, { operation: RENAME.operation, shape: z.string(), name: 'name' });
      requireConstraints({ name }, { operation: RENAME.operation, constraints: [STYLE_NAME_RULE] });
      return ask({ ...RENAME, params: { style_id }, json: { name } }, options);
    },
    async replaceRules(style_id, rules, options) {
      const { operation } = REPLACE;
      requireShape(rules, { operation, shape: RULES_SHAPE, name: 'configured_rules' });
      return ask({ ...REPLACE, params: { style_id }, json: rules }, options);
    },
    remove: (style_id, options) => ask({ ...REMOVE, params: { style_id } }, options),
  };
}

function instructionMethods(
  ask: Ask,
  edits: 'accepted' | 'unknown',
): Pick<StylesResource, InstructionMethod> {
  return {
    async addInstruction(style_id, instruction, options) {
      requireInstruction(instruction, ADD.operation);
      await ask({ ...ADD, params: { style_id }, json: instruction }, options);
      const style = await ask({ ...GET, params: { style_id } }, options);
      requireInList(style.custom_instructions, instruction, ADD.operation);
      return style;
    },
    async getInstruction(at, options) {
      requireEdits(edits);
      return ask({ ...GET_ONE, params: { ...at } }, options);
    },
    async updateInstruction(at, instruction, options) {
      requireEdits(edits);
      requireInstruction(instruction, UPDATE_ONE.operation);
      await ask({ ...UPDATE_ONE, params: { ...at }, json: instruction }, options);
      const style = await ask({ ...GET, params: { style_id: at.style_id } }, options);
      const edited = style.custom_instructions.filter(({ id }) => id === at.id);
      requireInList(edited, instruction, UPDATE_ONE.operation);
      return style;
    },
    async removeInstruction(at, options) {
      requireEdits(edits);
      await ask({ ...REMOVE_ONE, params: { ...at } }, options);
    },
  };
}

function requireInstruction(instruction: InstructionInput, operation: string): void {
  requireShape(instruction, { operation, shape: INSTRUCTION_SHAPE });
  requireConstraints(instruction, { operation, constraints: INSTRUCTION_RULES });
}

/** Something before the service may have answered for it: then the list is as it was. @throws JobFailure `bad-answer` */
function requireInList(
  list: readonly Instruction[],
  { label, prompt }: InstructionInput,
  operation: string,
): void {
  const isSame = (a: string, b: string) => a.trim() === b.trim();
  if (list.some((each) => isSame(each.label, label) && isSame(each.prompt, prompt))) return;
  const message = 'it was accepted, but the list on the service does not have the instruction';
  throw new JobFailure({ kind: 'bad-answer', operation, message });
}

function requireEdits(edits: 'accepted' | 'unknown'): void {
  if (edits === 'accepted') return;
  throw new JobFailure({
    kind: 'unsupported',
    what: 'a single custom instruction cannot be read or changed',
    advice:
      'Make a new style rule list, or add instruction_edit to service.capabilities where the deployment has it.',
  });
}
